import { expect, it } from "vitest";
import { changeOf, findEffects } from "./findEffects.js";

it("takes a node's trace for surer than calldata, and a measurement for surer than both", () => {
  const place = { holder: "0x01", token: null, id: null };
  const told = {
    inferred: { balances: [{ ...place, change: "-1", bound: "at_most" }] },
    traced: { balances: [{ ...place, change: "-2" }] },
  };
  const headline = (findings: object) => findEffects(findings).balances.map(changeOf);
  expect(headline({ ...told, measured: { balances: [{ ...place, before: "9", after: "6" }] } })).toEqual([
    -3n,
  ]);
  expect(headline({ ...told, measured: null })).toEqual([-2n]);
  expect(headline({ inferred: told.inferred })).toEqual([-1n]);
});
