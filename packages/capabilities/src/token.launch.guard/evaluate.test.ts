import { absent, type Hex, unanswered, valueReading } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { evaluateTokenLaunch } from "./evaluate.js";
import { type TokenLaunchReadings, tokenLaunchReadingsSchema } from "./readings.js";
import { type TokenLaunchCode, tokenLaunchReasons } from "./reasons.js";
import {
  exercise,
  failed,
  leg,
  OWNER,
  owned,
  PAIR,
  run,
  sampleLaunchReadings,
  scanOf,
  taxed,
  trades,
} from "./testing/sampleLaunchReadings.js";

const input = { address: "0x00000000000000000000000000000000000000a1" } as const;
const judge = (changes: Partial<TokenLaunchReadings> = {}) =>
  evaluateTokenLaunch(input, tokenLaunchReadingsSchema.parse({ ...sampleLaunchReadings, ...changes }));

const BLACKLIST = "0x153b0d1e";
const withPowers = (
  changes: Parameters<typeof exercise>[0],
  role: "owner" | "anyone" = "owner",
): Pick<TokenLaunchReadings, "powers"> => ({
  powers: {
    caller: OWNER,
    role,
    trader: "0x00000000000000000000000000000000000000d1",
    exercises: [valueReading(exercise(changes))],
    leftOut: [],
  },
});
const after = (sale: ReturnType<typeof leg>, role: "owner" | "anyone" = "owner") =>
  withPowers({ accepted: [{ data: `${BLACKLIST}00`, sale }] }, role);
const unread = unanswered("timeout");

test("every reason has a sentence and a verdict", () => {});

test("an ordinary token is allowed", () => {
  expect(judge()).toMatchObject({
    verdict: "allow",
    reasonCodes: ["CODE_PRESENT", "SELLS", "TAX_NONE", "NO_POWER_FOUND", "LIQUIDITY_BURNT"],
    findings: { owner: { kind: "unnamed" }, upgradeable: false, liquidity: { burntBps: 10_000 } },
  });
});

describe("trades", () => {
  test.each<[string, Partial<TokenLaunchReadings>, TokenLaunchCode, string]>([
    ["a failing second sale", { trades: trades(run(1), run(100, { 4: failed })) }, "SALE_FAILS", "block"],
    ["a failing approval", { trades: trades(run(1, { 2: failed }), run(100)) }, "SALE_FAILS", "block"],
    [
      "a failing purchase",
      { trades: trades(run(1, { 0: failed }), run(100, { 0: failed })) },
      "BUY_FAILS",
      "block",
    ],
    [
      "a failing large purchase",
      { trades: trades(run(1), run(100, { 0: failed })) },
      "BUY_LIMITED",
      "review",
    ],
    ["a failing transfer", { trades: trades(run(1, { 1: failed }), run(100)) }, "TRANSFER_FAILS", "review"],
    [
      "half of a purchase",
      { trades: trades(run(1, { 0: taxed(5_000) }), run(100)) },
      "TAX_CONFISCATORY",
      "block",
    ],
    [
      "half of a transfer",
      { trades: trades(run(1, { 1: taxed(5_000) }), run(100)) },
      "TAX_CONFISCATORY",
      "block",
    ],
    ["all of a purchase", { trades: trades(run(1, { 0: taxed(10_000) })) }, "TAX_CONFISCATORY", "block"],
    ["less than half", { trades: trades(run(1), run(100, { 3: taxed(4_999) })) }, "TAX_HIGH", "review"],
    ["a tenth", { trades: trades(run(1), run(100, { 3: taxed(1_000) })) }, "TAX_MODERATE", "allow"],
    [
      "a trade without end",
      { trades: trades({ shareBps: 1, legs: null }, run(100)) },
      "SIMULATION_UNFINISHED",
      "review",
    ],
    [
      "a trade that was not begun",
      { trades: trades(run(1, { 0: leg({ success: false, sent: "0" }) }), run(100)) },
      "SIMULATION_UNFINISHED",
      "review",
    ],
    [
      "a step without a quote",
      { trades: trades(run(1, { 3: leg({ quoted: "0" }) }), run(100)) },
      "SIMULATION_UNFINISHED",
      "review",
    ],
    ["no trade at all", { trades: [] }, "SIMULATION_UNAVAILABLE", "review"],
  ])("%s", (_, changes, code, verdict) => {
    const result = judge(changes);
    expect(result.reasonCodes).toContain(code);
    expect(result.verdict).toBe(verdict);
  });

  test("two senders with different outcomes are reported", () => {
    const [first, second] = trades(run(1), run(100));
    const other = { ...second, runs: valueReading([run(1), run(100, { 3: taxed(100) })]) };
    const result = judge({ trades: [first, other] as TokenLaunchReadings["trades"] });
    expect(result.reasonCodes).toContain("SENDERS_DIFFER");
    expect(result.verdict).toBe("review");
  });
});

