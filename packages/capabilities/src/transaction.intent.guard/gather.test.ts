import type { ChainRead } from "@assay/chain";
import { alteredChain, type Change } from "@assay/chain/testing/alteredChain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Hex, Reading } from "@assay/protocol";
import { maxUint256, parseEther } from "viem";
import { describe, expect, test } from "vitest";
import { observeContract } from "../shared/observations/observeContract.js";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import { approve, transfer, v2Swap } from "./testing/intentCalls.js";
import { encode, type GuardResult, useIntentWorld } from "./testing/intentFixture.js";
import { prepareHoldings } from "./testing/prepareHoldings.js";

const world = useIntentWorld(prepareHoldings);

const guard = (...args: Parameters<ReturnType<typeof world>["guard"]>) => world().guard(...args);
const contracts = () => world().devnet.contracts;
const dollars = () => ({ to: contracts().stablecoin, data: transfer(world().bob, 5n) });

const altered = (change: Change) => alteredChain(world().chain, change);
const silent: Reading<never> = { status: "unanswered", reason: "timeout" };
const deafTo = (matches: (read: ChainRead) => boolean) => withoutAnswers(world().chain, matches);
const isSimulation = (read: ChainRead) => read.kind === "call" && read.overrides !== undefined;

describe("what is read", () => {
  test("is one batch, two for a beacon, with proofs of the code of everybody concerned", async () => {
    const plain = await guard(dollars());
    expect(plain).toMatchObject({ verdict: "allow", batches: 1 });
    const beacon = await guard({ to: contracts().beaconProxy, data: encode("value()") });
    expect(beacon).toMatchObject({
      batches: 2,
      findings: { target: { implementation: lowercase(contracts().boxV1) } },
    });
    for (const { facts, proofs } of [plain, beacon]) {
      expect(proofs.finish()).not.toBeNull();
      expect(() => verifyFacts(proofs, facts)).not.toThrow();
    }
    expect(plain.facts.map(({ address }) => address)).toEqual([
      lowercase(contracts().stablecoin),
      world().alice,
      world().bob,
    ]);
    expect(plain.facts[0]?.slots).toHaveLength(9);
  });

  test("leaves nothing behind for others", async () => {
    const { gathered } = await guard(dollars());
    expect(Object.keys(gathered)).toEqual(["readings"]);
  });

  test("says what a transaction is bound to, and another one is not", async () => {
    const one = await guard(dollars());
    const other = await guard({ ...dollars(), data: transfer(world().bob, 6n) });
    expect(one.findings.binding).not.toEqual(other.findings.binding);
  });
});

describe("differences", () => {
  test("inferred and measured ones are kept apart, each with its source", async () => {
    const { stablecoin, weth, uniswapV2Router } = contracts();
    const { alice } = world();
    const { findings } = await guard({
      to: uniswapV2Router,
      data: v2Swap(3_000_000n, 7n, [stablecoin, weth], alice),
    });
    const [usdc, eth] = [lowercase(stablecoin), lowercase(weth)];
    expect(findings.inferred).toMatchObject({
      source: "calldata",
      balances: [
        { holder: alice, token: usdc, change: "-3000000", bound: "exact" },
        { holder: alice, token: eth, change: "7", bound: "at_least" },
      ],
    });
    expect(findings.measured).toMatchObject({ source: "simulation_runner" });
    const { balances } = findings.measured as { balances: { token: string; change: string }[] };
    expect(balances.map(({ token }) => token)).toEqual([usdc, eth]);
    expect(balances[0]?.change).toBe("-3000000");
    expect(BigInt(balances[1]?.change ?? 0)).toBeGreaterThan(9n * 10n ** 14n);
  });

  test("allowances are measured before and after", async () => {
    const { stablecoin, uniswapV2Router } = contracts();
    const { findings } = await guard({ to: stablecoin, data: approve(uniswapV2Router, 9n) });
    expect(findings.measured).toMatchObject({
      allowances: [{ spender: lowercase(uniswapV2Router), before: maxUint256.toString(), after: "9" }],
    });
  });
});

