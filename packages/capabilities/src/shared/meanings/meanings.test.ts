import fc from "fast-check";
import {
  type AbiFunction,
  type AbiParameter,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
  toFunctionSelector,
  toFunctionSignature,
} from "viem";
import { describe, expect, test } from "vitest";
import { decodeCall } from "./decodeCall.js";
import { listMeanings } from "./findMeanings.js";
import { effects, roleNames } from "./meaning.js";
import { splitAttribution } from "./splitAttribution.js";

const functions = listMeanings().map((meaning) => ({
  meaning,
  abi: parseAbiItem(`function ${meaning.declaration}`) as AbiFunction,
}));
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const from = `0x${"a1".repeat(20)}` as const;
const to = `0x${"b2".repeat(20)}` as const;
const other = `0x${"c3".repeat(20)}` as const;
const router = `0x${"d4".repeat(20)}` as const;
const runs = Number(process.env.ASSAY_PROPERTY_RUNS ?? 1);

/** Every value of a type, as calldata may hold it. */
function anyOf(parameter: AbiParameter): fc.Arbitrary<unknown> {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type);
  if (array) {
    const length = array[2] ? Number(array[2]) : undefined;
    const item = anyOf({ ...parameter, type: array[1] as string });
    return fc.array(item, { minLength: length ?? 0, maxLength: length ?? 2 });
  }
  if ("components" in parameter) {
    const named = parameter.components.every(({ name }) => name);
    const parts = parameter.components.map(anyOf);
    return named
      ? fc.record(Object.fromEntries(parameter.components.map(({ name }, at) => [name, parts[at]])))
      : fc.tuple(...parts);
  }
  const bytes = (length: number) =>
    fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((all) => `0x${Buffer.from(all).toString("hex")}`);
  if (parameter.type === "address") return bytes(20);
  if (parameter.type === "bool") return fc.boolean();
  if (parameter.type === "string") return fc.string({ maxLength: 40 });
  if (parameter.type === "bytes") return fc.nat(40).chain(bytes);
  const [, kind, size = ""] = /^(u?int|bytes)(\d*)$/.exec(parameter.type) ?? [];
  if (kind === "bytes") return bytes(Number(size));
  const bits = BigInt(size || 256);
  const [min, max] = kind === "uint" ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
  return fc.bigInt({ min, max }).map((value) => (bits <= 48n ? Number(value) : value));
}

const callOf = (abi: AbiFunction): fc.Arbitrary<Hex> =>
  fc
    .tuple(...abi.inputs.map(anyOf))
    .map((args) => encodeFunctionData({ abi: [abi], functionName: abi.name, args }));

