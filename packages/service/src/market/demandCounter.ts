import { createHmac } from "node:crypto";
import type { CapabilityInput } from "@assay/capabilities";
import type { Database } from "../store/database.js";
import { recordAsks } from "./askedCapabilities.js";
import { recordMisses } from "./recordMisses.js";

/** A question that anyone may ask, whose answer anyone may reuse. */
export interface SharedQuestion {
  readonly capabilityId: string;
  readonly input: CapabilityInput;
  readonly inputHash: string;
}

/** Counts what was asked for and not found, each asker once per subject and hour. */
export interface DemandCounter {
  /** An input without an answer. Two lookups when this asker is counted already; nothing here waits for the database. */
  countMiss(question: SharedQuestion, address: string): void;
  /** A capability that does not exist. */
  countAsk(capability: string, address: string): void;
  /** Writes what was counted since the last time; what an earlier flush still writes is written then as well. A failed write loses hints only and is not repeated. */
  flush(now?: Date): Promise<void>;
}

const MAX_WAITING = 5_000;
const MAX_REMEMBERED = 50_000;
/** Of one address in an hour and process: enough to be heard, too little to fill the list of bounties. */
const MAX_OF_ADDRESS = 20;
const HOUR_MS = 3_600_000;

interface Counted<Subject> {
  readonly subject: Subject;
  readonly asker: string;
}

/** `isLimited` false: an address counts with any number of questions, as where all callers come from one. */
export function createDemandCounter(database: Database, secret: Buffer, isLimited = true): DemandCounter {
  const maxOfAddress = isLimited ? MAX_OF_ADDRESS : Number.POSITIVE_INFINITY;
  const askersOf = new Map<string, Set<string>>();
  const countedOf = new Map<string, number>();
  let remembered = 0;
  let hour = Math.floor(Date.now() / HOUR_MS);
  let misses: Counted<SharedQuestion>[] = [];
  let asks: Counted<string>[] = [];
  /** Ends when every flush so far has ended, well or badly. */
  let writing: Promise<unknown> = Promise.resolve();

  function forgetAskers(): void {
    askersOf.clear();
    countedOf.clear();
    remembered = 0;
  }

  /** Whether this asker is new for the subject and there is room to count it. */
  function admit(subject: string, address: string): boolean {
    const askers = askersOf.get(subject);
    if (askers?.has(address)) return false;
    const counted = countedOf.get(address) ?? 0;
    if (counted >= maxOfAddress || misses.length + asks.length >= MAX_WAITING) return false;
    // The database knows this hour's askers as well; forgetting them costs a statement, not a wrong count.
    if (remembered >= MAX_REMEMBERED) forgetAskers();
    askersOf.set(subject, (askersOf.get(subject) ?? new Set()).add(address));
    countedOf.set(address, counted + 1);
    remembered += 1;
    return true;
  }

  /** Shows only whether two askers of one subject and hour are the same. */
  const hashAsker = (subject: string, asker: string) =>
    createHmac("sha256", secret)
      .update(JSON.stringify([subject, hour, asker]))
      .digest();

  return {
    countMiss(question, address) {
      // URLs and questions are people's own text, which is not published before it is paid for.
      if ("url" in question.input || "question" in question.input) return;
      if (admit(question.inputHash, address)) misses.push({ subject: question, asker: address });
    },
    countAsk(capability, address) {
      if (admit(capability, address)) asks.push({ subject: capability, asker: address });
    },
    async flush(now = new Date()) {
      const thisHour = Math.floor(now.getTime() / HOUR_MS);
      if (thisHour !== hour) forgetAskers();
      hour = thisHour;
      const asked = asks.map(({ subject, asker }) => ({
        capability: subject,
        asker: hashAsker(subject, asker),
      }));
      const missed = misses.map(({ subject, asker }) => ({
        ...subject,
        asker: hashAsker(subject.inputHash, asker),
      }));
      misses = [];
      asks = [];
      const startOfHour = new Date(hour * HOUR_MS);
      const write = async () => {
        if (missed.length > 0) await recordMisses(database, missed, startOfHour);
        if (asked.length > 0) await recordAsks(database, asked, startOfHour);
      };
      const [own, earlier] = [write(), writing];
      writing = Promise.allSettled([own, earlier]);
      await own;
      await earlier;
    },
  };
}
