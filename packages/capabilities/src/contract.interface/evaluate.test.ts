import { canonicalJson, type Hex, valueReading, verdictSchema } from "@assay/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codeForms, fingerprintBytecode } from "../shared/code/fingerprintBytecode.js";
import { MAX_SCANNED_BYTES } from "../shared/code/selectorScan.js";
import { knownSlots } from "../shared/proxies/knownSlots.js";
import {
  ADDRESS,
  cloneOf,
  codeReading,
  OTHER,
  refusal,
  silence,
  TARGET,
  word,
  wordReading,
} from "../shared/proxies/testing/sampleReadings.js";
import { scanOf } from "../testing/scanOf.js";
import { contractInterface } from "./capability.js";
import { evaluateContractInterface } from "./evaluate.js";
import { listContractInterfaceFacts } from "./facts.js";
import { type ContractInterfaceReadings, contractInterfaceReadingsSchema } from "./readings.js";
import { contractInterfaceReasons } from "./reasons.js";
import { probesOf, selectorsOf, tokenBehind, tokenReadings } from "./testing/sampleInterfaceReadings.js";

const judge = (readings: ContractInterfaceReadings) =>
  evaluateContractInterface({ address: ADDRESS }, readings);
const yes = wordReading(1n);
const clone = tokenReadings({
  code: codeReading(cloneOf(TARGET)),
  scan: scanOf([]),
  implementation: tokenBehind(),
});
const proxy = tokenReadings({
  scan: scanOf([]),
  slots: { eip1967Implementation: wordReading(TARGET) },
  implementation: tokenBehind(),
});
const beaconProxy = tokenReadings({
  scan: scanOf([]),
  slots: { eip1967Beacon: wordReading(OTHER) },
  beaconImplementation: valueReading(TARGET),
  implementation: tokenBehind({ slots: null }),
});
const collection = tokenReadings({
  scan: scanOf(selectorsOf("erc165", "erc721", "erc721Metadata")),
  probes: probesOf.erc721,
});
const multiToken = tokenReadings({
  scan: scanOf(selectorsOf("erc165", "erc1155")),
  probes: probesOf.erc1155,
});
const nothing = tokenReadings({ scan: scanOf([]), probes: probesOf.nothing });
const allowed = { token: tokenReadings(), clone, collection, multiToken, nothing };

describe("what agrees is allowed", () => {
  test.each<[string, ContractInterfaceReadings, string[], Record<string, string>]>([
    [
      "a token",
      allowed.token,
      ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC20_DETECTED"],
      { erc20: "yes", erc721: "no" },
    ],
    [
      "a clone",
      clone,
      ["CODE_PRESENT", "MINIMAL_PROXY", "NO_PROXY_SLOT", "ERC20_DETECTED"],
      { erc20: "yes" },
    ],
    [
      "a collection",
      collection,
      ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC165_DETECTED", "ERC721_DETECTED"],
      { erc20: "no", erc165: "yes", erc721: "yes", erc721Metadata: "yes", erc1155: "no" },
    ],
    [
      "a multi-token",
      multiToken,
      ["CODE_PRESENT", "NO_PROXY_SLOT", "ERC165_DETECTED", "ERC1155_DETECTED"],
      { erc165: "yes", erc721: "no", erc1155: "yes" },
    ],
    ["no token at all", nothing, ["CODE_PRESENT", "NO_PROXY_SLOT", "NO_STANDARD_DETECTED"], { erc20: "no" }],
  ])("%s", (_, readings, codes, standards) => {
    const evaluation = judge(readings);
    expect(evaluation).toMatchObject({ verdict: "allow", reasonCodes: codes });
    for (const [name, answer] of Object.entries(standards))
      expect(evaluation.findings.standards).toMatchObject({ [name]: { implements: answer } });
  });

  test("an enumerable collection, whose supply can be asked for, is no ERC-20 token", () => {
    const selectors = [...selectorsOf("erc165", "erc721"), "0x18160ddd"];
    const probes = { ...probesOf.erc721, supportsErc721Metadata: wordReading(0n), totalSupply: yes };
    expect(judge(tokenReadings({ scan: scanOf(selectors), probes }))).toMatchObject({
      verdict: "allow",
      findings: {
        standards: {
          erc20: {
            implements: "no",
            selectorsFound: 4,
            selectorsMissing: ["transfer(address,uint256)", "allowance(address,address)"],
          },
        },
      },
    });
  });
});

