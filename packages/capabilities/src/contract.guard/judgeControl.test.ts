import { absent, type Hex, type Reading, valueReading } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { judgeControl } from "../shared/control/judgeControl.js";
import { listSubjectFacts } from "../shared/proxies/listSubjectFacts.js";
import type { SubjectReadings } from "../shared/proxies/subjectReadings.js";
import {
  ADDRESS,
  codeReading,
  controller,
  followed,
  OTHER,
  PLAIN_CODE,
  plainReadings,
  refusal,
  silence,
  TARGET,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateContractGuard } from "./evaluate.js";
import { guardReadings } from "./testing/sampleGuardReadings.js";

const THIRD: Hex = "0x3333333333333333333333333333333333333333";
const contract = codeReading(PLAIN_CODE);
const delegation = codeReading(`0xef0100${TARGET.slice(2)}`);
const customError = { status: "reverted", data: "0xdeadbeef" } as const;
const verdictOf = (readings: SubjectReadings) =>
  evaluateContractGuard({ address: ADDRESS }, guardReadings(readings)).verdict;
const codesOf = (readings: SubjectReadings) => judgeControl(readings).notes.map(({ code }) => code);
const owned = (code: Reading<never> | typeof contract) =>
  plainReadings({ owner: wordReading(OTHER), controllers: [controller(OTHER, { code })] });
/** An admin slot that names `OTHER`. */
const administered = (changes: Partial<ReturnType<typeof controller>>, more = {}) =>
  plainReadings({
    slots: { eip1967Admin: wordReading(OTHER) },
    controllers: [controller(OTHER, { owner: absent, ...changes })],
    ...more,
  });

describe("the owner of a contract that cannot be upgraded", () => {
  test.each<[string, SubjectReadings, string[], object | null]>([
    ["no such function", plainReadings({ owner: refusal }), [], null],
    ["a refusal in words", plainReadings({ owner: customError }), [], null],
    ["an open fallback", plainReadings({ owner: absent }), [], null],
    [
      "nobody",
      plainReadings({ owner: wordReading(0n) }),
      ["OWNER_RENOUNCED"],
      { address: null, kind: "nobody" },
    ],
    ["a plain account", owned(codeReading("0x")), ["OWNER_IS_ACCOUNT"], { address: OTHER, kind: "account" }],
    ["an absent account", owned(absent), ["OWNER_IS_ACCOUNT"], { address: OTHER, kind: "account" }],
    ["a delegated account", owned(delegation), ["OWNER_IS_ACCOUNT"], { address: OTHER, kind: "delegated" }],
    ["a contract", owned(contract), ["OWNER_IS_CONTRACT"], { address: OTHER, kind: "contract" }],
  ])("%s is reported and stays an allow", (_, readings, codes, owner) => {
    expect(codesOf(readings)).toEqual(codes);
    expect(judgeControl(readings).control).toEqual({ admins: [], owner });
    expect(verdictOf(readings)).toBe("allow");
  });

  test.each<[string, SubjectReadings, string, RegExp]>([
    ["owner() unanswered", plainReadings({ owner: silence }), "OWNER_UNREAD", /owner\(\) was not read/],
    ["code unanswered", owned(silence), "OWNER_UNREAD", new RegExp(OTHER)],
    ["code never asked", plainReadings({ owner: wordReading(OTHER) }), "OWNER_UNREAD", new RegExp(OTHER)],
    [
      "more than an address",
      plainReadings({ owner: wordReading(2n ** 160n) }),
      "OWNER_UNREADABLE",
      /else than one address/,
    ],
    [
      "two words of zero",
      plainReadings({ owner: valueReading<Hex>(`0x${"0".repeat(128)}`) }),
      "OWNER_UNREADABLE",
      /else than one address/,
    ],
  ])("%s is a review", (_, readings, code, limitation) => {
    expect(codesOf(readings)).toEqual([code]);
    expect(judgeControl(readings).notes[0]?.limitation).toMatch(limitation);
    expect(judgeControl(readings).control.owner?.kind).toBe("unread");
    expect(verdictOf(readings)).toBe("review");
  });
});

