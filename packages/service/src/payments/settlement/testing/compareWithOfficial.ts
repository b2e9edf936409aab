import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import type { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { pino } from "pino";
import { createOfficialScheme } from "../../../../test/createOfficialScheme.js";
import { createLocalSigner } from "../../../base/signers/digestSigner.js";
import { createInProcessFacilitator } from "../inProcessFacilitator.js";
import { type HostilePayload, makeHostilePayloads, prepareWorld } from "./hostilePayloads.js";
import { openSettlement } from "./settlementFixture.js";

/**
 * Where we mean to decide otherwise than the official scheme, and who is right: what the token does when the
 * payment is really settled. A kind that is not listed must be decided the same way.
 */
export const intendedDifferences: Record<string, { ours: "accepted" | "refused"; why: string }> = {
  "another name required than signed": {
    ours: "accepted",
    why: "the official scheme builds the signed domain from the requirements; the token knows its own, and pays",
  },
  "another version required than signed": {
    ours: "accepted",
    why: "as with the name; the service itself refuses both before, because requirements must match the offer",
  },
  "an asset that takes every call": {
    ours: "refused",
    why: "WETH's fallback takes transferWithAuthorization without a revert and moves nothing",
  },
};

export interface Comparison {
  readonly payloads: number;
  readonly accepted: number;
  readonly refused: number;
  /** Decided otherwise than the official scheme, as intended, by kind. */
  readonly intended: Record<string, number>;
  /** Decided otherwise for no reason we know, and decisions that settling proved wrong. One sentence each. */
  readonly disagreements: readonly string[];
  /** Kind → how ours decided, with the reasons given. */
  readonly decisions: Record<string, string[]>;
}

type Decision = { readonly decision: "accepted" | "refused"; readonly reason: string };

/** Has both judge the same payments, and really settles every one that ours accepts or the two disagree on. */
export async function compareWithOfficial(seed: number, count: number): Promise<Comparison> {
  const world = await openSettlement();
  const ours = createInProcessFacilitator({
    chain: world.chain,
    signers: [createLocalSigner(world.devnet.settler.privateKey)],
    logger: pino({ level: "silent" }),
  });
  try {
    await prepareWorld(world);
    const official = createOfficialScheme(world.devnet.rpcUrl, world.keyOf("ivan"));
    const tally = { accepted: 0, refused: 0 };
    const intended: Record<string, number> = {};
    const disagreements: string[] = [];
    const decisions: Record<string, Set<string>> = {};
    for await (const payload of makeHostilePayloads(world, createSeededChoices(seed), count)) {
      const { kind, payment, requirements } = payload;
      const theirs = await judgeOfficially(official, payload);
      const verdict = await ours.verify(payment, requirements);
      const decision = verdict.status === "valid" ? "accepted" : "refused";
      const reason = verdict.status === "valid" ? "" : verdict.reason;
      tally[decision]++;
      decisions[kind] = (decisions[kind] ?? new Set()).add(`${decision} ${reason}`.trim());
      if (verdict.status === "unavailable") disagreements.push(`${kind}: could not be judged: ${reason}`);
      if (decision !== theirs.decision) {
        if (intendedDifferences[kind]?.ours === decision) intended[kind] = (intended[kind] ?? 0) + 1;
        else
          disagreements.push(
            `${kind}: ours ${decision} ${reason}, official ${theirs.decision} ${theirs.reason}`,
          );
      }
      // What both refuse is never handed to settlement.
      if (decision === "refused" && theirs.decision === "refused") continue;
      const settled = await ours.settle(payment, requirements);
      if ((settled.status === "settled") !== (decision === "accepted"))
        disagreements.push(`${kind}: ${decision} when verified, but ${settled.status} when settled`);
      if (settled.status === "settled" && !(await world.isUsed(payload)))
        disagreements.push(`${kind}: settled, but the token does not count it as used`);
    }
    return {
      payloads: count,
      ...tally,
      intended,
      disagreements,
      decisions: Object.fromEntries(Object.entries(decisions).map(([kind, seen]) => [kind, [...seen]])),
    };
  } finally {
    await ours.close();
    await world.close();
  }
}

/** The official scheme throws at some malformed payments; a caller over HTTP sees no acceptance then. */
async function judgeOfficially(official: ExactEvmScheme, payload: HostilePayload): Promise<Decision> {
  try {
    const answer = await official.verify(payload.payment as never, payload.requirements as never);
    return { decision: answer.isValid ? "accepted" : "refused", reason: answer.invalidReason ?? "" };
  } catch (error) {
    return { decision: "refused", reason: `threw ${error instanceof Error ? error.name : error}` };
  }
}
