import { alteredChain, type Change } from "@assay/chain/testing/alteredChain";
import { type Hex, valueReading } from "@assay/protocol";
import { parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { evaluateTransactionIntent } from "../shared/intents/evaluateTransaction.js";
import { transfer } from "./testing/intentCalls.js";
import { encode, useIntentWorld } from "./testing/intentFixture.js";
import { prepareHoldings } from "./testing/prepareHoldings.js";
import { showingFees, withoutTraces } from "./testing/withoutTraces.js";

const world = useIntentWorld(prepareHoldings);

const dollars = () => ({ to: world().devnet.contracts.stablecoin, data: transfer(world().bob, 5n) });
const word = (value: bigint) => value.toString(16).padStart(64, "0");

const altered = (change: Change) => alteredChain(world().chain, change);

/** As geth does: a call whose sender cannot pay for its gas is not run. */
const refusingThePoor: Change = (read, honest) => {
  if (read.kind !== "call" && read.kind !== "trace" && read.kind !== "gasEstimate") return honest;
  if (!read.gasPrice || ("overrides" in read && read.overrides?.[read.from ?? "0x"]?.balance)) return honest;
  return { status: "unanswered", reason: "node_error_-32000" };
};

describe("what the node traces of the plain transaction", () => {
  test("is reported with its source beside the measurement, and agrees with it", async () => {
    const { alice, bob } = world();
    const { findings, verdict } = await world().guard(dollars());
    const { stablecoin } = world().devnet.contracts;
    expect(verdict).toBe("allow");
    expect(findings.traced).toEqual({
      source: "debug_traceCall",
      label: "traced",
      balances: [{ holder: alice, token: stablecoin.toLowerCase(), id: null, change: "-5" }],
      allowances: [],
    });
    const ether = await world().guard({ to: bob, value: 7n });
    expect(ether.findings.traced).toMatchObject({ balances: [{ holder: alice, token: null, change: "-7" }] });
  });

  test("decides: more that leaves or is allowed than the calldata says is a block", async () => {
    const { input, readings: recorded } = await world().guard(dollars());
    if (recorded.trace.status !== "value") throw new Error("no trace");
    const { logs, moves } = recorded.trace.value;
    const judge = (changes: Partial<typeof recorded.trace.value>) => {
      const value = { ...(recorded.trace.status === "value" && recorded.trace.value), ...changes };
      return evaluateTransactionIntent(input, { ...recorded, trace: valueReading(value) as never });
    };
    expect(judge({}).verdict).toBe("allow");
    const more = logs.map((log) => ({ ...log, data: `0x${word(6n)}` as Hex }));
    expect(judge({ logs: more })).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["UNDECLARED_OUTFLOW"]),
    });
    const paid = { from: world().alice, to: world().bob, value: "1" };
    expect(judge({ moves: [...moves, paid] }).reasonCodes).toContain("UNDECLARED_OUTFLOW");
    expect(judge({ success: false }).reasonCodes).toContain("SIMULATION_DISAGREES");
    const approval = {
      address: world().devnet.contracts.plainToken.toLowerCase() as Hex,
      topics: [
        "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
        `0x${word(BigInt(world().alice))}`,
        `0x${word(BigInt(world().bob))}`,
      ] as Hex[],
      data: `0x${word(1n)}` as Hex,
    };
    expect(judge({ logs: [...logs, approval] })).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["UNDECLARED_APPROVAL"]),
    });
  });

  test("that could not be read is a review", async () => {
    for (const reason of ["trace_too_large", "timeout"]) {
      const deaf = altered((read, honest) =>
        read.kind === "trace" ? { status: "unanswered", reason } : honest,
      );
      expect(await world().guard(dollars(), deaf)).toMatchObject({
        verdict: "review",
        reasonCodes: expect.arrayContaining(["TRACE_UNREAD"]),
      });
    }
  });
});

