import type { Hex } from "@assay/protocol";
import { keyOf, type WorldTokens } from "./holdings.js";
import { keyOfPermission, type Permission } from "./permissions.js";

interface Flow {
  readonly kind: string;
  readonly token: Hex | null;
  readonly id: string | null;
  readonly amount: string;
}

interface ApprovalAct {
  readonly kind: "approval";
  readonly form: string;
  readonly keeper: Hex;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  readonly amount: string | null;
  readonly isRevocation: boolean;
}

/** The findings that foretell something which can be read after sending. */
export interface Foretold {
  readonly execution: { readonly status: "succeeds" | "reverts" | "unpayable" | "unread" };
  readonly effects: {
    readonly accounts: readonly Hex[];
    readonly leaves: readonly Flow[];
    readonly returns: readonly Flow[];
  };
  readonly acts: readonly (ApprovalAct | { readonly kind: "other" })[];
  readonly measured: {
    readonly allowances: readonly {
      readonly owner: Hex;
      readonly token: Hex;
      readonly spender: Hex;
      readonly form: string;
      readonly after: string;
    }[];
  } | null;
  readonly traced: {
    readonly allowances: readonly {
      readonly kind: "allowance" | "item" | "operator";
      readonly keeper: Hex;
      readonly token: Hex;
      readonly owner: Hex;
      readonly spender: Hex;
      readonly amount: string;
    }[];
  } | null;
}

export interface Comparison {
  readonly compared: number;
  /** Balances that are shares of something and differ by the last unit, which their events do not round. */
  readonly rounded: number;
  /** One sentence each. */
  readonly differences: readonly string[];
}

/**
 * Every asset of the world, foretold or not: its change must be the one that was foretold, or none. Aave's balances are
 * shares times an index, rounded when they are read; its events state the amount itself, so that one unit may be between
 * them where something was foretold.
 */
export function compareHoldings(
  { effects }: Pick<Foretold, "effects">,
  { erc721, growing }: Pick<WorldTokens, "erc721" | "growing">,
  before: ReadonlyMap<string, bigint>,
  after: ReadonlyMap<string, bigint>,
  /** What the transaction's gas cost the accounts, in wei. */
  fee: bigint,
): Comparison {
  const foretold = new Map<string, bigint>();
  const add = (key: string, change: bigint) => foretold.set(key, (foretold.get(key) ?? 0n) + change);
  const flows = [
    ...effects.leaves.map((flow) => ({ ...flow, sign: -1n })),
    ...effects.returns.map((flow) => ({ ...flow, sign: 1n })),
  ];
  for (const { token, id, amount, sign } of flows) {
    add(keyOf(token, id), sign * BigInt(amount));
    // A collection counts the items of an account, too.
    if (token !== null && id !== null && erc721.includes(token)) add(token, sign * BigInt(amount));
  }
  const differences: string[] = [];
  const grows = new Set<string>(growing);
  let rounded = 0;
  for (const [key, held] of after) {
    const really = held - (before.get(key) ?? 0n) + (key === "ether" ? fee : 0n);
    const said = foretold.get(key) ?? 0n;
    const isLastUnit = said - really === 1n || really - said === 1n;
    if (isLastUnit && said !== 0n && grows.has(key)) rounded += 1;
    else if (said !== really) differences.push(`${key}: ${said} foretold, ${really} on chain`);
  }
  for (const key of foretold.keys())
    if (!after.has(key)) differences.push(`${key}: foretold, but nothing on chain counts it`);
  return { compared: after.size, rounded, differences };
}

/** How much of a token leaves. */
export const sumLeaving = ({ leaves }: Pick<Foretold["effects"], "leaves">, token: Hex): bigint =>
  leaves.reduce((sum, flow) => (flow.token === token ? sum + BigInt(flow.amount) : sum), 0n);

/** A permission and what a view may answer about it after the transaction. */
export interface ForetoldPermission {
  readonly permission: Permission;
  readonly values: readonly bigint[];
}

/**
 * What was measured must be exactly so. Where only calldata or an event states a permission, the transaction may have used
 * it: then as much is left as it does not take.
 */
export function listForetoldPermissions(
  { acts, measured, traced, effects }: Foretold,
  { erc721 }: Pick<WorldTokens, "erc721">,
): ForetoldPermission[] {
  const list = new Map<string, ForetoldPermission>();
  const add = (permission: Permission, values: readonly bigint[]) =>
    list.set(keyOfPermission(permission), { permission, values });
  const stated = (token: Hex, amount: bigint) => [amount, amount - sumLeaving(effects, token)];
  for (const { kind, keeper, token, owner, spender, amount } of traced?.allowances ?? []) {
    if (kind === "item")
      add({ view: "item", keeper, token, owner, spender, id: BigInt(amount) }, [BigInt(spender)]);
    else if (kind === "operator") add({ view: "operator", keeper, token, owner, spender }, [BigInt(amount)]);
    else
      add(
        { view: keeper === token ? "allowance" : "permit2", keeper, token, owner, spender },
        stated(token, BigInt(amount)),
      );
  }
  for (const act of acts) {
    if (act.kind !== "approval" || act.form === "other") continue;
    const { form, keeper, token, owner, spender, amount, isRevocation } = act;
    const place = { keeper, token, owner, spender };
    if (erc721.includes(token) && form === "erc20") {
      add({ view: "item", ...place, id: BigInt(amount ?? 0) }, [BigInt(spender)]);
      continue;
    }
    const view = views[form] ?? "allowance";
    const found = measured?.allowances.find(
      (one) => one.owner === owner && one.token === token && one.spender === spender && one.form === form,
    );
    if (found) add({ view, ...place }, [BigInt(found.after)]);
    else if (view === "operator" || view === "authorization")
      add({ view, ...place }, [isRevocation ? 0n : 1n]);
    else if (form !== "increase" && form !== "decrease" && amount !== null)
      add({ view, ...place }, stated(token, BigInt(amount)));
  }
  return [...list.values()];
}

const views: Readonly<Record<string, Permission["view"]>> = {
  permit2: "permit2",
  operator: "operator",
  credit: "credit",
  authorization: "authorization",
};
