import type { CapabilityInput, Hex } from "@assay/protocol";
import { LABEL_ANSWER_BYTES, NUMBER_ANSWER_BYTES, type TokenMetadataReadings } from "@assay/rules";
import type { CallRead } from "../../chain/types.js";
import { cutAnswer } from "../cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../fingerprintReading.js";
import { readAccounts } from "../readAccounts.js";
import type { GatherContext, Gathered } from "../types.js";

/** ERC-20; all but `totalSupply` are optional there. */
const SELECTORS = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
} as const;

/** The code and the four fields in one batch. What the contract answers is cut here and decoded by the rule. */
export async function gatherTokenMetadata(
  context: GatherContext,
  { address }: CapabilityInput<"token.metadata">,
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
