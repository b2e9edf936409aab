import { type Hex, unanswered, valueReading } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  codeReading,
  PLAIN_CODE,
  plainReadings,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateHookGuard } from "./evaluate.js";
import { input as inputSchema } from "./input.js";
import type { VaryingOpcode } from "./listVaryingOpcodes.js";
import { V4_POOL_MANAGER } from "./poolKey.js";
import { type HookGuardReadings, type HookLeg, hookGuardReadingsSchema, tripRoles } from "./readings.js";

const inputOf = (changes: Record<string, unknown> = {}) =>
  inputSchema.parse({
    poolManager: V4_POOL_MANAGER,
    currency0: `0x${"11".repeat(20)}`,
    currency1: `0x${"22".repeat(20)}`,
    fee: 3000,
    tickSpacing: 60,
    hooks: `0x40${"0".repeat(36)}c0`,
    ...changes,
  });

/** Of a hook that has a part in liquidity only, so that nothing but the readings decides. */
const allowedInput = inputOf({ hooks: `0x40${"0".repeat(35)}800` });

const legOf = (given: bigint, got: bigint): HookLeg => ({
  success: true,
  amountIn: given.toString(),
  amountOut: got.toString(),
  sent: given.toString(),
  received: got.toString(),
  lpFee: "0",
  refusal: "0x",
});

const GIVEN = 1_000_000_000n;
const KINDS = [
  { role: "router", isSettled: true },
  { role: "stranger", isSettled: true },
  { role: "stranger", isSettled: false },
  { role: "hook", isSettled: false },
] as const;
/** Trips of every kind that lose 0.3 % each way; a hook takes so much more of what comes out on the way there. */
function tripsOf(takenPpm: bigint): HookGuardReadings["trips"] {
  return KINDS.flatMap(({ role, isSettled }) =>
    [true, false].map((zeroForOne) => {
      const out = (GIVEN * 997n) / 1000n;
      const kept = role === "hook" ? out : out - (out * takenPpm) / 1_000_000n;
      const outcome = {
        amount: GIVEN.toString(),
        isFunded: true,
        there: legOf(GIVEN, kept),
        back: legOf(kept, (kept * 997n) / 1000n),
      };
      const runs = valueReading([1, 100].map((shareBps) => ({ shareBps, outcome })));
      const sender: Hex = `0x${"33".repeat(20)}`;
      return { role, sender, isSettled, zeroForOne, runs };
    }),
  );
}

const readingsOf = (changes: Partial<HookGuardReadings> = {}): HookGuardReadings => ({
  poolManager: {
    code: codeReading(PLAIN_CODE),
    slot0: wordReading(2n ** 96n),
    liquidity: wordReading(10n ** 21n),
  },
  hook: { contract: plainReadings(), opcodes: valueReading([]) },
  trips: tripsOf(0n),
  stay: null,
  ...changes,
});