describe("powers", () => {
  test.each<[string, Partial<TokenLaunchReadings>, TokenLaunchCode, string]>([
    [
      "held by an account",
      { scan: scanOf(BLACKLIST), ...owned("empty"), ...withPowers({}) },
      "OWNER_POWERS_LIVE",
      "review",
    ],
    [
      "that stop sales, held by an account",
      { ...owned("empty"), ...after(failed) },
      "SALES_STOPPABLE_BY_OWNER",
      "block",
    ],
    [
      "that stop sales, held by a delegated account",
      { ...owned("eip7702_delegation"), ...after(failed) },
      "SALES_STOPPABLE_BY_OWNER",
      "block",
    ],
    [
      "that take half, held by an account",
      { ...owned("empty"), ...after(taxed(5_000)) },
      "SALES_STOPPABLE_BY_OWNER",
      "block",
    ],
    ["that take a fifth", { ...owned("empty"), ...after(taxed(2_000)) }, "SALE_TAX_RAISABLE", "review"],
    [
      "that stop sales, held by a contract",
      { ...owned("contract"), ...after(failed) },
      "SALES_STOPPABLE_BY_CONTRACT",
      "review",
    ],
    ["that stop sales, held by anybody", after(failed, "anyone"), "SALES_STOPPABLE_BY_ANYONE", "block"],
    ["held by nobody knows whom", { scan: scanOf(BLACKLIST) }, "POWER_HOLDER_UNKNOWN", "review"],
    [
      "given up",
      { scan: scanOf(BLACKLIST), owner: valueReading<Hex>(`0x${"0".repeat(64)}`) },
      "POWERS_RENOUNCED",
      "allow",
    ],
    [
      "given up to the burn address",
      { scan: scanOf(BLACKLIST), owner: valueReading<Hex>(`0x${"dead".padStart(64, "0")}`) },
      "POWERS_RENOUNCED",
      "allow",
    ],
    [
      "given up by the owner where others hold roles",
      { scan: scanOf(BLACKLIST, "0x91d14854"), owner: valueReading<Hex>(`0x${"0".repeat(64)}`) },
      "POWER_HOLDER_UNKNOWN",
      "review",
    ],
    ["not tried because gas ran out", withPowers({ untried: [BLACKLIST] }), "POWERS_NOT_EXERCISED", "review"],
    [
      "not tried because nothing was bought",
      withPowers({ bought: failed }),
      "POWERS_NOT_EXERCISED",
      "review",
    ],
    ["of a scan that did not end", { scan: unread }, "POWERS_UNREAD", "review"],
  ])("%s", (_, changes, code, verdict) => {
    const result = judge(changes);
    expect(result.reasonCodes).toContain(code);
    expect(result.verdict).toBe(verdict);
  });

  test("a sale that fails anyway is not the owner's doing", () => {
    const result = judge({
      ...owned("empty"),
      ...withPowers({ plainSale: failed, accepted: [{ data: `${BLACKLIST}00`, sale: failed }] }),
    });
    expect(result.reasonCodes).not.toContain("SALES_STOPPABLE_BY_OWNER");
  });
});

