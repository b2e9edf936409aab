import { findCapability } from "@assay/capabilities/capabilities";
import type { CapabilityResult, Verdict } from "@assay/protocol";
import type { LevelOf } from "./proxy/decide.js";

/** Loads what each reason code counts, in the rules of the capabilities that answered. */
export async function loadLevels(answers: readonly CapabilityResult[]): Promise<LevelOf> {
  const ids = [...new Set(answers.map(({ capabilityId }) => capabilityId))];
  const tables = new Map(
    await Promise.all(ids.map(async (id) => [id, (await findCapability(id)?.loadRule())?.reasons] as const)),
  );
  return ({ capabilityId }, code) => {
    const reasons = tables.get(capabilityId) as Readonly<Record<string, { verdict: Verdict }>> | undefined;
    return reasons && Object.hasOwn(reasons, code) ? reasons[code]?.verdict : undefined;
  };
}

/** What a code counts that this client does not know stands between a block and a review. */
const WEIGHTS: readonly (Verdict | undefined)[] = ["block", undefined, "review", "allow"];

/** The reason codes of an answer, the heaviest first: a reader stops after the first ones. */
export function listReasons(answer: CapabilityResult, levelOf: LevelOf): string[] {
  const weigh = (code: string) => WEIGHTS.indexOf(levelOf(answer, code));
  return [...answer.result.reasonCodes].sort((one, other) => weigh(one) - weigh(other));
}
