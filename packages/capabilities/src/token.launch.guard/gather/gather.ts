import type { CallRead } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { GatherContext, Gathered, Gatherer } from "../../gathering.js";
import type { CodeFingerprint } from "../../shared/code/fingerprintBytecode.js";
import { type ScannedCode, scanCode } from "../../shared/code/gather/scanCode.js";
import { isScannable } from "../../shared/code/isScannable.js";
import { listWatchedOpcodes } from "../../shared/code/listWatchedOpcodes.js";
import { findLiveOwner } from "../../shared/control/judgeOwnership.js";
import { parsePools, readPools } from "../../shared/pools/gather/findPools.js";
import type { LaunchVenues } from "../../shared/pools/launchVenues.js";
import { rankPools } from "../../shared/pools/rankPools.js";
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
import { nameFreshAccount } from "../../shared/simulation/gather/nameFreshAccount.js";
import { gasPriceAt, parseFees, priceRead, readFees } from "../../shared/simulation/gather/simulatedFees.js";
import { addressInWord } from "../../shared/words/addressInWord.js";
import type { TokenLaunchInput } from "../input.js";
import type { TokenLaunchReadings } from "../readings.js";
import { listUnknownSelectors } from "../unknownFunctions.js";
import { type FreshAccounts, planMarkets } from "./planMarkets.js";

const SELECTORS = {
  owner: "0x8da5cb5b",
  getOwner: "0x893d20e8",
  totalSupply: "0x18160ddd",
} as const;
const slotNames = [
  "eip1967Implementation",
  "eip1967Admin",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
] as const satisfies readonly KnownSlot[];

type Subject = Pick<TokenLaunchReadings, "code" | "slots" | "owner" | "getOwner" | "totalSupply" | "pools">;
type Rest = Pick<
  TokenLaunchReadings,
  "beaconImplementation" | "implementation" | "ownerAccount" | "trades" | "powers" | "liquidity"
> & { readonly behindCode: Reading<Hex> | null };

/**
 * Everything token.launch.guard judges, in two batches: the token itself with its owner and its pools; then, in those
 * pools, trades of fresh accounts, the same after its owner acted, and who holds the liquidity.
 */
async function gatherTokenLaunch(
  context: GatherContext,
  { address }: TokenLaunchInput,
): Promise<Gathered<TokenLaunchReadings>> {
  const venues = context.launchVenues;
  const fresh = nameFreshAccounts(context.block.hash, address);
  const { subject, bytes, seen } = await readSubject(context, venues, address, fresh);
  const own = await scanCode(context, subject.code, bytes.status === "value" ? bytes.value : undefined);
  const { behindCode, ...rest } = await readRest(context, { venues, address, fresh, subject, own });
  const fingerprint = recordFingerprint(context, address, subject.code);
  return {
    readings: {
      ...subject,
      scan: own.scan,
      quotes: { weth: venues.weth, stablecoin: venues.stablecoin },
      ...rest,
      fees: {
        conditions: {
          baseFee: context.block.baseFeePerGas?.toString() ?? null,
          gasPrice: gasPriceAt(context.block).toString(),
          seen,
          isFeeLent: true,
        },
        programs: [
          { address, looksAt: mapReading(bytes, listWatchedOpcodes) },
          ...(rest.implementation && behindCode
            ? [{ address: rest.implementation.address, looksAt: mapReading(behindCode, listWatchedOpcodes) }]
            : []),
        ],
      },
    },
    ...(fingerprint && { fingerprint }),
  };
}

function nameFreshAccounts(blockHash: Hex, token: Hex): FreshAccounts {
  const name = (part: string) => nameFreshAccount(blockHash, token, part);
  return {
    traders: [name("trader one"), name("trader two")],
    friend: name("friend"),
    nobody: name("nobody"),
  };
}

async function readSubject(
  context: GatherContext,
  venues: LaunchVenues,
  address: Hex,
  { traders }: FreshAccounts,
): Promise<{
  subject: Subject;
  bytes: Reading<Hex>;
  seen: TokenLaunchReadings["fees"]["conditions"]["seen"];
}> {
  const gasPrice = gasPriceAt(context.block);
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: slotNames.map((name) => knownSlots[name]) }],
    [
      call(address, SELECTORS.owner),
      call(address, SELECTORS.getOwner),
      call(address, SELECTORS.totalSupply),
      readPools(venues, address, traders[0]),
      priceRead(readFees(traders[0]), gasPrice, { heldWei: 0n }),
    ],
  );
  const [account] = accounts;
  const [owner, getOwner, totalSupply, pools, fees] = others;
  return {
    subject: {
      code: fingerprintReading(account?.code),
      slots: nameSlots(slotNames, account?.slots ?? []),
      owner: cutAnswer(owner, WORD_ANSWER_BYTES),
      getOwner: cutAnswer(getOwner, WORD_ANSWER_BYTES),
      totalSupply: cutAnswer(totalSupply, WORD_ANSWER_BYTES),
      pools: parsePools(venues, address, pools),
    },
    bytes: account?.code ?? noAnswer,
    seen: parseFees(fees),
  };
}

