import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** An address in front of a server that may move: what a load balancer or a floating address does. */
export interface Relay {
  readonly port: number;
  /** Where new connections go. */
  pointTo(port: number): void;
  /** Breaks every connection; new ones are refused until `pointTo`. */
  cut(): void;
  close(): Promise<void>;
}

export async function startRelay(first: number): Promise<Relay> {
  let target: number | undefined = first;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (target === undefined) return void client.resetAndDestroy();
    const behind = connect(target, "127.0.0.1");
    keep(behind);
    client.pipe(behind).pipe(client);
    behind.on("close", () => client.destroy());
    client.on("close", () => behind.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const cut = () => {
    target = undefined;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(port) {
      target = port;
    },
    cut,
    close() {
      cut();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}
