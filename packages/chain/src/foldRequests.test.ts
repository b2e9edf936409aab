import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { MAX_PACKED_ANSWER_BYTES, MAX_PACKED_DATA_BYTES } from "./callPack.js";
import { MIN_PACKED_CALLS } from "./foldCalls.js";
import { type ChainFixture, openFixture } from "./testing/chainFixture.js";
import { contracts, unusedAddress } from "./testing/contracts.js";
import type { NodeCall } from "./testing/faultyNode.js";
import { createSeededChoices } from "./testing/seededChoices.js";
import type { AgreedRead, CallRead, ChainRead } from "./types.js";

const PRECOMPILES = { ecrecover: 1, sha256: 2, identity: 4, addPoints: 6 };
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, "0")}` as Hex;
const word = (value: number) => value.toString(16).padStart(64, "0");
const returnZeros = (bytes: number) => `61${bytes.toString(16).padStart(4, "0")}5ff3`;

/** Contracts that a call could make notice how it is made, or that could disturb the calls beside it. */
const PROGRAMS = {
  /** Caller, origin, gas price, base fee, number and time of the block, gas that is left. */
  environment: "335f52326020523a60405248606052436080524260a0525a60c05260e05ff3",
  /** The gas that reading slot 0 took: more where no call before it has read the slot (EIP-2929). */
  warmth: "5a5f54505a90035f5260205ff3",
  /** Counts its calls in a slot and in a transient slot (EIP-1153), and returns both. */
  counter: "5f54600101805f555f525f5c600101805f5d60205260405ff3",
  burner: "5b5f56",
  /** Gives what it owns to the zero address. */
  selfDestructs: "5fff",
  longest: returnZeros(MAX_PACKED_ANSWER_BYTES),
  tooLong: returnZeros(MAX_PACKED_ANSWER_BYTES + 1),
  huge: returnZeros(0xffff),
  revertsLong: `61${(MAX_PACKED_ANSWER_BYTES + 8).toString(16)}5ffd`,
  echo: "365f5f37365ff3",
  /** Whether the zero address can be called, and how much it answers. */
  callsZero: "5f5f5f5f5f5f5af15f523d60205260405ff3",
  /** A proxy without an implementation, which passes on its input. */
  delegatesToZero: "365f5f375f5f365f5f5af45f523d60205260405ff3",
  /** Creates an empty contract and returns its address. */
  creates: "5f5f5ff05f5260205ff3",
  /** Calls itself until no gas is left. */
  recurses: "5f5f5f5f5f305af15f5260205ff3",
  logs: "5f5fa000",
  /** The size of the zero address's code. */
  looksAtZero: "5f3b5f5260205ff3",
} satisfies Record<string, string>;
type Program = keyof typeof PROGRAMS;

const at = (name: Program) => addressOf(0xd000 + Object.keys(PROGRAMS).indexOf(name));
const call = (to: Hex, data: Hex = "0x"): CallRead => ({ kind: "call", to, data });
const run = (name: Program, data: Hex = "0x") => call(at(name), data);

async function openPrograms(): Promise<ChainFixture> {
  // On a busy machine a slow answer must not become none.
  const fixture = await openFixture({ requestTimeoutMs: 15_000 });
  for (const name of Object.keys(PROGRAMS) as Program[])
    await fixture.local.rpc("hardhat_setCode", at(name), `0x${PROGRAMS[name]}`);
  await fixture.local.rpc("hardhat_setBalance", at("selfDestructs"), "0x10");
  await fixture.local.rpc("evm_mine");
  await fixture.chain.latestBlock();
  fixture.node.requests.length = 0;
  return fixture;
}

/** Enough for each program to end or to fail, and little enough for one pack to run them all. */
const GAS = 300_000;

const ALL = [
  ...Object.values(contracts).map(({ address }) => call(address)),
  call(unusedAddress),
  call(unusedAddress, "0x8da5cb5b"),
  // What the chain does not use as a contract, but a pack does.
  call(addressOf(0), "0x8da5cb5b"),
  call(addressOf(PRECOMPILES.ecrecover), `0x${word(1)}`),
  call(addressOf(PRECOMPILES.sha256), "0x1234"),
  call(addressOf(PRECOMPILES.identity), "0x12340000"),
  // No point of the curve.
  call(addressOf(PRECOMPILES.addPoints), `0x${word(1)}${word(1)}`),
  ...(Object.keys(PROGRAMS) as Program[]).filter((name) => name !== "looksAtZero").map((name) => run(name)),
  // Once more, with other data: nothing is left of the first time.
  ...(["counter", "warmth", "environment", "selfDestructs", "burner", "creates"] as const).map((name) =>
    run(name, "0x00ff"),
  ),
  run("echo", `0x${"ab".repeat(MAX_PACKED_DATA_BYTES)}`),
  run("echo", `0x${"ab".repeat(MAX_PACKED_DATA_BYTES + 1)}`),
  { ...run("environment", "0x01"), gas: 100_000 },
  { ...run("environment", "0x02"), gas: 3_000_000 },
  { ...run("burner", "0x01"), gas: 21_064 },
].map((read): CallRead => ({ gas: GAS, ...read }));

const countCalls = (requests: readonly NodeCall[][]) =>
  requests.flat().filter(({ method }) => method === "eth_call").length;
const isPack = ({ method, params }: NodeCall) => method === "eth_call" && params.length > 2;

/** Readings that are agreed between parties are made call by call. */
async function expectSameReadings({ chain, node }: ChainFixture, reads: readonly CallRead[]) {
  const block = await chain.latestBlock();
  const packed = await chain.readAt(block, reads);
  const asked = countCalls(node.requests);
  const plain = await chain.readAgreed(block, reads);
  expect(countCalls(node.requests) - asked).toBe(new Set(reads.map((read) => JSON.stringify(read))).size);
  expect(packed).toEqual(plain);
  return { packed, asked };
}

describe("calls that share a request", () => {
  test("read what each reads by itself", async () => {
    const fixture = await openPrograms();
    const { packed, asked } = await expectSameReadings(fixture, ALL);
    expect(packed.filter(({ status }) => status === "unanswered")).toEqual([]);
    // By themselves: the zero address, long data, and three long answers.
    expect(asked).toBe(1 + 1 + 1 + 3);
  });

  test("in any order and number", async () => {
    const fixture = await openPrograms();
    const choices = createSeededChoices(21);
    for (let round = 0; round < 12; round++) {
      await fixture.local.rpc("evm_mine");
      fixture.node.requests.length = 0;
      await expectSameReadings(fixture, choices.shuffle(ALL).slice(0, choices.integer(1, ALL.length)));
    }
  });

  test("cost one request, and none that few calls would", async () => {
    const fixture = await openPrograms();
    const reads = Array.from({ length: MIN_PACKED_CALLS }, (_, i) => run("echo", `0x0${i}`));
    expect((await expectSameReadings(fixture, reads)).asked).toBe(1);
    await fixture.local.rpc("evm_mine");
    fixture.node.requests.length = 0;
    const { asked } = await expectSameReadings(fixture, reads.slice(1));
    expect(asked).toBe(MIN_PACKED_CALLS - 1);
  });

  test("are not starved by those that burn all their gas", async () => {
    const fixture = await openPrograms();
    // One that takes its time, and some that fail at once and lose everything.
    const failing = Array.from({ length: 6 }, (_, i) => call(contracts.invalidOpcode.address, `0x0${i}`));
    const burners = [{ ...run("burner"), gas: GAS }, ...failing];
    const { packed, asked } = await expectSameReadings(fixture, [
      ...burners,
      // Returns the gas that it has.
      run("environment"),
      run("echo", "0x12"),
    ]);
    expect(packed.at(-1)).toEqual({ status: "value", value: "0x12" });
    // Some of the pack, and the rest by itself.
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(9);
  });

  test("differ for a contract that looks at the code of the zero address, but not where two parties must agree", async () => {
    const { chain } = await openPrograms();
    const block = await chain.latestBlock();
    const reads = Array.from({ length: 5 }, (_, i) => run("looksAtZero", `0x0${i}`));
    const none = { status: "value", value: `0x${word(0)}` };
    expect((await chain.readAt(block, reads))[0]).not.toEqual(none);
    expect(await chain.readAgreed(block, reads)).toEqual(reads.map(() => none));
  });

  test("take the codes that are read beside them along", async () => {
    const { chain, node, local } = await openPrograms();
    const delegated = addressOf(0xbeef);
    const largest = addressOf(0xbef0);
    await local.rpc("hardhat_setCode", largest, `0x${"5b".repeat(24_576)}`);
    await local.rpc("hardhat_setCode", delegated, `0xef0100${"11".repeat(20)}`);
    await local.rpc("evm_mine");
    const codes = [
      ...Object.values(contracts).map(({ address }) => address),
      unusedAddress,
      delegated,
      largest,
      addressOf(PRECOMPILES.sha256),
      addressOf(0),
    ].map((address): ChainRead => ({ kind: "code", address }));
    // Together they leave less than 100,000 gas, with which nothing is begun. But the codes come first.
    // They lose all of their gas at one step: the local chain traces every step, which takes seconds for millions of gas.
    const { address: burner } = contracts.invalidOpcode;
    const burners = [3_000_000, 300_000, 100_000, 30_000, 25_000, 22_000].flatMap((gas) =>
      Array.from({ length: 12 }, (_, i) => ({
        ...call(burner, `0x${(10 + i).toString(16).padStart(2, "0")}`),
        gas,
      })),
    );
    const reads: ChainRead[] = [...burners, ...codes];
    const block = await chain.latestBlock();
    node.requests.length = 0;
    const together = (await chain.readAt(block, reads)).slice(burners.length);
    const asked = node.requests.flat().filter(({ method }) => method === "eth_getCode");
    // A pack itself is at the zero address.
    expect(asked.map(({ params }) => params[0])).toEqual([addressOf(0)]);
    // Without calls they are asked for as they are.
    expect(together).toEqual(await chain.readAgreed(block, codes as AgreedRead[]));
    expect(together.at(-3)).toEqual({ status: "value", value: `0x${"5b".repeat(24_576)}` });
  });

  test("leave few codes and those that two parties must agree on as they are", async () => {
    const { chain, node } = await openPrograms();
    const codes = Array.from(
      { length: 8 },
      (_, i): AgreedRead => ({ kind: "code", address: addressOf(0xd000 + i) }),
    );
    const calls = Array.from({ length: 5 }, (_, i): AgreedRead => run("echo", `0x0${i}`));
    const block = await chain.latestBlock();
    await chain.readAt(block, codes);
    await chain.readAgreed(block, [...calls, ...codes]);
    expect(node.requests.flat().filter(({ method }) => method === "eth_getCode")).toHaveLength(16);
  });

  test("must name no sender, value or price, and take no overrides", async () => {
    const { chain, node } = await openPrograms();
    const block = await chain.latestBlock();
    const reads = Array.from({ length: 8 }, (_, i) => run("environment", `0x0${i}`));
    const sender = addressOf(0xbeef);
    const kinds: ((read: CallRead) => CallRead)[] = [
      (read) => ({ ...read, from: sender }),
      (read) => ({ ...read, value: 0n }),
      (read) => ({ ...read, gasPrice: 0n }),
      (read) => ({ ...read, overrides: { [sender]: { balance: 1n } } }),
      (read) => ({ ...read, gas: 3_000_001 }),
    ];
    for (const kind of kinds) await chain.readAt(block, reads.map(kind));
    expect(countCalls(node.requests)).toBe(8 * kinds.length);
  });
});

describe("a node that does not run packs", () => {
  const reads = Array.from({ length: 7 }, (_, i) => run("echo", `0x0${i}`));
  const expected = reads.map(({ data }) => ({ status: "value", value: data }));
  const REFUSALS: [string, (chain: ChainFixture["local"], asked: NodeCall) => Promise<object> | object][] = [
    ["refuses overrides", () => ({ error: { code: -32602, message: "too many arguments, want at most 2" } })],
    ["does not offer them", () => ({ error: { code: -32601, message: "method not supported" } })],
    ["ignores them", () => ({ result: "0x" })],
    ["answers another length", () => ({ result: `0x${"00000002011".padEnd(12, "1")}` })],
    ["answers nonsense", () => ({ result: 7 })],
  ];
  test.each(REFUSALS)("%s: each call by itself, and no pack again", async (_, refuse) => {
    const { chain, node, local } = await openPrograms();
    node.fault = {
      kind: "edit",
      edit: (asked, honest) => (isPack(asked) ? (refuse(local, asked) as typeof honest) : honest),
    };
    expect(await chain.readAt(await chain.latestBlock(), reads)).toEqual(expected);
    expect(countCalls(node.requests)).toBe(1 + reads.length);
    await local.rpc("evm_mine");
    node.requests.length = 0;
    expect(await chain.readAt(await chain.latestBlock(), reads)).toEqual(expected);
    expect(node.requests.flat().some(isPack)).toBe(false);
  });

  test("fails within itself: each call by itself, and the next time a pack", async () => {
    const { chain, node, local } = await openPrograms();
    const error = { code: -32000, message: "execution aborted (timeout = 5s)" };
    node.fault = { kind: "edit", edit: (asked, honest) => (isPack(asked) ? { error } : honest) };
    expect(await chain.readAt(await chain.latestBlock(), reads)).toEqual(expected);
    node.fault = undefined;
    await local.rpc("evm_mine");
    node.requests.length = 0;
    expect(await chain.readAt(await chain.latestBlock(), reads)).toEqual(expected);
    expect(countCalls(node.requests)).toBe(1);
  });

  test.each([
    ["throttles", { code: -32005, message: "rate limit exceeded" }, "rate_limited"],
    ["has a gateway that fails", { code: -32015, message: "gateway timeout" }, "gateway_error"],
  ])("%s: no call is answered, and none is asked by itself", async (_, error, reason) => {
    const { chain, node } = await openPrograms();
    node.fault = { kind: "edit", edit: (asked, honest) => (isPack(asked) ? { error } : honest) };
    const readings = await chain.readAt(await chain.latestBlock(), reads);
    expect(readings).toEqual(reads.map(() => ({ status: "unanswered", reason })));
    expect(node.requests.flat().every(isPack)).toBe(true);
  });
});

describe("slots, proofs and searches that share a request", () => {
  const slot = (number: number) => `0x${word(number)}` as Hex;
  const holder = contracts.answers42.address;
  const storage = (number: number): ChainRead => ({ kind: "storage", address: holder, slot: slot(number) });

  test("slots of one account are one call, and the same words", async () => {
    const { chain, node, local } = await openPrograms();
    await local.rpc("hardhat_setStorageAt", holder, "0x5", slot(0xabcdef));
    await local.rpc("evm_mine");
    const block = await chain.latestBlock();
    node.requests.length = 0;
    const numbers = [0, 5, 2, 9];
    const words = await chain.readAt(block, numbers.map(storage));
    expect(words).toEqual([7, 0xabcdef, 0, 0].map((value) => ({ status: "value", value: slot(value) })));
    expect(node.requests.flat().map(({ method }) => method)).toEqual(["eth_call"]);
    const { result } = await local.answer("eth_getStorageAt", [holder, "0x5", "latest"]);
    expect(words[1]).toEqual({ status: "value", value: result });
    // As others write them.
    const short = ["0x0", "0x5"].map((one) => chain.request("eth_getStorageAt", [holder, one, "latest"]));
    expect(await Promise.all(short)).toEqual([slot(7), result]);
  });

  test("slots that a node does not read so are read one by one", async () => {
    const { chain, node } = await openPrograms();
    node.fault = {
      kind: "edit",
      // The account's own code answers instead.
      edit: (asked, honest) => (isPack(asked) ? { result: `0x${word(42)}` } : honest),
    };
    const words = await chain.readAt(await chain.latestBlock(), [0, 1, 2].map(storage));
    expect(words[0]).toEqual({ status: "value", value: slot(7) });
    expect(node.requests.flat().map(({ method }) => method)).toEqual([
      "eth_call",
      ...Array(3).fill("eth_getStorageAt"),
    ]);
  });

  const proof = (slots: readonly number[], address: Hex = holder): ChainRead => ({
    kind: "proof",
    address,
    slots: slots.map(slot),
  });
  const about: readonly ChainRead[] = [
    proof([0, 1]),
    proof([5]),
    proof([]),
    { kind: "nonce", address: holder },
    { kind: "balance", address: holder },
    { kind: "balance", address: unusedAddress },
  ];

  test("proofs, balance and nonce of one account are one proof, and the same readings", async () => {
    const { chain, node, local } = await openPrograms();
    for (const [name, value] of [
      ["hardhat_setNonce", "0x9"],
      ["hardhat_setBalance", "0x1234"],
    ] as const)
      await local.rpc(name, holder, value);
    await local.rpc("hardhat_setStorageAt", holder, "0x5", slot(0xabcdef));
    await local.rpc("evm_mine");
    const block = await chain.latestBlock();
    // The first proof shows that the node gives them.
    const alone: unknown[] = [];
    for (const read of about) alone.push(...(await chain.readAt(block, [read])));
    await local.rpc("evm_mine");
    const next = await chain.latestBlock();
    const expected: unknown[] = [];
    for (const read of about) expected.push(...(await chain.readAgreed(next, [read as never])));
    node.requests.length = 0;
    expect(await chain.readAt(next, about)).toEqual(expected);
    expect(node.requests.flat().map(({ method }) => method)).toEqual(["eth_getBalance", "eth_getProof"]);
    expect(expected.slice(3, 5)).toEqual([
      { status: "value", value: "0x9" },
      { status: "value", value: "0x1234" },
    ]);
  });

  test("without proofs the rest is asked by itself", async () => {
    const { chain, node, local } = await openPrograms();
    const error = { code: -32000, message: "distance to target block exceeds maximum proof window" };
    await chain.readAt(await chain.latestBlock(), [proof([])]);
    node.fault = {
      kind: "edit",
      edit: (asked, honest) => (asked.method === "eth_getProof" ? { error } : honest),
    };
    for (const trips of [2, 1]) {
      await local.rpc("evm_mine");
      const block = await chain.latestBlock();
      node.requests.length = 0;
      const readings = await chain.readAt(block, about.slice(2));
      expect(readings.map(({ status }) => status)).toEqual(["unanswered", "value", "value", "value"]);
      expect(node.requests).toHaveLength(trips);
    }
  });

  test("searches for the same events of several contracts are one, and each finds its own", async () => {
    const { chain, node, local } = await openPrograms();
    const sender = addressOf(0xbeef);
    await local.rpc("hardhat_setBalance", sender, `0x${(10n ** 20n).toString(16)}`);
    await local.rpc("hardhat_impersonateAccount", sender);
    for (const to of [at("logs"), at("logs"), at("echo")])
      await local.rpc("eth_sendTransaction", { from: sender, to, gas: "0xffff" });
    const block = await chain.latestBlock();
    node.requests.length = 0;
    const search = (address: Hex): ChainRead => ({ kind: "logs", fromBlock: 0, addresses: [address] });
    const found = await chain.readAt(block, [search(at("logs")), search(at("echo"))]);
    expect(found.map((one) => one.status === "value" && (one.value as unknown[]).length)).toEqual([2, 0]);
    expect(node.requests.flat()).toHaveLength(1);
    // As others write them: one address, in capitals, twice in one turn.
    const filter = { fromBlock: "0x0", toBlock: "latest", address: at("logs").replace("d0", "D0") };
    const twice = await Promise.all([1, 2].map(() => chain.request<unknown[]>("eth_getLogs", [filter])));
    expect(twice.map((logs) => logs.length)).toEqual([2, 2]);
    // Together they may be too many.
    const error = { code: -32005, message: "query returned more than 1 results" };
    node.fault = {
      kind: "edit",
      edit: (asked, honest) =>
        (asked.params[0] as { address?: readonly Hex[] }).address?.length === 2 ? { error } : honest,
    };
    await local.rpc("evm_mine");
    const again = await chain.readAt(await chain.latestBlock(), [search(at("logs")), search(at("echo"))]);
    expect(again).toEqual(found);
  });
});
