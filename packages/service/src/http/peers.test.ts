import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { createPeerFinder } from "./clientAddress.js";
import { createPeers, MAX_CONNECTIONS_EACH, REFUSED_MS } from "./peers.js";

function createWorld(trustedProxies: readonly string[] = []) {
  let nowMs = 1_000_000;
  const peers = createPeers(createPeerFinder(trustedProxies), () => nowMs);
  return {
    peers,
    wait: (ms: number) => {
      nowMs += ms;
    },
    /** A connection from this address, as the server would hand it over. */
    open(remoteAddress: string): Socket {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress,
        destroyed: false,
        destroy() {
          socket.destroyed = true;
          socket.emit("close");
        },
      });
      peers.admit(socket as unknown as Socket);
      return socket as unknown as Socket;
    },
  };
}

test("an address is refused for seconds, and others are not", () => {
  const { peers, open, wait } = createWorld();
  peers.cutOff(open("198.51.100.1"));
  expect(open("198.51.100.1").destroyed).toBe(true);
  expect(open("::ffff:198.51.100.1").destroyed).toBe(true);
  expect(open("198.51.100.2").destroyed).toBe(false);
  wait(REFUSED_MS - 1);
  expect(open("198.51.100.1").destroyed).toBe(true);
  wait(1);
  expect(open("198.51.100.1").destroyed).toBe(false);
});

test("one address of a /64 is all of it", () => {
  const { peers, open } = createWorld();
  peers.cutOff(open("2001:db8::1"));
  expect(open("2001:db8::ffff").destroyed).toBe(true);
  expect(open("2001:db8:0:1::1").destroyed).toBe(false);
});

test("a trusted proxy is never refused, however many connections it has and whatever they send", () => {
  const { peers, open } = createWorld(["10.0.0.0/8"]);
  const sent = open("10.0.0.1");
  peers.cutOff(sent);
  expect(sent.destroyed).toBe(true);
  const opened = Array.from({ length: MAX_CONNECTIONS_EACH + 10 }, () => open("10.0.0.1"));
  expect(opened.some(({ destroyed }) => destroyed)).toBe(false);
});

test("one address does not take every connection, and gets new ones as it closes old ones", () => {
  const { open } = createWorld();
  const opened = Array.from({ length: MAX_CONNECTIONS_EACH }, () => open("198.51.100.1"));
  expect(opened.some(({ destroyed }) => destroyed)).toBe(false);
  expect(open("198.51.100.1").destroyed).toBe(true);
  expect(open("198.51.100.2").destroyed).toBe(false);
  opened[0]?.destroy();
  expect(open("198.51.100.1").destroyed).toBe(false);
});
