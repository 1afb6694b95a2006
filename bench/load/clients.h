// WebSocket clients of one server, on one epoll loop in one thread, and the check of all that they get.
//
// They speak the few messages of our protocol that the servers beside ours speak too. A follower must have every version
// once and in order: what is not so is counted, by kind.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { RING = 64 };  // more versions than can be under way

typedef struct { int source, count, target; } Move;
typedef struct {
  char id[32];
  Move *moves;
  int count, again;         // after the last move comes the one at index `again`
  int player, members;
  long asked;               // the newest version asked for
  int left[RING];           // of a version: how many have not got it yet
  double at[RING];          // of a version: when it was asked for
} Game;

enum { SHAKING, ASKING, FOLLOWING, GONE };
typedef struct {
  int socket, game, state, is_player;
  long version;
  char chain[9], watch[128];
  uint8_t *kept;            // the beginning of a frame whose end has not come
  int length;
  double opened, shaken, synced;
  long bytes;
} Client;

typedef struct {
  double seconds, late;
  long moves, messages, bytes;
  long gaps, repeats, missing, reseeded, refused, closed;
} Result;

static Game *games;
static Client *clients;
static int game_count, client_count, followers, epoll = -1;
static Result seen;         // of the measurement under way
static long completed;      // moves that all members have
static int is_endless;      // a move that all have makes the player ask for the next
static double *latencies;   // when they are wanted
static char said[256];      // the last that went wrong, in words

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int is_faulty(void) { return seen.gaps || seen.repeats || seen.reseeded || seen.refused || seen.closed; }

static void end(Client *c) {
  if (c->state == FOLLOWING) followers--;
  c->state = GONE;
  games[c->game].members--;
  seen.closed++;
  close(c->socket);
  free(c->kept);
  c->kept = NULL;
}

static void put(Client *c, int code, const void *text, int length) {
  uint8_t b[256] = { 0x80 | code, 0x80 | length };  // and four zeros: a mask that changes nothing
  memcpy(b + 6, text, length);
  if (c->state == GONE || send(c->socket, b, length + 6, MSG_NOSIGNAL) == length + 6) return;
  snprintf(said, sizeof said, "cannot send: %s", strerror(errno));
  end(c);
}

static void ask(Game *g) {
  long at = g->asked - 1;
  Move m = g->moves[at < g->count ? at : g->again + (at - g->again) % (g->count - g->again)];
  char text[112];
  int n = snprintf(text, sizeof text, "{\"t\":\"move\",\"g\":\"%s\",\"v\":%ld,\"m\":[%d,%d,%d]}",
                   g->id, g->asked, m.source, m.count, m.target);
  int slot = ++g->asked % RING;
  g->left[slot] = g->members;
  g->at[slot] = now();
  seen.moves++;
  put(&clients[g->player], 1, text, n);
}

static void on_move(Client *c, long version, int bytes) {
  Game *g = &games[c->game];
  int slot = version % RING;
  if (version > c->version + 1) seen.gaps++;
  if (version <= c->version) { seen.repeats++; return; }
  c->version = version;
  if (!c->is_player) {
    if (latencies) latencies[seen.messages] = now() - g->at[slot];
    seen.messages++;
    seen.bytes += bytes;
  }
  if (--g->left[slot]) return;
  completed++;
  if (is_endless) ask(g);
}

static const char *after(const char *text, int n, const char *name) {
  const char *found = memmem(text, n, name, strlen(name));
  return found ? found + strlen(name) : "";
}

static int is_kind(const char *text, int n, const char *kind) {  // {"t":"KIND"...
  int length = strlen(kind);
  return n > length + 6 && !memcmp(text + 6, kind, length) && text[length + 6] == '"';
}

static void on_text(Client *c, const char *text, int n) {
  if (is_kind(text, n, "move")) {
    on_move(c, atol(after(text, n, "\"v\":")), n + 2);
  } else if (is_kind(text, n, "state")) {
    seen.reseeded += c->state == FOLLOWING;
    c->version = atol(after(text, n, "\"v\":"));
    snprintf(c->chain, sizeof c->chain, "%.8s", after(text, n, "\"c\":\""));
  } else if (is_kind(text, n, "synced") && c->state == ASKING) {
    c->state = FOLLOWING;
    c->synced = now();
    followers++;
  } else if (is_kind(text, n, "refused") || is_kind(text, n, "stale") || is_kind(text, n, "error")) {
    seen.refused++;
    snprintf(said, sizeof said, "%.*s", n, text);
  }
}

static int header(const uint8_t *p, long have, long *n) {  // its length, or 0 when it is not all there
  int length = (p[1] & 127) == 127 ? 10 : (p[1] & 127) == 126 ? 4 : 2;
  if (have < length) return 0;
  *n = length == 2 ? p[1] & 127 : 0;
  for (int i = 2; i < length; i++) *n = *n << 8 | p[i];
  return length;
}

static long on_frames(Client *c, uint8_t *p, long have) {  // how many bytes were whole frames
  long at = 0, n;
  int h;
  while (c->state != GONE && have - at >= 2 && (h = header(p + at, have - at, &n)) && have - at >= h + n) {
    uint8_t *body = p + at + h;
    int code = p[at] & 15;
    if (code == 1) on_text(c, (char *)body, n);
    if (code == 9) put(c, 10, body, n);
    if (code == 8) {
      snprintf(said, sizeof said, "closed with %d", n > 1 ? body[0] << 8 | body[1] : 0);
      end(c);
    }
    at += h + n;
  }
  return at;
}

static long on_handshake(Client *c, uint8_t *p, long have) {
  uint8_t *body = memmem(p, have, "\r\n\r\n", 4);
  if (!body) return 0;
  if (memcmp(p, "HTTP/1.1 101", 12)) {
    snprintf(said, sizeof said, "%.*s", (int)have, p);
    end(c);
    return 0;
  }
  c->state = ASKING;
  c->shaken = now();
  put(c, 1, c->watch, strlen(c->watch));
  return body + 4 - p;
}

static void on_readable(Client *c) {
  static uint8_t b[1 << 20];
  if (c->state == GONE) return;
  if (c->length) memcpy(b, c->kept, c->length);
  ssize_t got = recv(c->socket, b + c->length, sizeof b - 1 - c->length, 0);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    snprintf(said, sizeof said, "cut off by the server");
    end(c);
    return;
  }
  c->bytes += got;
  long have = c->length + got, used = c->state == SHAKING ? on_handshake(c, b, have) : 0;
  if (c->state != SHAKING) used += on_frames(c, b + used, have - used);
  if (c->state == GONE || have - used + c->length == 0) return;
  free(c->kept);
  c->length = have - used;
  c->kept = c->length ? memcpy(malloc(c->length), b + used, c->length) : NULL;
}

static int turn(double seconds) {
  static struct epoll_event ready[1024];
  int n = epoll_wait(epoll, ready, 1024, seconds * 1000);
  for (int i = 0; i < n; i++) on_readable(&clients[ready[i].data.u32]);
  return n;
}
