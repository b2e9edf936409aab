import type { Hex } from "@assay/protocol";
import type { MessageCase, Notes } from "./messageCase.js";

const DAY = 86_400n;
const YEAR = 366n * DAY;

/** When and how often the signature can be used, and whose it is. */
export function judgeUse(one: MessageCase): Notes {
  return [...judgeTime(one), ...judgeNonce(one), ...judgeOwner(one)];
}

function judgeTime({ meaning: { from, until, canEnd, trades }, now }: MessageCase): Notes {
  const notes: Notes = [];
  // Prices move: an order that stays open gives everybody the choice of the day.
  if (trades.length > 0 && canEnd && (until === null || BigInt(until) > now + YEAR))
    notes.push({ code: "ORDER_WITHOUT_END" });
  if (until !== null && BigInt(until) < now) notes.push({ code: "SIGNATURE_ENDED" });
  else if (until !== null && BigInt(until) > now + YEAR) notes.push({ code: "LASTS_LONG" });
  if (until === null && canEnd) notes.push({ code: "NO_END" });
  if (from !== null && BigInt(from) > now + DAY) notes.push({ code: "NOT_YET_VALID" });
  return notes;
}

function judgeNonce({ meaning: { nonce }, readings }: MessageCase): Notes {
  if (nonce === null || readings.nonce === null) return [];
  const { status } = readings.nonce;
  if (status === "unanswered")
    return [{ code: "NONCE_UNREAD", limitation: "No node answered which nonce the contract takes now." }];
  if (nonce.kind === "channel") return [];
  // A contract without the view keeps nonces in another way, or has no use for the signature.
  if (readings.nonce.status !== "value" || readings.nonce.value.length < 66)
    return nonce.kind === "next" ? [{ code: "NONCE_UNSTATED" }] : [];
  const words = readings.nonce.value.slice(2).match(/.{64}/g) ?? [];
  const word = (index: number) => BigInt(`0x${words[index] ?? "0"}`);
  const expected = BigInt(nonce.expected);
  const isCurrent = {
    next: () => word(0) === expected,
    counter: () => word(0) === expected,
    bit: () => ((word(0) >> expected) & 1n) === 0n,
    flag: () => word(0) === 0n,
    allowance: () => word(2) === expected,
  }[nonce.kind]();
  if (nonce.kind === "counter" && word(0) < expected) return [{ code: "NONCE_LATER" }];
  return [{ code: isCurrent ? "NONCE_CURRENT" : "NONCE_USED" }];
}

/** A signature about another's assets is worth nothing, unless that account takes the signer's word. */
function judgeOwner(one: MessageCase): Notes {
  const { meaning, input, readings } = one;
  const { owner, account } = meaning;
  if (account !== null && account !== input.signer)
    return [
      isCommanded(readings.command, input.signer)
        ? { code: "ACCOUNT_COMMANDED" }
        : {
            code: "ACCOUNT_UNCONFIRMED",
            limitation: `Whether ${account} takes the signer's word was not confirmed by the account itself.`,
          },
    ];
  if (owner === null || owner === input.signer) return [];
  return [{ code: "OWNER_NOT_SIGNER" }];
}

function isCommanded(command: MessageCase["readings"]["command"], signer: Hex): boolean {
  if (command === null) return false;
  const word = (reading: { status: string; value?: string }) =>
    reading.status === "value" && reading.value?.length === 66 ? BigInt(reading.value) : null;
  return (
    word(command.isOwner) === 1n ||
    word(command.isOwnerAddress) === 1n ||
    word(command.owner) === BigInt(signer)
  );
}
