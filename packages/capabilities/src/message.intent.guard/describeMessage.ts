import type { Hex } from "@assay/protocol";
import { keccak256 } from "@assay/protocol";
import { CHAIN_ID } from "@assay/protocol/primitives";
import { hashMessage, hashStruct, hashTypedData, stringToHex } from "viem";
import { describeParties } from "../shared/effects/partyView.js";
import { tellAmount, tellUsd } from "../shared/intents/describeEffects.js";
import { hashAuthorization } from "./hashAuthorization.js";
import { tellTrades } from "./judgeTrades.js";
import type { MessageCase } from "./messageCase.js";
import { encodeTypeOf, reviveStruct } from "./typedDocument.js";

/** What is signed, what it means and whom it names. */
export function describeMessage(one: MessageCase) {
  const { meaning, readings, input } = one;
  return {
    message: {
      form: meaning.form,
      title: meaning.title,
      inside: meaning.inside,
      says: [...meaning.says, ...tellPayment(one), ...tellTrades(one)],
      type: input.typedData ? encodeTypeOf(input.typedData.types, input.typedData.primaryType) : null,
    },
    binding: describeBinding(one),
    owner: meaning.owner,
    valid: { from: meaning.from, until: meaning.until },
    payment: meaning.payment,
    trades: meaning.trades,
    parties: describeParties(readings.parties, one.viewParty),
    registry: readings.registryVersion,
  };
}

/** What may be taken without a run that shows it, in amounts of the token. */
export function tellPayment(one: MessageCase): string[] {
  const { payment, run } = one.meaning;
  if (payment === null || run !== null) return [];
  const asset = {
    kind: payment.token === null ? "native" : "erc20",
    token: payment.token,
    id: null,
  } as const;
  const amount = BigInt(payment.amount);
  const usd = tellUsd(one, { asset, amount });
  const what = `${tellAmount(one, asset, amount)}${usd ? ` (${usd})` : ""}`;
  if (payment.isDeposit) return [`Deposits ${what}.`];
  const often = payment.period === undefined ? " in all" : ` in every ${tellSpan(payment.period)}`;
  return [`Lets ${one.viewParty(payment.to).name} take up to ${what}${often}.`];
}

const units = [
  ["day", 86_400n],
  ["hour", 3600n],
  ["minute", 60n],
  ["second", 1n],
] as const;

/** Seconds in the largest unit that measures them whole. */
function tellSpan(seconds: string): string {
  const span = BigInt(seconds);
  const [name, length] = units.find((unit) => span > 0n && span % unit[1] === 0n) ?? ["second", 1n];
  const count = span / length;
  return count === 1n ? name : `${count} ${name}s`;
}

/** The message that a verdict is bound to, by the hash that is signed where there is one. */
function describeBinding({ input }: MessageCase) {
  const { signer, typedData, personalMessage, authorization, userOperation, calls } = input;
  const base = { chainId: CHAIN_ID, signer };
  if (typedData) {
    const { types, primaryType } = typedData;
    const document = {
      types,
      primaryType,
      domain: reviveStruct(types, "EIP712Domain", typedData.domain),
      message: reviveStruct(types, primaryType, typedData.message),
    };
    return {
      ...base,
      kind: "typedData",
      digest: hashTypedData(document as never),
      structHash: hashStruct({ data: document.message, primaryType, types } as never),
    };
  }
  if (personalMessage !== undefined) {
    const isBytes = /^0x([0-9a-f]{2})+$/.test(personalMessage);
    return {
      ...base,
      kind: "personalMessage",
      digest: hashMessage(isBytes ? { raw: personalMessage as Hex } : personalMessage),
      structHash: null,
    };
  }
  if (authorization)
    return {
      ...base,
      kind: "authorization",
      digest: hashAuthorization(authorization),
      structHash: null,
    };
  // Which hash is signed for these is the account's choice; this one names the content.
  const content = JSON.stringify(userOperation ?? calls);
  return {
    ...base,
    kind: userOperation ? "userOperation" : "calls",
    digest: keccak256(stringToHex(content)),
    structHash: null,
  };
}
