import type { CapabilityInput, Verdict } from "@assay/protocol";
import type { Evaluation } from "./evaluation.js";
import { type ControlCode, judgeControl } from "./judgeControl.js";
import { judgePause, type PauseCode } from "./judgePause.js";
import { judgeProxy, type ProxyCode } from "./judgeProxy.js";
import { decidingSentences, type Note, unique, worstVerdict } from "./note.js";
import { type CodeFormCode, noteCodeForm } from "./noteCodeForm.js";
import { type B20Code, judgeB20 } from "./rwa/judgeB20.js";
import { type FeedCode, judgeFeed } from "./rwa/judgeFeed.js";
import { type IssuerCode, judgeIssuer } from "./rwa/judgeIssuer.js";
import { type IssuerPowerCode, judgeIssuerPowers, listSelectors } from "./rwa/judgeIssuerPowers.js";
import { judgePermissions, type PermissionCode } from "./rwa/judgePermissions.js";
import { judgePools, type PoolCode } from "./rwa/judgePools.js";
import { judgeSupply, type SupplyCode } from "./rwa/judgeSupply.js";
import { judgeTransfers, type TransferCode } from "./rwa/judgeTransfers.js";
import { judgeUpgrade, type UpgradeCode } from "./rwa/judgeUpgrade.js";
import { findListed } from "./rwa/listedAsset.js";
import type { RwaMarketReadings } from "./rwaMarketReadings.js";

export const rwaMarketRule = { id: "rwa.market.guard", version: "1.0.0" } as const;

export type RwaMarketCode =
  | CodeFormCode
  | IssuerCode
  | PermissionCode
  | B20Code
  | PauseCode
  | ProxyCode
  | ControlCode
  | UpgradeCode
  | IssuerPowerCode
  | SupplyCode
  | TransferCode
  | FeedCode
  | PoolCode;

/**
 * What each reason means for the verdict; the gravest decides. `allow` therefore needs an address on the operator's list,
 * every reading answered, no pause, fresh prices where a feed is listed, no single key that can replace the code, and
 * none that runs other code in its place.
 * What a listed issuer can do to holders is told and not held against it: freezing and seizing is what such assets are
 * made with.
 */
