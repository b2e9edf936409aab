import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CapabilityResult, Verdict } from "@assay/protocol";
import { describe, expect, it } from "vitest";
import { SettingsError } from "../settings/readFields.js";
import { decide } from "./decide.js";
import { defaultPolicy, readPolicy } from "./policy.js";
import type { Intent } from "./readRequest.js";

const me = "0x1111111111111111111111111111111111111111";
const shop = "0x2222222222222222222222222222222222222222";
const thief = "0x3333333333333333333333333333333333333333";

const intent: Intent = {
  kind: "transaction",
  method: "eth_sendTransaction",
  sender: me,
  to: shop,
  valueWei: 0n,
  createsContract: false,
  isRepeatable: false,
  unseen: [],
  questions: [],
  text: "",
};

/** The parts of an answer that a policy reads. */
const answer = (
  verdict: Verdict,
  reasonCodes: string[],
  leaves: object[] = [],
  data = "0x",
): CapabilityResult =>
  ({
    capabilityId: "transaction.intent.guard",
    verdict,
    result: {
      reasonCodes,
      summary: "S.",
      evidence: {
        input: { from: me, to: shop, data },
        findings: { effects: { source: "trace", accounts: [me], leaves, permissions: [] } },
      },
    },
  }) as unknown as CapabilityResult;
const pays = (usd: string | null, to = shop) => ({ kind: "erc20", amount: "1", usd, to: [to] });

const levels: Record<string, Verdict> = { OK: "allow", DOUBT: "review", MORE_DOUBT: "review", BAD: "block" };
const judge = (policy: object, answers: CapabilityResult[], further: Partial<Intent> = {}) => {
  const { action, rule } = decide(
    readPolicy("policy.json", JSON.stringify(policy)),
    { ...intent, ...further },
    answers,
    (_answer, code) => levels[code],
  );
  return `${action} ${rule}`;
};

describe("the policy decides", () => {
  const review = answer("review", ["OK", "DOUBT"], [pays("$12.00")]);
  it.each([
    ["allow by default", {}, [answer("allow", ["OK"])], "allow verdicts.allow"],
    ["review by default", {}, [review], "ask verdicts.review"],
    ["block by default", {}, [answer("block", ["BAD"])], "refuse verdicts.block"],
    [
      "of several answers the strictest",
      {},
      [answer("allow", []), answer("block", ["BAD"])],
      "refuse verdicts.block",
    ],
    ["a verdict", { verdicts: { review: "refuse" } }, [review], "refuse verdicts.review"],
    [
      "a reason that is refused",
      { reasons: { OK: "refuse" } },
      [answer("allow", ["OK"])],
      "refuse reasons.OK",
    ],
    ["a reason that is accepted", { reasons: { DOUBT: "allow" } }, [review], "allow reasons.DOUBT"],
    [
      "one of two accepted",
      { reasons: { DOUBT: "allow" } },
      [answer("review", ["DOUBT", "MORE_DOUBT"])],
      "ask verdicts.review",
    ],
    [
      "an unknown code beside it",
      { reasons: { DOUBT: "allow" } },
      [answer("review", ["DOUBT", "NEW_CODE"])],
      "ask verdicts.review",
    ],
    [
      "a block is not accepted",
      { reasons: { BAD: "allow" } },
      [answer("block", ["BAD"])],
      "refuse verdicts.block",
    ],
    ["a known party", { parties: { allow: [shop] } }, [review], "allow parties.allow"],
    [
      "a known party and another",
      { parties: { allow: [shop] } },
      [answer("review", ["DOUBT"], [pays("$1.00", thief)])],
      "ask verdicts.review",
    ],
    [
      "a party in calldata",
      { parties: { refuse: [thief.toUpperCase().replace("0X", "0x")] } },
      [answer("allow", [], [], `0x00${thief.slice(2)}`)],
      "refuse parties.refuse",
    ],
    [
      "a value to ask about",
      { value: { askAboveUsd: 10 } },
      [answer("allow", [], [pays("$10.01")])],
      "ask value.askAboveUsd",
    ],
    [
      "a value within",
      { value: { askAboveUsd: 10 } },
      [answer("allow", [], [pays("$10.00")])],
      "allow verdicts.allow",
    ],
    [
      "a value above",
      { value: { refuseAboveUsd: 10 } },
      [answer("allow", [], [pays("$6.00"), pays("$5.00")])],
      "refuse value.refuseAboveUsd",
    ],
    [
      "a value without a price",
      { value: { refuseAboveUsd: 10 } },
      [answer("allow", [], [pays(null)])],
      "ask value",
    ],
  ])("%s", (_name, policy, answers, expected) => expect(judge(policy, answers)).toBe(expected));

  it("by what the request itself says", () => {
    const good = [answer("allow", [])];
    expect(judge({ value: { refuseAboveEther: 1 } }, good, { valueWei: 10n ** 18n + 1n })).toBe(
      "refuse value.refuseAboveEther",
    );
    expect(judge({}, good, { feeWei: 5_000_000_000_000_001n })).toBe("refuse maxFeeEther");
    expect(judge({}, [], { createsContract: true, to: null })).toBe("refuse contractCreation");
    expect(judge({ contractCreation: "allow" }, [], { createsContract: true, to: null })).toBe(
      "allow contractCreation",
    );
    expect(judge({}, good, { unseen: ["AUTHORIZATION_NOT_RUN"] })).toBe("ask reasons.AUTHORIZATION_NOT_RUN");
  });
});

