import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { delegatingOpcodes } from "../shared/code/listDelegatingOpcodes.js";
import { selectorScanSchema } from "../shared/code/selectorScan.js";
import { listedAssetSchema } from "../shared/issuers/listedAsset.js";
import { launchPoolsSchema } from "../shared/pools/poolReadings.js";
import { subjectReadingsSchema } from "../shared/proxies/subjectReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { MAX_LOOK_ALIKES } from "./listLookAlikeAssets.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
/** What a call returned. The reader cuts it, so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const scan = readingSchema(selectorScanSchema).nullable();
/** The opcodes in a piece of code that run other code in its place. */
const delegations = readingSchema(z.array(z.enum(delegatingOpcodes)));
const account = z.strictObject({ address, code });
/** An address that a contract named, and the code found there; no proof shows either. */
const named = readingSchema(z.strictObject({ address, code: codeFingerprintSchema }));
/** In the smallest unit of the token. */
const amount = z.string().regex(/^[0-9]{1,78}$/, "must be a whole number");

/** Everything rwa.market.guard is judged from, as plain JSON. */
export const rwaMarketReadingsSchema = z.strictObject({
  block: z.strictObject({ number: blockNumberSchema, hash: hash32Schema, timestamp: z.int().min(0) }),
  /** Code, slots, pause and controllers, read as contract.guard does. */
  contract: subjectReadingsSchema,
  scan,
  delegations,
  /** The code that runs behind the token; null when there is none, or it is not known which. */
  implementation: account.extend({ scan, delegations, isProvable: z.boolean() }).nullable(),
  /** Of an ERC-3643 proxy: the slot, the authority in it, and the implementation that the authority names. */
  authority: z.strictObject({
    slot: readingSchema(hash32Schema),
    account: account.extend({ owner: answer }).nullable(),
    implementation: named.nullable(),
  }),
  /** The owners of contracts that may replace the code. */
  adminOwners: z.array(z.strictObject({ admin: address, owner: named })).max(6),
  labels: z.strictObject({ name: answer, symbol: answer }),
  totalSupply: answer,
  /** Answer of `cap()`. */
  cap: answer,
  /** The default administrator role of OpenZeppelin's AccessControl. */
  roles: z.strictObject({
    defaultAdmin: answer,
    firstMember: answer,
    listed: z.array(z.strictObject({ address, hasRole: answer })).max(4),
    stranger: answer,
    /** Null when nobody is named. */
    admin: account.nullable(),
  }),
  erc3643: z.strictObject({
    identityRegistry: answer,
    compliance: answer,
    /** Answer of `isAgent()` about a fresh account. */
    strangerIsAgent: answer,
    /** The same about the owner; null when none is named. */
    ownerIsAgent: answer.nullable(),
    registry: account.extend({ verifiesStranger: answer }).nullable(),
    rules: account.extend({ boundTo: answer }).nullable(),
  }),
  erc1404: z.strictObject({
    /** Answer of `detectTransferRestriction()` about one unit between two fresh accounts. */
    restriction: answer,
    /** Null when there is no restriction to explain. */
    message: answer.nullable(),
  }),
  b20: z.strictObject({
    /** Answers of the chain's factory. */
    isKnown: answer,
    isInitialized: answer,
    transfersPaused: answer,
    supplyCap: answer,
    senderPolicy: answer,
    receiverPolicy: answer,
    /** What the policy registry answers about a fresh account; null when it was not asked. */
    senderAllowed: answer.nullable(),
    receiverAllowed: answer.nullable(),
  }),
  /** Calls of a fresh account: a transfer of zero units to another fresh account, and powers of an issuer. */
  stranger: z.strictObject({
    from: address,
    to: address,
    transfer: answer,
    mint: answer,
    pause: answer,
    freeze: answer,
    seize: answer,
  }),
  /** One transfer from the pool that holds most to the stranger, measured; null when no pool holds the token. */
  poolTransfer: z
    .strictObject({
      pool: address,
      amount,
      outcome: readingSchema(z.strictObject({ success: z.boolean(), arrived: amount })),
    })
    .nullable(),
  list: z.strictObject({
    size: z.int().min(0),
    /** Hash of the whole list in canonical JSON. It shows that all callers are judged by one list. */
    hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    /** The entry that names this address. */
    own: listedAssetSchema.nullable(),
    /** Entries at other addresses whose symbol resembles one of the token's labels or the one asked for. */
    alike: z.array(listedAssetSchema).max(MAX_LOOK_ALIKES),
  }),
  /** Null when no feed is listed for the address. */
  feed: z
    .strictObject({
      latestRound: answer,
      decimals: answer,
      /** The sequencer's own `latestRoundData()`. */
      sequencerRound: answer,
    })
    .nullable(),
  /** The tokens against which pools are searched for: the wrapped native currency and the stablecoin. */
  quotes: z.strictObject({ weth: address, stablecoin: address }),
  pools: launchPoolsSchema,
});

export type RwaMarketReadings = z.output<typeof rwaMarketReadingsSchema>;
