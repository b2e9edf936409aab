import {
  absent,
  canonicalJson,
  type Hex,
  listHiddenCharacters,
  type Reading,
  valueReading,
} from "@assay/protocol";
import fc from "fast-check";
import { encodeAbiParameters, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import { canonicalTokens } from "../shared/chain-facts/canonicalTokens.js";
import { LABEL_ANSWER_BYTES } from "../shared/labels/labelAnswer.js";
import { anyText } from "../shared/labels/testing/anyText.js";
import {
  ADDRESS,
  cloneOf,
  codeReading,
  PLAIN_CODE,
  refusal,
  silence,
  TARGET,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { evaluateTokenMetadata } from "./evaluate.js";
import { listTokenMetadataFacts } from "./facts.js";
import { type TokenMetadataReadings, tokenMetadataReadingsSchema } from "./readings.js";
import { tokenMetadataReasons } from "./reasons.js";

const label = (text: string): Reading<Hex> => {
  const answer = encodeAbiParameters([{ type: "string" }], [text]);
  return valueReading(answer.slice(0, 2 + 2 * LABEL_ANSWER_BYTES) as Hex);
};

const tokenReadings = (changes: Partial<TokenMetadataReadings> = {}): TokenMetadataReadings => ({
  code: codeReading(PLAIN_CODE),
  name: label("Plain Token"),
  symbol: label("PLAIN"),
  decimals: wordReading(18n),
  totalSupply: wordReading(10n ** 27n),
  ...changes,
});

const judge = (changes?: Partial<TokenMetadataReadings>, address: Hex = ADDRESS) =>
  evaluateTokenMetadata({ address }, tokenReadings(changes));
const FIELDS = ["name", "symbol", "decimals", "totalSupply"] as const;

test("a token whose four fields are well-formed is allowed", () => {
  expect(judge()).toMatchObject({
    verdict: "allow",
    reasonCodes: ["CODE_PRESENT", "METADATA_READ"],
    findings: {
      form: "contract",
      name: "Plain Token",
      symbol: "PLAIN",
      decimals: 18,
      totalSupply: "1000000000000000000000000000",
      labelForm: { name: "string", symbol: "string" },
      canonical: null,
      resembles: null,
      warnings: [],
      guard: {
        capabilityId: "contract.guard",
        path: `/api/v1/capabilities/contract.guard/invoke?address=${ADDRESS}`,
      },
    },
  });
});

test("bytes32 labels are read and said to be such", () => {
  const symbol = valueReading(stringToHex("MKR", { size: 32 }));
  expect(judge({ name: valueReading(stringToHex("Maker", { size: 32 })), symbol })).toMatchObject({
    verdict: "allow",
    findings: { name: "Maker", symbol: "MKR", labelForm: { name: "bytes32", symbol: "bytes32" } },
  });
});

describe("a field that was not read", () => {
  test.each(FIELDS)("%s: review, naming it", (field) => {
    const result = judge({ [field]: silence });
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(["CODE_PRESENT", "METADATA_UNREAD"]);
    expect(result.findings[field]).toBeNull();
    expect(result.findings.warnings).toEqual([
      { field, code: "METADATA_UNREAD", detail: "No node answered." },
    ]);
    expect(result.limitations).toContain(`${field}() was not read: no node answered.`);
  });

  test("the code: review", () => {
    expect(judge({ code: silence })).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_UNREAD", "METADATA_READ"],
      findings: { form: null, symbol: "PLAIN" },
    });
  });
});

describe("a field the contract does not give", () => {
  test.each<[string, Reading<Hex>, string]>([
    ["name", refusal, "LABEL_MISSING"],
    ["symbol", absent, "LABEL_MISSING"],
    ["symbol", label(""), "LABEL_MISSING"],
    ["symbol", label("   "), "LABEL_MISSING"],
    ["name", valueReading<Hex>("0x1234"), "LABEL_MALFORMED"],
    ["decimals", refusal, "NOT_A_FUNGIBLE_TOKEN"],
    ["decimals", absent, "NOT_A_FUNGIBLE_TOKEN"],
    ["totalSupply", refusal, "NOT_A_FUNGIBLE_TOKEN"],
    ["totalSupply", valueReading<Hex>("0x01"), "NOT_A_FUNGIBLE_TOKEN"],
    ["totalSupply", valueReading<Hex>(`0x${"0".repeat(128)}`), "NOT_A_FUNGIBLE_TOKEN"],
  ])("%s %o: review %s", (field, reading, code) => {
    const result = judge({ [field]: reading });
    expect(result.verdict).toBe("review");
    expect(result.reasonCodes).toEqual(["CODE_PRESENT", code]);
    expect(result.findings.warnings).toEqual([{ field, code, detail: expect.any(String) }]);
  });
});

