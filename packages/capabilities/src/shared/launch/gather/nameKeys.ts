import type { CallRead, CallTrace } from "@assay/chain";
import { type Hex, keccak256, type Reading, unanswered } from "@assay/protocol";
import { encodeAbiParameters, parseAbiParameters, toFunctionSelector } from "viem";
import { PERMIT2 } from "../../chain-facts/knownContracts.js";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import { listProgramOpcodes, type ProgramFacts } from "../../code/describeProgram.js";
import type { CodeFingerprint } from "../../code/fingerprintBytecode.js";
import { rememberedFingerprint } from "../../code/rememberedFingerprint.js";
import { findLiveOwner } from "../../control/judgeOwnership.js";
import { findKnownTimelock } from "../../control/knownTimelocks.js";
import { findKnownAccountCode } from "../../parties/findKnownAccountCode.js";
import { findParty } from "../../parties/findParty.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import type { DeepPool } from "../../pools/rankPools.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import type { LaunchReadings } from "../launchReadings.js";
import { joinKeys, type Key, type KeyPlace, listPlaces, readPlace } from "../listKeys.js";
import { FIRST_WORDS, type First } from "./readSubject.js";
import { countPending, readOperations } from "./timelockOperations.js";

const SELECTORS = {
  getMinDelay: "0xf27a0c92",
  getThreshold: "0xe75235b8",
  getOwners: "0xa0e67e2b",
} as const;
const OWNERS_BYTES = 1024;
const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

/** Contracts that are part of every trade, and nobody's key. */
export function listStrangers(
  venues: LaunchVenues,
  token: Hex,
  ranked: readonly DeepPool[],
): ReadonlySet<Hex> {
  const { weth, stablecoin, quotes, classic, concentrated, routed, slipstream, singleton } = venues;
  return new Set<Hex>([
    token,
    weth,
    stablecoin,
    ...quotes.map(({ address }) => address),
    classic.factory,
    classic.router,
    concentrated.factory,
    concentrated.router,
    concentrated.quoter,
    ...(concentrated.positions ? [concentrated.positions] : []),
    ...(routed ? [routed.factory, routed.router] : []),
    ...slipstream.flatMap(({ factory, router, quoter, positions }) => [factory, router, quoter, positions]),
    ...(singleton ? [singleton.manager] : []),
    ...ranked.map(({ pool }) => pool),
    // Uniswap's Permit2, which some tokens let spend from the start.
    PERMIT2,
  ]);
}

export function nameKeys(
  { subject, hints }: First,
  analysis: CodeAnalysis | null,
  facts: ProgramFacts | null,
  words: ReadonlyMap<Hex, Reading<Hex>>,
  strangers: ReadonlySet<Hex>,
): Key[] {
  const owner = findLiveOwner(subject);
  const stored = listPlaces(analysis, FIRST_WORDS).flatMap(({ slot, offset }) => {
    const word = words.get(slot);
    const address = word?.status === "value" ? readPlace(word.value, offset) : null;
    return address === null ? [] : [{ address, source: "storage" as const }];
  });
  return joinKeys(
    [
      ...(owner === null ? [] : [{ address: owner, source: "owner" as const }]),
      ...stored,
      ...(facts?.addresses ?? []).map((address) => ({ address, source: "constant" as const })),
      ...listBridges(analysis).map((address) => ({ address, source: "constant" as const })),
      ...hints.roleMembers.map((address) => ({ address, source: "role" as const })),
      ...hints.minted.slice(0, 3).map((address) => ({ address, source: "creation" as const })),
      ...hints.named.slice(0, 6).map((address) => ({ address, source: "event" as const })),
    ],
    strangers,
  );
}

/** Functions of tokens that a bridge of the chain makes, and that bridge, whose address compilers like to compute. */
const BRIDGED: readonly (readonly [signature: string, bridge: Hex])[] = [
  ["crosschainMint(address,uint256)", "0x4200000000000000000000000000000000000028"],
  ["remoteToken()", "0x4200000000000000000000000000000000000010"],
  ["REMOTE_TOKEN()", "0x4200000000000000000000000000000000000010"],
  ["l1Token()", "0x4200000000000000000000000000000000000010"],
];

const listBridges = (analysis: CodeAnalysis | null): Hex[] =>
  BRIDGED.filter(([signature]) =>
    analysis?.functions.some(({ selector }) => selector === toFunctionSelector(signature)),
  ).map(([, bridge]) => bridge);

