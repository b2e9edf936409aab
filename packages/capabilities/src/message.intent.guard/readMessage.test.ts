import { hashTypedData } from "viem";
import { describe, expect, test } from "vitest";
import { input } from "./input.js";
import { readMessage } from "./readMessage.js";
import { encodeTypeOf } from "./typedDocument.js";
import { venues } from "./venues.js";

const ALICE = "0x00000000000000000000000000000000000a11ce";
const BOB = "0x0000000000000000000000000000000000000b0b";
const TOKEN = "0x00000000000000000000000000000000000070c3";

const field = (name: string, type: string) => ({ name, type });
const permit = {
  types: {
    Permit: [
      field("owner", "address"),
      field("spender", "address"),
      field("value", "uint256"),
      field("nonce", "uint256"),
      field("deadline", "uint256"),
    ],
  },
  primaryType: "Permit",
  domain: { name: "Token", version: "1", chainId: 8453, verifyingContract: TOKEN },
  message: { owner: ALICE, spender: BOB, value: "0x19", nonce: 0, deadline: "1893456000" },
};
const packed = {
  entryPoint: BOB,
  sender: ALICE,
  nonce: "1",
  callData: "0x",
  preVerificationGas: "3",
  accountGasLimits: `0x${"0".repeat(64)}`,
  gasFees: `0x${"0".repeat(64)}`,
};
const parse = (given: object) => input.parse({ signer: ALICE, ...given });
const read = (given: object) => readMessage(parse(given), venues);
const faultsOf = (given: object) =>
  (input.safeParse({ signer: ALICE, ...given }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join(".")} ${message}`,
  );

describe("the input", () => {
  test("a document has one spelling, as JSON and as its text, and stays as it is when read again", () => {
    const once = parse({ typedData: permit });
    expect(once).toEqual(parse({ typedData: JSON.stringify(permit) }));
    expect(input.parse(once)).toEqual(once);
    expect(once.typedData?.message).toMatchObject({ value: "25", nonce: "0" });
    expect(once.typedData?.types.EIP712Domain).toHaveLength(4);
  });

  test("a user operation of each version has one form", () => {
    const shared = { entryPoint: BOB, sender: ALICE, nonce: "0x1", callData: "0x", preVerificationGas: "3" };
    const unpacked = { callGasLimit: 1, verificationGasLimit: 2, maxFeePerGas: 4, maxPriorityFeePerGas: 5 };
    const expected = parse({ userOperation: { ...shared, ...unpacked } });
    const word = (high: string, low: string) => `0x${high.padStart(32, "0")}${low.padStart(32, "0")}`;
    expect(
      parse({ userOperation: { ...shared, accountGasLimits: word("2", "1"), gasFees: word("5", "4") } }),
    ).toEqual(expected);
    expect(
      parse({ userOperation: { ...shared, ...unpacked, initCode: "0x", paymasterAndData: "0x" } }),
    ).toEqual(expected);
    expect(input.parse(expected)).toEqual(expected);
    const mark = `0x7702${"0".repeat(36)}`;
    const byMark = parse({ userOperation: { ...packed, initCode: "0x7702" } });
    expect(byMark).toEqual(parse({ userOperation: { ...packed, initCode: mark } }));
    expect(byMark.userOperation?.factory).toBe(mark);
  });

  test.each<[string, object, string]>([
    ["nothing to sign", {}, "typedData or one of"],
    ["two things to sign", { typedData: permit, personalMessage: "a" }, "must be the only one of"],
    ["no JSON", { typedData: "{" }, "typedData must be JSON"],
    ["another field", { typedData: { ...permit, extra: 1 } }, "typedData.extra is not a known field"],
    [
      "a field that the type has not",
      { typedData: { ...permit, message: { ...permit.message, hidden: 1 } } },
      "typedData.message.hidden is not a field of Permit",
    ],
    [
      "a missing field",
      { typedData: { ...permit, message: { owner: ALICE } } },
      "typedData.message.spender is required",
    ],
    [
      "a number that does not fit",
      { typedData: { ...permit, message: { ...permit.message, value: `-1` } } },
      "typedData.message.value must fit in uint256",
    ],
    [
      "an unknown type",
      { typedData: { ...permit, primaryType: "constructor" } },
      "must name one of the types",
    ],
    [
      "an address that is none",
      { authorization: { chainId: 1, address: "0x1", nonce: 0 } },
      "authorization.address",
    ],
    [
      "too many calls",
      { calls: Array.from({ length: 51 }, () => ({ to: BOB })) },
      "calls must hold at most 50",
    ],
    [
      "a name that comes twice",
      { typedData: JSON.stringify(permit).replace('{"types"', '{"primaryType":"Order","types"') },
      'typedData must name "primaryType" once in its object',
    ],
    [
      "half a factory",
      { userOperation: { ...packed, initCode: "0x1234" } },
      "userOperation.initCode must be empty, or an address and what follows it",
    ],
    [
      "half a paymaster",
      { userOperation: { ...packed, paymasterAndData: "0x1234" } },
      "userOperation.paymasterAndData must be empty, or an address and what follows it",
    ],
    ["a path as origin", { personalMessage: "a", origin: "https://a.b/c" }, "origin must be an origin"],
  ])("%s is refused by name", (_, given, fault) => {
    expect(faultsOf(given).join("\n")).toContain(fault);
  });

  test("types that hold each other end where their values end", () => {
    const node = { types: { Node: [field("next", "Node[]")] }, primaryType: "Node", domain: {} };
    expect(encodeTypeOf(node.types, "Node")).toBe("Node(Node[] next)");
    expect(faultsOf({ typedData: { ...node, message: { next: [{ next: [] }] } } })).toEqual([]);
    expect(
      faultsOf({ typedData: { ...node, message: { next: Array(20_001).fill({ next: [] }) } } }),
    ).not.toEqual([]);
  });
});

describe("what a message means", () => {
  test("a permit is the allowance that it gives", () => {
    const { form, run, until, nonce } = read({ typedData: permit });
    expect({ form, until }).toEqual({ form: "erc20.permit", until: "1893456000" });
    expect(run?.judged).toMatchObject({ from: ALICE, to: TOKEN });
    expect(nonce).toMatchObject({ kind: "next", expected: "0" });
  });

  test("a type that differs in one name is another type", () => {
    const other = structuredClone(permit);
    (other.types.Permit[2] as { name: string }).name = "amount";
    const { value, ...rest } = other.message;
    const message = { ...rest, amount: value };
    expect(read({ typedData: { ...other, message } })).toMatchObject({ form: "unknown", run: null });
  });

  const signIn = (over: Record<string, string> = {}) => {
    const { domain = "a.example", uri = "https://a.example/", address = ALICE, nonce = "12345678ab" } = over;
    return `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nURI: ${uri}\nVersion: 1\nChain ID: 8453\nNonce: ${nonce}\nIssued At: 2026-11-01T00:00:00Z`;
  };
  test.each<[string, string | object, string]>([
    ["a sign-in", signIn(), "SIGN_IN"],
    ["a sign-in elsewhere", signIn({ uri: "https://b.example/" }), "SIGN_IN_URI_DIFFERS"],
    ["a sign-in of another", signIn({ address: BOB }), "SIGN_IN_OF_ANOTHER"],
    ["a sign-in that can be used again", signIn({ nonce: "1" }), "SIGN_IN_REPLAYABLE"],
    ["an imitated name", signIn({ domain: "а.example" }), "SIGN_IN_DOMAIN_DOUBTFUL"],
    [
      "a sign-in that another site asks for",
      { personalMessage: signIn(), origin: "https://b.example" },
      "SIGN_IN_FOR_ANOTHER_SITE",
    ],
    ["a hash", `0x${"9f".repeat(32)}`, "HASH_HIDES_CONTENT"],
    ["a hash as text", "9f".repeat(32), "HASH_HIDES_CONTENT"],
    ["bytes", "0x1901ff", "HASH_HIDES_CONTENT"],
    ["a text", "I would like to log in to this market.", "TEXT_READABLE"],
    [
      "a text with a hash that is a number used once",
      `Sign in to the market. Nonce: ${"9f".repeat(32)}`,
      "TEXT_READABLE",
    ],
    [
      "a text with a hash and words around it",
      `Sign in to the market here: ${"9f".repeat(32)}`,
      "TEXT_HOLDS_DATA",
    ],
    ["a text that turns around", "Log in \u202e please, it is free", "TEXT_OBSCURED"],
    ["data", '{"sell":"all"}', "TEXT_HOLDS_DATA"],
  ])("%s", (_, given, code) => {
    const { notes } = read(typeof given === "string" ? { personalMessage: given } : given);
    expect(notes.map((note) => note.code)).toContain(code);
  });

  test.each([
    [
      "REFUND_SMALL",
      { gasPrice: 1, baseGas: 50_000, gasToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913" },
    ],
    [
      "REFUND_UNBOUNDED",
      { gasPrice: 3000, baseGas: 0, gasToken: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913" },
    ],
    ["REFUND_UNBOUNDED", { gasPrice: 1, baseGas: 0, gasToken: TOKEN }],
    ["REFUND_SMALL", { gasPrice: 1_000_000_000, baseGas: 60_000 }],
    ["REFUND_UNBOUNDED", { gasPrice: 1_000_000_000_000, baseGas: 60_000 }],
  ])("a Safe's refund is %s for %j", (code, over) => {
    const ZERO = "0x0000000000000000000000000000000000000000";
    const types = {
      SafeTx:
        "address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice,address gasToken,address refundReceiver,uint256 nonce"
          .split(",")
          .map((one) => one.split(" "))
          .map(([type = "", name = ""]) => field(name, type)),
    };
    const zeros = { value: 0, operation: 0, safeTxGas: 0, gasToken: ZERO, refundReceiver: ZERO, nonce: 0 };
    const message = { to: BOB, data: "0x", ...zeros, ...over };
    const domain = { chainId: 8453, verifyingContract: TOKEN };
    const { notes } = read({ typedData: { types, primaryType: "SafeTx", domain, message } });
    expect(notes).toEqual([{ code }]);
  });

  test("a wrapped hash hides what it stands for, and a wrapped document does not", () => {
    const hash = hashTypedData({
      ...permit,
      message: { ...permit.message, value: 25n, nonce: 0n, deadline: 1_893_456_000n },
    } as never);
    const replaySafe = {
      types: { CoinbaseSmartWalletMessage: [field("hash", "bytes32")] },
      primaryType: "CoinbaseSmartWalletMessage",
      domain: permit.domain,
      message: { hash },
    };
    expect(read({ typedData: replaySafe }).notes).toEqual([{ code: "HASH_HIDES_CONTENT" }]);
    const nested = {
      ...permit,
      types: {
        ...permit.types,
        TypedDataSign: [field("contents", "Permit"), field("verifyingContract", "address")],
      },
      primaryType: "TypedDataSign",
      message: { contents: permit.message, verifyingContract: ALICE },
    };
    expect(read({ typedData: nested })).toMatchObject({
      form: "erc20.permit",
      inside: ["an account's own wrapper (ERC-7739)"],
    });
  });

  test("several calls are a batch of the signer's own, in their order", () => {
    const { run } = read({
      calls: [
        { to: TOKEN, data: "0x01" },
        { to: BOB, value: "0x5" },
      ],
    });
    expect(run).toMatchObject({ judged: { from: ALICE, to: ALICE }, caller: ALICE });
    expect(run?.steps).toEqual([
      { to: TOKEN, data: "0x01", value: "0" },
      { to: BOB, data: "0x", value: "5" },
    ]);
  });
});
