import { noAnswer, valueReading } from "@assay/protocol";
import { expect, test } from "vitest";
import { nameCreated } from "../code/nameCreated.js";
import { judgeSiblings } from "./judgeSiblings.js";
import type { SiblingReadings } from "./siblingReadings.js";

const CREATOR = "0x00000000000000000000000000000000000000c1";
const TOKEN = nameCreated(CREATOR, 20);
const SAME = `0x${"11".repeat(32)}` as const;
const OTHER = `0x${"22".repeat(32)}` as const;
const read = (changes: Partial<SiblingReadings> = {}): SiblingReadings => ({
  creation: { creator: CREATOR, nonce: 20 },
  factory: null,
  others: valueReading([
    { nonce: 19, codeHash: SAME },
    { nonce: 21, codeHash: OTHER },
  ]),
  ...changes,
});

test("contracts with the token's code are counted and named by the addresses that follow from their numbers", () => {
  expect(judgeSiblings(TOKEN, SAME, read()).findings).toEqual({
    creator: CREATOR,
    factory: null,
    contracts: 2,
    sameCode: 1,
    addresses: [nameCreated(CREATOR, 19)],
  });
  const many = Array.from({ length: 32 }, (_, nonce) => ({ nonce, codeHash: SAME }));
  const { findings } = judgeSiblings(TOKEN, SAME, read({ others: valueReading(many) }));
  expect([findings.sameCode, findings.addresses.length]).toEqual([32, 8]);
});

test("an account whose creation has another address is not believed", () => {
  const readings = read({ creation: { creator: CREATOR, nonce: 22 } });
  expect(judgeSiblings(TOKEN, SAME, readings).findings).toMatchObject({ creator: null, sameCode: null });
});

test("what was not read is a limitation, unless a published factory made the token", () => {
  const factory = { address: CREATOR, name: "A factory" } as const;
  expect(judgeSiblings(TOKEN, SAME, read({ others: noAnswer })).limitations).toHaveLength(1);
  const known = judgeSiblings(TOKEN, SAME, read({ factory, others: null }));
  expect([known.findings.factory, known.findings.sameCode, known.limitations]).toEqual([factory, null, []]);
});
