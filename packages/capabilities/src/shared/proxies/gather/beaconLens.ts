import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading, unanswered } from "@assay/protocol";
import {
  type CodeFingerprint,
  fingerprintBytecode,
  fingerprintCodeStart,
} from "../../code/fingerprintBytecode.js";
import { decodeAddress } from "../../words/addressInWord.js";
import { BEACON_ANSWERS_BY_CALLER } from "../resolveImplementation.js";

/** Creation code of `contracts/src/BeaconLens.sol`; a test compares it with the compiler's output. */
export const BEACON_LENS_CODE: Hex =
  "0x6080604052348015600e575f5ffd5b5060405160d438038060d48339810160408190526029916087565b805f5260205f60045f855afa604f573d610100811115604757506101005b805f5f3e805ffd5b5f518060a01c60203d101715606057005b803b80615dc081111560715750615dc05b823f60205281604052805f6060853c806060015ff35b5f5f604083850312156097575f5ffd5b82516001600160a01b038116811460ac575f5ffd5b60208401519092506001600160e01b03198116811460c8575f5ffd5b80915050925092905056fe";

interface BeaconImplementation {
  readonly implementation: Hex;
  readonly code: CodeFingerprint;
}

/** `implementation()` of a beacon (ERC-1967). */
const IMPLEMENTATION: Hex = "0x5c60da1b";

/**
 * Reads which implementation a beacon names and that code in the same call, which saves a round trip. Creation code
 * cannot call in the proxy's name, so a second call asks the beacon in that name.
 */
export function readBeacon(
  beacon: Hex,
  proxy: Hex,
  question = IMPLEMENTATION,
): readonly [lens: CallRead, toProxy: CallRead] {
  return [readNamed(beacon, question), { kind: "call", from: proxy, to: beacon, data: question }];
}

/** Reads the address that a contract answers to this question, with the code at that address. */
export function readNamed(asked: Hex, question: Hex): CallRead {
  const data: Hex = `${BEACON_LENS_CODE}${asked.slice(2).padStart(64, "0")}${question.slice(2).padEnd(64, "0")}`;
  // What creation code returns is charged as if it were deployed: 200 for each of up to 24,096 bytes.
  return { kind: "call", to: null, data, gas: 8_000_000 };
}

/** The lens's answer, where the beacon names the same address to the proxy. Only what it names to the proxy counts. */
export function joinBeaconAnswers(
  lens: Reading<Hex> = noAnswer,
  toProxy: Reading<Hex> = noAnswer,
): Reading<Hex> {
  if (lens.status === "unanswered") return lens;
  if (toProxy.status === "unanswered") return toProxy;
  const seen = parseBeaconAnswer(lens);
  const [byLens, byProxy] = [
    mapReading(seen, ({ implementation }) => implementation),
    decodeAddress(toProxy),
  ];
  const nameOf = (reading: Reading<Hex>) => (reading.status === "value" ? reading.value : null);
  return nameOf(byLens) === nameOf(byProxy) ? lens : unanswered(BEACON_ANSWERS_BY_CALLER);
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
