import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { recordReads } from "@assay/chain/testing/recordReads";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Hex } from "@assay/protocol";
import { encodeAbiParameters, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import { verifyFacts } from "../shared/proofs/provableFact.js";
import { createGatherContext } from "../testing/createGatherContext.js";
import { runCapability } from "../testing/runCapability.js";
import { gatherer } from "./gather/gather.js";
import { rule } from "./rule.js";

const tokenMetadata = { ...rule, ...gatherer };

const local = useLocalChain();

/** Runs the capability as the service does, counting the batches it asks for. */
async function describeToken(address: string, through: Chain = local.chain) {
  const { chain, asked } = recordReads(through);
  const block = await local.chain.latestBlock();
  const context = createGatherContext(chain, block);
  const input = { address: lowercase(address) };
  const result = await runCapability(tokenMetadata, context, input);
  return { ...result, context, block, batches: asked.length };
}

const deafTo = (matches: (read: ChainRead) => boolean) => withoutAnswers(local.chain, matches);
const FRESH = "0x00000000000000000000000000000000c0de0002";

const SELECTORS = {
  name: "06fdde03",
  symbol: "95d89b41",
  decimals: "313ce567",
  totalSupply: "18160ddd",
} as const;
type Field = keyof typeof SELECTORS;
const FIELDS = Object.keys(SELECTORS) as Field[];

const string = (text: string): Hex => encodeAbiParameters([{ type: "string" }], [text]);
const bytes32 = (text: string): Hex => stringToHex(text, { size: 32 });
const number = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value]);

/** Puts a contract at a fresh address that gives these answers, and reverts where there is none. */
async function deployToken(changes: Partial<Record<Field, Hex | null>> = {}): Promise<Hex> {
  const answers = {
    name: string("Plain Token"),
    symbol: string("PLAIN"),
    decimals: number(18n),
    totalSupply: number(1000n),
    ...changes,
  };
  const given = FIELDS.flatMap((field) =>
    answers[field] === null ? [] : [{ field, answer: answers[field] }],
  );
  const word = (value: number) => value.toString(16).padStart(4, "0");
  // Selector on the stack; per answer: DUP1 PUSH4 EQ PUSH2 JUMPI, and at the end a revert.
  const headBytes = 6 + given.length * 11 + 5;
  // JUMPDEST, CODECOPY of the answer to memory, RETURN.
  const caseBytes = 16;
  const sizes = given.map(({ answer }) => (answer.length - 2) / 2);
  const dataStart = headBytes + given.length * caseBytes;
  const offsetOf = (index: number) => dataStart + sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
  const head = given.map(({ field }, i) => `8063${SELECTORS[field]}1461${word(headBytes + i * caseBytes)}57`);
  const cases = sizes.map((size, i) => `5b61${word(size)}61${word(offsetOf(i))}60003961${word(size)}6000f3`);
  const data = given.map(({ answer }) => answer.slice(2));
  return setCode(`0x60003560e01c${head.join("")}60006000fd${cases.join("")}${data.join("")}`);
}

const setCode = (code: Hex) => local.setCode(FRESH, code);

describe("tokens of the local chain", () => {
  test("a plain token is allowed after one batch, its code proven", async () => {
    const { plainToken } = local.devnet.contracts;
    const result = await describeToken(plainToken);
    expect(result).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "METADATA_READ"],
      findings: {
        name: "Plain Token",
        symbol: "PLAIN",
        decimals: 18,
        totalSupply: (10n ** 27n).toString(),
        labelForm: { name: "string", symbol: "string" },
        warnings: [],
        guard: { path: `/api/v1/capabilities/contract.guard/invoke?address=${lowercase(plainToken)}` },
      },
      batches: 1,
    });
    const code = await local.devnet.request<Hex>("eth_getCode", [plainToken, "latest"]);
    expect(result.gathered.fingerprint).toEqual({
      address: lowercase(plainToken),
      codeHash: result.facts[0]?.codeHash,
      bytecodeBytes: (code.length - 2) / 2,
      computedAtBlock: result.block.number,
    });
    expect(result.context.proofs.finish()).not.toBeNull();
    expect(() => verifyFacts(result.context.proofs, result.facts)).not.toThrow();
  });

  test("a token with bytes32 labels is allowed", async () => {
    expect(await describeToken(local.devnet.contracts.bytes32Token)).toMatchObject({
      verdict: "allow",
      findings: {
        name: "Bytes32 Token",
        symbol: "B32",
        decimals: 18,
        labelForm: { name: "bytes32", symbol: "bytes32" },
      },
      batches: 1,
    });
  });

  test("the well-known tokens are recognised at their own addresses", async () => {
    expect(await describeToken(local.devnet.contracts.weth)).toMatchObject({
      verdict: "allow",
      reasonCodes: expect.arrayContaining(["METADATA_READ", "CANONICAL_TOKEN"]),
      findings: { symbol: "WETH", canonical: { symbol: "WETH" } },
    });
    expect((await describeToken(local.devnet.stablecoin.address)).findings).toMatchObject({
      symbol: "USDC",
      canonical: { symbol: "USDC" },
    });
  });

  test("a token of tokens is no fungible one", async () => {
    const result = await describeToken(local.devnet.contracts.erc721);
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain("NOT_A_FUNGIBLE_TOKEN");
  });
});