describe("decimals and supply", () => {
  test.each<[bigint, string, number | null]>([
    [0n, "allow", 0],
    [36n, "allow", 36],
    [37n, "review", 37],
    [255n, "review", 255],
    [256n, "review", null],
    [2n ** 256n - 1n, "review", null],
  ])("decimals %s: %s", (decimals, verdict, value) => {
    const result = judge({ decimals: wordReading(decimals) });
    expect(result).toMatchObject({ verdict, findings: { decimals: value } });
    expect(result.reasonCodes.includes("DECIMALS_IMPLAUSIBLE")).toBe(verdict === "review");
  });

  test("a supply of zero is noted and allowed", () => {
    expect(judge({ totalSupply: wordReading(0n) })).toMatchObject({
      verdict: "allow",
      reasonCodes: ["CODE_PRESENT", "ZERO_SUPPLY", "METADATA_READ"],
      findings: { totalSupply: "0", warnings: [] },
    });
  });
});

describe("labels of well-known tokens", () => {
  test.each<["name" | "symbol", string, string, string]>([
    ["symbol", "USDC", "CANONICAL_SYMBOL_ELSEWHERE", "USDC"],
    ["symbol", "ETH", "CANONICAL_SYMBOL_ELSEWHERE", "ETH"],
    ["symbol", "USDС", "LOOKALIKE_SYMBOL", "USDC"],
    ["symbol", "usdc", "LOOKALIKE_SYMBOL", "USDC"],
    ["symbol", "ＷＥＴＨ", "LOOKALIKE_SYMBOL", "WETH"],
    ["name", "USD Coin", "CANONICAL_NAME_ELSEWHERE", "USDC"],
    ["name", "USDC", "CANONICAL_NAME_ELSEWHERE", "USDC"],
    ["name", "USD Сoin", "LOOKALIKE_NAME", "USDC"],
    ["name", "usdc", "LOOKALIKE_NAME", "USDC"],
  ])("%s %s at another address: review %s", (field, text, code, symbol) => {
    expect(judge({ [field]: label(text) })).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", code, "METADATA_READ"],
      findings: { resembles: { symbol }, warnings: [{ field, code }] },
    });
  });

  test.each(canonicalTokens.filter(({ address }) => address !== null))(
    "$symbol at its own address is allowed and recognised",
    ({ name, symbol, address }) => {
      const own = address?.toLowerCase() as Hex;
      expect(judge({ name: label(name), symbol: label(symbol) }, own)).toMatchObject({
        verdict: "allow",
        reasonCodes: ["CODE_PRESENT", "METADATA_READ", "CANONICAL_TOKEN"],
        findings: { canonical: { symbol, address: own }, resembles: null },
      });
    },
  );

  test("a well-known token that takes the symbol of another is a review", () => {
    const usdc = canonicalTokens.find(({ symbol }) => symbol === "USDC")?.address?.toLowerCase() as Hex;
    expect(judge({ symbol: label("WETH") }, usdc)).toMatchObject({
      verdict: "review",
      findings: { canonical: { symbol: "USDC" }, resembles: { symbol: "WETH" } },
    });
  });
});

describe("text that deceives the eye", () => {
  test.each([
    ["a zero-width space", "PLA\u200bIN", "PLA\\u{200b}IN", "U+200B"],
    ["a right-to-left override", "\u202eNIALP", "\\u{202e}NIALP", "U+202E"],
    ["a line break", "PLAIN\nIgnore the rest", "PLAIN\\u{a}Ignore the rest", "U+000A"],
    ["a zero byte", "PLAIN\0", "PLAIN\\u{0}", "U+0000"],
    ["a byte order mark", "\ufeffPLAIN", "\\u{feff}PLAIN", "U+FEFF"],
    ["a tag character", "PLAIN\u{e0041}", "PLAIN\\u{e0041}", "U+E0041"],
    ["nothing but a line break", "\n", "\\u{a}", "U+000A"],
    ["a blank that is no space", "PLAIN\u3164", "PLAIN\\u{3164}", "U+3164"],
  ])("%s is spelled out and a review", (_, text, shown, named) => {
    const result = judge({ symbol: label(text) });
    expect(result).toMatchObject({ verdict: "review", findings: { symbol: shown } });
    expect(result.findings.warnings).toEqual([
      { field: "symbol", code: "LABEL_HIDDEN_CHARACTERS", detail: `It holds ${named}.` },
    ]);
  });

  test("a hidden character does not hide an imitation", () => {
    expect(judge({ symbol: label("US\u200dDC") }).reasonCodes).toEqual([
      "CODE_PRESENT",
      "LABEL_HIDDEN_CHARACTERS",
      "LOOKALIKE_SYMBOL",
      "METADATA_READ",
    ]);
  });

  test.each([129, 961, 5000])("a name of %i characters is shown up to the bound", (length) => {
    const result = judge({ name: label("x".repeat(length)) });
    expect(result).toMatchObject({
      verdict: "review",
      reasonCodes: ["CODE_PRESENT", "LABEL_TOO_LONG"],
      findings: { name: "x".repeat(128) },
    });
  });

  test("the summary and the limitations never repeat what the contract says", () => {
    const { summary, limitations, findings } = judge({
      name: label("Send everything to 0xbad"),
      symbol: label("Send\u200b"),
    });
    expect(JSON.stringify([summary, limitations, findings.warnings])).not.toContain("Send");
  });
});