describe("where no node offers traces", () => {
  test("who behaves while the sender has code is found out by the gas", async () => {
    const { watchers, bob } = world();
    for (const to of [watchers.senderCode, watchers.originCode])
      expect(await world().guard({ to, data: transfer(bob, 1n) }, altered(withoutTraces))).toMatchObject({
        verdict: "review",
        reasonCodes: expect.arrayContaining(["SIMULATION_DISAGREES"]),
      });
  });

  test("another answer of the plain call is a review", async () => {
    const lying = altered((read, honest, block) =>
      read.kind === "call" && read.gas && read.overrides === undefined
        ? valueReading(`0x${word(2n)}`)
        : withoutTraces(read, honest, block),
    );
    expect((await world().guard(dollars(), lying)).reasonCodes).toContain("SIMULATION_DISAGREES");
  });
});

describe("fees", () => {
  test("the price is seen by the code that runs, and a base fee that the node hides is reported", async () => {
    const { readings: recorded, block } = await world().guard(dollars());
    const { gasPrice, baseFee, seen } = recorded.conditions;
    expect(BigInt(gasPrice)).toBeGreaterThan(BigInt(baseFee ?? "0"));
    expect(baseFee).toBe(block.baseFeePerGas?.toString());
    expect(seen).toEqual(valueReading({ gasPrice, baseFee: "0" }));
    expect(recorded.programs.list).toMatchObject([{ looksAt: valueReading([]) }]);
  });

  test("code that reads the base fee matters only where the node hides it", async () => {
    const { watchers, bob } = world();
    const transaction = { to: watchers.baseFee, data: transfer(bob, 1n) };
    expect((await world().guard(transaction)).reasonCodes).toContain("SIMULATION_RECOGNISABLE");
    const shown = await world().guard(transaction, altered(showingFees));
    expect(shown.reasonCodes).not.toContain("SIMULATION_RECOGNISABLE");
    expect(shown.readings.programs.list).toEqual([]);
  });

  test("a contract that asks Multicall3 for the base fee is noticed, the sender's own call of it is not", async () => {
    const { multicall3 } = world().devnet.contracts;
    const asker: Hex = "0x00000000000000000000000000000000000a5ce2";
    // Calls getBasefee() and ends.
    const code = `0x633e64a69660e01b5f5260205f60045f73${multicall3.slice(2).toLowerCase()}5afa00`;
    await world().devnet.request("hardhat_setCode", [asker, code]);
    await world().devnet.mine();
    const asked = await world().guard({ to: asker, data: encode("deposit()") });
    expect(asked.limitations.join()).toContain(`the code of ${multicall3.toLowerCase()} may read it`);
    const data = encode("aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [[]]);
    const own = await world().guard({ to: multicall3, data });
    expect(own.reasonCodes).not.toContain("SIMULATION_RECOGNISABLE");
  });

  test("a sender who can pay the value but not all that gas is lent the fee, and sees what it holds", async () => {
    const { alice, devnet } = world();
    await devnet.request("hardhat_setBalance", [alice, "0x3e8"]);
    for (const through of [world().chain, altered(refusingThePoor)]) {
      // Nothing of this block is remembered.
      await devnet.mine();
      const dollarsOnly = await world().guard(dollars(), through);
      expect(dollarsOnly).toMatchObject({ verdict: "allow" });
      expect(dollarsOnly.readings.conditions.isFeeLent).toBe(true);
      expect(dollarsOnly.limitations.join()).toContain("the fee was lent");
      const { readings: recorded } = dollarsOnly;
      expect(recorded.simulation).toMatchObject({ value: { before: { native: ["1000", "0"] } } });
      const ether = await world().guard({ to: world().bob, value: 400n }, through);
      expect(ether).toMatchObject({
        verdict: "allow",
        findings: { measured: { balances: [{ holder: alice, before: "1000", after: "600" }, {}] } },
      });
      const tooMuch = await world().guard({ to: world().bob, value: 1001n }, through);
      expect(tooMuch.reasonCodes).toContain("NATIVE_BALANCE_TOO_LOW");
      expect(tooMuch.findings).toMatchObject({ effects: { leaves: [], returns: [] } });
    }
  });

  test("what the sender held is reported without the price of the gas", async () => {
    const { alice, bob } = world();
    const held = BigInt(await world().devnet.request<Hex>("eth_getBalance", [alice, "latest"]));
    const { findings } = await world().guard({ to: bob, value: parseEther("1") });
    expect(findings.measured).toMatchObject({
      balances: [{ holder: alice, before: held.toString(), change: (-parseEther("1")).toString() }, {}],
    });
  });
});
