import { type CapabilityResult, canonicalJson, type Verdict } from "@assay/protocol";
import { GuardRefusedError } from "../guardRefusedError.js";
import { listReasons, loadLevels } from "../loadLevels.js";
import { type DayLedger, DayLimitError, type Reservation } from "../settings/dayLedger.js";
import { readSigningQuestion, type SigningQuestion } from "../signingQuestion.js";
import { createOrder } from "./createOrder.js";
import { type Decision, decide, toUnits } from "./decide.js";
import { findWorsening } from "./findWorsening.js";
import { type Journal, type JournalEntry, newJournalId, type SavedAnswer } from "./journal.js";
import type { Policy } from "./policy.js";
import type { Intent } from "./readRequest.js";
import { type RefusalKind, type RpcError, rpcCodes } from "./refusal.js";

/** A verified answer. */
export interface GateJudgement {
  readonly verdict: Verdict;
  readonly answer: CapabilityResult;
  readonly guard: { readonly rawBody: Uint8Array };
  confirm(): Promise<void>;
}

export interface GateContext {
  /** Buys and verifies; throws when no answer can be had that can be trusted. */
  readonly judge: (question: SigningQuestion) => Promise<GateJudgement>;
  readonly journal: Journal;
  readonly ledger: DayLedger;
  /** Read anew for each request, because its file may change. */
  readonly policy: () => Policy;
  /** Asks a person at the terminal; undefined where there is none. Returns undefined once the signal is aborted. */
  readonly askPerson?:
    | ((entry: JournalEntry, signal: AbortSignal) => Promise<boolean | undefined>)
    | undefined;
  readonly report?: ((entry: JournalEntry) => void) | undefined;
}

/** Runs `forward` if the request may be forwarded, and else returns why not. `gone` is aborted when its client has left. */
export type Gate = <T>(
  intent: Intent,
  origin: string | undefined,
  forward: () => Promise<T>,
  gone: AbortSignal,
) => Promise<{ readonly value: T } | { readonly error: RpcError }>;

interface Bought {
  readonly judgement: GateJudgement;
  readonly isRepeated: boolean;
  readonly key: string;
}

interface Judged extends Bought {
  /** The heaviest first. */
  readonly reasons: readonly string[];
  /** Those that weigh as much as the verdict. */
  readonly decisive: readonly string[];
}

const TERMINAL_SECONDS = 60;
const CLIENT_GONE = "The client closed its connection before the request was decided.";
const MAX_REMEMBERED = 1_000;
const verdicts: readonly Verdict[] = ["allow", "review", "block"];

/** A request that may not be forwarded. */
class Refused extends Error {
  readonly refusal: RefusalKind;
  readonly rule: string | undefined;
  constructor(refusal: RefusalKind, why: string, rule?: string) {
    super(why);
    this.refusal = refusal;
    this.rule = rule;
  }
}