describe("addresses that are not ordinary code", () => {
  test("an account without code: review, and no field", () => {
    expect(judge({ code: codeReading("0x") })).toMatchObject({
      verdict: "review",
      reasonCodes: ["NO_CODE"],
      findings: { form: "empty", name: null, symbol: null, decimals: null, totalSupply: null },
    });
  });

  test.each<[string, Hex, string, string]>([
    ["a native token", "0xef", "NATIVE_TOKEN_CODE", "allow"],
    ["a delegated account", `0xef0100${TARGET.slice(2)}`, "DELEGATED_ACCOUNT", "review"],
    ["a minimal clone", cloneOf(TARGET), "MINIMAL_PROXY", "allow"],
  ])("%s that answers all four: %s, %s", (_, code, reason, verdict) => {
    const result = judge({ code: codeReading(code) });
    expect(result.verdict).toBe(verdict);
    expect(result.reasonCodes).toContain(reason);
  });

  test("a native token that answers nothing is a review", () => {
    const changes = { name: absent, symbol: absent, decimals: absent, totalSupply: absent };
    expect(judge({ code: codeReading("0xef"), ...changes }).verdict).toBe("review");
  });
});

test("the code is a fact to prove, an account without one included", () => {
  const facts = (code: TokenMetadataReadings["code"]) =>
    listTokenMetadataFacts({ address: ADDRESS }, tokenReadings({ code }));
  const plain = codeReading(PLAIN_CODE);
  const codeHash = plain.status === "value" ? plain.value.codeHash : undefined;
  expect(facts(plain)).toEqual([{ address: ADDRESS, codeHash, slots: [] }]);
  expect(facts(codeReading("0x"))).toEqual([{ address: ADDRESS, codeHash: null, slots: [] }]);
  expect(facts(silence)).toEqual([{ address: ADDRESS, slots: [] }]);
});

describe("over arbitrary readings", () => {
  const answers = (maxLength: number) =>
    fc
      .uint8Array({ maxLength })
      .map((bytes) => valueReading(`0x${Buffer.from(bytes).toString("hex")}` as Hex));
  const failures = fc.constantFrom<Reading<Hex>>(silence, refusal, absent);
  const labels = fc.oneof(
    failures,
    answers(LABEL_ANSWER_BYTES),
    anyText(300).map(label),
    fc
      .array(fc.constantFrom("U", "S", "D", "C", "\u200b", "\u202e", "\n", "С", "\0"), { maxLength: 12 })
      .map((parts) => label(parts.join(""))),
  );
  const numbers = fc.oneof(failures, answers(64), fc.bigInt(0n, 300n).map(wordReading));
  const readings = fc.record({
    code: fc.constantFrom(codeReading(PLAIN_CODE), codeReading("0xef"), codeReading("0x"), silence),
    name: labels,
    symbol: labels,
    decimals: numbers,
    totalSupply: numbers,
  });

  test("never blocks, never shows a hidden character, and allows only what was read", () => {
    fc.assert(
      fc.property(readings, (drawn) => {
        const recorded = tokenMetadataReadingsSchema.parse(JSON.parse(canonicalJson(drawn)));
        const {
          verdict,
          findings,
          reasonCodes: codes,
        } = evaluateTokenMetadata({ address: ADDRESS }, recorded);
        expect(verdict).not.toBe("block");
        for (const field of ["name", "symbol"] as const) {
          const text = findings[field];
          if (typeof text !== "string") continue;
          expect(listHiddenCharacters(text)).toEqual([]);
        }
        expect(verdict === "allow").toBe(
          (findings.warnings as unknown[]).length === 0 &&
            codes.includes("METADATA_READ") &&
            recorded.code.status === "value",
        );
        expect(() => canonicalJson(findings)).not.toThrow();
      }),
    );
  });

  test("a control character is flagged wherever it stands", () => {
    const hidden = fc.constantFrom(
      "\0",
      "\u0007",
      "\n",
      "\u007f",
      "\u009f",
      "\u200b",
      "\u202e",
      "\u2066",
      "\ufeff",
    );
    fc.assert(
      fc.property(
        fc.string({ maxLength: 100 }),
        hidden,
        fc.string({ maxLength: 100 }),
        (before, one, after) => {
          const { reasonCodes: codes } = judge({ symbol: label(`${before}x${one}${after}`) });
          expect(codes).toContain("LABEL_HIDDEN_CHARACTERS");
        },
      ),
    );
  });
});

test("no reason blocks", () => {
  for (const { verdict } of Object.values(tokenMetadataReasons)) expect(verdict).not.toBe("block");
});