describe("what contradicts itself is a review", () => {
  test.each<[string, ContractInterfaceReadings, string, Record<string, string>]>([
    [
      "a claim without the functions",
      { ...collection, scan: scanOf(selectorsOf("erc165")) },
      "ERC165_CLAIM_WITHOUT_SELECTORS",
      { erc721: "unknown" },
    ],
    [
      "the functions without a claim",
      { ...collection, probes: { ...collection.probes, supportsErc721: wordReading(0n) } },
      "SELECTORS_WITHOUT_ERC165_CLAIM",
      { erc721: "probable" },
    ],
    [
      "yes to every id",
      { ...collection, probes: { ...collection.probes, supportsInvalid: yes } },
      "ERC165_NOT_FOLLOWED",
      { erc165: "no", erc721: "probable" },
    ],
    [
      "a refusal of the invalid id",
      { ...collection, probes: { ...collection.probes, supportsInvalid: refusal } },
      "ERC165_NOT_FOLLOWED",
      { erc165: "no" },
    ],
    [
      "all selectors, and a supply that cannot be read",
      tokenReadings({ probes: { totalSupply: refusal } }),
      "PROBE_CONTRADICTS_SELECTORS",
      { erc20: "unknown" },
    ],
    [
      "a balance of three bytes",
      tokenReadings({ probes: { balanceOf: valueReading<Hex>("0x000001") } }),
      "PROBE_CONTRADICTS_SELECTORS",
      { erc20: "unknown" },
    ],
    [
      "decimals beyond a byte",
      tokenReadings({ probes: { decimals: wordReading(256n) } }),
      "PROBE_CONTRADICTS_SELECTORS",
      { erc20: "yes" },
    ],
    [
      "answers from functions nobody found",
      tokenReadings({ scan: scanOf([]) }),
      "PROBE_CONTRADICTS_SELECTORS",
      { erc20: "probable" },
    ],
    [
      "a claim that is no boolean, from a function that is there",
      { ...collection, probes: { ...collection.probes, supportsErc165: wordReading(2n) } },
      "PROBE_CONTRADICTS_SELECTORS",
      { erc165: "no" },
    ],
  ])("%s", (_, readings, code, standards) => {
    const evaluation = judge(readings);
    expect(evaluation.verdict).toBe("review");
    expect(evaluation.reasonCodes).toContain(code);
    for (const [name, answer] of Object.entries(standards))
      expect(evaluation.findings.standards).toMatchObject({ [name]: { implements: answer } });
  });
});

describe("proxies", () => {
  test.each<[string, ContractInterfaceReadings, string]>([
    ["an implementation slot", proxy, "PROXY_EIP1967"],
    ["a beacon slot", beaconProxy, "PROXY_BEACON"],
    ["an admin alone", tokenReadings({ slots: { eip1967Admin: wordReading(OTHER) } }), "PROXY_ADMIN_SET"],
    [
      "more than an address",
      tokenReadings({ slots: { eip1967Admin: wordReading(2n ** 255n) } }),
      "PROXY_SLOT_MALFORMED",
    ],
    [
      "two slots that differ",
      { ...proxy, slots: { ...proxy.slots, eip1822Implementation: wordReading(OTHER) } },
      "CONFLICTING_PROXY_SLOTS",
    ],
    [
      "no code behind",
      { ...proxy, implementation: tokenBehind({ code: codeReading("0x"), scan: null }) },
      "IMPLEMENTATION_HAS_NO_CODE",
    ],
    [
      "other code than was read",
      { ...proxy, implementation: tokenBehind({ address: OTHER }) },
      "IMPLEMENTATION_UNREAD",
    ],
    [
      "a beacon that refuses",
      { ...beaconProxy, beaconImplementation: refusal, implementation: null },
      "BEACON_UNREADABLE",
    ],
    [
      "a silent beacon",
      { ...beaconProxy, beaconImplementation: silence, implementation: null },
      "IMPLEMENTATION_UNREAD",
    ],
    [
      "a clone of a clone",
      { ...clone, implementation: tokenBehind({ code: codeReading(cloneOf(OTHER)) }) },
      "FOLLOW_BOUND_REACHED",
    ],
    [
      "a clone of a proxy",
      {
        ...clone,
        implementation: tokenBehind({ slots: { eip1967Implementation: wordReading(OTHER) } }),
      },
      "TARGET_IS_PROXY",
    ],
  ])("%s is a review", (_, readings, code) => {
    expect(judge(readings)).toMatchObject({ verdict: "review", reasonCodes: expect.arrayContaining([code]) });
  });

  test("functions are searched in the implementation, not in the proxy", () => {
    expect(judge(proxy).findings).toMatchObject({
      standards: { erc20: { implements: "yes", selectorsMissing: [] } },
      proxy: { kind: "eip1967", implementation: TARGET },
      controlSlots: { eip1967Implementation: TARGET, eip1967Admin: null },
      scans: { subject: { selectors: 0 }, implementation: { selectors: 7 } },
    });
    const swapped = {
      ...proxy,
      scan: tokenReadings().scan,
      implementation: tokenBehind({ scan: scanOf([]) }),
    };
    expect(judge(swapped).findings).toMatchObject({ standards: { erc20: { implements: "probable" } } });
  });
});