describe("tokens that pretend", () => {
  test.each<[string, Partial<Record<Field, Hex>>, string]>([
    ["has USDC's symbol", { symbol: string("USDC") }, "CANONICAL_SYMBOL_ELSEWHERE"],
    ["has it as bytes32", { symbol: bytes32("USDC") }, "CANONICAL_SYMBOL_ELSEWHERE"],
    ["is called ETH", { symbol: string("ETH") }, "CANONICAL_SYMBOL_ELSEWHERE"],
    ["has a Cyrillic letter in it", { symbol: string("USDС") }, "LOOKALIKE_SYMBOL"],
    ["has USDC's name", { name: string("USD Coin") }, "CANONICAL_NAME_ELSEWHERE"],
    ["hides a bidirectional control", { name: string("Token\u202e") }, "LABEL_HIDDEN_CHARACTERS"],
    ["has no text for a name", { name: bytes32("\u00ff").replace("c3bf", "ffff") as Hex }, "LABEL_MALFORMED"],
    ["has 77 decimals", { decimals: number(77n) }, "DECIMALS_IMPLAUSIBLE"],
  ])("one that %s is a review", async (_, answers, reason) => {
    const result = await describeToken(await deployToken(answers));
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toContain(reason);
  });

  test("the same contract with honest answers is allowed", async () => {
    expect(await describeToken(await deployToken())).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "METADATA_READ"],
      findings: { name: "Plain Token", totalSupply: "1000" },
    });
  });

  test("a name without end is cut before it is recorded", async () => {
    const result = await describeToken(await deployToken({ name: string("x".repeat(5000)) }));
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", "LABEL_TOO_LONG"],
      findings: { name: "x".repeat(128), symbol: "PLAIN" },
    });
    expect(result.gathered.readings.name).toMatchObject({
      value: expect.stringMatching(/^0x[0-9a-f]{2048}$/),
    });
  });
});

describe("addresses that are no token", () => {
  test("an empty account is a review without fields", async () => {
    const result = await describeToken(FRESH);
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["NO_CODE"],
      findings: { form: "empty", name: null, decimals: null },
      batches: 1,
    });
    expect(result.gathered.fingerprint).toMatchObject({ codeHash: null, bytecodeBytes: 0 });
    expect(() => verifyFacts(result.context.proofs, result.facts)).not.toThrow();
  });

  test("a contract that refuses everything is a review", async () => {
    expect(await describeToken(await setCode("0x60006000fd"))).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", "LABEL_MISSING", "NOT_A_FUNGIBLE_TOKEN"],
    });
  });

  test.each<[Field, string]>([
    ["name", "LABEL_MISSING"],
    ["symbol", "LABEL_MISSING"],
    ["decimals", "NOT_A_FUNGIBLE_TOKEN"],
    ["totalSupply", "NOT_A_FUNGIBLE_TOKEN"],
  ])("a token without %s is a review that names it", async (field, code) => {
    expect(await describeToken(await deployToken({ [field]: null }))).toMatchObject({
      verdict: "review",
      findings: { warnings: [{ field, code }] },
    });
  });

  test("a native token's marker is noted, and without its precompile nothing is read", async () => {
    expect(await describeToken(await setCode("0xef"))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["NATIVE_TOKEN_CODE", "NOT_A_FUNGIBLE_TOKEN"]),
      findings: { form: "native_b20" },
    });
  });
});

describe("a node that fails", () => {
  test.each(FIELDS)("at %s makes a plain token a review that names it", async (field) => {
    const deaf = deafTo((read) => read.kind === "call" && read.data === `0x${SELECTORS[field]}`);
    expect(await describeToken(local.devnet.contracts.plainToken, deaf)).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", "METADATA_UNREAD"],
      findings: { [field]: null, warnings: [{ field, code: "METADATA_UNREAD" }] },
      limitations: expect.arrayContaining([`${field}() was not read: no node answered.`]),
    });
  });

  test("at the code makes it a review without a fingerprint", async () => {
    const result = await describeToken(
      local.devnet.contracts.plainToken,
      deafTo((read) => read.kind === "code"),
    );
    expect(result).toMatchObject({ verdict: "review", reasonCodes: ["CODE_UNREAD", "METADATA_READ"] });
    expect(result.gathered.fingerprint).toBeUndefined();
  });

  test("altogether leaves everything unread, not an error", async () => {
    const result = await describeToken(
      local.devnet.contracts.plainToken,
      deafTo(() => true),
    );
    expect(result).toMatchObject({ verdict: "review", reasonCodes: ["CODE_UNREAD", "METADATA_UNREAD"] });
    expect(result.findings.warnings).toHaveLength(4);
    expect(result.context.proofs.finish()).toBeNull();
  });
});
