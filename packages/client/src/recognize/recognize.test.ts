import { listKnownTokens } from "@assay/capabilities/knownTokens";
import fc from "fast-check";
import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import { ODD_PASTES } from "../testing/oddPastes.js";
import { ALICE, APPROVE, account, json, onBase, operation, PASTES, permit, USDC } from "../testing/pastes.js";
import { hasWrongChecksum } from "./findWrongChecksum.js";
import { recognize } from "./recognize.js";

const tokens = listKnownTokens();
describe("a pasted text", () => {
  it("is recognized in more than sixty forms", () => expect(PASTES.length).toBeGreaterThanOrEqual(60));

  it.each([...PASTES, ...ODD_PASTES])("%s", (_, text, kind, capability) => {
    const found = recognize(text, { tokens });
    expect([found.kind, found.questions[0]?.capabilityId ?? null]).toEqual([kind, capability]);
    // What cannot be asked says why; what can be asked raises no doubt.
    expect(found.problem === undefined).toBe(capability !== null);
  });

  it("is refused wherever it may be a key, and a hash comes with a warning that a key looks the same", () => {
    const keys = [...PASTES, ...ODD_PASTES].filter(([name]) =>
      /seed phrase|private key|the file of a wallet|^a key /.test(name),
    );
    const refused = keys.filter(([, text]) => recognize(text).problem?.includes("show it to nobody"));
    expect(refused.map(([name]) => name)).toEqual(
      keys.map(([name]) => name).filter((name) => !name.startsWith("a text that asks")),
    );
    expect(refused.length).toBeGreaterThanOrEqual(16);
    expect(recognize(`0x${"ab".repeat(32)}`).note).toContain("private key");
  });

  it("names every token that an ambiguous symbol may mean, and chooses none", () => {
    const { tokens: named, questions } = recognize("PEPE", { tokens });
    expect(named?.length).toBe(2);
    expect(questions).toEqual([]);
  });

  it("says what is missing, and takes it from the caller", () => {
    const missingIn = (text: string, context = {}) => recognize(text, context).questions[0]?.missing;
    expect(missingIn(APPROVE)).toEqual(["from", "to"]);
    expect(missingIn(APPROVE, { from: ALICE })).toEqual(["to"]);
    expect(recognize(APPROVE, { from: ALICE, to: USDC, value: "0x10" }).questions[0]).toMatchObject({
      input: { from: ALICE, to: USDC, data: APPROVE, value: "16" },
      missing: [],
    });
    expect(missingIn(json(permit))).toEqual(["signer"]);
    expect(missingIn(json(permit), { from: ALICE })).toEqual([]);
    expect(missingIn(json(operation))).toEqual(["userOperation.entryPoint"]);
    expect(missingIn("Please sign this")).toEqual(["signer"]);
  });

  it("keeps what a paste says against what the caller says", () => {
    const tx = json({ from: ALICE, to: USDC, data: APPROVE });
    expect(recognize(tx, { from: USDC, to: ALICE }).questions[0]?.input).toMatchObject({
      from: ALICE,
      to: USDC,
    });
    expect(recognize(onBase, { from: USDC }).questions[0]?.input).toMatchObject({
      from: account.address.toLowerCase(),
      value: parseEther("1").toString(),
    });
  });

  it("a text to sign is kept as it is, with its blanks", () => {
    expect(recognize(" Please sign \n", { from: ALICE }).questions[0]?.input.personalMessage).toBe(
      " Please sign \n",
    );
  });
});

describe("any text", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFx{}[]":, \n'), maxLength: 200 }),
    fc.json(),
    fc.constantFrom(...[...PASTES, ...ODD_PASTES].map(([, text]) => text)),
    fc.webUrl(),
  );
  const anyText = fc.oneof(
    piece,
    fc.tuple(piece, piece).map(([one, other]) => one + other),
  );
  it("is recognized without an error, as a question or with a problem", () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, hasSender) => {
        const found = recognize(text, { tokens, ...(hasSender && { from: ALICE }) });
        expect(found.questions.length === 0).toBe(found.problem !== undefined);
      }),
      { numRuns: Number(process.env.ASSAY_PROPERTY_RUNS ?? 300) },
    );
  });

  it("with one digit of an address changed is refused, unless that digit carries no case", () => {
    const digit = fc.constantFrom(..."0123456789abcdefABCDEF");
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 41 }), digit, (at, other) => {
        const changed = USDC.slice(0, at) + other + USDC.slice(at + 1);
        fc.pre(changed.toLowerCase() !== USDC.toLowerCase());
        // The checksum has a bit for each letter: another address agrees with it by chance, once in thousands.
        if (!hasWrongChecksum(changed)) return;
        expect(recognize(changed).questions).toEqual([]);
      }),
    );
    const wrong = [...USDC.slice(2)].filter((_, at) => {
      const swapped = USDC[at + 2] === "0" ? "1" : "0";
      return hasWrongChecksum(USDC.slice(0, at + 2) + swapped + USDC.slice(at + 3));
    });
    expect(wrong).toHaveLength(40);
  });
});
