import {
  type CapabilityId,
  clip,
  findCapability,
  getCapability,
  quote,
  summarizeAnswer,
} from "@assay/capabilities";
import { type CapabilityResult, type Hex, listFieldErrors, microUsdFromNumber } from "@assay/protocol";
import type { ChainSource } from "../chain/askNode.js";
import { checkResult, type Question } from "../checkResult.js";
import { confirmAnswer } from "../confirmAnswer.js";
import { type Client, type ClientConfig, createClient } from "../createClient.js";
import { describeFailure } from "../describeFailure.js";
import { GuardRefusedError } from "../guardRefusedError.js";
import { latestEndMs } from "../latestEndMs.js";
import { describeWrongChecksum, findWrongChecksum } from "../recognize/findWrongChecksum.js";
import type { DayLedger } from "../settings/dayLedger.js";
import { payWithinDay } from "../settings/payWithinDay.js";
import { keepCovered } from "./keepCovered.js";
import { RefusedError } from "./refusedError.js";

export interface AskerOptions {
  /** Pays and asks; its `signer` is the key that must have signed every answer. */
  readonly client: ClientConfig & { readonly signer: Hex };
  /** Counts what is paid, also by other processes of this user. */
  readonly ledger: DayLedger;
  readonly maxPriceUsd: number;
  readonly maxPerDayUsd: number;
  /** A node of one's own, which must know the judged block. Without one the clock tells when an answer has ended. */
  readonly node?: ChainSource | undefined;
}

/** What happens to a call, in this order. */
export type AskStep = "paying" | "verifying";

export interface CheckedAnswer {
  readonly answer: CapabilityResult;
  /** For a model. */
  readonly text: string;
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onStep?: ((step: AskStep) => void) | undefined;
}

export type Ask = (
  id: CapabilityId,
  input: Readonly<Record<string, unknown>>,
  options?: AskOptions,
) => Promise<CheckedAnswer>;

/** Of what failed; it repeats parts of an answer that nobody vouches for. */
const MAX_FAILURE_TOKENS = 400;
const INVOCATION = /^inv_[0-9a-f]{32}$/;

/** Buys answers within the limits of a call and of the day, and gives out only what verifies and still holds. */
export function createAsker({ client: config, ledger, maxPriceUsd, maxPerDayUsd, node }: AskerOptions): Ask {
  const shared = config.channel && createClient(config);
  const [perCall, perDay] = [microUsdFromNumber(maxPriceUsd), microUsdFromNumber(maxPerDayUsd)];

  const buy = async (
    limit: bigint,
    id: CapabilityId,
    input: Readonly<Record<string, unknown>>,
    { signal, onStep }: AskOptions,
  ): Promise<CapabilityResult> => {
    signal?.throwIfAborted();
    const purse = { config, shared, ledger, perCallMicroUsd: limit, perDayMicroUsd: perDay };
    const buyAnswer = (client: Client, maxPriceUsd: number) => {
      signal?.throwIfAborted();
      onStep?.("paying");
      return client.callUnverified(id, input as never, { maxPriceUsd, signal });
    };
    return (await payWithinDay(purse, buyAnswer, ({ answer }) => answer.pricing.pricePaidUsd)).answer;
  };

  const follower = shared ?? createClient(config);
  const payer = config.account?.address ?? "";
  /** At the service that was asked, whatever the answer states; nothing for a name that is none of the service's. */
  const receiptOf = ({ invocationId }: CapabilityResult) =>
    INVOCATION.test(invocationId)
      ? ` Its receipt: ${config.baseUrl.replace(/\/+$/, "")}/api/v1/receipts/${invocationId}`
      : "";

  /** Throws at an answer that does not verify; false for one that has ended meanwhile. */
  const verify = async (answer: CapabilityResult, question: Question, options: AskOptions) => {
    options.onStep?.("verifying");
    const signer = await follower.followSigner(config.signer, answer.evidenceReference.signer);
    const verification = await checkResult(answer, { signer, question });
    if (!verification.ok) {
      const failure = quote(clip(describeFailure(verification), MAX_FAILURE_TOKENS));
      throw new RefusedError(
        `The answer was paid for and does not verify, so it is not shown. What failed: ${failure}${receiptOf(answer)}`,
      );
    }
    try {
      if (node !== undefined) await confirmAnswer(answer, node, options);
    } catch (error) {
      if (error instanceof GuardRefusedError && error.refusal === "expired") return false;
      throw error;
    }
    return Date.now() <= latestEndMs(answer);
  };

  return async (id, input, options = {}) => {
    verifyInput(id, input);
    const question = { capabilityId: id, input } as Question;
    let answer = await buy(perCall, id, input, options);
    if (!(await verify(answer, question, options))) {
      // It was sold near its end. The next one is new, and both together stay within the limit of a call.
      answer = await buy(perCall - microUsdFromNumber(answer.pricing.pricePaidUsd), id, input, options);
      if (!(await verify(answer, question, options)))
        throw new RefusedError(
          `The answer was paid for and has ended before it could be shown: it held until block ${answer.result.validUntilBlock}. Ask again.${receiptOf(answer)}`,
        );
    }
    const covered = keepCovered(answer, question, { baseUrl: config.baseUrl, payer });
    const rule = await findCapability(id)?.loadRule();
    return { answer: covered, text: summarizeAnswer(covered, rule?.reasons) };
  };
}

/** Before anybody pays: what no rule allows, and addresses that were mistyped. */
function verifyInput(id: CapabilityId, input: Readonly<Record<string, unknown>>): void {
  const parsed = getCapability(id).input.safeParse(input);
  if (!parsed.success) {
    const faults = listFieldErrors(parsed.error, input).map(({ field, rule }) => `${field} ${rule}`);
    throw new RefusedError(`Nothing was asked: ${faults.join("; ")}.`);
  }
  const wrong = findWrongChecksum(input);
  if (wrong !== undefined) throw new RefusedError(`Nothing was asked: ${describeWrongChecksum(wrong)}`);
}