interface Known {
  readonly venues: LaunchVenues;
  readonly address: Hex;
  readonly fresh: FreshAccounts;
  readonly subject: Subject;
  readonly own: ScannedCode;
}

const NOTHING: Rest = {
  beaconImplementation: null,
  implementation: null,
  ownerAccount: null,
  trades: [],
  powers: null,
  liquidity: null,
  behindCode: null,
};

async function readRest(context: GatherContext, known: Known): Promise<Rest> {
  const { address, subject, own } = known;
  const { code, slots, pools } = subject;
  // Without a program there is nothing to trade. Where the code was not read, the other readings may still show something.
  if (code.status === "value" && !isScannable(code.value)) return NOTHING;
  const behind = resolveWithoutSafe({ code, slots, beaconImplementation: null });
  const target = behind.status === "resolved" ? behind.implementation : null;
  const beacon = findBeacon(behind, slots.eip1967Beacon);
  const owner = findLiveOwner(subject);
  const plan = planMarkets({
    ...known,
    owner,
    ranked: pools.status === "value" ? rankPools(pools.value, known.venues.weth) : [],
    totalSupply: subject.totalSupply,
    selectors: own.scan?.status === "value" && behind.status === "none" ? selectorsOf(own.scan) : null,
  });
  const apart = [...new Set([target, owner].filter((one) => one !== null && one !== address))] as Hex[];
  const gasPrice = gasPriceAt(context.block);
  const others = [
    ...plan.reads.map((one) => priceRead(one, gasPrice)),
    ...(beacon === null ? [] : readBeacon(beacon, address)),
  ];
  if (apart.length + others.length === 0) return NOTHING;
  const read = await readAccounts(
    context,
    apart.map((one) => ({ address: one, slots: [] })),
    others,
  );
  const answers: readonly Reading<Hex>[] = read.others;
  const codeOf = (one: Hex): Reading<Hex> | undefined => read.accounts[apart.indexOf(one)]?.code;
  const [lens, toProxy] = answers.slice(plan.reads.length);
  const choice = beacon === null ? null : joinBeaconAnswers(lens, toProxy);
  const implementation = await describeBehind(context, target, target && codeOf(target), choice);
  const ownerCode = owner === address ? code : fingerprintReading(owner === null ? undefined : codeOf(owner));
  const { trades, powers, liquidity } = plan.parse(answers);
  // The code behind a proxy is read too late for its unknown functions to be tried.
  const late = listUnknownSelectors(selectorsOf(implementation?.scan));
  return {
    beaconImplementation:
      choice && mapReading(parseBeaconAnswer(choice), ({ implementation: named }) => named),
    implementation,
    ownerAccount: owner === null ? null : { address: owner, code: ownerCode },
    trades,
    powers: powers && { ...powers, leftOut: [...powers.leftOut, ...late] },
    liquidity,
    behindCode: findBehindCode(target && (codeOf(target) ?? noAnswer), choice),
  };
}

const selectorsOf = (scan: TokenLaunchReadings["scan"] | undefined): readonly Hex[] =>
  scan?.status === "value" ? (scan.value.selectors as Hex[]) : [];

function findBeacon(behind: ReturnType<typeof resolveWithoutSafe>, slot: Reading<Hex>): Hex | null {
  const isBeacon = behind.status === "unread" && behind.kind === "beacon" && slot.status === "value";
  return isBeacon ? addressInWord(slot.value) : null;
}

type Behind = TokenLaunchReadings["implementation"];

function findBehindCode(targetCode: Reading<Hex> | null, choice: Reading<Hex> | null): Reading<Hex> | null {
  if (targetCode !== null || choice === null) return targetCode;
  const code = findBeaconCode(choice);
  return code === undefined ? noAnswer : valueReading(code);
}

async function describeBehind(
  context: GatherContext,
  target: Hex | null,
  targetCode: Reading<Hex> | null | undefined,
  choice: Reading<Hex> | null,
): Promise<Behind> {
  if (target !== null) {
    const bytes = targetCode?.status === "value" ? targetCode.value : undefined;
    return scanBehind(context, target, fingerprintReading(targetCode ?? undefined), bytes, true);
  }
  const named = choice && parseBeaconAnswer(choice);
  if (named?.status !== "value" || choice === null) return null;
  const { implementation, code } = named.value;
  return scanBehind(context, implementation, valueReading(code), findBeaconCode(choice), false);
}

async function scanBehind(
  context: GatherContext,
  address: Hex,
  code: Reading<CodeFingerprint>,
  bytes: Hex | undefined,
  isProvable: boolean,
): Promise<Behind> {
  const { scan } = await scanCode(context, code, bytes);
  return { address, code, scan, isProvable };
}

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

export const gatherer: Gatherer<TokenLaunchInput, TokenLaunchReadings> = {
  gather: gatherTokenLaunch,
};
