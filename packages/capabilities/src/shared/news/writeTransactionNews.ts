import { describeFlows, describeOthers, describePermissions } from "./describeFlows.js";
import { formatAmount, formatGwei, roundTo } from "./formatAmount.js";
import type { Found } from "./found.js";
import { line, spell } from "./line.js";
import type { Change, Line, WriteNews } from "./news.js";

/** What a transaction moves, whom it gives power, and what it costs. */
export const writeTransactionNews: WriteNews = ({ lead, findings, input, tokens }) => {
  const [effects, measured] = [findings.at("effects"), findings.at("measured")];
  const calls = findings.at("calldata", "calls").list();
  const value = input.at("value").whole();
  const changes = describeFlows(effects, measured, tokens);
  return {
    ...tellLead(lead, changes),
    isFromBytes: effects.at("source").text() === "calldata",
    changes,
    powers: describePermissions(effects, { acts: findings.at("acts"), measured }, tokens),
    sections: [
      {
        title: "The transaction",
        lines: [
          ...line("From", input.at("from").address()),
          ...line("To", input.at("to").address()),
          ...line(
            "Sends along",
            value === undefined || value === 0n ? undefined : tokens.amount(value, null),
          ),
          ...line("Kind", spell(findings.at("intent").text())),
          ...line(
            "Calls",
            calls.map((call) => call.at("signature").text() ?? call.at("selector").text()).join(", ") ||
              undefined,
          ),
          ...describeUndecoded(findings.at("calldata")),
          ...describeRun(findings.at("execution")),
          ...describeSource(effects),
          ...describeFee(findings.at("cost")),
        ],
      },
      { title: "Balances of others", isMinor: true, lines: describeOthers(effects, measured, tokens) },
      { title: "The contract that is called", isMinor: true, lines: describeTarget(findings.at("target")) },
      { title: "Who takes part", isMinor: true, lines: describeParties(effects) },
    ],
  };
};

/** A sentence about effects is the news, whatever the verdict is; and what it leaves of a balance, where that was measured. */
export function tellLead(lead: string, changes: readonly Change[]) {
  if (lead === "") return {};
  const text = [lead, ...tellBalance(changes)].join(" ");
  return { headline: text, warning: text };
}

function tellBalance(changes: readonly Change[]): string[] {
  const moved = changes.find(({ measured }) => measured && measured.before !== measured.after);
  if (!moved?.measured) return [];
  const { symbol, decimals, worthAfter } = moved;
  const worth = worthAfter === undefined ? "" : ` (${worthAfter})`;
  const { before, after } = moved.measured;
  const [was, is] = [formatAmount(before, decimals), formatAmount(after, decimals)];
  if (after === 0n) return [`Nothing is left of your ${was} ${symbol}.`];
  return [
    after < before ? `You keep ${is} of ${was} ${symbol}${worth}.` : `You then hold ${is} ${symbol}${worth}.`,
  ];
}

export function describeRun(execution: Found): Line[] {
  const status = execution.at("status").text();
  const reason = execution.at("revert", "reason").text();
  return line(
    "When it is run now",
    status === undefined ? undefined : `${spell(status)}${reason === undefined ? "" : ` (${reason})`}`,
    status === "succeeds" ? "good" : "warn",
  );
}

function describeSource(effects: Found): Line[] {
  const source = effects.at("source").text();
  if (source === "calldata") return line("How that is known", "from its bytes alone: it did not run", "warn");
  return line(
    "How that is known",
    source === undefined
      ? undefined
      : source === "trace"
        ? "it was run and traced at this block"
        : "it was run and measured at this block",
  );
}

function describeFee(cost: Found): Line[] {
  const [total, usd, gas] = [cost.at("totalWei").whole(), cost.at("usd").text(), cost.at("gas").whole()];
  const [price, data] = [cost.at("weiPerGas").whole(), cost.at("l1DataWei").whole()];
  return [
    ...line(
      "Fee",
      total === undefined
        ? undefined
        : `${formatAmount(roundTo(total, 3), 18)} ETH${usd ? ` (${usd.replace(/(\.\d\d+?)0+$/, "$1")})` : ""}`,
    ),
    ...line(
      "Gas",
      gas === undefined
        ? undefined
        : `${formatAmount(gas, 0)}${price === undefined ? "" : ` at ${formatGwei(price)}`}`,
    ),
    ...line("Of it for data on Ethereum", data === undefined ? undefined : `${formatAmount(data, 18)} ETH`),
  ];
}

function describeUndecoded(calldata: Found): Line[] {
  const [bytes, undecoded] = [calldata.at("bytes").number(), calldata.at("undecodedBytes").number()];
  if (bytes === undefined || undecoded === undefined) return [];
  return undecoded === 0
    ? line("Calldata", `${bytes} bytes, all decoded`)
    : line("Calldata", `${undecoded} of ${bytes} bytes could not be decoded`, "warn");
}

function describeTarget(target: Found): Line[] {
  const paused = target.at("paused").flag();
  return [
    ...line("Code", spell(target.at("form").text())),
    ...line("Runs the code of", target.at("implementation").address()),
    ...line("Its code can be replaced by", target.at("admin").address(), "warn"),
    ...line("Beacon", target.at("beacon").address()),
    ...line("Paused", paused === undefined ? undefined : paused ? "yes" : "no", paused ? "warn" : undefined),
    ...line("Compared with block", target.at("comparedWith", "block").whole()?.toString()),
  ];
}

const kinds: Readonly<Record<string, string>> = {
  own: "your account",
  known: "published",
  changed: "a published address with other code",
  vacant: "a published address without code",
  burn: "nobody's: what goes there is lost",
  account: "an account of one key",
  smart_account: "a smart wallet",
  claimed_account: "a wallet by its own word",
  delegated: "an account that runs unknown code",
  contract: "an unknown contract",
  unread: "not read",
};

/** Everybody who takes part but the asker, with what is known of them. */
export const describeParties = (effects: Found): Line[] =>
  effects
    .at("parties")
    .list()
    .flatMap((party) => {
      const [address, kind] = [party.at("address").address(), party.at("kind").text()];
      if (address === undefined || kind === undefined || kind === "own") return [];
      const role = spell(party.at("role").text());
      const isBad = kind === "changed" || kind === "vacant" || kind === "burn";
      const isDoubtful = kind === "contract" || kind === "unread" || kind === "delegated";
      return line(
        address,
        `${kinds[kind] ?? spell(kind)}${role ? ` ${role}` : ""}`,
        isBad ? "bad" : isDoubtful ? "warn" : undefined,
      );
    });
