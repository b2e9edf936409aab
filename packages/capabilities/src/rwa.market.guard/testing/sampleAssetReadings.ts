import { absent, type Hex, type Reading, valueReading } from "@assay/protocol";
import { encodeAbiParameters } from "viem";
import { type ListedAsset, listedAssetSchema } from "../../shared/issuers/listedAsset.js";
import {
  ADDRESS,
  codeReading,
  OTHER,
  PLAIN_CODE,
  plainReadings,
  refusal,
  TARGET,
  wordReading,
} from "../../shared/proxies/testing/sampleReadings.js";
import { scanOf } from "../../testing/scanOf.js";
import type { RwaMarketReadings } from "../readings.js";

/** A Monday, 12:00 UTC. */
export const NOON = Date.UTC(2026, 10, 16, 12) / 1000;

export const textReading = (text: string): Reading<Hex> =>
  valueReading(encodeAbiParameters([{ type: "string" }], [text]));

/** What `latestRoundData()` answers. Times are seconds before the block. */
export const roundReading = (answer: bigint, startedAgo: number, updatedAgo = startedAgo): Reading<Hex> =>
  valueReading(
    encodeAbiParameters(
      [{ type: "uint80" }, { type: "int256" }, { type: "uint256" }, { type: "uint256" }, { type: "uint80" }],
      [7n, answer, BigInt(NOON - startedAgo), BigInt(NOON - updatedAgo), 7n],
    ),
  );

export const listedAsset = (changes: Record<string, unknown> = {}): ListedAsset =>
  listedAssetSchema.parse({
    symbol: "STF",
    issuer: "Sample Treasury",
    addresses: [ADDRESS],
    feed: { kind: "chainlink", address: OTHER, maxAgeSeconds: 3600 },
    ...changes,
  });

const part = { code: codeReading(PLAIN_CODE) };
const zero = wordReading(0n);

/** A listed ERC-3643 token with which all is well, its owner a contract. */
export function assetReadings(changes: Partial<RwaMarketReadings> = {}): RwaMarketReadings {
  const owner = { address: TARGET, ...part, owner: null };
  return {
    block: { number: 9, hash: `0x${"9".repeat(64)}`, timestamp: NOON },
    contract: plainReadings({
      paused: zero,
      owner: wordReading(TARGET),
      controllers: [owner],
    }),
    scan: scanOf([
      "0xa9059cbb", // transfer(address,uint256)
      "0x134e18f4", // identityRegistry()
      "0x6290865d", // compliance()
      "0x9fc1d0e7", // forcedTransfer(address,address,uint256)
      "0x40c10f19", // mint(address,uint256)
    ]),
    delegations: valueReading([]),
    implementation: null,
    authority: { slot: zero, account: null, implementation: null },
    adminOwners: [],
    labels: { name: textReading("Sample Treasury Fund"), symbol: textReading("STF") },
    totalSupply: wordReading(1000n),
    cap: refusal,
    roles: { defaultAdmin: refusal, firstMember: refusal, listed: [], stranger: refusal, admin: null },
    erc3643: {
      identityRegistry: wordReading(OTHER),
      compliance: wordReading(TARGET),
      strangerIsAgent: zero,
      ownerIsAgent: zero,
      registry: { address: OTHER, ...part, verifiesStranger: zero },
      rules: { address: TARGET, ...part, boundTo: wordReading(ADDRESS) },
    },
    erc1404: { restriction: refusal, message: null },
    b20: {
      isKnown: absent,
      isInitialized: absent,
      transfersPaused: refusal,
      supplyCap: refusal,
      senderPolicy: refusal,
      receiverPolicy: refusal,
      senderAllowed: null,
      receiverAllowed: null,
    },
    stranger: {
      from: `0x${"5".repeat(40)}`,
      to: `0x${"6".repeat(40)}`,
      transfer: refusal,
      mint: refusal,
      pause: refusal,
      freeze: refusal,
      seize: refusal,
    },
    poolTransfer: null,
    list: { size: 1, hash: `sha256:${"a".repeat(64)}`, own: listedAsset(), alike: [] },
    feed: {
      latestRound: roundReading(102n, 60),
      decimals: wordReading(8n),
      sequencerRound: roundReading(0n, 86_400),
    },
    quotes: { weth: `0x${"7".repeat(40)}`, stablecoin: `0x${"8".repeat(40)}` },
    pools: valueReading({ found: [], pricing: { weth: "0", stablecoin: "0" } }),
    ...changes,
  };
}