describe("amm.v4.hook.guard", () => {
  test("never allows a hook that swaps call, though its code has no state and took nothing", () => {
    const { verdict, reasonCodes } = evaluateHookGuard(inputOf(), readingsOf());
    expect(verdict).toBe("review");
    expect(reasonCodes).toEqual([
      "POOL_MANAGER_KNOWN",
      "POOL_HAS_LIQUIDITY",
      "CODE_PRESENT",
      "HOOK_STATELESS",
      "NO_PROXY_SLOT",
      "ROUND_TRIP_AS_STATED",
    ]);
  });

  test.each<[name: string, bits: string, opcodes: VaryingOpcode[], verdict: string, canChange: boolean]>([
    ["in liquidity, without state", "0800", [], "allow", false],
    ["in liquidity, with state", "0800", ["SLOAD"], "review", true],
    ["in neither, with state", "0020", ["SLOAD"], "allow", false],
  ])("of a hook %s", (_, bits, opcodes, verdict, canChange) => {
    const input = inputOf({ hooks: `0x40${"0".repeat(34)}${bits}` });
    const hook = { contract: plainReadings(), opcodes: valueReading(opcodes) };
    const result = evaluateHookGuard(input, readingsOf({ hook }));
    expect(result.verdict).toBe(verdict);
    expect(result.reasonCodes).toContain("HOOK_NOT_IN_SWAPS");
    expect(result.reasonCodes.includes("HOOK_CAN_CHANGE")).toBe(canChange);
  });

  test.each<[takenPpm: bigint, verdict: string, reason: string]>([
    [1n, "review", "HOOK_TAKES_FEE"],
    [20_000n, "review", "HOOK_TAKES_FEE"],
    [20_001n, "block", "HOOK_SKIMS"],
    [999_000n, "block", "HOOK_SKIMS"],
  ])("of %i ppm taken says %s", (takenPpm, verdict, reason) => {
    const result = evaluateHookGuard(inputOf(), readingsOf({ trips: tripsOf(takenPpm) }));
    expect(result.verdict).toBe(verdict);
    expect(result.reasonCodes).toContain(reason);
  });

  test("distinguishes a swap larger than the pool's range holds from a pool that gives too little", () => {
    const fail = (trip: HookGuardReadings["trips"][number]) => {
      if (trip.role !== "hook" || trip.runs.status !== "value") return trip;
      const runs = trip.runs.value.map(({ shareBps, outcome }) => ({
        shareBps,
        outcome: outcome && { ...outcome, there: { ...legOf(0n, 0n), success: false }, back: null },
      }));
      return { ...trip, runs: valueReading(runs) };
    };
    const result = evaluateHookGuard(allowedInput, readingsOf({ trips: tripsOf(0n).map(fail) }));
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain("POOL_DEPTH_TOO_SMALL");
    expect(result.limitations.join(" ")).toContain("larger than what the pool's range of prices holds");
    expect(result.limitations.join(" ")).not.toContain("enough units");
  });

  test("does not take a delegated account's marker for code without state", () => {
    const contract = plainReadings({ code: codeReading(`0xef0100${"11".repeat(20)}`) });
    const hook = { contract, opcodes: valueReading([]) };
    const { verdict, reasonCodes } = evaluateHookGuard(inputOf(), readingsOf({ hook }));
    expect(verdict).toBe("review");
    expect(reasonCodes).toEqual(expect.arrayContaining(["DELEGATED_ACCOUNT", "HOOK_CAN_CHANGE"]));
    expect(reasonCodes).not.toContain("HOOK_STATELESS");
  });

  test.each<[string, Partial<HookGuardReadings>]>([
    ["no trips", { trips: [] }],
    ["trips without the hook missing", { trips: tripsOf(0n).filter(({ role }) => role !== "hook") }],
    ["a hook that was not read", { hook: null }],
    ["opcodes that were not read", { hook: { contract: plainReadings(), opcodes: unanswered("timeout") } }],
    ["a trial of liquidity that was not run", { stay: unanswered("timeout") }],
  ])("never allows %s", (_, changes) => {
    expect(evaluateHookGuard(allowedInput, readingsOf()).verdict).toBe("allow");
    expect(evaluateHookGuard(allowedInput, readingsOf(changes)).verdict).toBe("review");
  });

  test.each(tripsOf(0n).map((trip, index) => [trip.role, trip.zeroForOne, index] as const))(
    "never allows without the trips of a %s, zeroForOne %s",
    (_, __, index) => {
      const trips = tripsOf(0n).filter((___, place) => place !== index);
      expect(evaluateHookGuard(allowedInput, readingsOf({ trips })).verdict).toBe("review");
    },
  );

  test("judges whatever its schema lets through, and never allows on trips it was not given", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 130n });
    const signed = fc.bigInt({ min: -(2n ** 128n), max: 2n ** 128n });
    const leg = fc
      .record({
        success: fc.boolean(),
        given: signed,
        got: signed,
        sent: amount,
        received: amount,
        lpFee: amount,
      })
      .map(({ given, got, sent, received, lpFee, success }) => ({
        ...legOf(given, got),
        ...{ success, sent: `${sent}`, received: `${received}`, lpFee: `${lpFee}` },
      }));
    const outcome = fc.record({
      amount: amount.map(String),
      isFunded: fc.boolean(),
      there: leg,
      back: fc.option(leg),
    });
    const trips = fc.array(
      fc.record({
        role: fc.constantFrom(...tripRoles),
        sender: fc.constant(`0x${"33".repeat(20)}` as Hex),
        isSettled: fc.boolean(),
        zeroForOne: fc.boolean(),
        runs: fc
          .array(fc.record({ shareBps: fc.constantFrom(1, 100), outcome: fc.option(outcome) }), {
            maxLength: 2,
          })
          .map(valueReading),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(trips, fc.constantFrom(3000, 0x800000), (given, fee) => {
        const readings = hookGuardReadingsSchema.parse(readingsOf({ trips: given }));
        const { verdict, findings } = evaluateHookGuard({ ...allowedInput, fee }, readings);
        if ((findings.trips as unknown[]).length < 12) expect(verdict).not.toBe("allow");
      }),
    );
  });
});
