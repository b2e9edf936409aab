import { hashCanonical, mapReading, noAnswer } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import { scanCode } from "../../shared/code/gather/scanCode.js";
import { listDelegatingOpcodes } from "../../shared/code/listDelegatingOpcodes.js";
import { readFollowed, readSubject } from "../../shared/control/gather/gatherSubject.js";
import { findListed } from "../../shared/issuers/listedAsset.js";
import { recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { nameFreshAccount } from "../../shared/simulation/gather/nameFreshAccount.js";
import type { RwaMarketInput } from "../input.js";
import { listLookAlikeAssets, readLabel } from "../listLookAlikeAssets.js";
import type { RwaMarketReadings } from "../readings.js";
import { readBehind } from "./readBehind.js";
import { readToken } from "./readToken.js";

/**
 * Everything rwa.market.guard judges, in two batches: the token, its listed feed and its pools; then the addresses that
 * its slots and answers point at. Each batch is sent in one request with the reads that contract.guard makes.
 */
async function gatherRwaMarket(
  context: GatherContext,
  { address, symbol }: RwaMarketInput,
): Promise<Gathered<RwaMarketReadings>> {
  const { block, issuers, launchVenues } = context;
  const listed = findListed(issuers, address);
  const strangers = {
    from: nameFreshAccount(block.hash, address, "stranger"),
    to: nameFreshAccount(block.hash, address, "another stranger"),
  };
  const question = { address, listed, strangers };
  const [subject, token] = await Promise.all([readSubject(context, address), readToken(context, question)]);
  const [followed, behind] = await Promise.all([
    readFollowed(context, address, subject),
    readBehind(context, { ...question, subject, token }),
  ]);
  const code = token.account?.code ?? noAnswer;
  const own = await scanCode(context, subject.code, code.status === "value" ? code.value : undefined);
  const fingerprint = recordFingerprint(context, address, subject.code);
  const { labels, totalSupply, cap, stranger, feed, pools } = token;
  const scans = [...own.made, ...behind.scans];
  return {
    readings: {
      block: { number: block.number, hash: block.hash, timestamp: block.timestamp },
      contract: { ...subject, ...followed },
      scan: own.scan,
      delegations: mapReading(code, listDelegatingOpcodes),
      implementation: behind.implementation,
      authority: behind.authority,
      adminOwners: behind.adminOwners,
      labels,
      totalSupply,
      cap,
      roles: { ...token.roles, admin: behind.roleAdmin },
      erc3643: behind.erc3643,
      erc1404: { restriction: token.restriction, message: behind.message },
      b20: { ...token.b20, ...behind.policies },
      stranger,
      poolTransfer: behind.poolTransfer,
      list: {
        size: issuers.length,
        hash: hashCanonical(issuers),
        own: listed,
        alike: listLookAlikeAssets(issuers, address, [
          symbol,
          readLabel(labels.symbol),
          readLabel(labels.name),
        ]),
      },
      feed,
      quotes: { weth: launchVenues.weth, stablecoin: launchVenues.stablecoin },
      pools,
    },
    ...(fingerprint && { fingerprint }),
    ...(scans.length > 0 && { scans }),
  };
}

export const gatherer: Gatherer<RwaMarketInput, RwaMarketReadings> = {
  gather: gatherRwaMarket,
};
