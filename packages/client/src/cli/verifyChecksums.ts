import type { Command } from "commander";
import { UsageError } from "./usageError.js";

/** Refuses an address with a wrong checksum (EIP-55) in any option or argument: asking about a mistyped one costs as much. */
export async function verifyChecksums(command: Command): Promise<void> {
  const given = [...Object.values(command.optsWithGlobals()), ...command.args];
  const mixed = given.filter(
    (value): value is string =>
      typeof value === "string" && /^0x(?=.*[a-f])(?=.*[A-F])[0-9a-fA-F]{40}$/.test(value),
  );
  if (mixed.length === 0) return;
  const { describeWrongChecksum, hasWrongChecksum } = await import("../recognize/findWrongChecksum.js");
  const wrong = mixed.find(hasWrongChecksum);
  if (wrong !== undefined) throw new UsageError(describeWrongChecksum(wrong));
}
