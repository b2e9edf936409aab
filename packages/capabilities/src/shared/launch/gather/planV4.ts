import { type Hex, noAnswer } from "@assay/protocol";
import { describeProgram } from "../../code/describeProgram.js";
import { isSteadyHook } from "../../machine/isSteadyHook.js";
import { findParty } from "../../parties/findParty.js";
import {
  type NamedForm,
  parseStates,
  presentForm,
  readLiquidityEvents,
  readNamedStates,
} from "../../pools/gather/findV4Pools.js";
import type { LaunchVenues } from "../../pools/launchVenues.js";
import type { LaunchPool } from "../../pools/poolReadings.js";
import type { DeepPool } from "../../pools/rankPools.js";
import type { Batch } from "../../reads/gather/createBatch.js";
import { fingerprintReading } from "../../reads/gather/fingerprintReading.js";
import type { LaunchLiquidity, LaunchReadings } from "../launchReadings.js";
import { looksAtCode } from "../patchProgram.js";
import type { Market } from "./launchProbe.js";
import { describeWithoutKeepers, type FoundLiquidity } from "./planLiquidity.js";
import { planV4Liquidity } from "./planV4Liquidity.js";
import type { First } from "./readSubject.js";

const MAX_HOOKS = 8;
/** Of pools that only events name, those that are traded in. */
const MAX_TRADED = 2;

/** Where the token is traded: its deep pools, and then those that only events name. */
export function listMarkets(
  venues: LaunchVenues,
  token: Hex,
  ranked: readonly DeepPool[],
  named: readonly NamedForm[],
): Market[] {
  const { singleton } = venues;
  const others = singleton === null ? [] : named.slice(0, MAX_TRADED);
  const presented = others.map(
    (form): DeepPool => ({ ...presentForm(form, singleton?.manager as Hex), depthWei: 0n }),
  );
  return [...ranked, ...presented].map((pool) => ({ venues, token, pool }));
}

interface V4Question extends Pick<First, "inManager" | "named" | "managerHeld"> {
  readonly venues: LaunchVenues;
  readonly address: Hex;
  readonly markets: readonly Market[];
  readonly sender: Hex;
}

/** What pools of V4 need beyond trades: the contracts that they call, who holds their liquidity, and what named ones hold. */
export function planV4(
  batch: Batch,
  { venues, address, markets, sender, inManager, named, managerHeld }: V4Question,
): {
  /** Pools that only events name. */
  pools(): LaunchPool[];
  hooks(): NonNullable<LaunchReadings["hooks"]>;
  parse(): FoundLiquidity[];
  /** Once the batch is answered: who holds the liquidity of the one that is judged, where only an event names it. */
  planNamed(last: Batch): { parse(): LaunchLiquidity[] };
} {
  const { singleton } = venues;
  const [states] = readNamedStates(venues, named).map((read) => batch.ask(read));
  const events =
    states && singleton
      ? batch.ask(
          readLiquidityEvents(
            singleton.manager,
            named.map(({ id }) => id),
          ),
        )
      : null;
  const called = markets.flatMap(({ pool }) => (pool.hooks === undefined ? [] : [pool.hooks as Hex]));
  const hooks = [...new Set(called)].slice(0, MAX_HOOKS);
  const codes = hooks.map((hook) => ({ hook, code: batch.ask({ kind: "code", address: hook }) }));
  const isTraded = (id: Hex) => markets.some(({ pool }) => pool.id === id);
  const planned = inManager
    .filter(({ pool }) => isTraded(pool.id))
    .map((found) => planV4Liquidity(batch, found, singleton?.positions, sender));
  const findNamed = () =>
    parseStates(venues, address, named, states?.(), managerHeld, events?.() ?? noAnswer);
  return {
    pools: () =>
      states?.().status === "value"
        ? findNamed().map(({ pool }) => pool)
        : named.map((form) => ({ ...presentForm(form, singleton?.manager as Hex), isRead: false })),
    hooks: () =>
      codes.map(({ hook, code }) => {
        const bytes = code();
        const facts = bytes.status === "value" ? describeProgram(bytes.value) : null;
        const party = findParty(hook);
        return {
          address: hook,
          code: fingerprintReading(bytes),
          opcodes: facts?.opcodes ?? [],
          looksAtCode: bytes.status === "value" && looksAtCode(bytes.value),
          names: facts?.addresses ?? [],
          isSteady:
            bytes.status === "value" && singleton !== null && isSteadyHook(bytes.value, singleton.manager),
          knownAs: party?.role === "hook" ? party.name : null,
        };
      }),
    parse: () => planned.flatMap((parse) => parse()),
    planNamed(last) {
      const found = findNamed()
        // What others hold does not decide.
        .filter(({ pool }) => markets[0]?.pool.id === pool.id)
        .map((one) => planV4Liquidity(last, one, singleton?.positions, sender));
      return { parse: () => found.flatMap((parse) => parse().map(describeWithoutKeepers)) };
    },
  };
}
