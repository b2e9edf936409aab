import type { ChainRead } from "@assay/chain";
import {
  absent,
  countReadings,
  type Hex,
  mapReading,
  noAnswer,
  type Reading,
  valueReading,
} from "@assay/protocol";
import type { GatherContext, Gathered } from "../../../gathering.js";
import type { CodeAnalysis } from "../../code/codeAnalysis.js";
import { cutMetadata, describeProgram, listProgramOpcodes } from "../../code/describeProgram.js";
import { analyseCode } from "../../code/gather/analyseCode.js";
import { isScannable } from "../../code/isScannable.js";
import { listWatchedOpcodes } from "../../code/listWatchedOpcodes.js";
import { BURN_ADDRESSES, findLiveOwner } from "../../control/judgeOwnership.js";
import { readLocks, readTrade } from "../../machine/gather/readProgram.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import type { LaunchPool } from "../../pools/poolReadings.js";
import { rankPools } from "../../pools/rankPools.js";
import { joinBeaconAnswers, parseBeaconAnswer, readBeacon } from "../../proxies/gather/beaconLens.js";
import { resolveWithoutSafe } from "../../proxies/resolveWithoutSafe.js";
import { type Batch, createBatch } from "../../reads/gather/createBatch.js";
import { fingerprintReading, recordFingerprint } from "../../reads/gather/fingerprintReading.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";
import { gasPriceAt, priceRead } from "../../simulation/gather/simulatedFees.js";
import type { LaunchReadings } from "../launchReadings.js";
import { listPlaces, padSlot } from "../listKeys.js";
import { looksAtCode } from "../patchProgram.js";
import { describeBehind, findBeacon, findBehindCode } from "./describeBehind.js";
import { type FreshAccounts, nameFreshAccounts } from "./freshAccounts.js";
import { createJoint } from "./jointProbes.js";
import { traceTrade } from "./launchProbe.js";
import { listEarlyKeepers } from "./listEarlyKeepers.js";
import { type Ahead, NOTHING_AHEAD } from "./lookAhead.js";
import {
  askAccounts,
  canAct,
  checkTrace,
  listCallees,
  listStrangers,
  nameKeys,
  recordWords,
  replaceCode,
} from "./nameKeys.js";
import { planCreation } from "./planCreation.js";
import { planGrants } from "./planGrants.js";
import { planHolderSales } from "./planHolderSales.js";
import { planLimits } from "./planLimits.js";
import { planHolders, planKeepers, planLiquidity } from "./planLiquidity.js";
import { planSiblings } from "./planSiblings.js";
import { type Program, planTrades, planTrials, type TradeQuestion } from "./planTrades.js";
import { listMarkets, planV4 } from "./planV4.js";
import { FIRST_WORDS, type First, readSubject } from "./readSubject.js";
import { NOTHING, type Rest } from "./restOfReadings.js";

/** Of keys, the most that act. */
const MAX_ACTORS = 6;
const MAX_HOLDERS = 12;
const MAX_LIQUIDITY = 16;

/**
 * Everything a launched token is judged by, in two or three batches: the token itself with its pools and events; then trades in
 * those pools, the accounts that may hold keys and what they can do, and who holds the liquidity; then what only those answers
 * named: a program behind a proxy, contracts that the token calls, and what keepers of liquidity let happen to it. What was seen
 * before, in `ahead`, only brings questions into an earlier batch.
 */
export async function gatherLaunch(
  context: GatherContext,
  address: Hex,
  ahead: Ahead = NOTHING_AHEAD,
): Promise<Gathered<LaunchReadings>> {
  const venues = context.launchVenues;
  const fresh = nameFreshAccounts(context.block.hash, address);
  const first = await readSubject(context, venues, address, fresh, ahead);
  const { subject, bytes } = first;
  const fingerprint = recordFingerprint(context, address, subject.code);
  const isProgram = subject.code.status !== "value" || isScannable(subject.code.value);
  // A node that answered nothing about the token is asked nothing more.
  const isRead = countReadings(subject).answered > 0;
  const rest = isProgram && isRead ? await readRest(context, { venues, address, fresh, ...first }) : null;
  const { behindCode, seen, named, ...known } = rest ?? {
    ...NOTHING,
    behindCode: null,
    named: [],
    seen: isRead ? absent : noAnswer,
  };
  return {
    readings: {
      block: {
        number: context.block.number,
        hash: context.block.hash,
        timestamp: context.block.timestamp,
      },
      ...subject,
      pools: mapReading(subject.pools, ({ found, ...others }) => ({
        ...others,
        found: [...found, ...named],
      })),
      quotes: { weth: venues.weth, stablecoin: venues.stablecoin },
      ...known,
      events: first.events,
      fees: {
        conditions: {
          baseFee: context.block.baseFeePerGas?.toString() ?? null,
          gasPrice: gasPriceAt(context.block).toString(),
          seen,
          isFeeLent: true,
        },
        programs: [
          { address, looksAt: mapReading(bytes, listWatched) },
          ...(known.implementation && behindCode
            ? [{ address: known.implementation.address, looksAt: mapReading(behindCode, listWatched) }]
            : []),
        ],
      },
    },
    ...(fingerprint && { fingerprint }),
  };
}

