import { expect, test } from "vitest";
import { capabilityCatalog } from "./capabilityCatalog.js";
import { capabilityInputs } from "./capabilityInputs.js";
import { claimRequestSchema } from "./claimShapes.js";
import { exampleClaim, exampleInputs } from "./exampleInputs.js";

test.each(capabilityCatalog.map(({ id }) => id))("the example of %s is an input of it", (id) => {
  const parsed = capabilityInputs[id].safeParse(exampleInputs[id]);
  expect(parsed.error?.issues ?? []).toEqual([]);
  // Written out in full, so that a reader sees every field there is, but for what only an earlier call of one's own gives.
  const shown = Object.keys(capabilityInputs[id].shape).filter((field) => field !== "guardInvocationId");
  expect(Object.keys(exampleInputs[id])).toEqual(shown);
});

test("the example of a claim is one", () => {
  expect(claimRequestSchema.safeParse(exampleClaim).error?.issues ?? []).toEqual([]);
});
