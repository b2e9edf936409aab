import { type CodeFormCode, noteCodeForm } from "../shared/code/noteCodeForm.js";
import { judgeControl } from "../shared/control/judgeControl.js";
import { judgePause } from "../shared/control/judgePause.js";
import { findListed } from "../shared/issuers/listedAsset.js";
import { judgeProxy } from "../shared/proxies/judgeProxy.js";
import type { Evaluation } from "../shared/verdict/evaluation.js";
import { decidingSentences, type Note, unique, worstVerdict } from "../shared/verdict/note.js";
import type { RwaMarketInput } from "./input.js";
import { judgeB20 } from "./judgeB20.js";
import { judgeFeed } from "./judgeFeed.js";
import { judgeIssuer } from "./judgeIssuer.js";
import { judgeIssuerPowers, listSelectors } from "./judgeIssuerPowers.js";
import { judgePermissions } from "./judgePermissions.js";
import { judgePools } from "./judgePools.js";
import { judgeSupply } from "./judgeSupply.js";
import { judgeTransfers } from "./judgeTransfers.js";
import { judgeUpgrade } from "./judgeUpgrade.js";
import type { RwaMarketReadings } from "./readings.js";
import { type RwaMarketCode, rwaMarketReasons } from "./reasons.js";

const ALWAYS = [
  "Who issued a token is stated by the operator's list alone; nothing on the chain proves it, or that any asset stands behind the token.",
  "Whether a certain wallet may hold, receive or redeem the token was not asked.",
  "Limits that compliance modules, policies or other contracts set were not read.",
  "True at the stated block; an issuer can pause, freeze, seize and change the rules in any later one.",
  "A token can tell these calls and simulated transfers from real ones, and answer them otherwise.",
  "State proofs cover code and slots that were read directly; what calls answered is as the node gave it.",
];

/**
 * Judges a tokenized asset by its issuer, by what its rules and the holders of powers allow, and by whether its price
 * is current.
 */
export function evaluateRwaMarket(input: RwaMarketInput, readings: RwaMarketReadings) {
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
    // Calls to an address without code mean nothing, but the symbol that was asked for still counts.
    ...issuer.notes.filter((note) => !isEmpty || !LABELS.has(note.code)),
    ...(token?.notes ?? []),
    ...feed.notes,
  ];
  return {
    verdict: worstVerdict(notes, rwaMarketReasons),
    reasonCodes: unique(notes.map((note) => note.code)),
    // Without the labels, which a stranger chose.
    summary: `${input.address}: ${decidingSentences(notes, rwaMarketReasons)}`,
    findings: {
      form: isEmpty ? "empty" : (code?.form ?? null),
      issuer: issuer.issuer,
      ...(token?.findings ?? {}),
      ...feed.findings,
    },
    limitations: unique([...ALWAYS, ...notes.flatMap((note) => note.limitation ?? [])]),
  } satisfies Evaluation;
}

/** Notes that an address without code always has, so that they add nothing. */
const LABELS: ReadonlySet<RwaMarketCode> = new Set(["LABEL_MISSING", "METADATA_UNREAD"]);

function judgeToken(
  { address }: RwaMarketInput,
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
