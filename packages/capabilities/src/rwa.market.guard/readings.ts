import { blockNumberSchema, bytesSchema, hash32Schema, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { codeFingerprintSchema } from "../shared/code/fingerprintBytecode.js";
import { delegatingOpcodes } from "../shared/code/listDelegatingOpcodes.js";
import { selectorScanSchema } from "../shared/code/selectorScan.js";
import { subjectReadingsSchema } from "../shared/control/subjectReadings.js";
import { launchPoolsSchema } from "../shared/swaps/launchReadings.js";
import { recordedAddressSchema } from "../shared/words/recordedAddress.js";
import { MAX_ALIKE } from "./listAlike.js";
import { listedAssetSchema } from "./listedAsset.js";

const address = recordedAddressSchema;
const code = readingSchema(codeFingerprintSchema);
/** What a call returned, cut by the reader so that no contract can fill the evidence. */
const answer = readingSchema(bytesSchema);
const scan = readingSchema(selectorScanSchema).nullable();
/** What in a piece of code runs other code in its place. */
const delegations = readingSchema(z.array(z.enum(delegatingOpcodes)));
const account = z.strictObject({ address, code });
/** Somebody whom a contract named, and the code found there; no proof shows either. */
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
  /** Of an ERC-3643 proxy: the slot, whoever it names, and the implementation that one names. */
  authority: z.strictObject({
    slot: readingSchema(hash32Schema),
    account: account.extend({ owner: answer }).nullable(),
    implementation: named.nullable(),
  }),
  /** The owners of those who may replace the code. */
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
    /** Answer of `isAgent()` about an account that is nobody's. */
    strangerIsAgent: answer,
    /** The same about the owner; null when none is named. */
    ownerIsAgent: answer.nullable(),
    registry: account.extend({ verifiesStranger: answer }).nullable(),
    rules: account.extend({ boundTo: answer }).nullable(),
  }),
  erc1404: z.strictObject({
    /** Answer of `detectTransferRestriction()` about one unit between two accounts that are nobody's. */
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
    /** What the policy registry answers about an account that is nobody's; null when it was not asked. */
    senderAllowed: answer.nullable(),
    receiverAllowed: answer.nullable(),
  }),
  /** Calls of an account that is nobody's: a transfer of nothing to another such, and powers of an issuer. */
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
    /** Of the whole list in canonical JSON, which holds the operator to one list for all callers. */
    hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    /** The entry that names this address. */
    own: listedAssetSchema.nullable(),
    /** Entries at other addresses whose symbol can be taken for one of the token's labels or for the one asked for. */
    alike: z.array(listedAssetSchema).max(MAX_ALIKE),
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
  /** Against what pools are looked for: the wrapped native currency and the stablecoin. */
  quotes: z.strictObject({ weth: address, stablecoin: address }),
  pools: launchPoolsSchema,
});

export type RwaMarketReadings = z.output<typeof rwaMarketReadingsSchema>;
