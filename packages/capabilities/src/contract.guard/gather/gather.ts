import type { Hex, Reading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { CodeFingerprint } from "../../shared/code/fingerprintBytecode.js";
import { rememberedFingerprint } from "../../shared/code/rememberedFingerprint.js";
import { followDelegation } from "../../shared/control/gather/followDelegation.js";
import { type ReadCodes, readFollowed, readSubject } from "../../shared/control/gather/gatherSubject.js";
import { readProgram } from "../../shared/machine/gather/readProgram.js";
import { compareWithRegistry } from "../../shared/parties/compareWithRegistry.js";
import { findKnownAccountCode } from "../../shared/parties/findKnownAccountCode.js";
import { findParty, registryVersion } from "../../shared/parties/findParty.js";
import { type DelegationReading, noDelegation } from "../../shared/proxies/delegationReading.js";
import { findImplementation } from "../../shared/proxies/findImplementation.js";
import { listKnownWords } from "../../shared/proxies/gather/listKnownWords.js";
import type { SubjectReadings } from "../../shared/proxies/subjectReadings.js";
import { recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import type { ContractGuardInput } from "../input.js";
import type { ContractGuardReadings } from "../readings.js";

/**
 * A contract, what it runs and who controls it. Two batches for layouts whose slots are known; for others one more for
 * each step in which the code finds out where to go.
 */
async function gatherContractGuard(
  context: GatherContext,
  { address }: ContractGuardInput,
): Promise<Gathered<ContractGuardReadings>> {
  const codes: ReadCodes = new Map();
  const subject = await readSubject(context, address, codes);
  const program = await readProgram(codes.get(address));
  const own = { address, code: codes.get(address), ...listKnownWords(subject.slots) };
  const delegation =
    program && own.code ? await followDelegation(context, { ...own, code: own.code, program }) : noDelegation;
  const follow = await readFollowed(context, address, subject, delegation.target, codes);
  const readings: SubjectReadings = { ...subject, ...follow };
  const behind = await readBehind(context, address, readings, delegation, codes);
  const fingerprint = recordFingerprint(context, address, subject.code);
  return {
    readings: {
      ...readings,
      ...behind.more,
      program,
      delegation,
      behind: behind.behind,
      known: lookUp(address, readings, delegation, behind.behind?.address ?? null, codes),
    },
    ...(fingerprint && { fingerprint }),
  };
}

const fingerprintOf = (code: Reading<CodeFingerprint>): CodeFingerprint | undefined =>
  code.status === "value" ? code.value : undefined;

/** The code that finally runs. Where a fixed target passes calls on over this address's storage, that is followed too. */
async function readBehind(
  context: GatherContext,
  address: Hex,
  readings: SubjectReadings,
  delegation: DelegationReading,
  codes: ReadCodes,
): Promise<{
  behind: ContractGuardReadings["behind"];
  more: Partial<Pick<SubjectReadings, "followed">>;
}> {
  const found = findImplementation(readings, delegation);
  if (found === null) return { behind: null, more: {} };
  const code = codes.get(found);
  const program = await readProgram(code);
  const isFixed = delegation.origin === "code" && delegation.target === found;
  if (code === undefined || program === null || !isFixed)
    return { behind: { address: found, program, delegation: null }, more: {} };
  const inner = await followDelegation(context, {
    address,
    code,
    program,
    ...listKnownWords(readings.slots),
  });
  // A second target that is fixed in code is not followed.
  const isFurther = inner.origin === "storage" || inner.origin === "call";
  if (
    inner.target === null ||
    !isFurther ||
    readings.followed.some((entry) => entry.address === inner.target)
  )
    return { behind: { address: found, program, delegation: inner }, more: {} };
  const { followed } = await readFollowed(context, address, readings, inner.target, codes);
  return { behind: { address: found, program, delegation: inner }, more: { followed } };
}

/** What is published about the address and about the code that it runs. */
function lookUp(
  address: Hex,
  { code }: SubjectReadings,
  { outcome }: DelegationReading,
  behind: Hex | null,
  codes: ReadCodes,
): ContractGuardReadings["known"] {
  const party = findParty(address) ?? null;
  const bytes = codes.get(address);
  const own = fingerprintOf(code);
  const accountAt = (at: Hex | null | undefined) => {
    const found = at ? codes.get(at) : undefined;
    return (found && findKnownAccountCode(rememberedFingerprint(found).codeHash, found)) ?? null;
  };
  const read = own && bytes ? { hash: own.codeHash, bytes } : undefined;
  // A slot alone vouches for nothing: the code must pass calls on to what it names.
  const running = outcome === "delegates" && behind !== null ? behind : undefined;
  return {
    registryVersion,
    party,
    standing: party && compareWithRegistry(party, read, running),
    accounts: { own: accountAt(address), target: accountAt(own?.target), behind: accountAt(behind) },
  };
}

export const gatherer: Gatherer<ContractGuardInput, ContractGuardReadings> = {
  gather: gatherContractGuard,
};