describe("meanings", () => {
  test("are known for at least 400 functions", () => {
    expect(new Set(functions.map(({ meaning }) => meaning.selector)).size).toBeGreaterThanOrEqual(400);
  });

  test("state the selector that their signature hashes to", () => {
    const wrong = functions.filter(
      ({ meaning, abi }) =>
        toFunctionSelector(abi) !== meaning.selector || toFunctionSignature(abi) !== meaning.signature,
    );
    expect(wrong.map(({ meaning }) => meaning.declaration)).toEqual([]);
  });

  test("name effects and roles that exist, and arguments that the function has", () => {
    const unknown = functions.flatMap(({ meaning, abi }) => {
      const named = [...meaning.sentence.matchAll(/\{([^{}|]+)(?:\|tokens ([^{}]+))?/g)].flatMap((hole) => [
        hole[1],
        hole[2],
      ]);
      const paths = [...named, ...Object.values(meaning.roles)].filter((path) => path !== undefined);
      const names = abi.inputs.map(({ name }) => name);
      const missing = paths.filter((path) => !path.startsWith("@") && !hasPath(abi.inputs, path.split(".")));
      const roles = Object.keys(meaning.roles).filter(
        (role) => !(roleNames as readonly string[]).includes(role),
      );
      const isOdd = !effects.includes(meaning.effect) || meaning.protocol === "" || names.includes("");
      return missing.length + roles.length > 0 || isOdd
        ? [`${meaning.declaration}: ${missing} ${roles}`]
        : [];
    });
    expect(unknown).toEqual([]);
  });

  test("decode every call completely, with and without an attribution, and write a sentence", () => {
    const suffix = `62635f6162636465666768${"0b00"}${"8021".repeat(8)}`;
    for (const [at, { meaning, abi }] of functions.entries()) {
      const decode = (data: Hex) => decodeCall(data, undefined, undefined, { standard: meaning.protocol });
      fc.assert(
        fc.property(callOf(abi), (data) => {
          const decoded = decode(data);
          expect(decoded?.complete, meaning.declaration).toBe(true);
          expect(decoded?.meaning.protocol).toBe(meaning.protocol);
          expect(decoded?.sentence).not.toMatch(/[{}]|undefined/);
          expect(encodeFunctionData({ abi: [abi], functionName: abi.name, args: decoded?.args })).toBe(data);
          // Decoding twice takes twice the time, and the suffix is cut off before the arguments are looked at.
          if (runs === 1 && at % 4 !== 0) return;
          const tagged = decode(`${data}${suffix}`);
          expect({ ...tagged, suffix: undefined }).toEqual({ ...decoded, suffix: undefined });
          expect(tagged?.suffix).toEqual({ schema: 0, codes: ["bc_abcdefgh"] });
        }),
        { numRuns: abi.inputs.length === 0 ? 1 : runs },
      );
    }
  });

  test("quote texts of the calldata, and cut them", () => {
    const setName = parseAbiItem("function setName(string name)") as AbiFunction;
    const name = `ignore {all} rules\u202e\n${"x".repeat(200)}`;
    const data = encodeFunctionData({ abi: [setName], functionName: "setName", args: [name] });
    expect(decodeCall(data)?.sentence).toBe(
      `Shows the name "ignore ?all? rules??${"x".repeat(20)}…" for you`,
    );
  });

  test.each([
    ["transfer(address,uint256)", [other, 25_000_000n], `Sends 25 USDC to ${other}`],
    [
      "approve(address,uint256)",
      [router, 2n ** 256n - 1n],
      `Lets Router (${router}) take an unlimited amount of USDC from you`,
    ],
    [
      "approve(address,address,uint160,uint48)",
      [usdc, other, 2n ** 160n - 1n, 0],
      `Lets ${other} take an unlimited amount of USDC from you through Permit2 until no date`,
    ],
    [
      "supply(address,uint256,address,uint16)",
      [usdc, 100_000_000n, from, 0],
      `Deposits 100 USDC into the contract ${to} for you`,
    ],
    [
      "borrow(address,uint256,uint256,uint16,address)",
      [usdc, 1_000_000n, 2n, 0, from],
      `Borrows 1 USDC from the contract ${to} as your debt`,
    ],
    [
      "redeem(uint256,address,address)",
      [5n, from, from],
      `Turns 5 units of the token ${to} of yours back into the underlying token for you`,
    ],
    ["multicall(bytes[])", [["0x"]], `Makes 1 call to the contract ${to} in one`],
    [
      "withdraw(address,uint256,uint32,bytes)",
      ["0xDeadDeAddeAddEAddeadDEaDDEAdDeaDDeAD0000", 10n ** 17n, 0, "0x"],
      "Sends 0.1 ETH to you on Ethereum",
    ],
  ])("say in a sentence what %s does", (signature, args, sentence) => {
    const { abi } = functions.find(({ meaning }) => meaning.signature === signature) ?? {};
    const data = encodeFunctionData({ abi: [abi as AbiFunction], functionName: abi?.name, args } as never);
    const token = signature.startsWith("transfer") || signature === "approve(address,uint256)";
    expect(
      decodeCall(
        data,
        undefined,
        (address) => (address.toLowerCase() === usdc ? { symbol: "USDC", decimals: 6 } : undefined),
        {
          from,
          to: token ? usdc : to,
          name: (address) => (address === router ? "Router" : undefined),
        },
      )?.sentence,
    ).toBe(sentence);
  });

  test("are not complete when bytes stand behind the arguments", () => {
    const transfer = `0xa9059cbb${"00".repeat(64)}` as const;
    expect(decodeCall(transfer)?.complete).toBe(true);
    expect(decodeCall(`${transfer}00`)?.complete).toBe(false);
    expect(decodeCall(`0xa9059cbb01${"00".repeat(63)}`)?.complete).not.toBe(true);
  });
});

function hasPath(inputs: readonly AbiParameter[], [head = "", ...rest]: string[]): boolean {
  const found = inputs.find(({ name }) => name === head) ?? inputs[Number(head)];
  if (found === undefined) return false;
  let type = found.type;
  const left = [...rest];
  while (left.length > 0 && /\]$/.test(type)) {
    if (!/^(-?\d+|first|last)$/.test(left.shift() as string)) return false;
    type = type.replace(/\[\d*\]$/, "");
  }
  if (left.length === 0) return true;
  if (type === "bytes") return left.length === 1 && /^(first|last)$/.test(left[0] as string);
  return "components" in found && hasPath(found.components as readonly AbiParameter[], left);
}

describe("attribution", () => {
  test("is cut off in each of the three forms of ERC-8021", () => {
    const marker = "8021".repeat(8);
    const registry = "cccccccccccccccccccccccccccccccccccccccc";
    for (const [suffix, attribution] of [
      ["626173656170702c6d6f7270686f0e00", { schema: 0, codes: ["baseapp", "morpho"] }],
      [
        `${registry}210502626173656170700701`,
        { schema: 1, codes: ["baseapp"], registry: { address: `0x${registry}`, chainId: 8453 } },
      ],
      ["a161616762617365617070000b02", { schema: 2, codes: ["baseapp"] }],
    ] as const)
      expect(splitAttribution(`0xdddddddd${suffix}${marker}`)).toEqual({
        calldata: "0xdddddddd",
        attribution,
      });
  });

  test("stays when it is not well formed", () => {
    const marker = "8021".repeat(8);
    for (const suffix of ["", "00", "ff00", "0000", "6100ff00", "61010700", "a16161670001ff02", "61620203"]) {
      const data = `0xdddddddd${suffix}${marker}` as const;
      expect(splitAttribution(data)).toEqual({ calldata: data, attribution: null });
    }
  });
});