it("a policy that breaks a rule is refused, with every field and its rule", () => {
  const wrong = {
    verdicts: { block: "allow", reviews: "ask" },
    reasons: { lower: "ask", GOOD: "maybe" },
    parties: { allow: [shop, "0x1"], ask: [`0x${"5a".repeat(19)}5A`], refuse: [shop] },
    value: { askAboveUsd: 5, refuseAboveUsd: 2, perDayUsd: -1 },
    maxFeeEther: "0.1",
    methods: { "a b": "pass" },
    onFailure: "ajar",
    askSeconds: 1.5,
    limit: 1,
  };
  let faults: readonly string[] = [];
  try {
    readPolicy("policy.json", JSON.stringify(wrong));
  } catch (error) {
    faults = (error as SettingsError).faults.map(({ field, rule }) => `${field} ${rule}`);
  }
  expect(faults).toEqual([
    "verdicts.block must be ask or refuse",
    "verdicts.reviews is not a setting: there are allow, review and block",
    "reasons.lower is not a reason code: they are in capital letters",
    "reasons.GOOD must be allow, ask or refuse",
    "parties.allow[1] must be an address: 0x and 40 hex digits",
    expect.stringMatching(/^parties\.ask\[0\] is mistyped: 0x\w+ has a wrong checksum \(EIP-55\)/),
    "value.perDayUsd must be a number of 0 or more, with at most six decimals",
    "maxFeeEther must be a number of 0 or more, with at most six decimals",
    "methods.a b is not the name of a method",
    "onFailure must be closed or open",
    "askSeconds must be a whole number of seconds from 0 to 3600",
    expect.stringContaining("limit is not a setting: there are verdicts, reasons,"),
    "value.askAboveUsd must not be above refuseAboveUsd",
    `parties.refuse has ${shop}, which is also in parties.allow`,
  ]);
  expect(() => readPolicy("policy.json", "{")).toThrow(SettingsError);
  expect(() => readPolicy("policy.json", '{"onFailure":"closed","onFailure":"open"}')).toThrow("named once");
  expect(readPolicy("policy.json", "{}")).toEqual(defaultPolicy);
});

it("the page about the proxy shows a policy that is valid", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../../docs/proxy.md"), "utf8");
  const [, example = ""] = /```json\n(\{\n {2}"verdicts"[\s\S]*?)```/.exec(page) ?? [];
  expect(readPolicy("docs/proxy.md", example)).toMatchObject({ onFailure: "closed", askSeconds: 60 });
});
