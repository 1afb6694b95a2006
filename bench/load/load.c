// How the clients are driven; bench/load/__init__.py is the face. Games and clients are numbers, from 0 on; a fault ends what is
// under way, and everything ends by itself.
#include "clients.h"

static double patience_s;  // so long may nothing come

static void until_completed(long wanted, double until) {
  long had = completed;
  for (double last = now(), t; (t = now()) < until && t < last + patience_s && completed < wanted && !is_faulty();) {
    if (completed > had) { had = completed; last = t; }
    turn(0.02);
  }
}

static void begin(void) {
  long closed = seen.closed;
  seen = (Result){ .closed = closed, .seconds = -now() };
  completed = 0;
}

static void finish(int from, int to, Result *result) {
  until_completed(seen.moves, now() + patience_s);
  seen.seconds += now();
  for (Client *c = clients; c < clients + client_count; c++)
    seen.missing += c->state != GONE && c->game >= from && c->game < to && c->version != games[c->game].asked;
  *result = seen;
}

static void *room_for_one_more(void *array, int count, size_t size) {
  int is_full = (count & (count - 1)) == 0;  // its room is the next power of two
  return is_full ? realloc(array, (count ? 2 * count : 1) * size) : array;
}

void load_begin(double seconds) { patience_s = seconds; }

const char *load_said(void) { return said; }

int load_game(const char *id, const Move *moves, int count, int again) {
  games = room_for_one_more(games, game_count, sizeof *games);
  Game *g = &games[game_count];
  *g = (Game){ .count = count, .again = again, .asked = 1 };
  snprintf(g->id, sizeof g->id, "%s", id);
  g->moves = memcpy(malloc(count * sizeof *moves), moves, count * sizeof *moves);
  return game_count++;
}

int load_client(int game, int port, const char *request, const char *watch, long since, int is_player) {
  if (epoll < 0) epoll = epoll_create1(0);
  clients = room_for_one_more(clients, client_count, sizeof *clients);
  Client *c = &clients[client_count];
  *c = (Client){ .game = game, .version = since, .is_player = is_player, .opened = now() };
  snprintf(c->watch, sizeof c->watch, "%s", watch);
  struct sockaddr_in to = { AF_INET, htons(port), { htonl(INADDR_LOOPBACK) }, { 0 } };
  c->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c->socket, (void *)&to, sizeof to) || send(c->socket, request, strlen(request), MSG_NOSIGNAL) < 0) {
    snprintf(said, sizeof said, "cannot connect: %s", strerror(errno));
    close(c->socket);
    return -1;
  }
  setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
  fcntl(c->socket, F_SETFL, O_NONBLOCK);
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->socket, &(struct epoll_event){ .events = EPOLLIN, .data.u32 = client_count });
  games[game].members++;
  if (is_player) games[game].player = client_count;
  return client_count++;
}

int load_joined(int wanted, double seconds) {
  for (double until = now() + seconds; followers < wanted && !seen.closed && now() < until;) turn(0.02);
  return followers;
}

void load_listen(double seconds) {
  for (double until = now() + seconds; now() < until;) turn(0.02);
}

void load_leave(int client) {
  end(&clients[client]);
  seen.closed--;
}

void load_join(int client, double *shaken_s, double *synced_s, long *bytes, long *version, char *chain) {
  Client *c = &clients[client];
  *shaken_s = c->shaken - c->opened;
  *synced_s = c->synced - c->opened;
  *bytes = c->bytes;
  *version = c->version;
  memcpy(chain, c->chain, sizeof c->chain);
}

// Games `from` to before `to` have `under_way` moves on their way at any time: when all have one, the next is asked for.
void load_closed(int from, int to, int under_way, double seconds, Result *result) {
  begin();
  is_endless = 1;
  for (int g = from; g < to; g++)
    for (int i = 0; i < under_way; i++) ask(&games[g]);
  until_completed(1L << 60, now() + seconds);
  is_endless = 0;
  finish(from, to, result);
}

// One game, `count` moves, as fast as `under_way` at a time allow.
void load_play(int game, int under_way, long count, Result *result) {
  begin();
  for (long i = 0; i < count && !is_faulty() && completed + under_way > i; i++) {
    ask(&games[game]);
    until_completed(i + 2 - under_way, now() + patience_s);
  }
  finish(game, game + 1, result);
}

// The server and its clients take turns: a move in each game, a sleep until everybody has probably been told (it adapts),
// then all is read. What the server needs is then free of what two busy cores do to each other.
void load_turns(int from, int to, double seconds, double *sleep_s, Result *result) {
  begin();
  for (double until = now() + seconds; now() < until && !is_faulty() && completed == seen.moves;) {
    for (int g = from; g < to; g++) ask(&games[g]);
    int sleeps = 0;
    for (double stuck = now() + patience_s; completed < seen.moves && !is_faulty() && now() < stuck; sleeps++) {
      usleep((sleeps ? *sleep_s / 4 : *sleep_s) * 1e6);
      while (turn(0) > 0) {}
    }
    *sleep_s = sleeps > 1 ? *sleep_s * 1.1 + 0.0002 : *sleep_s * 0.98;
  }
  finish(from, to, result);
}

// One game, `rate` moves a second whatever the server does. Gives seconds from when a move was due until a spectator had
// it, one for each move and spectator.
void load_paced(int game, double rate, int count, double *seconds, Result *result) {
  begin();
  latencies = seconds;
  double start = now(), t;
  for (int i = 0; i < count && !is_faulty(); i++) {
    double due = start + i / rate;
    while ((t = now()) < due) turn(due - t > 0.002 ? due - t - 0.001 : 0);
    if (t - due > seen.late) seen.late = t - due;
    ask(&games[game]);
    games[game].at[games[game].asked % RING] = due;
  }
  finish(game, game + 1, result);
  latencies = NULL;
}

void load_reset(void) {
  for (Client *c = clients; c < clients + client_count; c++)
    if (c->state != GONE) end(c);
  for (int i = 0; i < game_count; i++) free(games[i].moves);
  client_count = game_count = followers = 0;
  said[0] = 0;
  seen = (Result){ 0 };
  if (epoll >= 0) close(epoll);
  epoll = -1;
}
