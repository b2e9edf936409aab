import fc from "fast-check";
import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  parseAbiItem,
  size,
  toFunctionSelector,
} from "viem";
import { describe, expect, test } from "vitest";
import { knownFunctions } from "../calls/knownFunctions.js";
import { type DecodedCall, decodeCalls } from "./decodeCalls.js";

const FROM: Hex = "0x00000000000000000000000000000000000a11ce";
const TO: Hex = "0x0000000000000000000000000000000000000070";
const TOKEN: Hex = "0x00000000000000000000000000000000000070c3";
const BOB: Hex = "0x0000000000000000000000000000000000000b0b";
const ZERO: Hex = "0x0000000000000000000000000000000000000000";

const encode = (signature: string, args: readonly unknown[] = []): Hex =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);
const decode = (data: Hex, value = "0") => decodeCalls({ from: FROM, to: TO, value, data });
const transfer = encode("transfer(address to, uint256 amount)", [BOB, 7n]);
const multicall = (calls: readonly Hex[]) => encode("multicall(bytes[] calls)", [calls]);
const inner = (data: Hex): readonly DecodedCall[] => decode(data).call.inner;
const TRANSFER = { signature: "transfer(address,uint256)", args: { to: BOB, amount: "7" } };

describe("the selectors of the checklist", () => {
  const selectors =
    "095ea7b3 39509351 a22cb465 d505accf 8fcbaf0c 87517c45 2b67b570 2a2d80d1 36c78516 30f28b7a e3ee160e ef55bec6 eecea000 ac9650d8 5ae401dc 1f0464d1 82ad56cb 174dea71 3593564c 24856bc3 6a761202 8d80ff0a b61d27f6 34fcd5be e9ae5c53 3659cfe6 4f1ef286 8f283970 f2fde38b 1f931c1c 49404b7c 12210e8a df2ab5bb f3995c67";
  test.each(selectors.split(" "))("0x%s is known", (selector) => {
    expect(knownFunctions.has(`0x${selector}`)).toBe(true);
  });
});