describe("who may replace the code", () => {
  test.each<[string, SubjectReadings, string[], object]>([
    [
      "a plain account",
      administered({}),
      ["ADMIN_IS_ACCOUNT"],
      { role: "eip1967_admin", address: OTHER, kind: "account", owner: null },
    ],
    ["a delegated account", administered({ code: delegation }), ["ADMIN_IS_ACCOUNT"], { kind: "delegated" }],
    [
      "a contract without owner()",
      administered({ code: contract, owner: refusal }),
      ["ADMIN_IS_CONTRACT"],
      { kind: "contract", owner: null },
    ],
    [
      "a contract with an owner of unread kind",
      administered({ code: contract, owner: wordReading(THIRD) }),
      ["ADMIN_IS_CONTRACT"],
      { kind: "contract", owner: { address: THIRD, kind: "unread" } },
    ],
    [
      "a contract whose owner is also the subject's",
      administered(
        {},
        {
          owner: wordReading(THIRD),
          controllers: [
            controller(OTHER, { code: contract, owner: wordReading(THIRD) }),
            controller(THIRD, { code: codeReading("0x") }),
          ],
        },
      ),
      ["ADMIN_IS_CONTRACT", "OWNER_IS_ACCOUNT"],
      { kind: "contract", owner: { address: THIRD, kind: "account" } },
    ],
    [
      "a contract whose owner is gone",
      administered({ code: contract, owner: wordReading(0n) }),
      ["ADMIN_IS_CONTRACT", "ADMIN_OWNER_RENOUNCED"],
      { kind: "contract", owner: { address: null, kind: "nobody" } },
    ],
    [
      "unread code",
      administered({ code: silence }),
      ["ADMIN_UNREAD"],
      { address: OTHER, kind: "unread", owner: null },
    ],
    [
      "an unanswered owner()",
      administered({ code: contract, owner: silence }),
      ["ADMIN_IS_CONTRACT", "ADMIN_UNREAD"],
      { kind: "contract", owner: { address: null, kind: "unread" } },
    ],
    [
      "an owner() never asked",
      administered({ code: contract, owner: null }),
      ["ADMIN_IS_CONTRACT", "ADMIN_UNREAD"],
      { owner: { address: null, kind: "unread" } },
    ],
    [
      "an owner() that is no address",
      administered({ code: contract, owner: valueReading("0x01") }),
      ["ADMIN_IS_CONTRACT", "ADMIN_UNREAD"],
      { owner: { address: null, kind: "unread" } },
    ],
    ["nothing read at all", administered({}, { controllers: [] }), ["ADMIN_UNREAD", "ADMIN_UNREAD"], {}],
  ])("%s is a review", (_, readings, codes, admin) => {
    expect(codesOf(readings)).toEqual(codes);
    expect(judgeControl(readings).control.admins).toMatchObject([admin]);
    expect(verdictOf(readings)).toBe("review");
  });

  test("each role is named", () => {
    const slots = {
      eip1967Admin: wordReading(OTHER),
      zeppelinosAdmin: wordReading(THIRD),
      diamondOwner: wordReading(OTHER),
      eip1967Beacon: wordReading(TARGET),
    };
    const controllers = [
      controller(OTHER, { owner: absent }),
      controller(THIRD, { owner: absent }),
      controller(TARGET, { code: contract, owner: wordReading(OTHER) }),
    ];
    const { control } = judgeControl(plainReadings({ slots, controllers }));
    expect(control.admins.map(({ role, address }) => [role, address])).toEqual([
      ["eip1967_admin", OTHER],
      ["zeppelinos_admin", THIRD],
      ["diamond_owner", OTHER],
      ["beacon", TARGET],
    ]);
    expect(control.admins.at(-1)?.owner).toEqual({ address: OTHER, kind: "account" });
  });

  test("a beacon without code is nobody's key", () => {
    const slots = { eip1967Beacon: wordReading(OTHER) };
    const controllers = [controller(OTHER, { owner: absent })];
    expect(codesOf(plainReadings({ slots, controllers }))).toEqual([]);
  });
});

test("the code of everyone in control is among the facts a proof can show", () => {
  const readings = plainReadings({
    followed: [followed(TARGET)],
    controllers: [
      controller(OTHER),
      controller(THIRD, { code: contract }),
      controller(TARGET, { code: silence }),
    ],
  });
  const facts = listSubjectFacts(ADDRESS, readings);
  expect(facts.slice(2)).toEqual([
    { address: OTHER, codeHash: null, slots: [] },
    { address: THIRD, codeHash: contract.status === "value" && contract.value.codeHash, slots: [] },
    { address: TARGET, slots: [] },
  ]);
});
