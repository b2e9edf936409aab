import { type Hex, noAnswer, type Reading } from "@assay/protocol";
import { rememberedFingerprint } from "../../code/rememberedFingerprint.js";
import { compareWithRegistry } from "../../parties/compareWithRegistry.js";
import { findKnownAccountCode } from "../../parties/findKnownAccountCode.js";
import { findParty } from "../../parties/findParty.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { addressInWord, isZeroWord } from "../../words/addressInWord.js";
import type { PartyReading } from "../partyView.js";

/** What was read of one address, before it is compared with the registry. */
export interface ReadParty {
  readonly address: Hex;
  readonly code: Reading<Hex>;
  /** Words of the slots in which proxies keep their implementation (ERC-1967, then a Safe's). */
  readonly slots: readonly (Reading<Hex> | undefined)[];
  readonly nonce: Reading<string> | null;
  readonly keeps: PartyReading["keeps"];
  readonly wallet: PartyReading["wallet"];
}

/** A party's code is asked about three times, and popular code for every call. */
const hashCode = (code: Hex): Hex => rememberedFingerprint(code).codeHash;

/** The address whose code runs behind this one; null where it runs its own, or that was not read. */
export function findImplementation({ code, slots }: Pick<ReadParty, "code" | "slots">): Hex | null {
  if (code.status !== "value") return null;
  const { form, target } = fingerprintValue(code);
  if (form === "eip7702_delegation" || form === "eip1167_clone") return target;
  if (form !== "contract") return null;
  const [implementation, singleton] = slots;
  if (implementation?.status === "value" && !isZeroWord(implementation.value))
    return addressInWord(implementation.value);
  // Any contract may keep anything in its first slot; only a Safe's proxy keeps its singleton there.
  const isSafe = findKnownAccountCode(hashCode(code.value))?.kind === "safe_proxy";
  return isSafe && singleton?.status === "value" && !isZeroWord(singleton.value)
    ? addressInWord(singleton.value)
    : null;
}

function fingerprintValue(code: Reading<Hex>) {
  const read = fingerprintReading(code);
  return read.status === "value" ? read.value : { form: "empty" as const, target: null };
}

/** Compares what was read with the registry. `behind` is the code of the implementation, where there is one. */
export function describeParty(party: ReadParty, behind: Reading<Hex> = noAnswer): PartyReading {
  const { address, code, nonce, keeps, wallet } = party;
  const implementation = findImplementation(party);
  const known = findParty(address) ?? null;
  const read = code.status === "value" ? { hash: hashCode(code.value), bytes: code.value } : undefined;
  return {
    address,
    code: fingerprintReading(code),
    implementation,
    nonce,
    keeps,
    wallet,
    known,
    standing:
      known &&
      compareWithRegistry(
        known,
        // An address without code runs none that was published.
        code.status === "absent" ? { hash: hashCode("0x"), bytes: "0x" } : read,
        implementation ?? undefined,
      ),
    account: findAccount(code, implementation, behind),
  };
}

/** The published wallet code that runs at an address: its own, or that of its implementation. */
function findAccount(
  code: Reading<Hex>,
  implementation: Hex | null,
  behind: Reading<Hex>,
): PartyReading["account"] {
  if (code.status !== "value") return null;
  if (implementation === null) {
    const own = findKnownAccountCode(hashCode(code.value));
    return own && own.kind !== "safe_proxy" ? own : null;
  }
  if (behind.status === "value") {
    // Constructors write the entry point, and the address itself, into the code of an account.
    const found = findKnownAccountCode(hashCode(behind.value), behind.value);
    if (found) return found;
  }
  const listed = findParty(implementation);
  if (listed?.role !== "account_implementation" && listed?.role !== "delegate") return null;
  if (
    behind.status === "value" &&
    compareWithRegistry(listed, { hash: hashCode(behind.value), bytes: behind.value }) === "changed"
  )
    return null;
  const kind = fingerprintValue(code).form === "eip7702_delegation" ? "eip7702_delegate" : "erc4337";
  return { name: listed.name, version: "", kind, source: listed.source };
}
