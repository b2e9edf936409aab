import { encodeFunctionData, getAddress, type Hex, parseAbi } from "viem";
import { describe, expect, test } from "vitest";
import { describeCalldata } from "./describeCalldata.js";
import { readDescriptor } from "./readDescriptor.js";

const vault = "0x00000000000000000000000000000000000000aa";
const coin = "0x00000000000000000000000000000000000000bb";
const person = "0x00000000000000000000000000000000000000cc";
const signature =
  "order((address token, uint256 amount, address to)[] legs, uint256 until, uint8 kind, bool urgent, uint256 packed, bytes route, uint256 wait, uint256 share, uint256 pay)";

const json = {
  context: { contract: { deployments: [{ chainId: 8453, address: vault }] } },
  metadata: {
    owner: "Somebody",
    enums: { kinds: { 0: "limit", 1: "market" }, flags: { True: "urgent", False: "patient" } },
    constants: { all: "0xff", own: ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"] },
  },
  display: {
    definitions: { receiver: { label: "Receiver", format: "addressName", params: { types: ["eoa"] } } },
    formats: {
      [signature]: {
        intent: "Place an order",
        fields: [
          {
            path: "legs.[]",
            fields: [
              {
                path: "amount",
                label: "Amount",
                format: "tokenAmount",
                params: { tokenPath: "token", threshold: "$.metadata.constants.all", message: "All" },
              },
              { path: "to", $ref: "$.display.definitions.receiver" },
            ],
          },
          { path: "until", label: "Until", format: "date", params: { encoding: "timestamp" } },
          { path: "kind", label: "Kind", format: "enum", params: { $ref: "$.metadata.enums.kinds" } },
          { path: "urgent", label: "Haste", format: "enum", params: { $ref: "$.metadata.enums.flags" } },
          { path: "packed.[-20:]", label: "Pool", format: "addressName" },
          { path: "route.[0:2]", label: "Route", format: "raw" },
          { path: "wait", label: "Wait", format: "duration" },
          { path: "share", label: "Share", format: "unit", params: { base: "%", decimals: 2 } },
          {
            path: "pay",
            label: "Pay",
            format: "tokenAmount",
            params: {
              token: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
              nativeCurrencyAddress: "$.metadata.constants.own",
            },
          },
          { path: "@.value", label: "Sent", format: "amount" },
          { path: "#.kind", label: "Hidden", visible: "never" },
        ],
      },
    },
  },
};

type Arguments = { kind?: number; packed?: bigint };
const dataOf = ({ kind = 1, packed = BigInt(person) }: Arguments = {}): Hex =>
  encodeFunctionData({
    abi: parseAbi([`function ${signature}`]),
    functionName: "order",
    args: [
      [
        { token: coin, amount: 125n, to: person },
        { token: coin, amount: 255n, to: person },
        { token: vault, amount: 7n, to: person },
      ],
      1_700_000_000n,
      kind,
      true,
      packed,
      "0x123456",
      93_784n,
      1_234n,
      2n * 10n ** 18n,
    ],
  } as never);

const facts = { to: vault, chainId: 8453, value: 10n ** 17n } as const;
const lookups = { token: (address: Hex) => (address === coin ? { symbol: "COIN", decimals: 2 } : undefined) };
const shown = getAddress(person);

describe("a descriptor of ERC-7730", () => {
  test("writes every format, follows its references, and goes through lists", () => {
    const described = describeCalldata(readDescriptor(json), dataOf(), facts, lookups);
    expect(described).toMatchObject({ intent: "Place an order", owner: "Somebody", complete: true });
    expect(described?.fields.map(({ label, value }) => `${label}: ${value}`)).toEqual([
      "Amount: 1.25 COIN",
      "Amount: All COIN",
      "Amount: 7",
      `Receiver: ${shown}`,
      `Receiver: ${shown}`,
      `Receiver: ${shown}`,
      "Until: 2023-11-14 22:13:20Z",
      "Kind: market",
      "Haste: urgent",
      `Pool: ${shown}`,
      "Route: 0x1234",
      "Wait: 26:03:04",
      "Share: 12.34%",
      "Pay: 2 ETH",
      "Sent: 0.1 ETH",
    ]);
  });

  test("is not complete when a value has no name, or bytes stand behind the arguments", () => {
    const descriptor = readDescriptor(json);
    const unnamed = describeCalldata(descriptor, dataOf({ kind: 9 }), facts, lookups);
    expect(unnamed?.complete).toBe(false);
    expect(unnamed?.fields.some(({ label }) => label === "Kind")).toBe(false);
    expect(describeCalldata(descriptor, `${dataOf()}00`, facts, lookups)?.complete).toBe(false);
  });

  test("says nothing about other functions and about arguments that are not there", () => {
    const descriptor = readDescriptor(json);
    expect(describeCalldata(descriptor, "0xa9059cbb", facts)).toBeUndefined();
    expect(describeCalldata(descriptor, dataOf().slice(0, 200) as Hex, facts)).toBeUndefined();
    expect(describeCalldata(descriptor, "0x12", facts)).toBeUndefined();
  });

  test("is completed by the file that it includes, and wins over it", () => {
    const short = { includes: "common.json", metadata: { owner: "Somebody else" } };
    const descriptor = readDescriptor(short, (name) => (name === "common.json" ? json : undefined));
    expect(descriptor.owner).toBe("Somebody else");
    expect(descriptor.deployments).toEqual([{ chainId: 8453, address: vault }]);
    expect(describeCalldata(descriptor, dataOf(), facts, lookups)?.complete).toBe(true);
  });

  test("leaves out a function whose key cannot be read, and refuses what is no descriptor", () => {
    const odd = {
      display: { formats: { "not a function(": { intent: "x", fields: [] }, "0x12345678": {} } },
    };
    expect(readDescriptor(odd).functions).toEqual([]);
    expect(() => readDescriptor({ display: { formats: [] } })).toThrow();
    expect(() => readDescriptor("text")).toThrow();
  });
});
