import { expect, it } from "vitest";
import { expectProtection } from "../../../../examples/testing/runAdapter.js";

it("lets the framework's agent ask, pay and swap, and does not sign the drain", async () => {
  const { guarded, unguarded } = await expectProtection("packages/adapters/eliza");
  expect(guarded).toEqual([
    "CONTRACT_GUARD: ALLOW by contract.guard",
    expect.stringMatching(/^SEND_TRANSACTION: SENT 0x[0-9a-f]{64}: ALLOW by transaction\.intent\.guard$/),
    "SEND_TRANSACTION: NOT SENT (block): BLOCK by transaction.intent.guard",
    expect.stringContaining("The stranger may take 0."),
  ]);
  expect(unguarded.slice(1, 3)).toEqual(
    Array(2).fill(expect.stringMatching(/^SEND_TRANSACTION: SENT 0x[0-9a-f]{64}: WITHOUT A GUARD$/)),
  );
});
