import type { CallRead, ChainLog } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading, valueReading } from "@assay/protocol";
import { decodeFunctionResult } from "viem";
import type { GatherContext } from "../../../gathering.js";
import { analyseCode } from "../../code/gather/analyseCode.js";
import { callLaunchProbe, launchProbe, parsePools, readPools } from "../../pools/gather/findPools.js";
import {
  type NamedForm,
  parseNamedV4Pools,
  parseV4Pools,
  readKnownLiquidity,
  readV4Openings,
  readV4Pools,
  type V4Pool,
} from "../../pools/gather/findV4Pools.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import { type KnownSlot, knownSlots } from "../../proxies/knownSlots.js";
import { createBatch } from "../../reads/gather/createBatch.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import { nameSlots } from "../../reads/gather/nameSlots.js";
import { readAccounts } from "../../reads/gather/readAccounts.js";
import { parseProbeAnswer } from "../../simulation/gather/parseProbeAnswer.js";
import { readOneWord } from "../../words/readOneWord.js";
import type { LaunchReadings } from "../launchReadings.js";
import { listPlaces } from "../listKeys.js";
import { encodeBalanceOf } from "./encodeBalanceOf.js";
import type { FreshAccounts } from "./freshAccounts.js";
import { createJoint } from "./jointProbes.js";
import { listPairs } from "./listPairs.js";
import type { Ahead } from "./lookAhead.js";
import { type FoundLiquidity, planHolders } from "./planLiquidity.js";
import {
  APPROVAL_TOPIC,
  type EventHints,
  listApprovers,
  rankHolders,
  readEvents,
  TRANSFER_TOPIC,
} from "./readEvents.js";
import { parseLens, readThroughLens, type Seen } from "./tokenLens.js";

const SELECTORS = { owner: "0x8da5cb5b", getOwner: "0x893d20e8", totalSupply: "0x18160ddd" } as const;
const slotNames = [
  "eip1967Implementation",
  "eip1967Admin",
  "eip1967Beacon",
  "eip1822Implementation",
  "zeppelinosImplementation",
] as const satisfies readonly KnownSlot[];

/** The first words of the storage may hold keys whether the analysis names them or not. */
export const FIRST_WORDS = 24;

export type Subject = Pick<LaunchReadings, "code" | "slots" | "owner" | "getOwner" | "totalSupply" | "pools">;

export interface First {
  readonly subject: Subject;
  /** Pools of V4, and further ones that only events name. */
  readonly inManager: readonly V4Pool[];
  readonly named: readonly NamedForm[];
  /** What their manager has of the token. */
  readonly managerHeld: bigint | null;
  readonly bytes: Reading<Hex>;
  /** The code behind a clone (EIP-1167) or a proxy, as a contract that ran in a call found it. */
  readonly behind: Behind | null;
  readonly words: ReadonlyMap<Hex, Reading<Hex>>;
  readonly events: LaunchReadings["events"];
  readonly hints: EventHints;
  /** Who holds shares of pairs, as their events say. */
  readonly shareHolders: ReadonlyMap<Hex, Reading<readonly Hex[]>>;
  /** Who ever let another account spend shares of pairs. */
  readonly shareApprovers: ReadonlyMap<Hex, readonly Hex[]>;
  /** What accounts hold that were known before: of the token, and of shares of pairs. */
  readonly known: readonly FoundLiquidity[];
}

/** Some eighty factories and pools are asked. */
const POOLS_GAS = { leastGas: 10_000_000, usualGas: 6_000_000 };
const CLONE_GAS = { leastGas: 1_000_000, usualGas: 300_000 };

const call = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

