import { type Hex, type Reading, valueReading } from "@assay/protocol";
import { encodeAbiParameters, keccak256, numberToHex, pad, parseAbiParameters, stringToHex } from "viem";
import { fingerprintBytecode } from "../../shared/code/fingerprintBytecode.js";
import { CONDITIONAL_TOKENS_CODE_HASH, computeConditionId } from "../conditionState.js";
import { OPTIMISTIC_ORACLE_V2 } from "../knownProcedures.js";
import {
  MAX_OUTCOMES_READ,
  type MarketChainReadings,
  predictionEvidenceReadingsSchema,
} from "../readings.js";

export const MARKET: Hex = `0x${"aa".repeat(20)}`;
export const ORACLE: Hex = `0x${"bb".repeat(20)}`;
const TOKENS: Hex = `0x${"cc".repeat(20)}`;
const COLLATERAL: Hex = `0x${"dd".repeat(20)}`;

interface SampleMarket {
  readonly text: string;
  readonly denominator: bigint;
  readonly numerators: readonly bigint[];
  /** UMA's numbers. */
  readonly state: number;
  readonly isResolved: boolean;
  readonly isKnown: boolean;
  /** As the lens returns it: 1 for an optimistic oracle, 2 for Reality.eth; and where. */
  readonly procedure: readonly [bigint, Hex];
}

const sampleMarket: SampleMarket = {
  text: "q: title: Will it rain?, description: This market resolves by the log.",
  denominator: 0n,
  numerators: [0n, 0n],
  state: 1,
  isResolved: false,
  isKnown: true,
  procedure: [1n, OPTIMISTIC_ORACLE_V2],
};

const word = (value: bigint): Hex => numberToHex(value, { size: 32 });
const words = (values: readonly bigint[]): Hex => `0x${values.map((value) => word(value).slice(2)).join("")}`;
const program = fingerprintBytecode("0x6000");
const code = valueReading(program);
const zero: Reading<Hex> = valueReading(word(0n));
const slots = {
  eip1967Implementation: zero,
  eip1967Admin: zero,
  eip1967Beacon: zero,
  eip1822Implementation: zero,
  zeppelinosImplementation: zero,
  diamondFacets: zero,
};
const silent: Reading<never> = { status: "reverted", data: null };

/** A market on an adapter, as it would be read. */
export function samplePredictionReadings(chosen: Partial<SampleMarket> = {}): MarketChainReadings {
  const sample = { ...sampleMarket, ...chosen };
  const { text, denominator, numerators, state, isResolved, isKnown, procedure } = sample;
  const count = BigInt(numerators.length);
  const questionId = keccak256(stringToHex(text));
  const conditionId = computeConditionId(ORACLE, questionId, count);
  const stored = [...numerators, ...Array<bigint>(MAX_OUTCOMES_READ - numerators.length).fill(0n)];
  const record = encodeAbiParameters(
    parseAbiParameters("(uint256,uint256,uint256,uint256,uint256,bool,bool,bool,bool,address,address,bytes)"),
    [[1n, 0n, 0n, 0n, 0n, isResolved, false, false, false, COLLATERAL, MARKET, stringToHex(text)]],
  );
  const tokensCode = isKnown ? { ...program, strippedCodeHash: CONDITIONAL_TOKENS_CODE_HASH } : program;
  const readings = predictionEvidenceReadingsSchema.parse({
    kind: "chain",
    market: {
      code,
      slots,
      conditionalTokens: valueReading(pad(TOKENS)),
      conditionIds: [valueReading(conditionId), silent],
      conditionId: silent,
      oracle: valueReading(pad(ORACLE)),
      questionId: valueReading(questionId),
      collateralToken: valueReading(pad(COLLATERAL)),
    },
    tokens: {
      address: TOKENS,
      conditionId,
      code: valueReading(tokensCode),
      storage: {
        outcomeSlotCount: valueReading(word(count)),
        payoutDenominator: valueReading(word(denominator)),
        payoutNumerators: stored.map((one) => valueReading(word(one))),
      },
      answers: valueReading(words([count, denominator, ...numerators])),
    },
    oracle: {
      address: ORACLE,
      questionId,
      code,
      slots,
      owner: silent,
      question: valueReading(record),
      procedure: valueReading(words([procedure[0], BigInt(procedure[1]), 7n, BigInt(state)])),
    },
    collateral: { address: COLLATERAL, code },
  });
  if (readings.kind !== "chain") throw new Error("a market on the chain was made");
  return readings;
}
