import { createSocket } from "node:dgram";

export interface DnsRecord {
  readonly type: "A" | "AAAA" | "CNAME";
  readonly value: string;
}

/** The records for the nth question about a name and type, counted from 0; undefined makes the server fail. */
export type AnswerName = (name: string, type: "A" | "AAAA", nth: number) => readonly DnsRecord[] | undefined;

export interface TestNameServer {
  /** For `Resolver.setServers`. */
  readonly place: string;
  close(): Promise<void>;
}

const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;

/** A name server on this machine whose answers may change between two questions. */
export async function serveDns(answer: AnswerName): Promise<TestNameServer> {
  const socket = createSocket("udp4");
  const asked = new Map<string, number>();
  socket.on("message", (query, peer) => {
    const { name, end, type } = readQuestion(query);
    const key = `${type} ${name}`;
    const nth = asked.get(key) ?? 0;
    asked.set(key, nth + 1);
    const records = answer(name, type, nth);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(query.readUInt16BE(0), 0);
    // A response with recursion available; code 2 is "server failure".
    head.writeUInt16BE(records ? 0x8180 : 0x8182, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records?.length ?? 0, 6);
    let owner = name;
    const encoded = (records ?? []).map((record) => {
      const bytes = encodeRecord(owner, record);
      if (record.type === "CNAME") owner = record.value;
      return bytes;
    });
    socket.send(Buffer.concat([head, query.subarray(12, end), ...encoded]), peer.port, peer.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    place: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; end: number; type: "A" | "AAAA" } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === TYPES.A ? "A" : "AAAA";
  return { name: labels.join(".").toLowerCase(), end: at + 5, type };
}

const encodeName = (name: string) =>
  Buffer.concat([
    ...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ]);

function encodeRecord(owner: string, { type, value }: DnsRecord): Buffer {
  const data = type === "CNAME" ? encodeName(value) : encodeAddress(value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(owner), fixed, data]);
}

function encodeAddress(text: string): Buffer {
  if (!text.includes(":")) return Buffer.from(text.split(".").map(Number));
  const dotted = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...parts) => {
    const [a = 0, b = 0, c = 0, d = 0] = parts.slice(0, 4).map(Number);
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [left = "", right] = dotted.split("::");
  const words = (half: string | undefined) => (half ? half.split(":") : []);
  const fill = right === undefined ? [] : Array(8 - words(left).length - words(right).length).fill("0");
  const all = [...words(left), ...fill, ...words(right)];
  return Buffer.from(
    all.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255]),
  );
}
