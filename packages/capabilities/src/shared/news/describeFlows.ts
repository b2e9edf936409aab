import type { Hex } from "@assay/protocol";
import { formatAmount, formatMoment, isUnlimited } from "./formatAmount.js";
import type { Found } from "./found.js";
import { listSome } from "./line.js";
import type { Change, Line } from "./news.js";
import type { TokenBook } from "./tokenBook.js";

type Balance = { readonly before: bigint; readonly after: bigint };

/** What leaves an account and what comes to it, with its balances before and after where they were measured. */
export function describeFlows(effects: Found, measured: Found, tokens: TokenBook): Change[] {
  const accounts = new Set(
    effects
      .at("accounts")
      .list()
      .map((one) => one.text()?.toLowerCase()),
  );
  const balances = new Map<string, Balance>();
  for (const row of measured.at("balances").list()) {
    const [before, after] = [row.at("before").whole(), row.at("after").whole()];
    if (!accounts.has(row.at("holder").text()?.toLowerCase())) continue;
    if (before !== undefined && after !== undefined) balances.set(keyOf(row), { before, after });
  }
  const describe = (name: "leaves" | "returns"): Change[] =>
    effects
      .at(name)
      .list()
      .flatMap((flow) => {
        const amount = flow.at("amount").whole();
        if (amount === undefined) return [];
        const token = flow.at("token").address() ?? null;
        const { symbol, decimals } = tokens.name(token);
        const usd = flow.at("usd").text();
        const what = flow.at("text").text() ?? tokens.amount(amount, token);
        const isLeaving = name === "leaves";
        const receivers = isLeaving
          ? listSome(
              flow
                .at("to")
                .list()
                .flatMap((one) => one.address() ?? []),
              3,
            )
          : undefined;
        const text = `${isLeaving ? "−" : "+"}${what}${usd ? ` (${usd})` : ""}${receivers ? ` to ${receivers}` : ""}`;
        const isWhole = flow.at("id").value === null || flow.at("id").value === undefined;
        const balance = isWhole ? balances.get(keyOf(flow)) : undefined;
        return [
          {
            name: isLeaving ? "Leaves" : "Comes",
            text,
            tone: isLeaving ? "bad" : "good",
            measured: balance,
            worthAfter: balance && tokens.worth(balance.after, token),
            symbol,
            decimals,
          } satisfies Change,
        ];
      });
  return [...describe("leaves"), ...describe("returns")];
}

const keyOf = (row: Found) => `${row.at("token").text()?.toLowerCase() ?? ""} ${row.at("id").text() ?? ""}`;

/** Who may take what afterwards. */
export function describePermissions(
  effects: Found,
  { acts, measured }: { readonly acts: Found; readonly measured: Found },
  tokens: TokenBook,
): Line[] {
  return effects
    .at("permissions")
    .list()
    .flatMap((one): Line[] => {
      const [token, spender] = [one.at("token").address(), one.at("spender").address()];
      if (token === undefined || spender === undefined) return [];
      if (one.at("isRevocation").flag() === true)
        return [
          {
            name: spender,
            text: `may take no more of your ${tokens.name(token).symbol}`,
            tone: "good",
          },
        ];
      const amount = one.at("amount").whole();
      const end = findEnd(acts, token, spender);
      const before = findBefore(measured, token, spender);
      // Of a whole collection it is a yes or a no.
      const isCounted = before !== undefined && (amount !== undefined || before > 0n);
      const was = isCounted ? ` (before: ${tokens.amount(before, token)})` : "";
      return [
        { name: spender, text: `${describeLimit(amount, token, tokens)}${end ?? ""}${was}`, tone: "warn" },
      ];
    });
}

function describeLimit(amount: bigint | undefined, token: Hex, tokens: TokenBook): string {
  const { symbol } = tokens.name(token);
  if (amount === undefined) return `may take all of your ${symbol}`;
  if (isUnlimited(amount)) return `may take any amount of your ${symbol}, at any time`;
  return `may take up to ${tokens.amount(amount, token)}`;
}

/** What the same spender could take before, where that is measured, and is an amount. */
function findBefore(measured: Found, token: Hex, spender: Hex): bigint | undefined {
  const before = measured
    .at("allowances")
    .list()
    .find((one) => one.at("token").text() === token && one.at("spender").text() === spender)
    ?.at("before")
    .whole();
  return before === undefined || isUnlimited(before) ? undefined : before;
}

function findEnd(acts: Found, token: Hex, spender: Hex): string | undefined {
  const act = acts
    .list()
    .find(
      (one) =>
        one.at("kind").text() === "approval" &&
        one.at("token").text() === token &&
        one.at("spender").text() === spender,
    );
  const seconds = Number(act?.at("expiresAt").whole() ?? 0n);
  const moment = seconds > 0 ? formatMoment(seconds) : undefined;
  return moment === undefined ? undefined : `, until ${moment}`;
}

/** Balances of others, as far as they were measured. */
export function describeOthers(effects: Found, measured: Found, tokens: TokenBook): Line[] {
  const accounts = new Set(
    effects
      .at("accounts")
      .list()
      .map((one) => one.text()?.toLowerCase()),
  );
  return measured
    .at("balances")
    .list()
    .flatMap((row) => {
      const holder = row.at("holder").address();
      const [before, after] = [row.at("before").whole(), row.at("after").whole()];
      if (holder === undefined || before === undefined || after === undefined) return [];
      if (accounts.has(holder.toLowerCase())) return [];
      const token = row.at("token").address() ?? null;
      const change = after - before;
      const { symbol, decimals } = tokens.name(token);
      return [{ name: holder, text: `${change > 0n ? "+" : ""}${formatAmount(change, decimals)} ${symbol}` }];
    });
}
