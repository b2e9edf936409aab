import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer, InterfaceScan } from "../../gathering.js";
import { scanCode } from "../../shared/code/gather/scanCode.js";
import {
  findBeaconCode,
  joinBeaconAnswers,
  parseBeaconAnswer,
  readBeacon,
} from "../../shared/proxies/gather/beaconLens.js";
import { type KnownSlot, knownSlots } from "../../shared/proxies/knownSlots.js";
import { resolveWithoutSafe } from "../../shared/proxies/resolveWithoutSafe.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../shared/reads/gather/cutAnswer.js";
import { fingerprintReading, recordFingerprint } from "../../shared/reads/gather/fingerprintReading.js";
import { nameSlots } from "../../shared/reads/gather/nameSlots.js";
import { readAccounts } from "../../shared/reads/gather/readAccounts.js";
import { addressInWord, isZeroWord } from "../../shared/words/addressInWord.js";
import type { ContractInterfaceInput } from "../input.js";
import type { ContractInterfaceReadings, ImplementationReading } from "../readings.js";
import { DECIMALS_SELECTOR, INVALID_INTERFACE_ID, standardInterfaces } from "../standardInterfaces.js";

type Subject = Pick<ContractInterfaceReadings, "code" | "slots" | "probes">;
type Behind = Pick<ContractInterfaceReadings, "beaconImplementation" | "implementation">;

const subjectSlots = [
  "eip1967Implementation",
  "eip1967Admin",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
] as const satisfies readonly KnownSlot[];
const implementationSlots = [
  "eip1967Implementation",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
] as const satisfies readonly KnownSlot[];

/** An account that nobody owns. Not zero: ERC-721 reverts when asked for the balance of zero. */
const HOLDER = "0x000000000000000000000000000000000000dead";
const { erc165, erc20, erc721, erc721Metadata, erc1155 } = standardInterfaces;
const supports = (interfaceId: Hex): Hex =>
  `${erc165.functions["supportsInterface(bytes4)"]}${interfaceId.slice(2).padEnd(64, "0")}`;
/** In the order they are asked in. */
const PROBES = {
  supportsErc165: supports(erc165.interfaceId),
  supportsInvalid: supports(INVALID_INTERFACE_ID),
  supportsErc721: supports(erc721.interfaceId),
  supportsErc721Metadata: supports(erc721Metadata.interfaceId),
  supportsErc1155: supports(erc1155.interfaceId),
  totalSupply: erc20.functions["totalSupply()"],
  balanceOf: `${erc20.functions["balanceOf(address)"]}${HOLDER.slice(2).padStart(64, "0")}`,
  decimals: DECIMALS_SELECTOR,
} as const satisfies Record<keyof Subject["probes"], Hex>;

/** The code behind a proxy may be replaced in the next block; the catalog's week is for code that stays. */
const PROXY_TTL_SECONDS = 10;

/** Whether other code may answer at this address later: a slot that names it is set or unread, or it delegates. */
function canChange({ code, slots }: Subject): boolean {
  const isSettled = Object.values(slots).every((slot) => slot.status === "value" && isZeroWord(slot.value));
  return !isSettled || code.status !== "value" || code.value.form === "eip7702_delegation";
}

/**
 * Everything contract.interface judges, in at most two batches: the address itself, then the code its slots or its own
 * code point at. Code is scanned here unless somebody's settled call has left a scan of the same code.
 */
async function gatherContractInterface(
  context: GatherContext,
  { address }: ContractInterfaceInput,
): Promise<Gathered<ContractInterfaceReadings>> {
  const { subject, bytes } = await readSubject(context, address);
  const [own, behind] = await Promise.all([
    scanCode(context, subject.code, bytes),
    readBehind(context, address, subject),
  ]);
  const made = [...own.made, ...behind.made];
  const fingerprint = recordFingerprint(context, address, subject.code);
  return {
    readings: { ...subject, scan: own.scan, ...behind.readings },
    // By what this call itself found, not by scans that others have left since.
    status: own.scan?.status === "value" && own.scan.value.source === "reused" ? "partial" : "miss",
    ...(canChange(subject) && { ttlSeconds: PROXY_TTL_SECONDS }),
    ...(made.length > 0 && { scans: made }),
    ...(fingerprint && { fingerprint }),
  };
}

async function readSubject(
  context: GatherContext,
  address: Hex,
): Promise<{ subject: Subject; bytes: Hex | undefined }> {
  const names = Object.keys(PROBES) as (keyof typeof PROBES)[];
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: subjectSlots.map((name) => knownSlots[name]) }],
    names.map((name): CallRead => ({ kind: "call", to: address, data: PROBES[name] })),
  );
  const [account] = accounts;
  const probes = names.map((name, index) => [name, cutAnswer(others[index], WORD_ANSWER_BYTES)]);
  return {
    subject: {
      code: fingerprintReading(account?.code),
      slots: nameSlots(subjectSlots, account?.slots ?? []),
      probes: Object.fromEntries(probes) as Subject["probes"],
    },
    bytes: bytesOf(account?.code),
  };
}

const NOTHING_BEHIND = { readings: { beaconImplementation: null, implementation: null }, made: [] };

/** The code that runs behind the address, by the first slot that names it or by the address's own code. */
function readBehind(
  context: GatherContext,
  address: Hex,
  { code, slots }: Subject,
): Promise<{ readings: Behind; made: readonly InterfaceScan[] }> {
  const resolution = resolveWithoutSafe({ code, slots, beaconImplementation: null });
  if (resolution.status === "resolved") return readImplementation(context, resolution.implementation);
  const beacon = slots.eip1967Beacon;
  return resolution.status === "unread" && resolution.kind === "beacon" && beacon.status === "value"
    ? readBeaconChoice(context, readBeacon(addressInWord(beacon.value), address))
    : Promise.resolve(NOTHING_BEHIND);
}

async function readImplementation(context: GatherContext, address: Hex) {
  const slots = implementationSlots.map((name) => knownSlots[name]);
  const { accounts } = await readAccounts(context, [{ address, slots }], []);
  const [account] = accounts;
  const code = fingerprintReading(account?.code);
  const { scan, made } = await scanCode(context, code, bytesOf(account?.code));
  const named = nameSlots(implementationSlots, account?.slots ?? []);
  const implementation: ImplementationReading = { address, code, scan, slots: named };
  return { readings: { beaconImplementation: null, implementation }, made };
}

/** The beacon's answer and the code it names come together, without a further round trip. */
async function readBeaconChoice(context: GatherContext, reads: ReturnType<typeof readBeacon>) {
  const answer = joinBeaconAnswers(...(await context.chain.readAt(context.block, reads)));
  const choice = parseBeaconAnswer(answer);
  const beaconImplementation = mapReading(choice, ({ implementation }) => implementation);
  if (choice.status !== "value")
    return { readings: { beaconImplementation, implementation: null }, made: [] };
  const code = valueReading(choice.value.code);
  const { scan, made } = await scanCode(context, code, findBeaconCode(answer));
  const implementation: ImplementationReading = {
    address: choice.value.implementation,
    code,
    scan,
    slots: null,
  };
  return { readings: { beaconImplementation, implementation }, made };
}

const bytesOf = (code: Reading<Hex> | undefined): Hex | undefined =>
  code?.status === "value" ? code.value : undefined;

export const gatherer: Gatherer<ContractInterfaceInput, ContractInterfaceReadings> = {
  gather: gatherContractInterface,
};
