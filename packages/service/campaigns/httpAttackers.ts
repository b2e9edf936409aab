import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

/** Each works for itself, on sockets that are opened again as the service closes them. */
const attacks = {
  /** Requests for the largest answers, one after another, none of which is read (RFC 9112, section 9.3.2). */
  pipelining: (socket: Socket) => {
    socket.pause();
    const paths = ["/openapi.json", "/llms.txt", "/api/v1/capabilities", "/", "/api/v1/bounties"];
    const once = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join("");
    socket.write(once.repeat(60));
    return every(socket, 1_000, () => void socket.write(once));
  },
  /** A header that never ends, one line at a time. */
  slowHeaders: (socket: Socket) => {
    socket.resume();
    socket.write("GET /api/v1/health HTTP/1.1\r\nHost: x\r\n");
    return every(socket, 1_000, () => void socket.write(`X-${Date.now()}: 1\r\n`));
  },
  /** A body that never ends. */
  slowBodies: (socket: Socket) => {
    socket.resume();
    const head = "POST /api/v1/capabilities/amm.swap.guard/invoke HTTP/1.1\r\nHost: x\r\n";
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n{`);
    return every(socket, 1_000, () => void socket.write(" ".repeat(100)));
  },
  /** Open and silent. */
  silence: (socket: Socket) => {
    socket.resume();
    return () => {};
  },
} as const;

export type Attack = keyof typeof attacks;
export const ATTACKS = Object.keys(attacks) as Attack[];

function every(socket: Socket, ms: number, act: () => void): () => void {
  const timer = setInterval(() => socket.writable && act(), ms);
  return () => clearInterval(timer);
}

const REOPEN_MS = 500;

interface AttackPlan {
  readonly attack: Attack;
  readonly port: number;
  readonly connections: number;
  /** Where the connections come from. */
  readonly localAddress: string;
}

function keepOpen({ attack, port, connections, localAddress }: AttackPlan): void {
  let opened = 0;
  let closed = 0;
  const open = () => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    let stop = () => {};
    socket.on("connect", () => {
      opened += 1;
      stop = attacks[attack](socket);
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      stop();
      closed += 1;
      // Not at once: a service that refuses connections would be asked without a pause.
      setTimeout(open, REOPEN_MS);
    });
  };
  // One after another: what is asked is what they cost while they are held, not what it costs to accept them.
  for (let at = 0; at < connections; at += 1) setTimeout(open, 2 * at);
  parentPort?.on("message", () => parentPort?.postMessage({ opened, closed }));
}

if (workerData) keepOpen(workerData as AttackPlan);
