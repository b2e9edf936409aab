import type { Hex } from "@assay/protocol";
import type { MessageCase, Notes } from "./messageCase.js";

/** Smallest units of a dollar coin, which has six decimals. */
const SMALL = 100_000_000n;
/** Smallest units that are worth about a hundred dollars in the dearest tokens, bitcoins with eight decimals. */
const SMALL_IN_BITCOIN = 100_000n;

/**
 * Tokens of which a hundred million units are a fortune. Of tokens with 18 decimals as many units are worth nothing, and
 * those with six decimals are dollars and euros.
 */
export const dearTokens: readonly Hex[] = [
  // cbBTC, LBTC, WBTC
  "0xcbb7c0000ab88b473b1f5afd9ef808440eed33bf",
  "0xecac9c5f704e954931349da37f60e39f515c11c1",
  "0x0555e30da8f98308edb960aa94c0db47230d2b9c",
];

/**
 * A voucher (x402) names a channel and units, and no token. The channel's token is not one of the dear ones where the
 * contract holds less of each of them than this channel alone has in it.
 */
export function judgeVoucher({ meaning: { nonce }, readings }: MessageCase): Notes {
  if (nonce?.kind !== "channel") return [];
  const words =
    readings.nonce?.status === "value" ? (readings.nonce.value.slice(2).match(/.{64}/g) ?? []) : [];
  const [balance = null, claimed = null] = words.map((word) => BigInt(`0x${word}`));
  const adds = BigInt(nonce.expected) - (claimed ?? 0n);
  if (adds <= SMALL_IN_BITCOIN) return [{ code: "VOUCHER_SMALL" }];
  if (adds > SMALL) return [{ code: "VOUCHER_LARGE" }];
  const rest = balance === null ? 0n : balance - (claimed ?? 0n);
  const isDear = dearTokens.some((token) => {
    const held = readings.balances.find((one) => one.token === token)?.balance;
    if (held === undefined || held.status === "unanswered") return true;
    return held.status === "value" && BigInt(held.value) >= rest;
  });
  if (rest > 0n && !isDear) return [{ code: "VOUCHER_SMALL" }];
  const limitation =
    "A voucher does not name its token. Ask for the ChannelConfig, and compare the channel's number with its hash.";
  return [{ code: "VOUCHER_TOKEN_UNKNOWN", limitation }];
}
