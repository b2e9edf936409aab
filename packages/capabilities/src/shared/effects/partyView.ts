import { type Hex, readingSchema } from "@assay/protocol";
import { z } from "zod";
import { isReservedAddress } from "../chain-facts/reservedAddresses.js";
import { codeFingerprintSchema } from "../code/fingerprintBytecode.js";
import { accountKinds } from "../parties/findKnownAccountCode.js";
import { knownPartySchema } from "../parties/knownParty.js";
import { recordedAddressSchema } from "../words/recordedAddress.js";

const decimal = z.string().regex(/^(0|[1-9][0-9]{0,77})$/, "must be a decimal integer");
const code = readingSchema(codeFingerprintSchema);

/** What is known of one address that takes part in a transaction: read from the chain, and compared with the registry. */
export const partyReadingSchema = z.strictObject({
  address: recordedAddressSchema,
  code,
  /** The address whose code runs behind this one, as its slots or its own code name it. */
  implementation: recordedAddressSchema.nullable(),
  /** How many transactions it has sent; null where that does not matter. */
  nonce: readingSchema(decimal).nullable(),
  /** Whether it answers as a token or a pool does; null where it was not asked. */
  keeps: readingSchema(z.boolean()).nullable(),
  /**
   * Whether it answers as a wallet does, and whether it names the sender as its owner. That is its own word, which is believed
   * for small sums alone. Null where it was not asked.
   */
  wallet: readingSchema(z.strictObject({ isClaimed: z.boolean(), isSenders: z.boolean() })).nullable(),
  /** Its entry in the registry of published contracts, and whether the code fits it. */
  known: knownPartySchema.nullable(),
  standing: z.enum(["matches", "listed", "changed", "unread"]).nullable(),
  /** Published code of a wallet that it runs. */
  account: z
    .strictObject({
      name: z.string().max(80),
      version: z.string().max(40),
      kind: z.enum(accountKinds),
      source: z.string().max(300),
    })
    .nullable(),
});
export type PartyReading = z.output<typeof partyReadingSchema>;

export type PartyKind =
  /** The sender, or an account that it commands. */
  | "own"
  /** A published contract whose code is not known to be another. */
  | "known"
  /** A published address with other code. */
  | "changed"
  /** A published address where no contract is. */
  | "vacant"
  | "burn"
  /** A key without code, or with a published wallet's. */
  | "account"
  /** A contract with a published wallet's code. */
  | "smart_account"
  /** A contract that answers as a wallet does, which any contract can. */
  | "claimed_account"
  /** A key with code that is not published. */
  | "delegated"
  | "contract"
  | "unread";

export interface PartyView {
  readonly address: Hex;
  readonly kind: PartyKind;
  readonly reading: PartyReading | undefined;
  /** As a sentence names it. */
  readonly name: string;
}

const DEAD = /^0x0{35,36}dead$|^0x(dead){10}$/;
export const isBurnAddress = (address: Hex): boolean => isReservedAddress(address) || DEAD.test(address);

/** Sorts an address into the kinds that the policy distinguishes. */
export function viewParty(address: Hex, own: ReadonlySet<Hex>, readings: readonly PartyReading[]): PartyView {
  const reading = readings.find((one) => one.address === address);
  const kind = own.has(address) ? "own" : kindOf(address, reading);
  return { address, kind, reading, name: nameParty(address, kind, reading) };
}

function kindOf(address: Hex, reading: PartyReading | undefined): PartyKind {
  if (reading?.known?.role === "burn") return "burn";
  if (reading?.known && reading.standing === "changed") return "changed";
  // Where nothing is, nothing that was published is.
  if (reading?.known) return isEmptyCode(reading) ? "vacant" : "known";
  if (isBurnAddress(address)) return "burn";
  if (reading?.code.status !== "value") return "unread";
  const { form } = reading.code.value;
  if (form === "empty") return "account";
  if (form === "eip7702_delegation") return reading.account ? "account" : "delegated";
  if (reading.account) return "smart_account";
  return claimsWallet(reading) ? "claimed_account" : "contract";
}

const isEmptyCode = ({ code: read }: PartyReading): boolean =>
  read.status === "absent" || (read.status === "value" && read.value.form === "empty");

const claimsWallet = ({ wallet }: PartyReading): boolean =>
  wallet?.status === "value" && wallet.value.isClaimed;

/** Whether what this party has is one owner's, to do with as they please. */
export const isPerson = ({ kind }: PartyView): boolean =>
  kind === "account" || kind === "delegated" || kind === "smart_account" || kind === "claimed_account";

/** Whether a wallet names the sender as its owner. */
export const isSendersWallet = (reading: PartyReading | undefined): boolean =>
  reading?.wallet?.status === "value" && reading.wallet.value.isSenders;

function nameParty(address: Hex, kind: PartyKind, reading: PartyReading | undefined): string {
  if (kind === "own") return "your account";
  if (reading?.known && kind === "known") return reading.known.name;
  if (reading?.known) return `${address} (not the published ${reading.known.name})`;
  if (kind === "smart_account") return `${address} (${reading?.account?.name})`;
  if (kind === "claimed_account") return `${address} (a wallet by its own word)`;
  if (kind === "contract") return `the unknown contract ${address}`;
  return address;
}

/** Whether `address` could be mistaken for `other`: the same first and last four digits. */
export const looksLike = (address: Hex, other: Hex): boolean =>
  address !== other && address.slice(2, 6) === other.slice(2, 6) && address.slice(-4) === other.slice(-4);

/** The parties as findings list them. */
export const describeParties = (parties: readonly PartyReading[], view: (address: Hex) => PartyView) =>
  parties.map(({ address, known, standing, account, implementation }) => ({
    address,
    kind: view(address).kind,
    name: known?.name ?? account?.name ?? null,
    role: known?.role ?? null,
    standing,
    implementation,
    source: known?.source ?? account?.source ?? null,
  }));