export const rwaMarketVerdicts: Readonly<Record<RwaMarketCode, Verdict>> = {
  CODE_PRESENT: "allow",
  MINIMAL_PROXY: "allow",
  NATIVE_TOKEN_CODE: "allow",
  ISSUER_KNOWN: "allow",
  ERC3643_TOKEN: "allow",
  ERC1404_TOKEN: "allow",
  B20_TOKEN: "allow",
  NOT_PERMISSIONED: "allow",
  NOT_PAUSED: "allow",
  PAUSE_ABSENT: "allow",
  TRANSFER_RESTRICTED: "allow",
  TRANSFER_OPEN: "allow",
  SUPPLY_CAPPED: "allow",
  FEED_FRESH: "allow",
  NO_FEED_LISTED: "allow",
  SEQUENCER_UP: "allow",
  MARKET_OPEN: "allow",
  LIQUIDITY_SEEN: "allow",
  NO_LIQUIDITY_SEEN: "allow",
  // Told: what the issuer can do, and who that is.
  POWER_FREEZE: "allow",
  POWER_SEIZE: "allow",
  POWER_MINT: "allow",
  POWER_PAUSE: "allow",
  POWER_LIMIT: "allow",
  POWER_ADMIT: "allow",
  POWER_FEE: "allow",
  POWER_RENAME: "allow",
  NO_ISSUER_POWER: "allow",
  ISSUER_POWERS_HELD: "allow",
  ISSUER_POWERS_RENOUNCED: "allow",
  OWNER_RENOUNCED: "allow",
  OWNER_IS_ACCOUNT: "allow",
  OWNER_IS_CONTRACT: "allow",
  // Told: that code can be replaced is judged by who may do it.
  NO_PROXY_SLOT: "allow",
  PROXY_EIP1967: "allow",
  PROXY_UUPS: "allow",
  PROXY_BEACON: "allow",
  PROXY_EIP1822: "allow",
  PROXY_ZEPPELINOS: "allow",
  PROXY_ERC3643: "allow",
  PROXY_ADMIN_SET: "allow",
  ADMIN_IS_CONTRACT: "allow",
  ADMIN_OWNER_RENOUNCED: "allow",
  UPGRADE_HELD_BY_CONTRACT: "allow",

  // Nobody vouches for it, or it is not what it was listed or asked for as.
  ISSUER_UNKNOWN: "review",
  ASKED_SYMBOL_DIFFERS: "review",
  LISTED_SYMBOL_DIFFERS: "review",
  LABEL_MISSING: "review",
  LABEL_MALFORMED: "review",
  LABEL_TOO_LONG: "review",
  LABEL_HIDDEN_CHARACTERS: "review",
  CANONICAL_SYMBOL_ELSEWHERE: "review",
  LOOKALIKE_SYMBOL: "review",
  CANONICAL_NAME_ELSEWHERE: "review",
  LOOKALIKE_NAME: "review",
  NO_CODE: "review",
  DELEGATED_ACCOUNT: "review",
  NOT_A_FUNGIBLE_TOKEN: "review",
  ZERO_SUPPLY: "review",
  SUPPLY_ABOVE_CAP: "review",
  // Its rules are not what they seem.
  ERC3643_INCOMPLETE: "review",
  COMPLIANCE_BOUND_ELSEWHERE: "review",
  REGISTRY_ADMITS_ANYONE: "review",
  RESTRICTION_NOT_ENFORCED: "review",
  TRANSFER_REFUSED: "review",
  TRANSFER_SHORT: "review",
  B20_UNINITIALIZED: "review",
  // The code that runs tomorrow need not be the code that was vouched for, or nobody knows who decides.
  UPGRADE_IN_ONE_HAND: "review",
  UPGRADE_HOLDER_UNKNOWN: "review",
  CODE_RUNS_OTHER_CODE: "review",
  ADMIN_IS_ACCOUNT: "review",
  PROXY_DIAMOND: "review",
  PROXY_SAFE: "review",
  PROXY_SLOT_MALFORMED: "review",
  CONFLICTING_PROXY_SLOTS: "review",
  TARGET_IS_PROXY: "review",
  FOLLOW_BOUND_REACHED: "review",
  ISSUER_POWER_HOLDER_UNKNOWN: "review",
  // The price is not one to act on.
  FEED_STALE: "review",
  FEED_ROUND_INCOMPLETE: "review",
  FEED_UNREADABLE: "review",
  SEQUENCER_JUST_UP: "review",
  SEQUENCER_UNREADABLE: "review",
  MARKET_CLOSED: "review",
  POOL_TOO_SHALLOW: "review",
  // Asked, and not or not usably answered.
  CODE_UNREAD: "review",
  SLOT_UNREAD: "review",
  PROXY_PROBE_UNREAD: "review",
  IMPLEMENTATION_UNREAD: "review",
  BEACON_UNREADABLE: "review",
  BEACON_ANSWERS_BY_CALLER: "review",
  PAUSE_UNREAD: "review",
  PAUSE_UNREADABLE: "review",
  ADMIN_UNREAD: "review",
  OWNER_UNREAD: "review",
  OWNER_UNREADABLE: "review",
  METADATA_UNREAD: "review",
  PERMISSION_PROBE_UNREAD: "review",
  PERMISSION_CONTRACT_UNREAD: "review",
  B20_UNREAD: "review",
  ISSUER_POWERS_UNREAD: "review",
  SIMULATION_UNAVAILABLE: "review",
  FEED_UNREAD: "review",
  SEQUENCER_UNREAD: "review",
  POOL_UNREAD: "review",

  // It passes for another asset, cannot be moved, or its price or its powers are anybody's.
  SYMBOL_IMITATES_ISSUER: "block",
  ASKED_ASSET_ELSEWHERE: "block",
  CONTRACT_PAUSED: "block",
  IMPLEMENTATION_HAS_NO_CODE: "block",
  PERMISSION_CONTRACT_MISSING: "block",
  POWERS_OPEN_TO_ANYONE: "block",
  FEED_PRICE_INVALID: "block",
  SEQUENCER_DOWN: "block",
};

