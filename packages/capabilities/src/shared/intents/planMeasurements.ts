import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi } from "viem";
import { canonicalTokens } from "../chain-facts/canonicalTokens.js";
import { USDC, WETH } from "../chain-facts/knownContracts.js";
import { unique } from "../verdict/note.js";
import type { Act, ApprovalAct } from "./act.js";
import type { DecodedCall } from "./decodeCalls.js";

/** One word measured before and after the transaction. */
export type Measurement =
  | { readonly kind: "balance"; readonly token: Hex; readonly holder: Hex }
  | { readonly kind: "itemBalance"; readonly token: Hex; readonly holder: Hex; readonly id: string }
  | { readonly kind: "isErc721"; readonly token: Hex }
  | { readonly kind: "permission"; readonly approval: ApprovalAct };

export interface MeasurementPlan {
  /** Whose assets the transaction may touch. */
  readonly holders: readonly Hex[];
  /** Whose native balances are measured: theirs and the target's. */
  readonly accounts: readonly Hex[];
  readonly measurements: readonly Measurement[];
  /** Spenders, operators and recipients whose code is read. */
  readonly counterparties: readonly Hex[];
  /** Tokens whose total supply is read. */
  readonly supplies: readonly Hex[];
  /** Positions that the transaction adds to, whose owners are read. */
  readonly items: readonly { readonly token: Hex; readonly id: string }[];
  /** What the bounds left out. */
  readonly cut: { readonly tokens: number; readonly holders: number; readonly counterparties: number };
}

const MAX_TOKENS = 12;
const MAX_HOLDERS = 3;
const MAX_COUNTERPARTIES = 12;
const MAX_APPROVALS = 8;
const MAX_ITEMS = 8;
const MAX_POSITIONS = 4;

/** Tokens that a thief would take first. They are measured as far as the bound allows. */
const worthStealing = canonicalTokens.flatMap(({ address }) =>
  address === null ? [] : [address.toLowerCase() as Hex],
);

export interface ContentPlan {
  /** Whether the calldata has parts that are not decoded. */
  readonly isOpaque: boolean;
  /** Addresses whose code is read as far as the bound allows: what is not read counts as unknown. */
  readonly named: readonly Hex[];
}

/** What to measure around a transaction with these acts. Pure, so that a verifier makes the same plan. */
export function planMeasurements(
  transaction: { readonly from: Hex; readonly to: Hex; readonly data: Hex },
  acts: readonly Act[],
  calls: readonly DecodedCall[],
  content: ContentPlan,
): MeasurementPlan {
  const { from, to, data } = transaction;
  const named = unique([
    ...acts.flatMap(tokensOf),
    ...calls.flatMap(({ meaning }) => [meaning?.roles.token, meaning?.roles.tokenOut].filter(isContractWord)),
  ]);
  const allHolders = unique([from, ...acts.flatMap(holdersOf)]);
  const allCounterparties = unique([
    ...acts.flatMap(counterpartiesOf),
    ...calls.flatMap((call) => [call.to, ...partiesOf(call)]),
  ]).filter(
    // The code of both is read anyway.
    (address) => address !== from && address !== to,
  );
  const holders = allHolders.slice(0, MAX_HOLDERS);
  const guessed = content.isOpaque ? findTokenWords(data) : [];
  const tokens = unique([...named, to, USDC, WETH, ...guessed, ...worthStealing]).slice(0, MAX_TOKENS);
  const approvals = acts.filter((act): act is ApprovalAct => act.kind === "approval");
  const measurable = approvals.filter(({ form }) => form !== "other");
  const items = acts.flatMap((act) =>
    act.kind === "transfer" && act.form === "erc1155" && act.token !== null && act.id !== null
      ? holders.map((holder) => ({ token: act.token as Hex, holder, id: act.id as string }))
      : [],
  );
  const ambiguous = unique(acts.flatMap(ambiguousTokenOf)).filter((token) => tokens.includes(token));
  return {
    holders,
    accounts: unique([...holders, to]),
    measurements: [
      ...tokens.flatMap((token) => holders.map((holder) => ({ kind: "balance", token, holder }) as const)),
      ...items.slice(0, MAX_ITEMS).map((item) => ({ kind: "itemBalance", ...item }) as const),
      ...ambiguous.map((token) => ({ kind: "isErc721", token }) as const),
      ...measurable.slice(0, MAX_APPROVALS).map((approval) => ({ kind: "permission", approval }) as const),
    ],
    counterparties: unique([
      ...allCounterparties,
      ...content.named.filter((address) => address !== from && address !== to),
    ]).slice(0, MAX_COUNTERPARTIES),
    supplies: unique(approvals.map(({ token }) => token)).slice(0, MAX_APPROVALS),
    items: calls.flatMap(findPosition).slice(0, MAX_POSITIONS),
    cut: {
      tokens: Math.max(0, named.length - MAX_TOKENS) + Math.max(0, items.length - MAX_ITEMS),
      holders: allHolders.length - holders.length,
      counterparties:
        Math.max(0, allCounterparties.length - MAX_COUNTERPARTIES) +
        Math.max(0, approvals.length - MAX_APPROVALS),
    },
  };
}

