import type { Hex } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { type ChainFixture, openFixture } from "./testing/chainFixture.js";
import { contracts, unusedAddress } from "./testing/contracts.js";
import type { NodeCall } from "./testing/faultyNode.js";
import type { CallRead, ChainRead } from "./types.js";
import { watchReads } from "./watchReads.js";

const { answers42, invalidOpcode, revertsEmpty } = contracts;
const code = { kind: "code", address: answers42.address } as const;
const header = { kind: "header" } as const;
const balance = { kind: "balance", address: unusedAddress } as const;
const callTo = (to: Hex, data: Hex = "0x"): CallRead => ({ kind: "call", to, data });
const call = (data: Hex) => callTo(answers42.address, data);
/** A pack names no sender, so this call is in none. */
const callFrom = (data: Hex): CallRead => ({ ...call(data), from: unusedAddress });

/** Caller, origin, gas price, base fee, number and time of the block, gas that is left. */
const environment = "0x000000000000000000000000000000000000e001";
const ENVIRONMENT_CODE = "0x335f52326020523a60405248606052436080524260a0525a60c05260e05ff3";
/** Answers with more than a pack carries. */
const talker = "0x000000000000000000000000000000000000e002";
const TALKER_CODE = "0x6120005ff3";

const isPack = ({ method, params }: NodeCall) => method === "eth_call" && params.length > 2;
const gasOf = ({ params }: NodeCall) => Number((params[0] as { gas: Hex }).gas);
/** Gas of all code that one HTTP request lets the node run. */
const sumGas = (calls: readonly NodeCall[]) =>
  calls.filter(({ method }) => method === "eth_call").reduce((sum, each) => sum + gasOf(each), 0);

async function open() {
  const fixture = await openFixture({ requestTimeoutMs: 15_000 });
  await fixture.local.rpc("hardhat_setCode", environment, ENVIRONMENT_CODE);
  await fixture.local.rpc("hardhat_setCode", talker, TALKER_CODE);
  await fixture.local.rpc("evm_mine");
  const block = await fixture.chain.latestBlock();
  fixture.node.requests.length = 0;
  return { ...fixture, block };
}

/** Each list is what one caller reads. */
const readAll = (
  { chain, block }: Pick<ChainFixture, "chain"> & { block: Awaited<ReturnType<typeof open>>["block"] },
  lists: readonly (readonly ChainRead[])[],
) => Promise.all(lists.map((reads) => watchReads(chain).readAt(block, reads)));

/** Holds what the node is asked until it is released. */
function holdRequests({ node }: Pick<ChainFixture, "node">, isHeld: (calls: readonly NodeCall[]) => boolean) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  node.hold = (calls) => (isHeld(calls) ? held : undefined);
  return () => release();
}

describe("callers of one turn", () => {
  test("share a request, and a pack of their calls", async () => {
    const fixture = await open();
    const lists = Array.from({ length: 12 }, (_, i) => [
      header,
      code,
      callTo(environment, `0x${(i + 16).toString(16)}`),
      call(`0x${(i + 16).toString(16)}`),
      callTo(revertsEmpty.address, `0x${(i + 16).toString(16)}`),
    ]);
    const shared = await readAll(fixture, lists);
    expect(fixture.node.requests).toHaveLength(1);
    expect(fixture.node.requests.flat().filter(isPack)).toHaveLength(1);
    // Made call by call.
    const alone = await fixture.chain.readAgreed(
      fixture.block,
      lists.flatMap((reads) => reads.filter((read) => read.kind === "call")),
    );
    expect(shared.flatMap((readings) => readings.slice(2))).toEqual(alone);
    expect(new Set(alone.map(({ status }) => status))).toEqual(new Set(["value", "reverted"]));
  });

  test("let the node run no more code in one request than two calls could, however many burn their gas", async () => {
    const fixture = await open();
    const burning = Array.from({ length: 20 }, (_, i) =>
      callTo(invalidOpcode.address, `0x${(i + 16).toString(16)}`),
    );
    const lists = [...burning.map((read) => [read]), [call("0x01")]];
    const readings = await readAll(fixture, lists);
    expect(readings.flat().map(({ status }) => status)).toEqual([...burning.map(() => "reverted"), "value"]);
    // What the pack could not run is asked for each caller by itself.
    const [pack = [], ...alone] = fixture.node.requests;
    expect(pack.filter(isPack)).toHaveLength(1);
    expect(alone.length).toBeGreaterThanOrEqual(20 - 1);
    expect(Math.max(...fixture.node.requests.map(sumGas))).toBeLessThanOrEqual(6_000_000);
  });

  test("do not wait for what another caller's pack left open", async () => {
    const fixture = await open();
    const release = holdRequests(fixture, (calls) =>
      calls.some((each) => !isPack(each) && runs(each, talker)),
    );
    const slow = watchReads(fixture.chain).readAt(fixture.block, [header, callTo(talker)]);
    const [answer] = await watchReads(fixture.chain).readAt(fixture.block, [call("0x01"), header]);
    expect(answer.status).toBe("value");
    release();
    expect((await slow).map(({ status }) => status)).toEqual(["value", "value"]);
  });

  test("one of whom runs code that no pack can do not wait for it, though both ask for the same beside it", async () => {
    const fixture = await open();
    const release = holdRequests(fixture, (calls) => JSON.stringify(calls).includes("0xb0b0"));
    const slow = watchReads(fixture.chain).readAt(fixture.block, [header, code, callFrom("0xb0b0")]);
    const others = await readAll(fixture, [
      [header, code, callFrom("0x01")],
      [header, code, call("0x01")],
      [header, code, call("0x02")],
    ]);
    expect(others.flat().every(({ status }) => status === "value")).toBe(true);
    release();
    expect((await slow).map(({ status }) => status)).toEqual(["value", "value", "value"]);
  });

  test("whose calls fit no pack send one request each, with everything they ask in that turn", async () => {
    const { chain, node, block } = await open();
    const callers = [watchReads(chain), watchReads(chain)];
    await Promise.all(
      callers.flatMap((caller, i) => [
        caller.readAt(block, [callFrom(`0x0${i}`)]),
        caller.readAt(block, [balance]),
        caller.readAt(block, [call(`0x1${i}`), code]),
      ]),
    );
    expect(node.requests.map((calls) => calls.length)).toEqual([4, 3]);
    expect(node.requests.flat().some(isPack)).toBe(false);
  });

  test("share no code with a node that takes no overrides", async () => {
    const fixture = await open();
    const error = { code: -32602, message: "too many arguments, want at most 2" };
    fixture.node.fault = { kind: "edit", edit: (asked, honest) => (isPack(asked) ? { error } : honest) };
    const lists = [[call("0x01")], [call("0x02")], [call("0x03"), code]];
    const expected = { status: "value", value: `0x${"2a".padStart(64, "0")}` };
    expect((await readAll(fixture, lists)).map(([first]) => first)).toEqual([expected, expected, expected]);
    await fixture.local.rpc("evm_mine");
    const block = await fixture.chain.latestBlock();
    fixture.node.requests.length = 0;
    await readAll({ chain: fixture.chain, block }, lists);
    expect(fixture.node.requests.map((calls) => calls.length).sort()).toEqual([1, 1, 2]);
  });

  test("but one caller alone asks for its calls as they are", async () => {
    const fixture = await open();
    await Promise.all([readAll(fixture, [[call("0x01"), call("0x02")]]), fixture.chain.readLatest([code])]);
    expect(fixture.node.requests.flat().some(isPack)).toBe(false);
  });
});

const runs = ({ params }: NodeCall, to: Hex) => (params[0] as { to?: Hex })?.to === to;