describe("why it reverts", () => {
  test.each<[string, () => { to: string; data: Hex }, object]>([
    [
      "in words",
      () => ({
        to: contracts().uniswapV2Router,
        data: v2Swap(1_000_000n, parseEther("9"), [contracts().stablecoin, contracts().weth], world().alice),
      }),
      { kind: "error", reason: "UniswapV2Router: INSUFFICIENT_OUTPUT_AMOUNT", selector: "0x08c379a0" },
    ],
    [
      "by a custom error",
      () => ({ to: contracts().plainToken, data: transfer(world().bob, parseEther("10000000")) }),
      { kind: "custom", reason: "ERC20InsufficientBalance", selector: "0xe450d38c" },
    ],
    [
      "with nothing",
      () => ({ to: contracts().plainToken, data: "0x12345678" }),
      { kind: "empty", reason: null, selector: null },
    ],
  ])("is reported %s", async (_, transaction, revert) => {
    const result = await guard(transaction());
    expect(result).toMatchObject({
      verdict: "block",
      findings: { execution: { status: "reverts", revert } },
    });
    expect(result.findings.measured).toBeNull();
  });
});

describe("gas", () => {
  test("above the cap of one transaction is a block", async () => {
    const hungry = altered((read, honest) =>
      read.kind === "gasEstimate" ? { status: "value", value: "0x1000001" } : honest,
    );
    expect(await guard(dollars(), hungry)).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["GAS_ABOVE_CAP"]),
    });
    const full = altered((read, honest) =>
      read.kind === "gasEstimate" ? { status: "value", value: "0x1000000" } : honest,
    );
    expect((await guard(dollars(), full)).verdict).toBe("allow");
  });

  test("that no call within the cap suffices for is a block", async () => {
    const to = "0x00000000000000000000000000000000c0de0001";
    // INVALID spends all there is.
    await world().devnet.request("hardhat_setCode", [to, "0xfe"]);
    await world().devnet.mine();
    expect(await guard({ to, data: "0x12345678" })).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["TX_REVERTS"]),
    });
  });
});

describe("the target", () => {
  /** As if a contract.change had been paid for before. */
  async function recordObservation(result: GuardResult, change: object): Promise<void> {
    const { records } = world();
    records.clear();
    records.observe(result.input.to, {
      blockNumber: 1,
      blockHash: `0x${"00".repeat(32)}`,
      artifactId: `sha256:${"ab".repeat(32)}`,
      fields: { ...observeContract(result.readings.target), ...change },
    });
  }
  const other = { status: "value", value: `0x${"77".repeat(20)}` };

  test.each([
    ["nothing", {}, "allow", "UNCHANGED"],
    ["its code", { codeHash: { status: "value", value: `0x${"77".repeat(32)}` } }, "review", "CODE_CHANGED"],
    ["its implementation", { implementation: other }, "review", "IMPLEMENTATION_CHANGED"],
    ["its admin", { admin: other }, "review", "ADMIN_CHANGED"],
    ["its beacon", { beacon: other }, "review", "BEACON_CHANGED"],
    ["who knows", { admin: silent }, "review", "EARLIER_FIELD_UNREAD"],
  ])("of which %s differs from the last observation", async (_, change, verdict, code) => {
    await recordObservation(await guard(dollars()), change);
    const result = await guard(dollars());
    world().records.clear();
    expect(result).toMatchObject({ verdict, findings: { target: { comparedWith: { blockNumber: 1 } } } });
    expect(result.reasonCodes).toContain(code);
  });

  test("a proxy whose implementation was replaced since is a review", async () => {
    const { uupsProxy, boxV2 } = contracts();
    const transaction = { to: uupsProxy, data: encode("value()") };
    await recordObservation(await guard(transaction), {});
    await world().devnet.request("hardhat_setStorageAt", [
      uupsProxy,
      knownSlots.eip1967Implementation,
      `0x${boxV2.slice(2).padStart(64, "0")}`,
    ]);
    await world().devnet.mine();
    const result = await guard(transaction);
    world().records.clear();
    expect(result.reasonCodes).toContain("IMPLEMENTATION_CHANGED");
  });
});

async function setCode(address: string, code: Hex): Promise<void> {
  await world().devnet.request("hardhat_setCode", [address, code]);
  await world().devnet.mine();
}

