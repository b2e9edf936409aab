import type { CapabilityResult } from "@assay/protocol";
import { expect, it } from "vitest";
import { GuardRefusedError } from "./guardRefusedError.js";
import { verifyAllowed } from "./verifyAllowed.js";

/** In the order of the rule, which names first what was measured. */
const reasonCodes = ["TX_EXECUTES", "NO_LOSS_MEASURED", "UNLIMITED_APPROVAL_TO_ACCOUNT", "KNOWN_PARTY"];
const answerOf = (verdict: CapabilityResult["verdict"]) =>
  ({
    capabilityId: "transaction.intent.guard",
    verdict,
    result: { reasonCodes, summary: "It gives everything away." },
  }) as unknown as CapabilityResult;
const refusalOf = (...given: Parameters<typeof verifyAllowed>) =>
  verifyAllowed(...given).then(
    () => undefined,
    (error: unknown) => error,
  );

it("a refusal names first the reasons that refuse", async () => {
  const refused = await refusalOf(answerOf("block"), undefined, "transaction");
  expect(refused).toBeInstanceOf(GuardRefusedError);
  expect(refused).toMatchObject({
    refusal: "block",
    reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT", "TX_EXECUTES", "NO_LOSS_MEASURED", "KNOWN_PARTY"],
    message: expect.stringContaining("Reasons: UNLIMITED_APPROVAL_TO_ACCOUNT, "),
  });
});

it("only an allow, and a review that is accepted, is allowed", async () => {
  expect(await refusalOf(answerOf("allow"), undefined, "message")).toBeUndefined();
  expect(await refusalOf(answerOf("review"), () => true, "message")).toBeUndefined();
  expect(await refusalOf(answerOf("review"), () => false, "message")).toMatchObject({ refusal: "review" });
  expect(await refusalOf(answerOf("review"), undefined, "message")).toMatchObject({ refusal: "review" });
  expect(await refusalOf(answerOf("block"), () => true, "message")).toMatchObject({ refusal: "block" });
});
