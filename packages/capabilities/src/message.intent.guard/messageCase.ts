import type { Hex } from "@assay/protocol";
import { type PartyView, viewParty } from "../shared/effects/partyView.js";
import { type IntentCase, openIntentCase } from "../shared/intents/intentCase.js";
import type { PricedCase } from "../shared/intents/priceAssets.js";
import type { Note } from "../shared/verdict/note.js";
import { NATIVE_MARK } from "./forms/form.js";
import type { MessageIntentInput } from "./input.js";
import type { Meaning } from "./meaning.js";
import type { MessageIntentReadings } from "./readings.js";
import { readMessage } from "./readMessage.js";
import type { MessageIntentCode } from "./reasons.js";

export type Notes = Note<MessageIntentCode>[];

/** A message with everything known about it, as the judging functions take it. */
export interface MessageCase extends PricedCase {
  readonly input: MessageIntentInput;
  readonly readings: MessageIntentReadings;
  readonly meaning: Meaning;
  /** The contract that checks the signature. */
  readonly verifier: Hex | null;
  /** The signer, and the account that it signs for. */
  readonly own: ReadonlySet<Hex>;
  /** Unix seconds of the block. */
  readonly now: bigint;
  /** The run of what the signature makes happen, where there is one. */
  readonly run: IntentCase | null;
  viewParty(address: Hex): PartyView;
}

export function openMessageCase(input: MessageIntentInput, readings: MessageIntentReadings): MessageCase {
  const meaning = readMessage(input, readings.venues);
  const verifier = input.typedData?.domain.verifyingContract;
  const own = new Set<Hex>([input.signer]);
  if (meaning.owner) own.add(meaning.owner);
  return {
    input,
    readings,
    meaning,
    verifier: (verifier as Hex | undefined) ?? null,
    own,
    now: BigInt(readings.block.timestamp),
    run: meaning.run && readings.run ? openIntentCase(meaning.run.judged, readings.run) : null,
    viewParty: (address) => viewParty(address, own, readings.parties),
  };
}

/** Whether the owner's events show a payment to this account. */
export const wasPaidBefore = ({ readings: { history } }: MessageCase, address: Hex): boolean =>
  history?.paid.status === "value" && history.paid.value.includes(address);

/** What the owner holds of a token, or of ether; null where that was not read. */
export function findHeld({ readings }: MessageCase, token: Hex | null): bigint | null {
  const read = readings.balances.find((one) => one.token === (token ?? NATIVE_MARK))?.balance;
  return read?.status === "value" && read.value.length === 66 ? BigInt(read.value) : null;
}

/** Whether the reason that speaks for a party is its publication. */
export const isTrusted = (view: PartyView): boolean => view.kind === "known" || view.kind === "own";
