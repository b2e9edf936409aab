import type { CallRead } from "@assay/chain";
import { type Hex, noAnswer, type Reading, valueReading } from "@assay/protocol";
import type { ReadParty } from "../../effects/gather/describeParty.js";
import { findParty } from "../../parties/findParty.js";
import { cutAnswer, WORD_ANSWER_BYTES } from "../../reads/gather/cutAnswer.js";
import { unique } from "../../verdict/note.js";
import type { TransactionPlan } from "../intentCase.js";
import { listOfferedItems } from "../judgeOffers.js";
import type { TransactionIntentReadings } from "../transactionReadings.js";

type Token = TransactionIntentReadings["tokens"][number];

const SELECTORS = {
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  token0: "0x0dfe1681",
  /** ERC-4626. */
  asset: "0x38d52e0f",
  /** Aave. */
  underlyingAsset: "0xb16a19de",
  /** Position managers of V3's and V4's forks, and of Algebra's. */
  weth9: "0x4aa4a4fc",
  poolManager: "0xdc4c90d3",
  wNativeToken: "0x8af3ac85",
  /** Lockers. */
  token: "0xfc0c546a",
  entryPoint: "0xb0d691fe",
  /** Safe. */
  getThreshold: "0xe75235b8",
  isOwner: "0x2f54bf6e",
  owner: "0x8da5cb5b",
} as const;
/** Enough for any symbol that people use. */
const SYMBOL_BYTES = 160;
const MAX_TOKENS = 8;
const MAX_RECIPIENTS = 4;

const isAddress = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value) && BigInt(value) > 0xffffn;

const view = (to: Hex, data: Hex): CallRead => ({ kind: "call", to, data });

/** Tokens that the calldata names. Whether one stands for a deposit matters where it is transferred. */
export function listNamedTokens({ listed, calls }: TransactionPlan, to: Hex) {
  const sent = new Set(listed.acts.flatMap((act) => (act.kind === "transfer" ? [act.token] : [])));
  const named = unique(
    [
      ...listed.acts.flatMap((act) => {
        if (act.kind === "approval" || act.kind === "transfer" || act.kind === "payout") return [act.token];
        return act.kind === "swap" ? [act.tokenIn, act.tokenOut] : [];
      }),
      ...calls.flatMap(({ meaning }) => [meaning?.roles.token, meaning?.roles.tokenOut]),
      to,
    ].filter(isAddress),
  );
  const offered = new Set(
    calls.flatMap(({ meaning, args }) => (meaning?.effect === "order" ? listOfferedItems(args) : [])),
  );
  return unique([...named, ...[...offered].filter(isAddress)])
    .slice(0, MAX_TOKENS)
    .map((token) => ({
      token,
      mayBeReceipt: sent.has(token) || offered.has(token),
      isItem: offered.has(token),
    }));
}

const shareViews = [SELECTORS.asset, SELECTORS.underlyingAsset, SELECTORS.token0];
/** What contracts name whose items stand for a deposit, and contracts of pictures do not. */
const positionViews = [SELECTORS.weth9, SELECTORS.poolManager, SELECTORS.wNativeToken, SELECTORS.token];

export const askToken = (token: Hex, mayBeReceipt: boolean, isItem = false): CallRead[] => [
  view(token, SELECTORS.symbol),
  view(token, SELECTORS.decimals),
  ...(mayBeReceipt ? [...shareViews, ...(isItem ? positionViews : [])].map((data) => view(token, data)) : []),
];

export function parseToken(token: Hex, [symbol, decimals, ...shares]: readonly Reading<Hex>[]): Token {
  const known = findParty(token);
  return {
    token,
    symbol: cutAnswer(symbol ?? noAnswer, SYMBOL_BYTES),
    decimals: cutAnswer(decimals ?? noAnswer, WORD_ANSWER_BYTES),
    known: known?.role === "token" ? known.name : null,
    isReceipt: describeShares(shares),
  };
}

/** Who is paid or credited: whether it is a token, a pool or a wallet shows whether it can give anything back. */
export function listRecipients({ listed, calls }: TransactionPlan): Hex[] {
  const credited = calls.map(({ meaning }) => meaning?.roles.recipient).filter(isAddress);
  return unique([
    ...listed.acts.flatMap((act) => (act.kind === "transfer" ? [act.to] : [])),
    ...credited,
  ]).slice(0, MAX_RECIPIENTS);
}

/** `describeRecipient` takes the answers in this order. */
export const askRecipient = (address: Hex, sender: Hex): CallRead[] => [
  view(address, SELECTORS.totalSupply),
  view(address, SELECTORS.token0),
  view(address, SELECTORS.entryPoint),
  view(address, SELECTORS.getThreshold),
  view(address, SELECTORS.owner),
  view(address, `${SELECTORS.isOwner}${sender.slice(2).padStart(64, "0")}`),
];

/** Null where nobody was asked. */
export function describeRecipient(
  sender: Hex,
  answers: readonly Reading<Hex>[],
): Pick<ReadParty, "keeps" | "wallet"> {
  if (answers.length === 0) return { keeps: null, wallet: null };
  if (answers.some(({ status }) => status === "unanswered")) return { keeps: noAnswer, wallet: noAnswer };
  const [supply, token0, entryPoint, threshold, owner, isOwner] = answers.map((answer) =>
    answer.status === "value" && answer.value.length === 66 ? BigInt(answer.value) : null,
  );
  const word = (address: bigint): Hex => `0x${address.toString(16).padStart(40, "0")}`;
  const hasEntryPoint =
    entryPoint != null && entryPoint < 2n ** 160n && findParty(word(entryPoint))?.role === "entry_point";
  const hasOwners = threshold != null && threshold > 0n && threshold < 1000n && isOwner != null;
  return {
    keeps: valueReading(supply != null || token0 != null),
    wallet: valueReading({
      isClaimed: hasEntryPoint || hasOwners,
      isSenders: owner === BigInt(sender) || isOwner === 1n,
    }),
  };
}

function describeShares(shares: readonly Reading<Hex>[]): Token["isReceipt"] {
  if (shares.length === 0) return null;
  if (shares.some(({ status }) => status === "unanswered")) return noAnswer;
  return valueReading(shares.some(isAddressAnswer));
}

const isAddressAnswer = (answer: Reading<Hex>): boolean =>
  answer.status === "value" && answer.value.length === 66 && /^0x0{24}(?!0{40})/.test(answer.value);
