import type { Reading } from "@assay/protocol";
import type { CodeAnalysis } from "../code/codeAnalysis.js";
import { HAS_ROLE_SELECTOR } from "../control/ownerPowers.js";
import { readOneWord } from "../words/readOneWord.js";
import type { LaunchAccount, LaunchReadings } from "./launchReadings.js";

/** One key; several keys or a delay, in code that is known; another contract; or not read. */
export type AccountKind = "account" | "shared" | "contract" | "unread";

/** Seconds. A shorter delay leaves nobody the time to sell. */
const LONG_DELAY = 86_400n;

/** What kind of account may use a key. */
export function describeHolder({ accounts }: Pick<LaunchReadings, "accounts">, address: string): AccountKind {
  // Contracts of the chain itself, as the bridge: nobody can have a key to such an address.
  if (/^0x4200000000000000000000000000000000000[0-7][0-9a-f]{2}$/.test(address)) return "shared";
  const account = accounts.find((one) => one.address === address);
  if (account?.code.status !== "value") return "unread";
  const { form } = account.code.value;
  // A delegated account (EIP-7702) is still one key's.
  if (form === "empty" || form === "eip7702_delegation") return "account";
  return isShared(account) ? "shared" : "contract";
}

function isShared({ knownAs, minDelay, threshold, pending }: LaunchAccount): boolean {
  if (knownAs === null) return false;
  // An operation that was scheduled may be due by now.
  if (pending && (pending.status !== "value" || pending.value > 0)) return false;
  const delay = readAnswer(minDelay);
  const keys = readAnswer(threshold);
  return (delay !== null && delay >= LONG_DELAY) || (keys !== null && keys >= 2n);
}

const readAnswer = (answer: Reading<string> | null): bigint | null =>
  answer === null ? null : readOneWord(answer as Reading<never>);

/** Further members of roles are not recorded. */
const MAX_MEMBERS = 16;

/** Whether nobody has a role any more, as the token's events say, or only accounts of several keys or a delay. */
export function haveRolesGone(readings: LaunchReadings, analysis: CodeAnalysis): boolean {
  const { events } = readings;
  const hasRoles = analysis.functions.some(({ selector }) => selector === HAS_ROLE_SELECTOR);
  return (
    hasRoles &&
    events.status === "value" &&
    events.value.everGranted &&
    events.value.roleMembers.length < MAX_MEMBERS &&
    events.value.roleMembers.every((member) => describeHolder(readings, member) === "shared")
  );
}