describe("wrappers", () => {
  test.each<[string, Hex]>([
    ["multicall(bytes[])", multicall([transfer])],
    ["multicall with a deadline", encode("multicall(uint256 d, bytes[] calls)", [9n, [transfer]])],
    [
      "multicall with a block hash",
      encode("multicall(bytes32 h, bytes[] calls)", [`0x${"11".repeat(32)}`, [transfer]]),
    ],
  ])("%s calls itself as the caller", (_, data) => {
    expect(inner(data)).toMatchObject([{ ...TRANSFER, to: TO, caller: FROM, isDelegatecall: false }]);
    expect(decode(data).undecodedBytes).toBe(0);
  });

  test.each<[string, Hex, string]>([
    [
      "aggregate3",
      encode("aggregate3((address target, bool allowFailure, bytes callData)[] c)", [
        [{ target: TOKEN, allowFailure: true, callData: transfer }],
      ]),
      "0",
    ],
    [
      "aggregate3Value",
      encode("aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] c)", [
        [{ target: TOKEN, allowFailure: true, value: 5n, callData: transfer }],
      ]),
      "5",
    ],
    ["execute", encode("execute(address t, uint256 v, bytes d)", [TOKEN, 5n, transfer]), "5"],
    [
      "executeBatch",
      encode("executeBatch((address target, uint256 value, bytes data)[] c)", [
        [{ target: TOKEN, value: 5n, data: transfer }],
      ]),
      "5",
    ],
    [
      "ERC-7579, one call",
      encode("execute(bytes32 mode, bytes e)", [
        `0x${"00".repeat(32)}`,
        concatHex([TOKEN, `0x${"05".padStart(64, "0")}`, transfer]),
      ]),
      "5",
    ],
    [
      "ERC-7579, a batch",
      encode("execute(bytes32 mode, bytes e)", [
        `0x01${"00".repeat(31)}`,
        encodeAbiParameters(
          [{ type: "tuple[]", components: [{ type: "address" }, { type: "uint256" }, { type: "bytes" }] }],
          [[[TOKEN, 5n, transfer]]] as never,
        ),
      ]),
      "5",
    ],
  ])("%s calls others as itself", (_, data, value) => {
    expect(inner(data)).toMatchObject([{ ...TRANSFER, to: TOKEN, caller: TO, value, isDelegatecall: false }]);
    expect(decode(data).undecodedBytes).toBe(0);
  });

  const safe = (to: Hex, data: Hex, operation: number) =>
    encode(
      "execTransaction(address to, uint256 v, bytes d, uint8 o, uint256 a, uint256 b, uint256 c, address g, address r, bytes s)",
      [to, 0n, data, operation, 0n, 0n, 0n, ZERO, ZERO, "0x"],
    );
  const packed = (operation: number, to: Hex, data: Hex) =>
    encodePacked(
      ["uint8", "address", "uint256", "uint256", "bytes"],
      [operation, to, 0n, BigInt(size(data)), data],
    );
  const multiSend = (...parts: Hex[]) => encode("multiSend(bytes t)", [concatHex(parts)]);

  test("a Safe calls, or delegates", () => {
    expect(inner(safe(TOKEN, transfer, 0))).toMatchObject([
      { ...TRANSFER, caller: TO, isDelegatecall: false },
    ]);
    expect(inner(safe(TOKEN, transfer, 1))).toMatchObject([
      { ...TRANSFER, caller: TO, isDelegatecall: true },
    ]);
  });

  test("ERC-7579 delegates by its mode", () => {
    const data = encode("execute(bytes32 mode, bytes e)", [
      `0xff${"00".repeat(31)}`,
      concatHex([TOKEN, transfer]),
    ]);
    expect(inner(data)).toMatchObject([{ ...TRANSFER, to: TOKEN, caller: TO, isDelegatecall: true }]);
  });

  test("what a Safe sends through a batcher is the Safe's own; called directly it is the batcher's", () => {
    const batch = multiSend(packed(0, TOKEN, transfer), packed(1, BOB, "0x"));
    const [delegated] = inner(safe(BOB, batch, 1));
    expect(delegated?.inner).toMatchObject([
      { ...TRANSFER, to: TOKEN, caller: TO, isDelegatecall: false },
      { to: BOB, caller: TO, isDelegatecall: true },
    ]);
    expect(inner(batch)).toMatchObject([{ caller: TO }, { caller: TO }]);
    expect(inner(safe(BOB, batch, 0))[0]?.inner).toMatchObject([{ caller: BOB }, { caller: BOB }]);
  });

  test.each([
    ["that ends inside a call", packed(0, TOKEN, transfer).slice(0, -2) as Hex],
    ["that ends inside a head", concatHex([packed(0, TOKEN, transfer), "0x00"])],
    ["of an unknown operation", packed(2, TOKEN, transfer)],
  ])("a batch %s is undecoded", (_, transactions) => {
    const data = encode("multiSend(bytes t)", [transactions]);
    expect(decode(data)).toMatchObject({ call: { inner: [] }, undecodedBytes: size(data) - 4 });
  });

  test("an entry point calls each account, which calls others (ERC-4337)", () => {
    const operation = {
      sender: BOB,
      nonce: 0n,
      initCode: "0x",
      callData: encode("execute(address t, uint256 v, bytes d)", [TOKEN, 0n, transfer]),
      accountGasLimits: `0x${"00".repeat(32)}`,
      preVerificationGas: 0n,
      gasFees: `0x${"00".repeat(32)}`,
      paymasterAndData: "0x",
      signature: "0x",
    };
    const data = encode(
      "handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address b)",
      [[operation], BOB],
    );
    const [account] = inner(data);
    expect(account).toMatchObject({ to: BOB, caller: TO });
    expect(account?.inner).toMatchObject([{ ...TRANSFER, to: TOKEN, caller: BOB }]);
  });
});

describe("router commands", () => {
  const swap = encodeAbiParameters(
    [{ type: "address" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }, { type: "bool" }],
    [BOB, 5n, 4n, concatHex([TOKEN, "0x0001f4", BOB]), true],
  );
  const sweep = encodeAbiParameters(
    [{ type: "address" }, { type: "address" }, { type: "uint256" }],
    [TOKEN, BOB, 3n],
  );
  const execute = (commands: Hex, inputs: readonly Hex[]) =>
    encode("execute(bytes c, bytes[] i, uint256 d)", [commands, inputs, 9n]);

  test("are items of the tree, also those that may fail and those of a sub-plan", () => {
    const plan = encodeAbiParameters([{ type: "bytes" }, { type: "bytes[]" }], ["0x04", [sweep]]);
    const decoded = decode(execute("0x8021", [swap, plan]));
    expect(decoded).toMatchObject({ undecodedBytes: 0, isBounded: false });
    expect(decoded.call.inner).toMatchObject([
      {
        signature: "V3_SWAP_EXACT_IN",
        caller: FROM,
        to: TO,
        args: { recipient: BOB, amountIn: "5", amountOutMin: "4", payerIsUser: true },
      },
      { signature: "SWEEP", args: { token: TOKEN, recipient: BOB, amountMin: "3" } },
    ]);
  });

  test("that are not known, or do not take their input, are counted", () => {
    expect(decode(execute("0x10", [sweep])).undecodedBytes).toBe(size(sweep));
    expect(decode(execute("0x00", ["0x1234"])).undecodedBytes).toBe(2);
    expect(decode(execute("0x0000", [swap])).call.inner).toEqual([]);
    expect(decode(execute("0x0000", [swap])).undecodedBytes).toBeGreaterThan(0);
  });
});

