import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Door {
  /** The target's URL, through the door. */
  readonly url: string;
  /** Connections tried so far. */
  knocks(): number;
  /** Drops all connections and refuses new ones. */
  shut(): void;
  open(): void;
  close(): Promise<void>;
}

/** Stands in front of a server, so that a test can take it away and give it back at the same address. */
export async function createDoor(target: string): Promise<Door> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isOpen = true;
  let knocks = 0;
  const server = createServer((inside) => {
    knocks++;
    if (!isOpen) {
      inside.destroy();
      return;
    }
    const outside = connect(Number(port), hostname);
    join(inside, outside);
    join(outside, inside);
  });
  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => {
      sockets.delete(from);
      to.destroy();
    });
  }
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const through = new URL(target);
  through.port = String((server.address() as AddressInfo).port);
  return {
    url: through.href,
    knocks: () => knocks,
    shut() {
      isOpen = false;
      dropAll();
    },
    open() {
      isOpen = true;
    },
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      dropAll();
      await closed;
    },
  };
}