/** The token's code is followed, so that no jump leads into its metadata unseen. */
const listWatched = (code: Hex) => listWatchedOpcodes(cutMetadata(code));

interface Known extends First {
  readonly venues: LaunchVenues;
  readonly address: Hex;
  readonly fresh: FreshAccounts;
}

async function readRest(
  context: GatherContext,
  known: Known,
): Promise<
  Rest & {
    readonly behindCode: Reading<Hex> | null;
    /** Pools that only events name, with what they hold. */
    readonly named: readonly LaunchPool[];
    readonly seen: LaunchReadings["fees"]["conditions"]["seen"];
  }
> {
  const { address, subject, venues, fresh, hints } = known;
  const { code, slots, pools } = subject;
  const behind = resolveWithoutSafe({ code, slots, beaconImplementation: null });
  const target = behind.status === "resolved" ? behind.implementation : null;
  const beacon = findBeacon(behind, slots.eip1967Beacon);
  const ownBytes = known.bytes.status === "value" ? known.bytes.value : undefined;
  const isProxy = behind.status !== "none";
  // The code behind a clone or a proxy came with the pools. It is read again with its proof, and must be the same.
  const foreseen =
    isProxy && (target === null ? beacon !== null : known.behind?.target === target) ? known.behind : null;
  const firstBytes = isProxy ? foreseen?.code : ownBytes;
  const firstAnalysis = firstBytes === undefined ? null : await analyseCode(firstBytes);
  const ranked = pools.status === "value" ? rankPools(pools.value, venues.weth) : [];
  const markets = listMarkets(venues, address, ranked, pools.status === "value" ? known.named : []);
  const [deepest] = markets;
  const strangers = listStrangers(venues, address, ranked);
  const gasPrice = gasPriceAt(context.block);
  const price = <R extends ChainRead>(read: R): R => priceRead(read, gasPrice);

  // The second batch.
  const batch = createBatch();
  const owner = findLiveOwner(subject);
  const firstFacts = firstBytes === undefined ? null : describeProgram(firstBytes);
  const firstKeys = nameKeys(known, findValue(firstAnalysis), firstFacts, known.words, strangers);
  const apart = [...new Set([target, owner].filter((one) => one !== null && one !== address))] as Hex[];
  // Where the node does not run other code in the token's place, no word is known yet.
  const firstWords = known.words.size === 0 ? FIRST_WORDS : 0;
  const places = listPlaces(findValue(firstAnalysis), firstWords).filter(
    ({ slot }) => !known.words.has(slot),
  );
  const morePlaces = [...new Set(places.map(({ slot }) => slot))].slice(0, 24 + firstWords);
  const moreWords = morePlaces.map((slot) => batch.ask({ kind: "storage", address, slot }));
  const accountsAsked = askAccounts(batch, firstKeys.map((key) => key.address).slice(0, 16), address);
  const holders = hints.holders.filter((holder) => !strangers.has(holder)).slice(0, MAX_HOLDERS);
  const supply = planHolders(
    batch,
    address,
    [
      ...new Set([
        ...BURN_ADDRESSES,
        address,
        ...firstKeys.map((key) => key.address).slice(0, 6),
        ...holders,
      ]),
    ],
    valueReading(holders),
    null,
  );
  const poolAddresses = ranked.map(({ pool }) => pool);
  const creation = planCreation(batch, known, findValue(firstAnalysis), poolAddresses);
  const grants = planGrants(batch, address, poolAddresses, hints);
  const joint = createJoint();
  const question: TradeQuestion = {
    markets,
    fresh,
    supply: readSupply(subject.totalSupply),
    timestamp: context.block.timestamp,
    price,
  };
  const trades = planTrades(batch, joint, question, findValue(firstAnalysis));
  const trace = deepest && batch.ask(price(traceTrade(deepest, fresh.traders[0], fresh.friend)));
  const holderSales = planHolderSales(batch, {
    token: address,
    pool: deepest?.pool.pool ?? null,
    supply: readSupply(subject.totalSupply),
    balances: hints.balances,
    holders,
    creator: hints.minted[0] ?? null,
    price,
  });
  const limits = planLimits(batch, address, findValue(firstAnalysis));
  const v4 = planV4(batch, { ...known, markets, sender: fresh.traders[0] });
  const liquidity = planLiquidity(batch, {
    markets,
    venues,
    sender: fresh.traders[0],
    candidates: [
      ...new Set([...BURN_ADDRESSES, address, ...firstKeys.map((key) => key.address), ...holders]),
    ].slice(0, 12),
    shareHolders: known.shareHolders,
    shareApprovers: known.shareApprovers,
  });
  const keeping = {
    sender: fresh.traders[0],
    nobody: fresh.nobody,
    nowSeconds: context.block.timestamp,
    blockNumber: context.block.number,
    strangers,
    planned: new Map(),
    price,
  };
  await planKeepers(batch, listEarlyKeepers(known, address, markets, strangers), keeping);
  // A program that is known by now, with every key that it may have, is tried in the same batch.
  const hasMoreKeys = (findValue(firstAnalysis)?.storage ?? []).some(
    ({ type, slot }) => type === "address" && !known.words.has(padSlot(slot as Hex)),
  );
  const early =
    firstAnalysis && firstFacts && firstBytes !== undefined && !hasMoreKeys
      ? planTrials(
          batch,
          joint,
          question,
          { address: foreseen?.target ?? address, bytes: firstBytes, facts: firstFacts },
          firstAnalysis,
          known.words,
          firstKeys.slice(0, MAX_ACTORS),
        )
      : null;
  const siblings = planSiblings(joint, {
    token: address,
    candidates: [
      ...new Set([
        ...hints.minted.slice(0, 1),
        ...(owner ? [owner] : []),
        ...firstKeys.map((key) => key.address),
      ]),
    ],
    trader: fresh.traders[0],
    price,
  });
  joint.send(batch);
  const beaconReads = beacon === null ? [] : readBeacon(beacon, address).map((read) => batch.ask(read));
  const read = await readAccounts(
    context,
    apart.map((one) => ({ address: one, slots: [] })),
    batch.reads,
  );
  batch.settle(read.others as readonly Reading<unknown>[]);
  const codeOf = (one: Hex): Reading<Hex> | undefined => read.accounts[apart.indexOf(one)]?.code;
  const choice =
    beacon === null
      ? null
      : joinBeaconAnswers(beaconReads[0]?.() ?? noAnswer, beaconReads[1]?.() ?? noAnswer);
  const implementation = describeBehind(target, target && codeOf(target), choice);
  const behindCode = findBehindCode(target && (codeOf(target) ?? noAnswer), choice);
  const programBytes = isProxy ? (behindCode?.status === "value" ? behindCode.value : undefined) : ownBytes;
  const programAddress = isProxy ? (implementation?.address as Hex | undefined) : address;
  const isForeseen = programBytes === firstBytes && programAddress === (foreseen?.target ?? address);
  const analysis = (isForeseen ? firstAnalysis : null) ?? (await analyseCode(programBytes));
  const facts = programBytes === undefined ? null : describeProgram(programBytes);
  const program: Program | null =
    facts && programBytes && programAddress ? { address: programAddress, bytes: programBytes, facts } : null;

  // The third batch.
  const words = new Map([
    ...known.words,
    ...morePlaces.map((slot, index) => [slot, moreWords[index]?.() ?? noAnswer] as const),
  ]);
  const keys = nameKeys(known, findValue(analysis), facts, words, strangers);
  const able = keys.filter(({ address: one }) => {
    const account = accountsAsked.find((asked) => asked.address === one);
    return account === undefined || canAct(account.code());
  });
  const last = createBatch();
  joint.sendAgain(last);
  const lateJoint = createJoint();
  const trials =
    (isForeseen ? early : null) ??
    planTrials(last, lateJoint, question, program, analysis, words, able.slice(0, MAX_ACTORS));
  lateJoint.send(last);
  const traced = trace && checkTrace(trace(), address);
  const called =
    traced?.status === "value"
      ? listCallees(traced.value.calls, address, implementation?.address as Hex | undefined, strangers)
      : [];
  const calleeCodes = called.slice(0, 12).map((one) => last.ask({ kind: "code", address: one }));
  const newAccounts = trials.acting
    .map((key) => key.address)
    .filter((one) => !accountsAsked.some((asked) => asked.address === one));
  const lateAccounts = askAccounts(last, newAccounts, address);
  const inNamed = v4.planNamed(last);
  const keepers = await planKeepers(last, [...liquidity.parse(), ...v4.parse(), supply()], keeping);
  await settle(context, last);
  const rare = createBatch();
  lateJoint.sendAgain(rare);
  await settle(context, rare);
  const { actors, ...tried } = trials.parse();
  const accounts = [...accountsAsked, ...lateAccounts].map((account) => account.parse());
  const ownerCode = owner === null ? null : owner === address ? code : fingerprintReading(codeOf(owner));
  return {
    beaconImplementation:
      choice && mapReading(parseBeaconAnswer(choice), ({ implementation: named }) => named),
    implementation,
    program: program && {
      analysis,
      opcodes: [...program.facts.opcodes],
      looksAtCode: looksAtCode(program.bytes),
      locks: await readLocks(program.bytes),
      trade: await readTrade(program.bytes, listWords(words), {
        time: BigInt(context.block.timestamp),
        number: BigInt(context.block.number),
      }),
    },
    words: recordWords(listPlaces(findValue(analysis), 0), words),
    keys: keys.slice(0, 24).map(({ address: one, sources }) => ({ address: one, sources: [...sources] })),
    accounts: replaceCode(accounts, owner, ownerCode),
    keysLeftOut: able.filter((key) => !trials.acting.some(({ address: one }) => one === key.address)).length,
    holders: keepers.parse().at(-1)?.shares ?? [],
    creator: hints.minted[0] ?? null,
    siblings: siblings.parse(),
    given: hints.given.filter((one) => holders.includes(one)),
    grants: grants.parse(),
    unannounced: creation.parse(
      keepers
        .parse()
        .at(-1)
        ?.shares.map((share) => share.address as Hex) ?? [],
    ),
    ...trades.parse(),
    holderSales: holderSales.parse(),
    limits: limits.parse(),
    ...tried,
    callees:
      traced === undefined
        ? null
        : mapReading(traced, () =>
            called.slice(0, 12).map((one, index) => {
              const answer = calleeCodes[index]?.() ?? noAnswer;
              return {
                address: one,
                code: fingerprintReading(answer),
                opcodes: answer.status === "value" ? listProgramOpcodes(answer.value) : [],
              };
            }),
          ),
    // A contract that makes no calls holds no key, whatever became of a trade with other code in its place.
    actors:
      actors?.filter(({ role, caller }) => role !== "key" || able.some((key) => key.address === caller)) ??
      null,
    liquidity: [...keepers.parse().slice(0, -1), ...inNamed.parse()].slice(0, MAX_LIQUIDITY),
    pooled: (deepest?.pool.isNamed ? v4.pools()[0]?.tokenBalance : deepest?.pool.tokenBalance) ?? "0",
    hooks: v4.hooks(),
    named: v4.pools(),
    behindCode,
  };
}

const findValue = (analysis: Reading<CodeAnalysis> | null): CodeAnalysis | null =>
  analysis?.status === "value" ? analysis.value : null;

/** By the number of the slot. */
const listWords = (words: ReadonlyMap<Hex, Reading<Hex>>): ReadonlyMap<string, bigint> =>
  new Map(
    [...words].flatMap(([slot, word]) =>
      word.status === "value" ? [[`0x${BigInt(slot).toString(16)}`, BigInt(word.value)] as const] : [],
    ),
  );

const readSupply = (answer: Reading<string>): bigint =>
  answer.status === "value" && /^0x[0-9a-f]{64}$/.test(answer.value) ? BigInt(answer.value) : 0n;

async function settle({ chain, block }: GatherContext, batch: Batch): Promise<void> {
  const answers: readonly Reading<unknown>[] =
    batch.reads.length === 0 ? [] : await chain.readAt(block, batch.reads);
  batch.settle(answers);
}
