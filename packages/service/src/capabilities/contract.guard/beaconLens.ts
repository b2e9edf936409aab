import { type Hex, mapReading, type Reading } from "@assay/protocol";
import { type CodeFingerprint, fingerprintBytecode, fingerprintCodeStart } from "@assay/rules";
import type { CallRead } from "../../chain/types.js";

/** Creation code of `contracts/src/BeaconLens.sol`; a test compares it with the compiler's output. */
export const BEACON_LENS_CODE: Hex =
  "0x6080604052348015600e575f5ffd5b5060405160ba38038060ba833981016040819052602991608e565b635c60da1b60e01b5f5260205f60045f845afa6056573d610100811115604e57506101005b805f5f3e805ffd5b5f518060a01c60203d101715606757005b803b80615dc081111560785750615dc05b823f60205281604052805f6060853c806060015ff35b5f60208284031215609d575f5ffd5b81516001600160a01b038116811460b2575f5ffd5b939250505056fe";

export interface BeaconImplementation {
  readonly implementation: Hex;
  readonly code: CodeFingerprint;
}

/**
 * Asks a beacon what it names and fetches that code in the same call. Asked one after the other
 * they would cost a further round trip.
 */
export function readBeacon(beacon: Hex): CallRead {
  return {
    kind: "call",
    to: null,
    data: `${BEACON_LENS_CODE}${beacon.slice(2).padStart(64, "0")}`,
    // What creation code returns is charged as if it were deployed: 200 for each of up to 24,096 bytes.
    gas: 8_000_000,
  };
}

const WORD_DIGITS = 64;

export function parseBeaconAnswer(answer: Reading<Hex>): Reading<BeaconImplementation> {
  if (answer.status === "value" && answer.value.length < 2 + 3 * WORD_DIGITS) {
    return { status: "unanswered", reason: "malformed_answer" };
  }
  return mapReading(answer, (data) => {
    const word = (index: number) => data.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS);
    const code: Hex = `0x${data.slice(2 + 3 * WORD_DIGITS)}`;
    const codeBytes = Number(BigInt(`0x${word(2)}`));
    const isWhole = codeBytes === (code.length - 2) / 2;
    return {
      implementation: `0x${word(0).slice(24)}`,
      code: isWhole ? fingerprintBytecode(code) : fingerprintCodeStart(code, `0x${word(1)}`, codeBytes),
    };
  });
}

/** The code that came with a usable answer; undefined when it is longer than what was copied. */
export function findBeaconCode(answer: Reading<Hex>): Hex | undefined {
  if (answer.status !== "value") return undefined;
  const code: Hex = `0x${answer.value.slice(2 + 3 * WORD_DIGITS)}`;
  const codeBytes = BigInt(`0x${answer.value.slice(2 + 2 * WORD_DIGITS, 2 + 3 * WORD_DIGITS) || "0"}`);
  return codeBytes === BigInt((code.length - 2) / 2) ? code : undefined;
}
