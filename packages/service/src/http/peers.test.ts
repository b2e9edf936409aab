import { once } from "node:events";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { createPeers, MAX_CONNECTIONS_EACH, REFUSED_MS } from "./peers.js";

let nowMs = 1_000_000;
const addresses = new WeakMap<object, string>();
const open = (peers: ReturnType<typeof createPeers>, address: string): Socket => {
  const socket = new Socket();
  addresses.set(socket, address);
  peers.admit(socket);
  return socket;
};
const newPeers = () =>
  createPeers(
    (socket) => addresses.get(socket),
    () => nowMs,
  );

test("one address has so many connections at once, others have theirs, and a closed one makes room", async () => {
  const peers = newPeers();
  const first = open(peers, "203.0.113.1");
  for (let count = 1; count < MAX_CONNECTIONS_EACH; count += 1)
    expect(open(peers, "203.0.113.1").destroyed).toBe(false);
  expect(open(peers, "203.0.113.1").destroyed).toBe(true);
  expect(open(peers, "203.0.113.2").destroyed).toBe(false);
  first.destroy();
  await once(first, "close");
  expect(open(peers, "203.0.113.1").destroyed).toBe(false);
});

test("an address that sends too much loses what was never answered, and opens nothing for ten seconds", () => {
  const peers = newPeers();
  const [greedy, answered, silent] = [1, 2, 3].map(() => open(peers, "203.0.113.3")) as [
    Socket,
    Socket,
    Socket,
  ];
  const neighbour = open(peers, "203.0.113.4");
  const kept = peers.find(answered);
  if (kept) kept.wasAnswered = true;
  peers.cutOff(greedy);
  expect([greedy, silent, answered, neighbour].map(({ destroyed }) => destroyed)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(open(peers, "203.0.113.3").destroyed).toBe(true);
  nowMs += REFUSED_MS;
  expect(open(peers, "203.0.113.3").destroyed).toBe(false);
});

test("one that does so again within that time loses every connection", () => {
  const peers = newPeers();
  const [greedy, another, answered] = [1, 2, 3].map(() => open(peers, "203.0.113.5")) as [
    Socket,
    Socket,
    Socket,
  ];
  for (const socket of [another, answered]) {
    const connection = peers.find(socket);
    if (connection) connection.wasAnswered = true;
  }
  peers.cutOff(greedy);
  expect(answered.destroyed).toBe(false);
  peers.cutOff(another);
  expect(answered.destroyed).toBe(true);
});

test("a trusted proxy speaks for many, so its connections are not counted", () => {
  const peers = createPeers(() => undefined);
  const sockets = Array.from({ length: MAX_CONNECTIONS_EACH + 1 }, () => new Socket());
  for (const socket of sockets) peers.admit(socket);
  expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true);
});