/** Everything between a request that was read and its forwarding: verdict, policy, a person, limits, journal. */
export function createGate(context: GateContext): Gate {
  const { journal, ledger } = context;
  const enter = createOrder();
  // Verdicts on what may be repeated; a promise, so that two at once pay once.
  const remembered = new Map<string, Promise<GateJudgement>>();

  const buy = async (question: SigningQuestion, intent: Intent): Promise<Bought> => {
    const { isRepeatable, transactionHash = "" } = intent;
    const { id, input } = readSigningQuestion(question);
    // A second payment of the same amount to the same account is another transaction.
    const key = `${transactionHash} ${id} ${canonicalJson(input as never)}`;
    const before = isRepeatable ? remembered.get(key) : undefined;
    if (before) {
      try {
        const judgement = await before;
        // Only while its window lasts and its block is on the chain.
        await judgement.confirm();
        return { judgement, isRepeated: true, key };
      } catch {
        if (remembered.get(key) === before) remembered.delete(key);
        return buy(question, intent);
      }
    }
    const bought = context.judge(question);
    if (isRepeatable) {
      remembered.set(key, bought);
      const oldest = remembered.keys().next().value;
      if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      bought.catch(() => remembered.delete(key));
    }
    return { judgement: await bought, isRepeated: false, key };
  };

  const save = async ({ judgement, isRepeated }: Judged): Promise<SavedAnswer> => {
    const { answer, guard } = judgement;
    return {
      ...(await journal.saveAnswer(guard.rawBody)),
      receiptUrl: answer.receiptUrl,
      priceUsd: isRepeated ? 0 : answer.pricing.pricePaidUsd,
      isRepeated,
    };
  };

  const confirmAll = async (judged: readonly Judged[]) => {
    for (const { judgement, key } of judged)
      await judgement.confirm().catch((error) => {
        remembered.delete(key);
        throw error;
      });
  };

  return async (intent, origin, forward, gone) => {
    const turn = enter(intent);
    const policy = context.policy();
    const id = newJournalId();
    let judged: Judged[] = [];
    let answers: SavedAnswer[] = [];
    let decision: Decision | undefined;
    const describe = (event: JournalEntry["event"], further: Partial<JournalEntry> = {}): JournalEntry => ({
      id,
      time: new Date().toISOString(),
      event,
      method: intent.method,
      sender: intent.sender,
      to: intent.to,
      valueWei: `${decision?.valueWei ?? intent.valueWei}`,
      ...(decision && { valueUsd: Number(decision.valueMicroUsd) / 1e6, rule: decision.rule }),
      selector: intent.selector,
      transactionHash: intent.transactionHash,
      origin,
      verdict: worstVerdict(judged),
      decisive: listDecisive(judged),
      reasons: [...new Set([...judged.flatMap((one) => one.reasons), ...intent.unseen])],
      summary: judged.map((one) => one.judgement.answer.result.summary).join(" ") || undefined,
      answers,
      ...further,
    });
    const write = async (entry: JournalEntry) => {
      await journal.append(entry);
      context.report?.(entry);
    };

    const judgeAll = async () => {
      const bought = await Promise.all(intent.questions.map((question) => buy(question, intent)));
      const found = bought.map(({ judgement }) => judgement.answer);
      const levelOf = await loadLevels(found);
      judged = bought.map((one) => {
        const { answer } = one.judgement;
        const reasons = listReasons(answer, levelOf);
        return {
          ...one,
          reasons,
          decisive: reasons.filter((code) => levelOf(answer, code) === answer.verdict),
        };
      });
      answers = await Promise.all(judged.map(save));
      decision = decide(policy, intent, found, levelOf);
      return decision;
    };

    /** Returns whether a person decided. Throws Refused. */
    const settle = async (): Promise<boolean> => {
      const { action, rule, why } = await judgeAll();
      if (action === "refuse")
        throw new Refused(rule.startsWith("verdicts.") ? "verdict" : "policy", why, rule);
      if (action === "allow") return false;
      const asked = describe("asked");
      await write(asked);
      const isApproved = await askPerson(asked, policy);
      if (gone.aborted) throw new Refused("client_gone", CLIENT_GONE);
      if (!isApproved) throw new Refused("not_approved", why, rule);
      return true;
    };

    const askPerson = async (entry: JournalEntry, { askSeconds }: Policy): Promise<boolean> => {
      const seconds = askSeconds || (context.askPerson ? TERMINAL_SECONDS : 0);
      if (seconds === 0) return false;
      const ended = new AbortController();
      const timer = setTimeout(() => ended.abort(), seconds * 1_000);
      const signal = AbortSignal.any([ended.signal, gone]);
      try {
        const decisions = [
          journal.waitForOrder(entry.id, signal).then((order) => order && order === "approve"),
          ...(context.askPerson ? [context.askPerson(entry, signal)] : []),
        ];
        return (await Promise.race(decisions)) === true;
      } finally {
        clearTimeout(timer);
        ended.abort();
      }
    };

    /** The verdict must hold now. Where it has ended, a new one counts if it is no worse than what was decided on. */
    const hold = async () => {
      try {
        await confirmAll(judged);
      } catch (error) {
        if (!(error instanceof GuardRefusedError && error.retryable)) throw error;
        const reasonsNow = () => describe("asked").reasons ?? [];
        const before = { ...(decision as Decision), reasons: reasonsNow() };
        const after = await judgeAll();
        const worse = findWorsening(before, { ...after, reasons: reasonsNow() });
        if (worse !== undefined)
          throw new Refused(
            "verdict",
            `The verdict has changed meanwhile. ${worse} ${after.why}`,
            after.rule,
          );
        await confirmAll(judged);
      }
    };

    const reservations: Reservation[] = [];
    const reserve = async () => {
      const { valueMicroUsd = 0n, valueWei = intent.valueWei } = decision ?? {};
      const { perDayUsd, perDayEther } = policy.value;
      if (perDayUsd !== undefined && valueMicroUsd > 0n)
        reservations.push(
          await ledger.reserve("valueMicroUsd", valueMicroUsd, toUnits(perDayUsd, 1_000_000n)),
        );
      if (perDayEther !== undefined && valueWei > 0n)
        reservations.push(await ledger.reserve("valueWei", valueWei, toUnits(perDayEther, 10n ** 18n)));
    };

    try {
      let by: "person" | undefined;
      let unjudged: string | undefined;
      try {
        if (await settle()) by = "person";
        await turn.wait();
        await hold();
      } catch (error) {
        if (error instanceof Refused || policy.onFailure === "closed") throw error;
        // The policy says so: it is forwarded although nobody judged it. What needs no verdict still counts.
        judged = [];
        decision = decide(policy, intent, [], () => undefined);
        if (decision.action !== "allow") throw new Refused("policy", decision.why, decision.rule);
        await turn.wait();
        unjudged = describeError(error);
      }
      // It takes this for a failure and may send another: both would take effect.
      if (gone.aborted) throw new Refused("client_gone", CLIENT_GONE);
      await reserve();
      await write(
        describe("forwarded", unjudged === undefined ? { by } : { rule: "onFailure", summary: unjudged }),
      );
      for (const one of reservations.splice(0)) await one.settle(one.amount);
      return { value: await send(forward) };
    } catch (error) {
      const refused = toRefused(error);
      if (!refused) throw error;
      for (const one of reservations.splice(0)) await one.settle(0n);
      const summary = refused.message;
      const entry = describe("refused", {
        refusal: refused.refusal,
        summary,
        ...(refused.rule && { rule: refused.rule }),
      });
      await write(entry);
      const decisive = judged.findIndex(({ judgement }) => judgement.verdict === entry.verdict);
      return { error: describeRefusal(entry, refused, answers[decisive]?.receiptUrl) };
    } finally {
      turn.leave();
    }
  };
}