describe("code and liquidity", () => {
  const slots = {
    ...sampleLaunchReadings.slots,
    eip1967Implementation: valueReading<Hex>(`0x${"1".padStart(64, "0")}`),
  };
  const share = (value: number) => valueReading<Hex>(`0x${value.toString(16).padStart(64, "0")}`);
  const liquidity = { ...sampleLaunchReadings.liquidity, pool: PAIR } as NonNullable<
    TokenLaunchReadings["liquidity"]
  >;

  test.each<[string, Partial<TokenLaunchReadings>, TokenLaunchCode, string]>([
    ["a proxy", { slots }, "TOKEN_UPGRADEABLE", "review"],
    ["a proxy whose code was not read", { slots }, "IMPLEMENTATION_UNREAD", "review"],
    [
      "the owner's tenth",
      { liquidity: { ...liquidity, atZero: share(900), atOwner: share(100) } },
      "LIQUIDITY_WITH_OWNER",
      "review",
    ],
    [
      "the token's own",
      { liquidity: { ...liquidity, atZero: share(0), atToken: share(1_000) } },
      "LIQUIDITY_WITH_OWNER",
      "review",
    ],
    ["somebody's", { liquidity: { ...liquidity, atZero: share(0) } }, "LIQUIDITY_HOLDER_UNKNOWN", "allow"],
    [
      "a pair without shares",
      { liquidity: { ...liquidity, totalSupply: share(0) } },
      "LIQUIDITY_UNREAD",
      "review",
    ],
  ])("%s", (_, changes, code, verdict) => {
    const result = judge(changes);
    expect(result.reasonCodes).toContain(code);
    expect(result.verdict).toBe(verdict);
  });
});

/** Every place of a reading, by its path. */
function listReadings(
  value: unknown,
  path: readonly (string | number)[] = [],
): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, child]) => listReadings(child, [...path, key]));
  return "status" in value ? [path, ...inner] : inner;
}

function replaceAt(value: unknown, [key, ...rest]: readonly (string | number)[], put: unknown): unknown {
  if (key === undefined) return put;
  const copy: unknown = Array.isArray(value) ? [...value] : { ...(value as object) };
  (copy as Record<string | number, unknown>)[key] = replaceAt(
    (value as Record<string | number, unknown>)[key],
    rest,
    put,
  );
  return copy;
}

/** Asked only in place of something else, or only for the size of a trial's argument. */
const SPARE = ["totalSupply"];

test("no reading left unanswered passes as an allow", () => {
  const owner = { ...sampleLaunchReadings, ...owned("contract"), ...withPowers({}) };
  expect(evaluateTokenLaunch(input, owner).verdict).toBe("allow");
  for (const readings of [sampleLaunchReadings, owner]) {
    const paths = listReadings(readings).filter((path) => !SPARE.includes(path.join(".")));
    // A getOwner() is only asked for where there is no owner().
    const deciding = paths.filter(
      (path) => path.join(".") !== "getOwner" || readings.owner.status === "absent",
    );
    expect(deciding.length).toBeGreaterThan(14);
    for (const path of deciding) {
      const changed = tokenLaunchReadingsSchema.parse(replaceAt(readings, path, unread));
      expect([path.join("."), evaluateTokenLaunch(input, changed).verdict]).toEqual([
        path.join("."),
        "review",
      ]);
    }
  }
});

test("no tax of half or more, in any step, is allowed or only reviewed", () => {
  const steps = fc.constantFrom(0, 1, 3, 4);
  fc.assert(
    fc.property(steps, fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(0, 1), (step, bps, size) => {
      const runs = [run(1), run(100)].map((one, index) =>
        index === size ? run(one.shareBps, { [step]: taxed(bps) }) : one,
      );
      const { verdict } = judge({ trades: trades(...runs) });
      expect(verdict).toBe(bps >= 5_000 ? "block" : bps > 1_000 ? "review" : "allow");
    }),
  );
});

test("verdict and reasons agree", () => {
  const result = judge({ trades: trades(run(1), run(100, { 4: failed })), owner: absent });
  const gravest = result.reasonCodes.map((code) => tokenLaunchReasons[code as TokenLaunchCode].verdict);
  expect(gravest).toContain("block");
});
