import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { type AnyPayment, AssayError, type Hex, type PaymentRequired } from "@assay/protocol";
import { buildChallenge } from "../../src/payments/challenge.js";
import { serveRefund } from "../../src/payments/channels/serveRefund.js";
import type { CheckedRequest, PaidOutcome } from "../../src/payments/paidCall.js";
import { servePayment } from "../../src/payments/servePayment.js";
import type { Tally } from "../commandLine.js";
import { createChannelContract } from "./channelContract.js";
import { createFaults, createTrace, drawDelayMs, type Scene } from "./faults.js";
import type { Protection } from "./protections.js";
import { seedRow } from "./rowStore.js";
import { createSimulatedChain, type SimulatedChain } from "./simulatedChain.js";
import { createDatabaseServer, type DatabaseServer, type Ended } from "./simulatedDatabase.js";
import { type SimulatedProcess, simulatedSale, startJobs, startProcess, TOKEN } from "./simulatedProcess.js";
import { type CallRow, createTables, type Tables } from "./tables.js";
import { createTimeline, type Owner } from "./timeline.js";
import { createTokenLedger } from "./tokenLedger.js";

/** What a buyer saw of one request. */
export interface Sight {
  readonly atMs: number;
  readonly status: "answer" | "challenge" | "error" | "nothing";
  readonly invocationId?: string;
  readonly body?: string;
  readonly paymentResponse?: string;
  readonly challenge?: PaymentRequired;
  /** Of an error or a 402. */
  readonly reason?: string;
}

/** One payment as its buyer sends it, and everything that was said to it. */
export interface Purchase {
  readonly payment: AnyPayment;
  readonly request: CheckedRequest;
  readonly isPrivate: boolean;
  readonly payer: string;
  readonly nonce: string;
  readonly price: bigint;
  readonly sights: Sight[];
  /** When it was sent. */
  readonly sentMs: number[];
}

export interface SimulatedWorld {
  readonly scene: Scene;
  readonly tables: Tables;
  readonly server: DatabaseServer;
  readonly chain: SimulatedChain;
  readonly processes: SimulatedProcess[];
  readonly purchases: Purchase[];
  readonly violations: Set<string>;
  /** What was put into the tables beside the service, as SQL, where somebody compares statements. */
  readonly seeds: string[] | undefined;
  hasReorganised: boolean;
  /** The longest that a call was undecided after its payment's validity, to ten seconds. */
  longestOpenSeconds: number;
  /** Milliseconds between two runs of a job. */
  paceMs: number;
  challenge(request: CheckedRequest): Promise<PaymentRequired | undefined>;
  send(purchase: Purchase): Promise<Sight>;
  refund(payment: AnyPayment): Promise<string>;
}

export const START_MS = Date.UTC(2026, 0, 1);
const PATIENCE_MS = 45_000;

export interface WorldOptions {
  readonly seed: number;
  readonly coverage: Tally;
  readonly faultRate: number;
  readonly keepsLines?: boolean;
  readonly protection?: Protection | undefined;
  /** Is given each statement when it has ended, to compare it with PostgreSQL's answer. */
  readonly onEnd?: (ended: Ended) => void;
}

const settlerOf = (place: number): Hex => `0x${`5e${place}`.padStart(40, "e")}`;

