// `ws`, the package most used for WebSockets in Node: a diff is made into text once, then `send` for each follower.
// With STORE, each move is added to a stream in Redis before it is told.
import { WebSocketServer } from "ws";

const RANKS = "A23456789TJQK";
const SUITS = "SHDC";
const DEAL = process.env.DEAL.trim()
  .split("\n")
  .map((line) => line.split(" ").map(([rank, suit]) => RANKS.indexOf(rank) + 13 * SUITS.indexOf(suit)));

const games = new Map();
const store = process.env.STORE && (await stream(process.env.STORE));

async function stream(url) {
  const { createClient } = await import("redis");
  return createClient({ socket: { path: url.replace("unix://", "") } }).connect();
}

function gameOf(name) {
  if (!games.has(name)) {
    const columns = DEAL.map((column) => [...column]);
    games.set(name, { name, columns, version: 1, score: 500, moves: 0, followers: new Set() });
  }
  return games.get(name);
}

/** The diff as text, or nothing when the rules or the version forbid it. A card is rank + 13 * suit. */
function move(game, version, [source, count, target]) {
  const from = game.columns[source];
  const onto = game.columns[target];
  if (version !== game.version || !from || !onto || from === onto || !(count >= 1 && count <= from.length)) return;
  for (let at = from.length - count + 1; at < from.length; at++)
    if (from[at] !== from[at - 1] - 1 || from[at - 1] % 13 === 0) return;
  if (onto.length && onto.at(-1) % 13 !== (from.at(-count) % 13) + 1) return;
  onto.push(...from.splice(-count));
  game.version++;
  game.moves++;
  game.score--;
  const diff = { t: "move", g: game.name, v: game.version, m: [source, count, target] };
  const last = onto.slice(-13);
  const off = last.length === 13 && last[0] % 13 === 12 && last.every((card, at) => card === last[0] - at);
  if (off) {
    onto.splice(-13);
    game.score += 100;
  }
  Object.assign(diff, { score: game.score, moves: game.moves }, off && { off: SUITS[Math.floor(last[0] / 13)] });
  return JSON.stringify(diff);
}

function follow(socket, game) {
  const { name: g, version: v, score, moves } = game;
  const columns = game.columns.map((column) => column.map((card) => RANKS[card % 13] + SUITS[Math.floor(card / 13)]).join(" "));
  socket.send(JSON.stringify({ t: "state", g, v, columns, score, moves }));
  socket.send(JSON.stringify({ t: "synced", g, v }));
  game.followers.add(socket);
  socket.on("close", () => game.followers.delete(socket));
}

function tell(game, diff) {
  const bytes = Buffer.from(diff);
  for (const follower of game.followers) follower.send(bytes, { binary: false });
}

const server = new WebSocketServer({ host: "127.0.0.1", port: +process.env.PORT, perMessageDeflate: false, backlog: 4096 });
server.on("connection", (socket) => {
  socket.on("message", (text) => {
    const asked = JSON.parse(text);
    const game = gameOf(asked.g);
    if (asked.t === "watch") return follow(socket, game);
    const diff = move(game, asked.v, asked.m);
    if (!diff) return;
    if (store) store.xAdd(`game:${game.name}`, "*", { e: diff }).then(() => tell(game, diff));
    else tell(game, diff);
  });
});
