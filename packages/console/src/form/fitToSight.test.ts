import type { AddressSight } from "@assay/protocol";
import { expect, it } from "vitest";
import { askPasted } from "./askPasted.js";
import { fitToSight } from "./fitToSight.js";

const ADDRESS = `0x${"5a".repeat(20)}`;
const asked = askPasted(ADDRESS);

const fit = (sight: Partial<AddressSight>) => {
  const { title, questions } = fitToSight(asked, {
    ...{ address: ADDRESS as `0x${string}`, kind: "contract", name: null, pools: null },
    ...sight,
  });
  return { title, questions: questions.map(({ id }) => id) };
};

it("asks first whether an unknown token can be sold, and who can change one that everybody knows", () => {
  expect(fit({ kind: "token", pools: 2 })).toEqual({
    title: "a token that is not well known, sold in 2 pools",
    questions: [
      "token.launch.guard",
      "token.metadata",
      "contract.guard",
      "contract.interface",
      "contract.change",
    ],
  });
  expect(fit({ kind: "token", pools: 0 }).title).toContain("no pool in which it could be sold");
  const known = fit({ kind: "token", name: "USD Coin (USDC)", pools: 1 });
  expect(known.title).toBe("USD Coin (USDC), a published token, sold in 1 pool");
  expect(known.questions[0]).toBe("contract.guard");
  expect(known.questions).toHaveLength(asked.questions.length);
});

it("asks nothing about tokens of a contract that is none, and nothing about code of an account without it", () => {
  for (const kind of ["contract", "delegated"] as const)
    expect(fit({ kind }).questions).toEqual(["contract.guard", "contract.interface", "contract.change"]);
  expect(fit({ kind: "account" }).questions).toEqual([]);
});