export function recordWords(
  places: readonly KeyPlace[],
  words: ReadonlyMap<Hex, Reading<Hex>>,
): LaunchReadings["words"] {
  return places
    .flatMap(({ slot, offset }) => {
      const word = words.get(slot);
      return word === undefined ? [] : [{ slot, offset, word }];
    })
    .slice(0, 64);
}

/** Where a Safe keeps the first of its modules, which act without its owners; the list ends with 1. */
const SAFE_MODULES = keccak256(
  encodeAbiParameters(parseAbiParameters("address, uint256"), [`0x${"1".padStart(40, "0")}`, 1n]),
);
const NO_MODULES = 1n;

export function askAccounts(batch: Batch, addresses: readonly Hex[], token: Hex) {
  return addresses.map((address) => {
    const operations = batch.ask(readOperations(address));
    const modules = batch.ask({ kind: "storage", address, slot: SAFE_MODULES });
    const code = batch.ask({ kind: "code", address });
    const minDelay = batch.ask(call(address, SELECTORS.getMinDelay));
    const threshold = batch.ask(call(address, SELECTORS.getThreshold));
    const owners = batch.ask(call(address, SELECTORS.getOwners));
    const first = batch.ask({ kind: "storage", address, slot: `0x${"0".repeat(64)}` });
    return {
      address,
      code,
      parse: (): LaunchReadings["accounts"][number] => {
        const bytes = code();
        const fingerprint = fingerprintReading(bytes);
        const hasCode = fingerprint.status === "value" && fingerprint.value.form !== "empty";
        return {
          address,
          code: fingerprint,
          minDelay: hasCode ? cutAnswer(minDelay(), WORD_ANSWER_BYTES) : null,
          threshold: hasCode ? cutAnswer(threshold(), WORD_ANSWER_BYTES) : null,
          owners: hasCode ? cutAnswer(owners(), OWNERS_BYTES) : null,
          knownAs:
            bytes.status === "value"
              ? (findKnownTimelock(bytes.value) ?? findSafe(bytes.value, first(), modules()))
              : null,
          pending:
            bytes.status === "value" && findKnownTimelock(bytes.value) !== null
              ? countPending(operations(), address, token)
              : null,
        };
      },
    };
  });
}

/** The name of a genuine Safe without modules: its own code and that of the contract which it runs are known ones. */
function findSafe(code: Hex, firstWord: Reading<Hex>, modules: Reading<Hex>): string | null {
  if (modules.status !== "value" || BigInt(modules.value) !== NO_MODULES) return null;
  const proxy = findKnownAccountCode(rememberedFingerprint(code).codeHash);
  if (proxy?.kind !== "safe_proxy" || firstWord.status !== "value") return null;
  const singleton = findParty(`0x${firstWord.value.slice(-40)}`);
  return singleton?.role === "account_implementation" || singleton?.role === "delegate"
    ? `${singleton.name} behind ${proxy.name}`
    : null;
}

/** A contract that makes no calls holds no key. */
export function canAct(code: Reading<Hex>): boolean {
  if (code.status !== "value") return true;
  const opcodes = listProgramOpcodes(code.value);
  return opcodes.includes("CALL") || opcodes.includes("DELEGATECALL") || code.value.startsWith("0xef0100");
}

/** The owner's code was read with a proof. */
export function replaceCode(
  accounts: LaunchReadings["accounts"],
  owner: Hex | null,
  code: Reading<CodeFingerprint> | null,
): LaunchReadings["accounts"] {
  return accounts.map((account) => (account.address === owner && code ? { ...account, code } : account));
}

/** A trace in which nobody asked the token is of another call. */
export function checkTrace(trace: Reading<CallTrace>, token: Hex): Reading<CallTrace> {
  const isAsked = trace.status !== "value" || trace.value.calls.some(({ to }) => to === token);
  return isAsked ? trace : unanswered("trade_not_traced");
}

export function listCallees(
  calls: readonly { readonly from: Hex; readonly to: Hex }[],
  token: Hex,
  implementation: Hex | undefined,
  strangers: ReadonlySet<Hex>,
): Hex[] {
  const found = calls.filter(({ from, to }) => from === token && to !== implementation && !strangers.has(to));
  return [...new Set(found.map(({ to }) => to))].filter((to) => BigInt(to) > 0xffffn);
}
