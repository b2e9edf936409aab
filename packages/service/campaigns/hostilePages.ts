import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { ErrorCode } from "@assay/protocol";

/** A page made to cost its reader memory or time. */
export interface HostilePage {
  readonly path: string;
  /** What a fetch of it must end as. */
  readonly expected: ErrorCode;
  readonly answer: (socket: Socket) => void;
}

export interface HostileSite {
  readonly place: string;
  /** Bytes the kernel took for the page asked last. */
  readonly bytesSent: () => number;
  close(): Promise<void>;
}

const head = (...lines: string[]) =>
  ["HTTP/1.1 200 OK", "Content-Type: text/html", ...lines, "", ""].join("\r\n");
const MEBIBYTE = 1024 * 1024;
const UNSUPPORTED = "web_page_unsupported";
const UNAVAILABLE = "web_page_unavailable";

const send =
  (...parts: (string | Buffer)[]) =>
  (socket: Socket) => {
    for (const part of parts) socket.write(part);
    socket.end();
  };
/** Writes for as long as the other end takes it. */
const flood = (first: string, more: () => string | Buffer) => (socket: Socket) => {
  socket.write(first);
  const write = () => {
    while (!socket.destroyed && socket.write(more()));
  };
  socket.on("drain", write);
  write();
};
const drip = (first: string, more: string) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => socket.write(more, "latin1"), 50);
  socket.once("close", () => clearInterval(timer));
};

/** `megabytes` is what each bomb unpacks to. */
export function listHostilePages(megabytes: number): HostilePage[] {
  const zeros = Buffer.alloc(megabytes * MEBIBYTE);
  const gzipped = gzipSync(zeros, { level: 9 });
  const packed = (coding: string, body: Buffer) =>
    send(head(`Content-Encoding: ${coding}`, `Content-Length: ${body.length}`), body);
  const markup = Buffer.from("<div>".repeat(13_000));
  const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
  const emptyBlocks = Buffer.alloc(64 * 1024, "000000ffff", "hex");
  return [
    { path: "/gzip-bomb", expected: UNSUPPORTED, answer: packed("gzip", gzipped) },
    { path: "/brotli-bomb", expected: UNSUPPORTED, answer: packed("br", brotliCompressSync(zeros)) },
    { path: "/deflate-bomb", expected: UNSUPPORTED, answer: packed("deflate", deflateSync(zeros)) },
    { path: "/raw-deflate-bomb", expected: UNSUPPORTED, answer: packed("deflate", deflateRawSync(zeros)) },
    { path: "/gzip-twice", expected: UNSUPPORTED, answer: packed("gzip, gzip", gzipSync(gzipped)) },
    {
      path: "/gzip-ten-times",
      expected: UNSUPPORTED,
      answer: packed(Array(10).fill("gzip").join(), gzipped),
    },
    {
      path: "/endless-empty-blocks",
      expected: UNSUPPORTED,
      answer: flood(head("Content-Encoding: deflate"), () => emptyBlocks),
    },
    { path: "/endless-body", expected: UNSUPPORTED, answer: flood(head(), () => markup) },
    {
      path: "/endless-chunks",
      expected: UNSUPPORTED,
      answer: flood(head("Transfer-Encoding: chunked"), () => chunk),
    },
    {
      path: "/endless-chunk-extension",
      expected: UNAVAILABLE,
      answer: flood(`${head("Transfer-Encoding: chunked")}5;`, () => "a".repeat(0x10000)),
    },
    {
      path: "/huge-length",
      expected: UNSUPPORTED,
      answer: flood(head("Content-Length: 999999999999"), () => markup),
    },
    {
      path: "/endless-headers",
      expected: UNSUPPORTED,
      answer: flood("HTTP/1.1 200 OK\r\n", () => `A: ${"b".repeat(999)}\r\n`),
    },
    {
      path: "/endless-header",
      expected: UNSUPPORTED,
      answer: flood("HTTP/1.1 200 OK\r\nA: ", () => "b".repeat(0x10000)),
    },
    {
      path: "/endless-interim-answers",
      expected: UNAVAILABLE,
      answer: flood("", () => "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".repeat(100)),
    },
    {
      path: "/huge-redirect",
      expected: "web_target_forbidden",
      answer: send(`HTTP/1.1 302 Found\r\nLocation: /${"a".repeat(12_000)}\r\n\r\n`),
    },
    {
      path: "/redirect-loop",
      expected: UNAVAILABLE,
      answer: send("HTTP/1.1 302 Found\r\nLocation: /redirect-loop\r\nContent-Length: 0\r\n\r\n"),
    },
    {
      path: "/redirect-with-endless-body",
      expected: UNAVAILABLE,
      answer: flood("HTTP/1.1 302 Found\r\n\r\n", () => markup),
    },
    { path: "/slow-body", expected: UNAVAILABLE, answer: drip(head(), "a") },
    {
      path: "/slow-empty-blocks",
      expected: UNAVAILABLE,
      answer: drip(head("Content-Encoding: deflate"), "\0\0\0\xff\xff"),
    },
    { path: "/slow-headers", expected: UNAVAILABLE, answer: drip("HTTP/1.1 200 OK\r\n", "a: b\r\n") },
    { path: "/silence", expected: UNAVAILABLE, answer: () => undefined },
  ];
}

/** Serves them on this machine, byte for byte as they are written. */
export async function serveHostilePages(pages: readonly HostilePage[]): Promise<HostileSite> {
  const open = new Set<Socket>();
  let last: Socket | undefined;
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
    socket.once("data", (request) => {
      const path = request.toString("latin1").split(" ")[1];
      const page = pages.find((candidate) => candidate.path === path);
      if (page) {
        last = socket;
        page.answer(socket);
      } else socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesSent: () => (last ? last.bytesWritten - last.writableLength : 0),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