describe("what is rare", () => {
  test("a call to an account with unknown code is a review, and so is ether sent to one", async () => {
    const { bob } = world();
    await setCode(bob, `0xef0100${contracts().wallet1271.slice(2).toLowerCase()}`);
    expect((await guard({ to: bob, data: "0x12345678" })).reasonCodes).toContain("DELEGATED_ACCOUNT");
    expect((await guard({ to: bob, value: 1n })).reasonCodes).toContain("RECIPIENT_DELEGATED");
  });

  test("an unlimited approval to a delegated account is one to an account", async () => {
    const { bob } = world();
    await setCode(bob, `0xef0100${contracts().wallet1271.slice(2).toLowerCase()}`);
    const result = await guard({ to: contracts().stablecoin, data: approve(bob, maxUint256) });
    expect(result.reasonCodes).toContain("UNLIMITED_APPROVAL_TO_ACCOUNT");
  });

  test("other code at the address of a Safe's own batcher is foreign code", async () => {
    const multiSend = "0x9641d764fc13c8b624c04430c7356c1c7c8102e2";
    await setCode(multiSend, "0x00");
    const data = encode(
      "execTransaction(address to, uint256 v, bytes d, uint8 o, uint256 a, uint256 b, uint256 c, address g, address r, bytes s)",
      [multiSend, 0n, encode("multiSend(bytes t)", ["0x"]), 1, 0n, 0n, 0n, multiSend, multiSend, "0x"],
    );
    const { verdict, reasonCodes } = await guard({ to: world().safe, data });
    expect(verdict).toBe("block");
    expect(reasonCodes).toContain("FOREIGN_DELEGATECALL");
  });

  test("other code at a published address is a block", async () => {
    const { stablecoin } = contracts();
    const permit2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
    const result = await guard({ to: stablecoin, data: approve(permit2, 5n) });
    expect(result).toMatchObject({
      verdict: "block",
      reasonCodes: expect.arrayContaining(["KNOWN_PARTY_CHANGED"]),
    });
  });
});

describe("the sender", () => {
  test("with code of its own is a review", async () => {
    const { wallet1271, stablecoin } = contracts();
    const result = await guard({ from: wallet1271, to: stablecoin, data: transfer(world().bob, 1n) });
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["SENDER_HAS_CODE", "TX_EXECUTES"]),
    });
  });

  test("that sends to itself is traced, although the runner cannot stand in for it", async () => {
    const result = await guard({ to: world().alice, value: 1n });
    expect(result).toMatchObject({
      verdict: "allow",
      findings: { measured: null, effects: { source: "trace", leaves: [] } },
    });
  });
});