describe("code that cannot be scanned", () => {
  test("none implements nothing", () => {
    expect(
      judge(tokenReadings({ code: codeReading("0x"), scan: null, probes: probesOf.nothing })),
    ).toMatchObject({
      verdict: "review",
      reasonCodes: ["NO_CODE"],
      findings: {
        isContract: false,
        standards: { erc20: { implements: "no" }, erc165: { implements: "no" } },
      },
    });
  });

  test("a native token's standard is probable by its answers alone", () => {
    expect(judge(tokenReadings({ code: codeReading("0xef"), scan: null }))).toMatchObject({
      verdict: "review",
      reasonCodes: expect.arrayContaining(["NATIVE_TOKEN_CODE", "STANDARD_UNCERTAIN"]),
      findings: { standards: { erc20: { implements: "probable" } } },
    });
  });

  test("a delegated account is judged by the code it runs, and is a review", () => {
    const code = codeReading(`0xef0100${TARGET.slice(2)}`);
    expect(judge(tokenReadings({ code, scan: null, implementation: tokenBehind() }))).toMatchObject({
      verdict: "review",
      reasonCodes: ["DELEGATED_ACCOUNT", "NO_PROXY_SLOT", "ERC20_DETECTED"],
    });
  });

  test("code that is too large, or takes too long, is a review", () => {
    const large = valueReading({ ...fingerprintBytecode("0x6080"), bytecodeBytes: MAX_SCANNED_BYTES + 1 });
    expect(judge(tokenReadings({ code: large, scan: silence })).reasonCodes).toContain("CODE_TOO_LARGE");
    expect(judge(tokenReadings({ scan: silence })).reasonCodes).toContain("SCAN_UNFINISHED");
    expect(judge(tokenReadings({ scan: null })).reasonCodes).toContain("SCAN_UNFINISHED");
  });
});

test("nothing ever blocks", () => {
  expect(Object.values(contractInterfaceReasons)).not.toContain("block");
});

test("the facts are code and slots, and a beacon's choice is none", () => {
  const input = { address: ADDRESS };
  expect(listContractInterfaceFacts(input, proxy)).toEqual([
    {
      address: ADDRESS,
      codeHash: proxy.code.status === "value" ? proxy.code.value.codeHash : null,
      slots: expect.arrayContaining([{ slot: knownSlots.eip1967Implementation, value: word(TARGET) }]),
    },
    expect.objectContaining({ address: TARGET, slots: expect.arrayContaining([]) }),
  ]);
  expect(listContractInterfaceFacts(input, beaconProxy).map(({ address }) => address)).toEqual([ADDRESS]);
});

const RECORDED = { status: "unanswered", reason: "timeout" };

