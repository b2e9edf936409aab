import type { CallRead } from "@assay/chain";
import type { Hex } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { LABEL_ANSWER_BYTES } from "../../shared/labels/labelAnswer.js";
import { cutAnswer } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import type { TokenMetadataInput } from "../input.js";
import { NUMBER_ANSWER_BYTES, type TokenMetadataReadings } from "../readings.js";

/** ERC-20; all but `totalSupply` are optional there. */
const SELECTORS = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
} as const;

/** The code and the four fields in one batch. What the contract answers is cut here and decoded by the rule. */
async function gatherTokenMetadata(
  context: GatherContext,
  { address }: TokenMetadataInput,
): Promise<Gathered<TokenMetadataReadings>> {
  const call = (data: Hex): CallRead => ({ kind: "call", to: address, data });
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: [] }],
    [call(SELECTORS.name), call(SELECTORS.symbol), call(SELECTORS.decimals), call(SELECTORS.totalSupply)],
  );
  const [name, symbol, decimals, totalSupply] = others;
  const code = fingerprintReading(accounts[0]?.code);
  const fingerprint = recordFingerprint(context, address, code);
  return {
    readings: {
      code,
      name: cutAnswer(name, LABEL_ANSWER_BYTES),
      symbol: cutAnswer(symbol, LABEL_ANSWER_BYTES),
      decimals: cutAnswer(decimals, NUMBER_ANSWER_BYTES),
      totalSupply: cutAnswer(totalSupply, NUMBER_ANSWER_BYTES),
    },
    ...(fingerprint && { fingerprint }),
  };
}

export const gatherer: Gatherer<TokenMetadataInput, TokenMetadataReadings> = {
  gather: gatherTokenMetadata,
};