const describeError = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Everything that is thrown before a request is forwarded is a reason not to forward it. */
function toRefused(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  if (error instanceof ForwardError) return undefined;
  if (error instanceof DayLimitError)
    return error.kind === "priceMicroUsd"
      ? new Refused("limit", error.message, "price.perDayUsd")
      : new Refused(
          "limit",
          error.message,
          error.kind === "valueWei" ? "value.perDayEther" : "value.perDayUsd",
        );
  return new Refused("not_judged", describeError(error), "onFailure");
}

/** The node did not answer a request that was forwarded. */
export class ForwardError extends Error {}

async function send<T>(forward: () => Promise<T>): Promise<T> {
  try {
    return await forward();
  } catch (error) {
    throw new ForwardError(describeError(error), { cause: error });
  }
}

function worstVerdict(judged: readonly Judged[]): Verdict | undefined {
  const found = judged.map(({ judgement }) => verdicts.indexOf(judgement.verdict));
  return found.length === 0 ? undefined : verdicts[Math.max(...found)];
}

/** Of the answers that have the worst verdict. */
const listDecisive = (judged: readonly Judged[]): string[] => {
  const worst = worstVerdict(judged);
  const found = judged.filter(({ judgement }) => judgement.verdict === worst);
  return [...new Set(found.flatMap(({ decisive }) => decisive))];
};

function describeRefusal(
  entry: JournalEntry,
  { refusal, message }: Refused,
  receiptUrl: string | undefined,
): RpcError {
  const { verdict, reasons, rule } = entry;
  const lead: Readonly<Record<RefusalKind, string>> = {
    verdict: `Assay refused this request (${verdict})`,
    policy: "Your Assay policy refused this request",
    not_approved: "A person has to approve this request, and nobody did",
    limit: "A limit of your Assay policy is reached",
    not_judged: "Assay could not judge this request, so it was not forwarded",
    method: "Assay does not forward this method",
    node_failed: "The node behind assay proxy failed",
    unreadable: "Assay did not forward this request",
    client_gone: "Assay did not forward this request",
  };
  return {
    code: rpcCodes.rejected,
    message: `${lead[refusal]}: ${message}`,
    data: {
      refusal,
      verdict,
      reasons,
      summary: message,
      rule,
      receiptUrl,
      journalId: entry.id,
    },
  };
}