/** Copies of the value in which one reading after another has gone unanswered. */
function listSilenced(value: unknown, path = ""): { path: string; copy: unknown }[] {
  if (typeof value !== "object" || value === null) return [];
  if ("status" in value) return [{ path, copy: RECORDED }];
  return Object.entries(value).flatMap(([key, child]) =>
    listSilenced(child, `${path}/${key}`).map(({ path, copy }) => ({
      path,
      copy: { ...value, [key]: copy },
    })),
  );
}

const silenced = Object.entries(allowed).flatMap(([name, readings]) =>
  listSilenced(readings).map(({ path, copy }) => ({ name: `${name}${path}`, copy })),
);

test("the samples cover every reading of an address and of what is behind it", () => {
  expect(silenced).toHaveLength(5 * 15 + 6);
});

test.each(silenced)("$name unanswered is never allow", ({ copy }) => {
  expect(judge(contractInterfaceReadingsSchema.parse(copy)).verdict).toBe("review");
});

const address = fc.constantFrom(TARGET, OTHER, ADDRESS);
const words = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 2n ** 256n - 1n).map((value) => word(value)),
  address.map((value) => word(value)),
);
const bytes = fc.oneof(
  words,
  fc.uint8Array({ maxLength: 64 }).map((value): Hex => `0x${Buffer.from(value).toString("hex")}`),
);
const reading = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof(
    { weight: 6, arbitrary: value.map((read) => ({ status: "value" as const, value: read })) },
    { weight: 1, arbitrary: fc.constant({ status: "absent" as const }) },
    { weight: 1, arbitrary: fc.constant({ status: "reverted" as const, data: null }) },
    { weight: 1, arbitrary: fc.constant(RECORDED as typeof silence) },
  );
const slot = reading(words);
const code = reading(
  fc.record({
    codeHash: words,
    bytecodeBytes: fc.nat(),
    strippedCodeHash: fc.option(words),
    form: fc.constantFrom(...codeForms),
    target: fc.option(address),
  }),
);
const scan = fc.option(
  reading(
    fc.record({
      scanner: fc.constant("sample 1.0.0"),
      source: fc.constantFrom("now" as const, "reused" as const),
      selectors: fc
        .subarray(["erc165", "erc20", "erc721", "erc721Metadata", "erc1155"] as const)
        .map((names) => [...new Set(selectorsOf(...names))]),
    }),
  ),
);
const slots = {
  eip1967Implementation: slot,
  eip1967Beacon: slot,
  eip1822Implementation: slot,
  zeppelinosImplementation: slot,
};
const answer = reading(bytes);
const anyReadings = fc.record({
  code,
  scan,
  slots: fc.record({ ...slots, eip1967Admin: slot }),
  probes: fc.record({
    supportsErc165: answer,
    supportsInvalid: answer,
    supportsErc721: answer,
    supportsErc721Metadata: answer,
    supportsErc1155: answer,
    totalSupply: answer,
    balanceOf: answer,
    decimals: answer,
  }),
  beaconImplementation: fc.option(reading(address)),
  implementation: fc.option(fc.record({ address, code, scan, slots: fc.option(fc.record(slots)) })),
});

test("any readings the schema accepts get one verdict, always the same", () => {
  fc.assert(
    fc.property(anyReadings, (generated) => {
      const readings = contractInterfaceReadingsSchema.parse(generated);
      const evaluation = judge(readings);
      expect(verdictSchema.parse(evaluation.verdict)).not.toBe("block");
      expect(evaluation.reasonCodes.length).toBeGreaterThan(0);
      const again = judge(contractInterfaceReadingsSchema.parse(JSON.parse(canonicalJson(readings))));
      expect(canonicalJson(again)).toBe(canonicalJson(evaluation));
    }),
  );
});

test("silencing any one reading of any readings never turns a review into allow", () => {
  fc.assert(
    fc.property(anyReadings, fc.nat(), (generated, pick) => {
      const readings = contractInterfaceReadingsSchema.parse(generated);
      const choices = listSilenced(readings);
      const chosen = choices[pick % choices.length];
      const after = judge(contractInterfaceReadingsSchema.parse(chosen?.copy)).verdict;
      if (judge(readings).verdict !== "allow") expect(after).toBe("review");
    }),
  );
});

test("the rule has the version it is sold under", () => {
  expect(contractInterface).toMatchObject({ id: "contract.interface", version: "1.1.0" });
});