describe("bounds", () => {
  test("what they cut is said", async () => {
    const spenders = Array.from(
      { length: 20 },
      (_, index) => `0x${(index + 1).toString().padStart(40, "c")}`,
    );
    const calls = spenders.map((spender) => ({
      target: contracts().stablecoin,
      allowFailure: false,
      callData: approve(spender, 1n),
    }));
    const result = await guard({
      to: contracts().multicall3,
      data: encode("aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [calls]),
    });
    expect(result.reasonCodes).toContain("MEASURE_BOUND_REACHED");
    expect(result.limitations.join(" ")).toContain("counterparties");
    expect(result.verdict).not.toBe("allow");
  });
});

describe("what no node answers", () => {
  test("without the runner and a trace everything is inferred and a review", async () => {
    const result = await guard(
      dollars(),
      deafTo((read) => isSimulation(read) || read.kind === "trace"),
    );
    expect(result).toMatchObject({ verdict: "review", findings: { measured: null } });
    expect(result.reasonCodes).toContain("SIMULATION_UNAVAILABLE");
    expect(result.findings.inferred).toMatchObject({ balances: [{ change: "-5" }, { change: "5" }] });
  });

  test("a node that ignores the override is found out", async () => {
    const ignoring = altered((read, honest) =>
      isSimulation(read) || read.kind === "trace" ? { status: "absent" } : honest,
    );
    expect((await guard(dollars(), ignoring)).reasonCodes).toContain("SIMULATION_UNAVAILABLE");
    const babbling = altered((read, honest) =>
      isSimulation(read)
        ? { status: "value", value: "0x1234" }
        : read.kind === "trace"
          ? { status: "absent" }
          : honest,
    );
    expect((await guard(dollars(), babbling)).reasonCodes).toContain("SIMULATION_UNAVAILABLE");
  });

  test("a plain call that ends otherwise than the runner's is a review", async () => {
    const failing = altered((read, honest) =>
      isSimulation(read) ? honest : read.kind === "call" && read.gas ? { status: "absent" } : honest,
    );
    const result = await guard({ ...dollars(), data: transfer(world().bob, 10n ** 15n) }, failing);
    expect(result.reasonCodes).toContain("SIMULATION_DISAGREES");
    expect(result.verdict).not.toBe("allow");
  });
});

describe("what once got past the guard", () => {
  test.each([
    ["no calls at all", "multicall(bytes[] calls)", [[]]],
    ["no calls to pass on", "aggregate3((address,bool,bytes)[] calls)", [[]]],
    ["an empty batch", "multiSend(bytes transactions)", ["0x"]],
  ])("a wrapper that is given %s keeps what is sent along", async (_, signature, args) => {
    const { safe } = world();
    await setCode(safe, "0x00");
    const { verdict, reasonCodes } = await guard({ to: safe, data: encode(signature, args), value: 1n });
    expect(reasonCodes).toContain("LEAVES_WITHOUT_RETURN");
    expect(verdict).toBe("block");
  });

  test("a pause that does not stop the transaction does not block it", async () => {
    const { pausableToken } = contracts();
    // paused() answers 1, and so does everything else.
    await setCode(pausableToken, "0x600160005260206000f3");
    const { verdict, reasonCodes } = await guard({
      to: pausableToken,
      data: approve(contracts().uniswapV2Router, 0n),
    });
    expect(reasonCodes).toContain("PAUSED_BUT_EXECUTES");
    expect(verdict).toBe("review");
  });

  test("more ether than can exist is judged, and the node survives it", async () => {
    expect((await guard({ to: world().bob, value: maxUint256 })).verdict).not.toBe("allow");
    expect((await guard({ to: world().bob, value: 1n })).verdict).toBe("allow");
  });
});

describe("what sending it costs", () => {
  interface Cost {
    readonly gas: string;
    readonly gasWei: string;
    readonly l1DataWei: string | null;
    readonly isL1DataBound: boolean;
    readonly operatorWei: string | null;
    readonly totalWei: string;
    readonly usd: string | null;
  }
  const costOf = ({ findings }: GuardResult) => findings.cost as unknown as Cost;
  const isFeeRead = (read: ChainRead) =>
    read.kind === "call" && lowercase(read.to ?? "0x") === lowercase(contracts().multicall3);

  test("is gas, the data on L1 and the operator's fee, in ether and dollars", async () => {
    const { devnet } = world();
    const before = costOf(await guard(dollars()));
    expect(before).toMatchObject({ operatorWei: "0", isL1DataBound: false });
    // setOperatorFee(uint32,uint64): 2,000,000 wei per million gas, and 7 for every transaction.
    await devnet.request("eth_sendTransaction", [
      {
        from: devnet.accounts[9]?.address,
        to: contracts().l1Block,
        data: encode("setOperatorFee(uint32 scalar, uint64 constant_)", [2_000_000, 7n]),
      },
    ]);
    await devnet.mine();
    const cost = costOf(await guard(dollars()));
    const operator = 2n * BigInt(cost.gas) + 7n;
    expect(cost.operatorWei).toBe(operator.toString());
    expect(BigInt(cost.totalWei)).toBe(BigInt(cost.gasWei) + BigInt(cost.l1DataWei ?? 0) + operator);
    // Ether is worth 3,000 dollars here.
    const microUsd = (BigInt(cost.totalWei) * 3_000n) / 10n ** 12n;
    expect(Math.abs(Number(cost.usd?.slice(1)) * 1e6 - Number(microUsd))).toBeLessThanOrEqual(1);
  });

  test("grows with the data that is published, and is a bound for long calldata", async () => {
    const short = costOf(await guard(dollars()));
    const long = costOf(await guard({ to: contracts().weth, data: `0xd0e30db0${"ab".repeat(9_000)}` }));
    expect(long.isL1DataBound).toBe(true);
    expect(BigInt(long.l1DataWei ?? 0)).toBeGreaterThan(20n * BigInt(short.l1DataWei ?? 0));
  });

  test("is that of gas alone where the rest was not read, with a limitation and the same verdict", async () => {
    const full = await guard(dollars());
    for (const chain of [
      deafTo(isFeeRead),
      altered((read, honest) => (isFeeRead(read) ? { status: "absent" } : honest)),
    ]) {
      const result = await guard(dollars(), chain);
      expect(costOf(result)).toMatchObject({ l1DataWei: null, operatorWei: null });
      expect(result.limitations.join()).toMatch(/beside gas .* was not read/);
      expect([result.verdict, result.reasonCodes]).toEqual([full.verdict, full.reasonCodes]);
    }
  });
});