describe("what is not understood", () => {
  test("is counted: unknown functions, short arguments, bytes behind the arguments", () => {
    expect(decode("0x").undecodedBytes).toBe(0);
    expect(decode("0x010203").undecodedBytes).toBe(3);
    expect(decode("0x12345678ff")).toMatchObject({ undecodedBytes: 5, call: { signature: null } });
    expect(decode(transfer.slice(0, -2) as Hex)).toMatchObject({
      undecodedBytes: 67,
      call: { signature: null },
    });
    expect(decode(concatHex([transfer, "0xabcdef"]))).toMatchObject({ undecodedBytes: 3, call: TRANSFER });
  });

  test("lies deeper than five calls, or beyond a hundred", () => {
    const nested = (depth: number): Hex => (depth === 0 ? transfer : multicall([nested(depth - 1)]));
    expect(decode(nested(4))).toMatchObject({ undecodedBytes: 0, isBounded: false });
    expect(decode(nested(5)).isBounded).toBe(true);
    const many = (count: number) => multicall(Array.from({ length: count }, () => transfer));
    expect(decode(many(99))).toMatchObject({ undecodedBytes: 0, isBounded: false });
    expect(decode(many(100)).isBounded).toBe(true);
  });
});

describe("hostile calldata", () => {
  const MAX_BYTES = 131_072;
  const word = (value: number) => value.toString(16).padStart(64, "0");

  /** Every item of the list is the same bytes, to the very end. */
  const bomb = (selector: Hex): Hex => {
    const items = 2_000;
    const length = MAX_BYTES - 4 - 32 * (3 + items);
    const list = `${word(32)}${word(items)}${word(items * 32).repeat(items)}${word(length)}`;
    return `${selector}${list}${"00".repeat(length)}` as Hex;
  };

  function expectQuick(data: Hex): void {
    const { undecodedBytes } = decode(data);
    // Processor time, and the best of three: other work on the machine is not what is measured.
    const times = [0, 1, 2].map(() => {
      const before = process.cpuUsage();
      decode(data);
      return process.cpuUsage(before).user / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(200);
    expect(undecodedBytes).toBeLessThanOrEqual(size(data));
  }

  test("of the greatest size is done within 200 ms", () => {
    decode(multicall([transfer]));
    expectQuick(bomb("0xac9650d8"));
    expect(size(bomb("0xac9650d8"))).toBe(MAX_BYTES);
    expectQuick(bomb(toFunctionSelector("multiSend(bytes)")));
    let nested: Hex = transfer;
    while (size(nested) * 2 + 300 < MAX_BYTES) nested = multicall([nested, nested]);
    expectQuick(nested);
    expectQuick(multicall(Array.from({ length: 900 }, () => transfer)));
    expectQuick(multicall([multicall([multicall([`0x${"00".repeat(130_000)}`])])]));
    expectQuick(`0xac9650d8${"00".repeat(MAX_BYTES - 4)}`);
    expectQuick(`0xac9650d8${word(32)}${word(4_000)}${"00".repeat(MAX_BYTES - 68)}`);
  });

  const selectors = [...knownFunctions.keys()];
  const bytes = fc.uint8Array({ maxLength: 600 }).map((data) => Buffer.from(data).toString("hex"));
  const words = fc
    .array(
      fc.oneof(
        fc.nat(40).map((n) => word(n * 16)),
        fc.nat(3).map(word),
        fc.constant("f".repeat(64)),
      ),
      {
        maxLength: 30,
      },
    )
    .map((list) => list.join(""));
  const calldata = fc
    .tuple(fc.constantFrom(...selectors), fc.oneof(bytes, words), bytes)
    .map(([selector, head, tail]) => `${selector}${head}${tail}` as Hex);
  const { calls } = fc.letrec<{ calls: Hex }>((tie) => ({
    calls: fc.oneof({ maxDepth: 6 }, calldata, fc.array(tie("calls"), { maxLength: 3 }).map(multicall)),
  }));

  test("never makes it throw, and no more is undecoded than there is", () => {
    fc.assert(
      fc.property(calls, (data) => {
        const { undecodedBytes, call } = decode(data);
        expect(undecodedBytes).toBeGreaterThanOrEqual(0);
        expect(undecodedBytes).toBeLessThanOrEqual(size(data));
        JSON.stringify(call);
      }),
    );
  });
});
