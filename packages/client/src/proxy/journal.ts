import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Verdict } from "@assay/protocol";
import { type LineFile, openLineFile } from "../settings/lineFile.js";
import type { RefusalKind } from "./refusal.js";

/** What was decided about one request. No signature, key or password is in it. */
export interface JournalEntry {
  readonly id: string;
  readonly time: string;
  readonly event: "asked" | "forwarded" | "refused";
  readonly method: string;
  readonly sender?: string | undefined;
  readonly to?: string | null | undefined;
  readonly valueWei?: string | undefined;
  readonly valueUsd?: number | undefined;
  readonly selector?: string | undefined;
  readonly transactionHash?: string | undefined;
  readonly origin?: string | undefined;
  readonly verdict?: Verdict | undefined;
  /** The heaviest first. */
  readonly reasons?: readonly string[] | undefined;
  /** Those of them that weigh as much as the verdict. */
  readonly decisive?: readonly string[] | undefined;
  readonly summary?: string | undefined;
  readonly refusal?: RefusalKind | undefined;
  /** The rule of the policy that decided. */
  readonly rule?: string | undefined;
  /** Set where a person decided. */
  readonly by?: "person" | undefined;
  readonly answers?: readonly SavedAnswer[] | undefined;
}

/** An answer beside the journal, as it was received. */
export interface SavedAnswer {
  readonly file: string;
  readonly sha256: string;
  readonly receiptUrl: string;
  readonly priceUsd: number;
  /** Whether an earlier request has paid for it. */
  readonly isRepeated: boolean;
}

/** A person's decision about a request that waits. */
export interface JournalOrder {
  readonly event: "approve" | "reject";
  readonly about: string;
  readonly time: string;
}

export interface Journal {
  readonly path: string;
  /** Durable once this resolves. */
  append(line: JournalEntry | JournalOrder): Promise<void>;
  /** Durable once this resolves; the name follows from the bytes. */
  saveAnswer(bytes: Uint8Array): Promise<{ readonly file: string; readonly sha256: string }>;
  /** Resolves when a person decides about this entry, in whatever process; undefined once the signal is aborted. */
  waitForOrder(id: string, signal: AbortSignal): Promise<JournalOrder["event"] | undefined>;
  close(): Promise<void>;
}

const POLL_MS = 250;

export const newJournalId = (): string => `jr_${randomBytes(6).toString("hex")}`;

export async function openJournal(path: string): Promise<Journal> {
  const file: LineFile = await openLineFile(path);
  const orders = new Map<string, JournalOrder["event"]>();
  // What stood in it before is nobody's order for a request of this run.
  await file.readOn();
  const readOrders = async () => {
    for (const line of await file.readOn()) {
      const order = parseLine(line);
      if (order && "about" in order && !orders.has(order.about)) orders.set(order.about, order.event);
    }
  };
  const answersFolder = join(dirname(path), "answers");
  return {
    path,
    append: (line) => file.append(JSON.stringify(line)),
    async saveAnswer(bytes) {
      await mkdir(answersFolder, { recursive: true, mode: 0o700 });
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const name = join(answersFolder, `${sha256}.json`);
      const handle = await open(name, "w", 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return { file: name, sha256 };
    },
    async waitForOrder(id, signal) {
      while (!signal.aborted) {
        await readOrders();
        const order = orders.get(id);
        if (order) return order;
        await new Promise((done) => setTimeout(done, POLL_MS));
      }
      return undefined;
    },
    close: () => file.close(),
  };
}

/** A line that a process could not finish is undefined. */
function parseLine(line: string): JournalEntry | JournalOrder | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "event" in value
      ? (value as JournalEntry | JournalOrder)
      : undefined;
  } catch {
    return undefined;
  }
}

export interface ReadJournal {
  /** Oldest first; of each request the newest state. */
  readonly entries: readonly JournalEntry[];
  /** Lines that could not be read: a process was stopped while it wrote them. */
  readonly brokenLines: number;
}

export async function readJournal(path: string): Promise<ReadJournal> {
  const content = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const entries = new Map<string, JournalEntry>();
  let brokenLines = 0;
  for (const line of content.split("\n").filter((one) => one !== "")) {
    const found = parseLine(line);
    if (!found) brokenLines += 1;
    else if ("id" in found) entries.set(found.id, found);
  }
  return { entries: [...entries.values()], brokenLines };
}