/** The token itself, its pools and its events. */
export async function readSubject(
  context: GatherContext,
  venues: LaunchVenues,
  address: Hex,
  { traders }: FreshAccounts,
  ahead: Ahead,
): Promise<First> {
  const analysis = ahead.code === null ? null : await analyseCode(ahead.code);
  const places = analysis?.status === "value" ? listPlaces(analysis.value, 0) : [];
  const pairs = listPairs(venues, address);
  const batch = createBatch();
  const owner = batch.ask(call(address, SELECTORS.owner));
  const getOwner = batch.ask(call(address, SELECTORS.getOwner));
  const totalSupply = batch.ask(call(address, SELECTORS.totalSupply));
  const joint = createJoint();
  const pools = joint.ask({ read: readPools(venues, address, traders[0]), ...POOLS_GAS, scene: "as it is" });
  const clone = joint.ask({ read: readCloned(address, traders[0]), ...CLONE_GAS, scene: "as it is" });
  joint.send(batch);
  const lens = batch.ask(
    readThroughLens(
      address,
      places.map(({ slot }) => slot),
    ),
  );
  const v4 = readV4Pools(venues, address).map((read) => batch.ask(read));
  const inManagerHeld =
    venues.singleton && batch.ask(call(address, encodeBalanceOf(venues.singleton.manager)));
  const openings = readV4Openings(venues, address).map((read) => batch.ask(read));
  const [liquidityEvents] = readKnownLiquidity(venues, address).map((read) => batch.ask(read));
  const logs = batch.ask({ kind: "logs", addresses: [address], fromBlock: 0 });
  const shares = pairs.map((pair) =>
    batch.ask({ kind: "logs", addresses: [pair], topics: [[TRANSFER_TOPIC, APPROVAL_TOPIC]], fromBlock: 0 }),
  );
  const known = [...ahead.holders]
    .filter(([, holders]) => holders.length > 0)
    .map(([held, holders]) => planHolders(batch, held, [], valueReading(holders), null));
  const { accounts, others } = await readAccounts(
    context,
    [{ address, slots: slotNames.map((name) => knownSlots[name]) }],
    batch.reads,
  );
  batch.settle(others as readonly Reading<unknown>[]);
  const [account] = accounts;
  const seen = parseLens(lens());
  const managerHeld = inManagerHeld ? readOneWord(inManagerHeld()) : null;
  const inManager = parseV4Pools(venues, address, v4[0]?.(), managerHeld, liquidityEvents?.() ?? noAnswer);
  return {
    subject: {
      code: fingerprintReading(account?.code),
      slots: nameSlots(slotNames, account?.slots ?? []),
      owner: cutAnswer(owner(), WORD_ANSWER_BYTES),
      getOwner: cutAnswer(getOwner(), WORD_ANSWER_BYTES),
      totalSupply: cutAnswer(totalSupply(), WORD_ANSWER_BYTES),
      pools: mapReading(parsePools(venues, address, pools()), ({ found, pricing }) => ({
        found: [...found, ...inManager.map(({ pool }) => pool)],
        pricing,
      })),
    },
    inManager,
    managerHeld,
    named: parseNamedV4Pools(
      venues,
      address,
      openings.map((events) => events()),
    ),
    bytes: account?.code ?? noAnswer,
    behind: parseCloned(clone()) ?? findProxied(seen),
    words: seen.words,
    ...readEvents(logs()),
    shareHolders: new Map(
      pairs.map((pair, index) => [
        pair,
        mapReading(shares[index]?.() ?? noAnswer, (list: readonly ChainLog[]) => rankHolders(list)),
      ]),
    ),
    shareApprovers: new Map(
      pairs.map((pair, index) => {
        const logs = shares[index]?.() ?? noAnswer;
        return [pair, logs.status === "value" ? listApprovers(logs.value) : []];
      }),
    ),
    known: known.map((parse) => parse()),
  };
}

interface Behind {
  readonly target: Hex;
  readonly code: Hex;
}

const findProxied = ({ target, code }: Seen): Behind | null =>
  target === null || code === "0x" ? null : { target, code };

const readCloned = (address: Hex, sender: Hex): CallRead =>
  callLaunchProbe(sender, "codeBehindClone", [address], {});

function parseCloned(answer: Reading<Hex>): Behind | null {
  const cloned = parseProbeAnswer(answer, (data) => {
    const { abi } = launchProbe;
    const [target, code] = decodeFunctionResult({ abi, functionName: "codeBehindClone", data }) as [Hex, Hex];
    return { target: target.toLowerCase() as Hex, code };
  });
  return cloned.status === "value" && cloned.value.code !== "0x" ? cloned.value : null;
}
