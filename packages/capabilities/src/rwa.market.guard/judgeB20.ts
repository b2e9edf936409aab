import type { Hex, Reading } from "@assay/protocol";
import type { Note } from "../shared/verdict/note.js";
import { readFlag } from "../shared/words/readFlag.js";
import { readOneWord } from "../shared/words/readOneWord.js";
import type { RwaMarketReadings } from "./readings.js";

export type B20Code =
  | "B20_TOKEN"
  | "B20_UNREAD"
  | "B20_UNINITIALIZED"
  | "PERMISSION_PROBE_UNREAD"
  | "CONTRACT_PAUSED"
  | "NOT_PAUSED";

/** The precompiles that make native tokens and keep their policies on Base. */
export const B20_FACTORY = "0xb20f000000000000000000000000000000000000";
export const B20_POLICIES = "0x8453000000000000000000000000000000000002";

interface B20Judgement {
  readonly notes: Note<B20Code>[];
  readonly isNative: boolean;
  /** Whether a policy of the token excludes a fresh account. */
  readonly isRestricted: boolean;
  readonly b20: {
    readonly transfersPaused: boolean | null;
    readonly senderPolicy: string | null;
    readonly receiverPolicy: string | null;
    readonly admitsStranger: boolean | null;
  } | null;
}

const ROLES =
  "Who holds the roles of a native token cannot be listed from its state; only administrators on the operator's list were asked about.";

/** A native token's rules are in the node, so only its answers and those of the chain's factory can be read. */
export function judgeB20({ contract, b20 }: RwaMarketReadings): B20Judgement {
  const isMarked = contract.code.status === "value" && contract.code.value.form === "native_b20";
  const flag = (answer: Reading<string> | null) => (answer ? readFlag(answer as Reading<Hex>) : null);
  const known = flag(b20.isKnown);
  if (!isMarked && known !== "yes") {
    const limitation = "Whether the chain's factory knows the token was not read: no node answered.";
    return {
      notes: known === "unread" ? [{ code: "PERMISSION_PROBE_UNREAD", limitation }] : [],
      isNative: false,
      isRestricted: false,
      b20: null,
    };
  }
  const paused = flag(b20.transfersPaused);
  const [sender, receiver] = [flag(b20.senderAllowed), flag(b20.receiverAllowed)];
  const [senderPolicy, receiverPolicy] = [readOneWord(b20.senderPolicy), readOneWord(b20.receiverPolicy)];
  const isWhole =
    known === "yes" &&
    (paused === "yes" || paused === "no") &&
    readOneWord(b20.supplyCap) !== null &&
    [sender, receiver].every((answer) => answer === "yes" || answer === "no");
  const isRestricted = sender === "no" || receiver === "no";
  const notes: Note<B20Code>[] = known === "yes" ? [{ code: "B20_TOKEN", limitation: ROLES }] : [];
  if (!isWhole)
    notes.push({
      code: "B20_UNREAD",
      limitation:
        "The chain's factory, the token's pause, cap or policies did not answer as a native token's do.",
    });
  if (known === "yes" && flag(b20.isInitialized) !== "yes") notes.push({ code: "B20_UNINITIALIZED" });
  if (paused === "yes") notes.push({ code: "CONTRACT_PAUSED" });
  if (paused === "no") notes.push({ code: "NOT_PAUSED" });
  return {
    notes,
    isNative: true,
    isRestricted,
    b20: {
      transfersPaused: paused === "yes" ? true : paused === "no" ? false : null,
      senderPolicy: senderPolicy?.toString() ?? null,
      receiverPolicy: receiverPolicy?.toString() ?? null,
      admitsStranger: isRestricted ? false : sender === "yes" && receiver === "yes" ? true : null,
    },
  };
}
