import type { Hex } from "@assay/protocol";
import fc from "fast-check";
import { bytesToHex, keccak256 } from "viem";
import { describe, expect, test } from "vitest";
import { codeFingerprintSchema, fingerprintBytecode, fingerprintCodeStart } from "./fingerprintBytecode.js";

const target = "bebebebebebebebebebebebebebebebebebebebe";
const at = (address: string): Hex => `0x${address}`;

describe("forms of code", () => {
  test.each<[string, Hex, string, Hex | null]>([
    ["no code", "0x", "empty", null],
    ["a native token's byte", "0xef", "native_b20", null],
    ["an EIP-7702 delegation", `0xef0100${target}`, "eip7702_delegation", at(target)],
    ["a delegation with a byte too many", `0xef0100${target}00`, "contract", null],
    [
      "EIP-1167",
      `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`,
      "eip1167_clone",
      at(target),
    ],
    [
      "EIP-1167 with arguments after it",
      `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3${"11".repeat(32)}`,
      "eip1167_clone",
      at(target),
    ],
    [
      "EIP-1167 for a 16-byte address",
      `0x363d3d373d3d3d363d6f${target.slice(8)}5af43d82803e903d91602757fd5bf3`,
      "eip1167_clone",
      at(target.slice(8).padStart(40, "0")),
    ],
    [
      "EIP-1167 for a 16-byte address with the jump of a full one",
      `0x363d3d373d3d3d363d6f${target.slice(8)}5af43d82803e903d91602b57fd5bf3`,
      "contract",
      null,
    ],
    [
      "the 44-byte clone",
      `0x3d3d3d3d363d3d37363d73${target}5af43d3d93803e602a57fd5bf3`,
      "eip1167_clone",
      at(target),
    ],
    [
      "the PUSH0 clone",
      `0x5f5f365f5f37365f73${target}5af43d5f5f3e6029573d5ffd5b3d5ff3`,
      "eip1167_clone",
      at(target),
    ],
    [
      "a clone with immutable arguments",
      `0x3d3d3d3d363d3d376100226037363936610022013d73${target}5af43d3d93803e603557fd5bf3${"22".repeat(34)}`,
      "eip1167_clone",
      at(target),
    ],
    ["a clone cut short", `0x363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5b`, "contract", null],
    ["ordinary code", "0x6080604052", "contract", null],
  ])("%s", (_, code, form, expected) => {
    expect(fingerprintBytecode(code)).toMatchObject({ form, target: expected });
  });

  test("casing of the hex does not matter", () => {
    const code: Hex = `0xef0100${target}`;
    expect(fingerprintBytecode(code.toUpperCase().replace("0X", "0x") as Hex)).toEqual(
      fingerprintBytecode(code),
    );
  });
});

describe("the hash without metadata", () => {
  const program = "6080604052600080fd";
  test.each<[string, string]>([
    ["solc with an IPFS hash", `a264697066735822${`1220${"ab".repeat(32)}`}64736f6c634300081c0033`],
    ["solc without a hash", "a164736f6c634300081c000a"],
    ["old solc with a Swarm hash", `a165627a7a72305820${"cd".repeat(32)}0029`],
    ["Vyper", "a165767970657283000307000b"],
  ])("%s is left out", (_, tail) => {
    const length = Number.parseInt(tail.slice(-4), 16);
    expect(length).toBe(tail.length / 2 - 2);
    const { codeHash, strippedCodeHash } = fingerprintBytecode(`0x${program}${tail}`);
    expect(strippedCodeHash).toBe(keccak256(`0x${program}`));
    expect(codeHash).toBe(keccak256(`0x${program}${tail}`));
  });

  test.each<[string, string]>([
    ["no tail", ""],
    ["a map that does not fill the stated length", "a164736f6c634300081c00000b"],
    ["a map with an unknown first key", "a16161000003"],
    ["a length longer than the code", "a164736f6c634300081cffff"],
    ["a map that claims more entries than there are", "b864736f6c634300081c000a"],
  ])("%s is not cut", (_, tail) => {
    const { codeHash, strippedCodeHash } = fingerprintBytecode(`0x${program}${tail}`);
    expect(strippedCodeHash).toBe(codeHash);
  });
});

test("code of which only the start is known has no stripped hash", () => {
  const codeHash = keccak256("0x6080");
  expect(fingerprintCodeStart("0x60", codeHash, 30_000)).toEqual({
    codeHash,
    bytecodeBytes: 30_000,
    strippedCodeHash: null,
    form: "contract",
    target: null,
  });
});

test("any bytes have a fingerprint that fits its schema", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const fingerprint = fingerprintBytecode(bytesToHex(bytes));
      expect(fingerprint.bytecodeBytes).toBe(bytes.length);
      expect(codeFingerprintSchema.parse(fingerprint)).toEqual(fingerprint);
    }),
  );
});
