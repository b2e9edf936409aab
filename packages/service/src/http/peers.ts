import type { Socket } from "node:net";

/** Of one address, so that it cannot take all that the service has. */
export const MAX_CONNECTIONS_EACH = 2_048;
/** How long an address that sent more than it may opens no new connection. */
export const REFUSED_MS = 10_000;

/** The address at the other end, or undefined where it speaks for others: a trusted proxy. */
export type FindPeer = (socket: Pick<Socket, "remoteAddress">) => string | undefined;

/** What one address has here. */
interface Peer {
  readonly connections: Set<Connection>;
  /** Requests that wait for their turn, over all its connections. */
  waiting: number;
  refusedUntilMs: number;
}

export interface Connection {
  readonly socket: Socket;
  readonly peer: Peer;
  /** Whether any request of it was answered. */
  wasAnswered: boolean;
}

export interface Peers {
  /** Counts a new connection for its address, or closes it. */
  admit(socket: Socket): void;
  find(socket: Socket): Connection | undefined;
  /**
   * Ends a connection that sent more than it may. By then a whole packet of its requests was parsed, which is expensive, so no other
   * packet of that address should follow: it opens no new connections for a while, and loses those that were never answered.
   * Others behind the same address keep theirs, unless one of these connections sends too much as well.
   */
  cutOff(socket: Socket): void;
}

export function createPeers(findPeer: FindPeer, now: () => number = Date.now): Peers {
  const peers = new Map<string, Peer>();
  const connections = new WeakMap<Socket, Connection>();

  /** An address with nothing open is remembered only while it is refused. */
  function forgetIfGone(address: string, peer: Peer): void {
    if (peer.connections.size > 0 || peers.get(address) !== peer) return;
    const leftMs = peer.refusedUntilMs - now();
    if (leftMs <= 0) peers.delete(address);
    else setTimeout(() => forgetIfGone(address, peer), leftMs).unref();
  }

  return {
    admit(socket) {
      const address = findPeer(socket);
      if (address === undefined) return;
      const peer = peers.get(address) ?? { connections: new Set(), waiting: 0, refusedUntilMs: 0 };
      if (peer.refusedUntilMs > now() || peer.connections.size >= MAX_CONNECTIONS_EACH)
        return void socket.destroy();
      peers.set(address, peer);
      const connection = { socket, peer, wasAnswered: false };
      connections.set(socket, connection);
      peer.connections.add(connection);
      socket.once("close", () => {
        peer.connections.delete(connection);
        forgetIfGone(address, peer);
      });
    },
    find: (socket) => connections.get(socket),
    cutOff(socket) {
      const peer = connections.get(socket)?.peer;
      const isAgain = peer !== undefined && peer.refusedUntilMs > now();
      if (peer) peer.refusedUntilMs = now() + REFUSED_MS;
      socket.destroy();
      for (const other of peer?.connections ?? []) if (isAgain || !other.wasAnswered) other.socket.destroy();
    },
  };
}