const views = parseAbi([
  "function balanceOf(address holder) view returns (uint256)",
  "function balanceOf(address holder, uint256 id) view returns (uint256)",
  "function supportsInterface(bytes4 id) view returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)",
  "function isApprovedForAll(address owner, address operator) view returns (bool)",
  "function borrowAllowance(address owner, address spender) view returns (uint256)",
  "function isAuthorized(address authorizer, address authorized) view returns (bool)",
]);
const ERC721_ID = "0x80ac58cd";

/** The view that answers a measurement in its first word. */
export function encodeMeasurement(one: Measurement): { readonly target: Hex; readonly data: Hex } {
  switch (one.kind) {
    case "balance":
      return { target: one.token, data: encode("balanceOf", [one.holder]) };
    case "itemBalance":
      return { target: one.token, data: encode("balanceOf", [one.holder, BigInt(one.id)]) };
    case "isErc721":
      return { target: one.token, data: encode("supportsInterface", [ERC721_ID]) };
    case "permission": {
      const { form, keeper, owner, token, spender } = one.approval;
      if (form === "permit2") return { target: keeper, data: encode("allowance", [owner, token, spender]) };
      if (form === "credit") return { target: keeper, data: encode("borrowAllowance", [owner, spender]) };
      if (form === "operator") return { target: keeper, data: encode("isApprovedForAll", [owner, spender]) };
      if (form === "authorization") return { target: keeper, data: encode("isAuthorized", [owner, spender]) };
      return { target: keeper, data: encode("allowance", [owner, spender]) };
    }
  }
}

function encode(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: views, functionName, args } as never);
}

function tokensOf(act: Act): Hex[] {
  switch (act.kind) {
    case "approval":
      return [act.token];
    case "transfer":
    case "payout":
      return act.token === null ? [] : [act.token];
    case "swap":
      return [act.tokenIn, act.tokenOut].filter((token) => token !== null);
    default:
      return [];
  }
}

/** `increaseLiquidity` of the position managers names a position and no beneficiary. */
function findPosition({ to, signature, args }: DecodedCall): { token: Hex; id: string }[] {
  if (!signature?.startsWith("increaseLiquidity(")) return [];
  const params = (args?.params ?? args) as Readonly<Record<string, unknown>> | null;
  const id = params?.tokenId;
  return typeof id === "string" ? [{ token: to, id }] : [];
}

const isContractWord = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value) && BigInt(value) > 0xffffn;

/** Addresses that a function's arguments name in a part that decides who profits. */
function partiesOf({ meaning }: DecodedCall): Hex[] {
  if (meaning === null) return [];
  const { recipient, spender, owner } = meaning.roles;
  return [recipient, spender, owner].filter(isContractWord);
}

/** The owners of assets that an act moves or makes available to others. */
function holdersOf(act: Act): Hex[] {
  switch (act.kind) {
    case "approval":
    case "wrap":
      return [act.owner];
    case "transfer":
      return [act.from];
    case "swap":
      return act.payer === act.router ? [] : [act.payer];
    case "delegatecall":
      return [act.account];
    default:
      return [];
  }
}

function counterpartiesOf(act: Act): Hex[] {
  switch (act.kind) {
    case "approval":
      return [act.spender];
    case "transfer":
    case "payout":
      return [act.to];
    case "swap":
      return [act.recipient];
    case "delegatecall":
      return [act.to];
    case "control":
      return act.successor === null ? [] : [act.successor];
    default:
      return [];
  }
}

/** ERC-20 and ERC-721 share approve() and transferFrom(). */
function ambiguousTokenOf(act: Act): Hex[] {
  if (act.kind === "approval" && act.form === "erc20") return [act.token];
  return act.kind === "transfer" && act.form === "erc20" && act.token !== null ? [act.token] : [];
}

/** Words of undecoded data that have the form of an address: they may be tokens that the call uses. */
function findTokenWords(data: Hex): Hex[] {
  const found = new Set<Hex>();
  for (const [, digits] of data.matchAll(/(?<=0{24})(?!0{8})([0-9a-f]{40})/g)) {
    found.add(`0x${digits}`);
    if (found.size === MAX_TOKENS) break;
  }
  return [...found];
}