export function createWorld(options: WorldOptions): SimulatedWorld {
  const { seed, coverage, faultRate, protection } = options;
  const choices = createSeededChoices(seed);
  const timeline = createTimeline(START_MS, choices, options.keepsLines);
  const faults = createFaults(choices, coverage, faultRate);
  const trace = createTrace(options.keepsLines ?? false);
  const tables = createTables();
  seedRow(tables.head, "head", { size: 0n });
  seedRow(tables.work, "work", { leased_until: new Date(START_MS), swept_at: new Date(START_MS) });
  const processes: SimulatedProcess[] = [];

  const start = (place: number, life: number) => {
    const name = `p${place}.${life}`;
    const process = startProcess(scene, server, chain, name, settlerOf(place));
    processes[place] = process;
    startJobs(scene, process, () => world.paceMs);
  };
  const scene: Scene = {
    ...{ timeline, choices, faults, trace },
    kill(owner: Owner) {
      const process = owner as SimulatedProcess;
      if (process.isDead) return;
      process.isDead = true;
      trace.note(`${process.name} died`);
      process.database.lose();
      for (const caller of process.callers) timeline.after(1, undefined, caller);
      const [place = 0, life = 0] = process.name.slice(1).split(".").map(Number);
      timeline.after(choices.integer(100, 4_000), undefined, () => start(place, life + 1));
    },
  };
  const token = createTokenLedger(TOKEN);
  const chain = createSimulatedChain(scene, token, createChannelContract(token));
  /** Nothing is called uncharged while a transaction of ours may still charge for it. */
  const verifyEnd = (ended: Ended) => {
    options.onEnd?.(ended);
    const { step, answer } = ended;
    if ((step !== "invocation_failed" && step !== "invocation_void") || !("rows" in answer)) return;
    for (const { payer, authorization_nonce: nonce, valid_before } of answer.rows as CallRow[])
      if (chain.isUnderWay({ payer, nonce }, valid_before))
        world.violations.add("a call ended uncharged while a transaction may still pay for it");
  };
  const server = createDatabaseServer(scene, tables, protection?.statements, verifyEnd);

  /** Runs `work` in a process that may be dead or die; undefined where no answer came. */
  function reach<T>(step: string, work: (process: SimulatedProcess) => Promise<T>): Promise<T | undefined> {
    const fault = faults.draw(step, ["request lost", "answer lost", "late", "sent twice"]);
    return new Promise((resolve) => {
      const deliver = (place: number) => {
        timeline.after(drawDelayMs(choices, fault), undefined, () => {
          const process = processes[place] as SimulatedProcess;
          if (process.isDead || fault === "request lost") return resolve(undefined);
          const caller = () => resolve(undefined);
          process.callers.add(caller);
          const begin = () =>
            void work(process).then((answer) => {
              process.callers.delete(caller);
              const given = fault === "answer lost" ? undefined : answer;
              timeline.after(choices.integer(0, 2), undefined, () => resolve(given));
            });
          if (timeline.claim(process)) begin();
          else timeline.after(0, process, begin);
        });
      };
      const place = choices.integer(0, processes.length - 1);
      deliver(place);
      if (fault === "sent twice") deliver((place + 1) % processes.length);
      timeline.after(PATIENCE_MS, undefined, () => resolve(undefined));
    });
  }

  /** The answer leaves only after `settled` is committed. */
  function verifyCommitted(invocationId: string): void {
    const row = tables.invocations.rows.get(invocationId)?.committed;
    if (row?.state !== "settled" && row?.state !== "reorged")
      world.violations.add(`an answer left while its call was ${row?.state}`);
  }

  async function serve(process: SimulatedProcess, { payment, request, isPrivate }: Purchase): Promise<Sight> {
    const atMs = () => timeline.nowMs();
    const toSight = (outcome: PaidOutcome): Sight => {
      if (outcome.status === "challenge")
        return {
          atMs: atMs(),
          status: "challenge",
          challenge: outcome.challenge,
          reason: outcome.challenge.error ?? "",
        };
      const { invocationId, response } = outcome;
      verifyCommitted(invocationId);
      const { body, paymentResponse } = response;
      return { atMs: atMs(), status: "answer", invocationId, body: body.toString("utf8"), paymentResponse };
    };
    try {
      const sale = simulatedSale(scene, request.inputHash, isPrivate);
      return toSight(await servePayment(process.context, sale, request, payment));
    } catch (error) {
      const isKnown = error instanceof AssayError;
      // A database that is away, or a statement that waited too long, is a 503; anything else is a fault of the program.
      if (
        !isKnown &&
        !/^(Connection terminated|canceling )/.test((error as Error).message) &&
        !process.isDead
      )
        world.violations.add(
          `a request failed: ${(error as Error).message.replaceAll(/0x\w+|inv_\w+|\d{3,}/g, "…")}`,
        );
      return { atMs: atMs(), status: "error", reason: isKnown ? error.code : (error as Error).message };
    }
  }

  const world: SimulatedWorld = {
    ...{ scene, tables, server, chain, processes },
    purchases: [],
    violations: new Set(),
    seeds: options.onEnd ? [] : undefined,
    hasReorganised: false,
    longestOpenSeconds: 0,
    paceMs: 1_000,
    challenge: (request) =>
      reach("challenge", (process) => buildChallenge(process.context, request, "payment_required")),
    async send(purchase) {
      purchase.sentMs.push(timeline.nowMs());
      const sight = (await reach("request", (process) => serve(process, purchase))) ?? {
        atMs: timeline.nowMs(),
        status: "nothing" as const,
      };
      trace.note(`buyer ${purchase.payer.slice(0, 6)} ${sight.status} ${sight.reason ?? ""}`);
      purchase.sights.push(sight);
      return sight;
    },
    async refund(payment) {
      const outcome = await reach("refund", (process) =>
        serveRefund(process.context, payment as never, "buyer").then(
          ({ status }) => status as string,
          (error: Error) => error.message,
        ),
      );
      trace.note(`refund ${outcome}`);
      return outcome ?? "nothing";
    },
  };
  start(0, 0);
  start(1, 0);
  return world;
}