const ALWAYS = [
  "Who issued a token is the word of the operator's list; nothing on the chain proves it, nor that any asset stands behind the token.",
  "Whether a certain wallet may hold, receive or redeem the token was not asked.",
  "Limits that compliance modules, policies or other contracts set were not read.",
  "True at the stated block; an issuer can pause, freeze, seize and change the rules in any later one.",
  "A token can tell these calls and simulated transfers from real ones, and answer them otherwise.",
  "State proofs cover code and slots that were read directly; what calls answered is as the node gave it.",
];

/** Judges a tokenized asset by who issued it, what its rules and their keepers can do, and whether its price is alive. */
export function evaluateRwaMarket(input: CapabilityInput<"rwa.market.guard">, readings: RwaMarketReadings) {
  const { contract } = readings;
  const code = contract.code.status === "value" ? contract.code.value : null;
  const isEmpty = contract.code.status === "absent" || code?.form === "empty";
  const native = judgeB20(readings);
  const token = isEmpty ? null : judgeToken(input, readings, native);
  const listed = findListed(readings.list.own ? [readings.list.own] : [], input.address);
  const issuer = judgeIssuer(input, readings, listed);
  const feed = judgeFeed(readings, listed);
  const form: Note<CodeFormCode>[] =
    code?.form === "native_b20" ? [{ code: "NATIVE_TOKEN_CODE" }] : noteCodeForm(code, isEmpty);
  const notes: Note<RwaMarketCode>[] = [
    ...form,
    // Calls to an address without code mean nothing, but what it was asked for as still does.
    ...issuer.notes.filter((note) => !isEmpty || !LABELS.has(note.code)),
    ...(token?.notes ?? []),
    ...feed.notes,
  ];
  return {
    verdict: worstVerdict(notes, rwaMarketVerdicts),
    reasonCodes: unique(notes.map((note) => note.code)),
    // Without the labels: this sentence is ours, and they are not.
    summary: `${input.address}: ${decidingSentences(notes, rwaMarketVerdicts)}`,
    findings: {
      form: isEmpty ? "empty" : (code?.form ?? null),
      issuer: issuer.issuer,
      ...(token?.findings ?? {}),
      ...feed.findings,
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  } satisfies Evaluation;
}

/** What a label that is missing would only say again of an address without code. */
const LABELS: ReadonlySet<RwaMarketCode> = new Set(["LABEL_MISSING", "METADATA_UNREAD"]);

function judgeToken(
  { address }: CapabilityInput<"rwa.market.guard">,
  readings: RwaMarketReadings,
  native: ReturnType<typeof judgeB20>,
) {
  const { contract } = readings;
  const { isNative } = native;
  const proxy = isNative ? null : judgeProxy(contract);
  const control = judgeControl(contract);
  const upgrade = proxy && judgeUpgrade(readings, proxy, control);
  const selectors = isNative ? null : listSelectors(readings, upgrade?.isBehind ?? false);
  const permission = judgePermissions(address, readings, selectors, isNative);
  const pause = isNative ? null : judgePause(contract);
  const powers = judgeIssuerPowers(readings, control.control.owner, selectors, isNative);
  const supply = judgeSupply(readings, isNative);
  const isPaused = (pause?.paused ?? native.b20?.transfersPaused) === true;
  const isRestricted = permission.isRestricted || native.isRestricted;
  const transfers = judgeTransfers(readings, { isRestricted, isPaused });
  const pools = judgePools(readings);
  const isErc3643Proxy = upgrade?.notes.some(({ code }) => code === "PROXY_ERC3643") ?? false;
  const notes: Note<RwaMarketCode>[] = [
    ...permission.notes,
    ...native.notes,
    ...(pause?.notes ?? []),
    ...(proxy?.notes ?? []).filter(({ code }) => !isErc3643Proxy || code !== "NO_PROXY_SLOT"),
    ...control.notes,
    ...(upgrade?.notes ?? []),
    ...powers.notes,
    ...supply.notes,
    ...transfers.notes,
    ...pools.notes,
  ];
  return {
    notes,
    findings: {
      permissions: { ...permission.permissions, b20: native.b20 },
      paused: isNative ? (native.b20?.transfersPaused ?? null) : (pause?.paused ?? null),
      control: control.control,
      upgrade: upgrade?.upgrade ?? null,
      powers: powers.powers,
      supply: supply.supply,
      transfers: transfers.transfers,
      pools: pools.pools,
    },
  };
}
