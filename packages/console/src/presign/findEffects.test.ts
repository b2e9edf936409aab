import { expect, it } from "vitest";
import { changeOf, findEffects } from "./findEffects.js";

it("prefers a node's trace to calldata, and a measurement to both", () => {
  const place = { holder: "0x01", token: null, id: null };
  const parts = {
    inferred: { balances: [{ ...place, change: "-1", bound: "at_most" }] },
    traced: { balances: [{ ...place, change: "-2" }] },
  };
  const headline = (findings: object) => findEffects(findings).balances.map(changeOf);
  expect(headline({ ...parts, measured: { balances: [{ ...place, before: "9", after: "6" }] } })).toEqual([
    -3n,
  ]);
  expect(headline({ ...parts, measured: null })).toEqual([-2n]);
  expect(headline({ inferred: parts.inferred })).toEqual([-1n]);
});
