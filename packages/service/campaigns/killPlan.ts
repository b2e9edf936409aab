import type { SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Hex } from "@assay/protocol";
import type { Failpoint } from "../src/base/failpoints.js";
import { issueMove, moveCredits } from "../src/credits/ledger.js";
import { fetchChallenge } from "../test/payer.js";
import type { CampaignWorld, ServiceProcess } from "./campaignWorld.js";
import type { ChainActions } from "./chainActions.js";
import { createPayer, fetchQuote, guardPath, type PaidCall, SNAPSHOT_PATH, signCall } from "./paidCalls.js";
import type { SettleMood } from "./scriptedFacilitator.js";

/** How a caller pays. A pauper has no money; an overdrawn caller sends several payments with money for one. */
export type CallKind = "ticket" | "quote" | "credit" | "pauper" | "overdrawn";

export interface VictimCall {
  readonly kind: CallKind;
  readonly call: PaidCall;
  /** Its authorization ends soon. */
  readonly expires: boolean;
}

/** One kill: where, at which time it is reached, and what is under way. */
export interface Assault {
  readonly failpoint: Failpoint;
  readonly turn: number;
  /** Settled by a remote facilitator, in one of these moods. */
  readonly isRemote: boolean;
  readonly moods: readonly SettleMood[];
  readonly kinds: readonly CallKind[];
}

/** Longer than the ten seconds the service asks for, short enough to wait for its end. */
const SHORT_LIFE_SECONDS = 20;

/** Calls that lead to the failpoint at least `turn` times. */
export function planAssault(failpoint: Failpoint, choices: SeededChoices): Assault {
  const paying = (count: number): CallKind[] =>
    Array.from({ length: count }, () => choices.pick(["ticket", "quote", "credit"] as const));
  const kinds = paying(choices.integer(3, 7));
  const isRemote = choices.chance(0.35);
  const plan = {
    failpoint,
    isRemote,
    moods: ["honest"] as SettleMood[],
    kinds,
    turn: choices.integer(1, kinds.length - 1),
  };
  switch (failpoint) {
    case "inside_void": {
      const paupers = choices.integer(1, 3);
      return {
        ...plan,
        kinds: [...kinds, ...Array<CallKind>(paupers).fill("pauper")],
        turn: choices.integer(1, paupers),
      };
    }
    case "inside_failed":
      if (isRemote) return { ...plan, moods: ["refuse"] };
      // Sent first, so that all three are found able to pay before one has.
      return { ...plan, kinds: ["overdrawn", "overdrawn", "overdrawn", ...kinds], turn: 1 };
    case "after_unknown":
      // After a few silences in a row the facilitator is not asked any more.
      return {
        ...plan,
        isRemote: true,
        moods: ["drop", "settle_then_drop", "garbage"],
        turn: choices.integer(1, 2),
      };
    case "after_settled":
      return { ...plan, isRemote: false };
    case "after_settle":
      return { ...plan, moods: ["honest", "honest", "settle_then_drop"] };
    default:
      return choices.chance(0.3) ? { ...plan, kinds: [...kinds, "pauper"] } : plan;
  }
}

/** Asks prices of the process that is about to die, and signs. */
export async function prepareCalls(
  world: CampaignWorld,
  actions: ChainActions,
  process: ServiceProcess,
  assault: Assault,
  choices: SeededChoices,
  withExpiry: boolean,
): Promise<VictimCall[]> {
  const calls: VictimCall[] = [];
  const overdrawn = choices.hex(32);
  // Nobody has asked about this address yet, so all of them pay the same, highest price.
  const unknownAddress = choices.hex(20);
  for (const kind of assault.kinds) {
    const expires = withExpiry && choices.chance(0.25);
    const life = expires ? SHORT_LIFE_SECONDS : undefined;
    const privateKey: Hex =
      kind === "pauper"
        ? choices.hex(32)
        : kind === "overdrawn"
          ? overdrawn
          : choices.pick(world.devnet.accounts.slice(0, 8)).privateKey;
    const payer = createPayer(privateKey);
    const path = await choosePath();
    const challenge = await fetchChallenge(process.url + path);
    if (kind === "overdrawn" && !calls.some((call) => call.kind === kind))
      await actions.give(payer.address, BigInt(challenge.accepts[0]?.amount ?? 0));
    calls.push({ kind, expires, call: await signCall(payer, path, challenge, life) });

    async function choosePath(): Promise<string> {
      if (kind === "overdrawn") return guardPath(unknownAddress);
      const address = choices.chance(0.4)
        ? choices.hex(20)
        : choices.pick(Object.values(world.devnet.contracts).filter((value) => typeof value === "string"));
      const isSnapshot = choices.chance(0.2);
      const isUnquoted = kind === "ticket" || (kind === "pauper" && choices.chance(0.5));
      if (isUnquoted) return isSnapshot ? SNAPSHOT_PATH : guardPath(address);
      const wallet = payer.address.toLowerCase();
      if (kind === "credit") {
        const amount = BigInt(choices.integer(1_000, 60_000));
        await world.db.transaction((tx) =>
          moveCredits(tx, [issueMove(wallet, "review", choices.hex(16), amount)]),
        );
      }
      const input: Record<string, string> = isSnapshot
        ? { capability: "chain.snapshot" }
        : { capability: "contract.guard", address };
      return (await fetchQuote(process.url, input, wallet)).path;
    }
  }
  return calls;
}
