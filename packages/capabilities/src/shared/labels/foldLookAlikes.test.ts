import { lookAlikeCharacters } from "@assay/protocol";
import fc from "fast-check";
import { getAddress } from "viem";
import { describe, expect, test } from "vitest";
import { canonicalTokens } from "../chain-facts/canonicalTokens.js";
import { foldLookAlikes, looksLike } from "./foldLookAlikes.js";
import { anyText } from "./testing/anyText.js";

const passesFor = (one: string, other: string) => looksLike(foldLookAlikes(one), foldLookAlikes(other));

test.each([
  ["usdc", "USDC", "case"],
  ["ＵＳＤＣ", "USDC", "full width"],
  ["𝐔𝐒𝐃𝐂", "USDC", "mathematical letters"],
  ["ⓊⓈⒹⒸ", "USDC", "circled letters"],
  ["🅤🅢🅓🅒", "USDC", "filled circles"],
  ["🇺🇸🇩🇨", "USDC", "regional indicators"],
  ["\u{1ccea}\u{1cce8}\u{1ccd9}\u{1ccd8}", "USDC", "outlined letters, new in Unicode 16"],
  ["USDС", "USDC", "a Cyrillic es"],
  ["UЅDC", "USDC", "a Cyrillic dze"],
  ["USDϹ", "USDC", "a lunate sigma"],
  ["U5DC", "USDC", "a five"],
  ["U$DC", "USDC", "a dollar sign inside"],
  ["$USDC", "USDC", "a dollar sign in front"],
  ["USDC.", "USDC", "a full stop"],
  ["U S D C", "USDC", "spaces"],
  ["ÚSDĆ", "USDC", "accents"],
  ["U\u0336S\u0336D\u0336C\u0336", "USDC", "strokes through"],
  ["US\u200bDC", "USDC", "a zero-width space"],
  ["\u202eUSDC", "USDC", "a bidirectional control"],
  ["ꓴꓢꓓꓚ", "USDC", "Lisu letters"],
  ["ԜЕТН", "WETH", "Cyrillic letters"],
  ["ΕΤΗ", "ETH", "Greek letters"],
  ["VVETH", "WETH", "two letters for one"],
  ["ᴡᴇᴛʜ", "WETH", "small capitals"],
  ["DAl", "DAI", "a small L for a capital i"],
  ["DA1", "DAI", "a one"],
  ["AER0", "AERO", "a zero"],
  ["cb₿TC", "cbBTC", "a bitcoin sign"],
  ["DAI STABLECOIN", "Dai Stablecoin", "a name in capitals"],
])("%s passes for %s: %s", (label, canonical) => {
  expect(passesFor(label, canonical)).toBe(true);
});

test.each([
  ["DAL", "DAI"],
  ["ETHX", "ETH"],
  ["WETH", "ETH"],
  ["USDC.e", "USDC"],
  ["USDbC", "USDC"],
  ["ETH+", "ETH"],
  ["", "ETH"],
  ["\u200b", "\u200c"],
  ["日本", "ETH"],
])("%s does not pass for %s", (label, canonical) => {
  expect(passesFor(label, canonical)).toBe(false);
});

test("folding what any text holds never throws, and a text passes for itself", () => {
  fc.assert(
    fc.property(anyText(64), (text) => {
      const folded = foldLookAlikes(text);
      expect(looksLike(folded, folded)).toBe(folded.caseless !== "");
    }),
  );
});

describe("the tables", () => {
  test("every character folds to the letter it is listed under", () => {
    for (const [shape, letter] of lookAlikeCharacters) {
      expect(letter).toMatch(/^[a-z]$/);
      expect(foldLookAlikes(`x${shape}x`).caseless).toBe(`x${letter}x`);
    }
  });

  test("addresses carry a correct checksum (EIP-55), each once", () => {
    const addresses = canonicalTokens.flatMap(({ address }) => address ?? []);
    expect(addresses.map((address) => getAddress(address.toLowerCase()))).toEqual(addresses);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test("no well-known token passes for another", () => {
    for (const one of canonicalTokens)
      for (const other of canonicalTokens)
        if (one.symbol !== other.symbol)
          for (const label of [one.symbol, one.name])
            for (const known of [other.symbol, other.name])
              expect(passesFor(label, known), `${label} and ${known}`).toBe(false);
  });
});
