import { wordsFor } from "../shared/news/codeWords.js";
import { formatAmount, formatMoment } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { capital, line, spell, yesNo } from "../shared/news/line.js";
import type { Change, WriteNews } from "../shared/news/news.js";
import type { TokenBook } from "../shared/news/tokenBook.js";

const MAX_SHOWN = 8;

const finalities: Readonly<Record<string, string>> = {
  finalized: "no, its block is final",
  safe: "hardly: its block is safe, and not yet final",
  unsafe: "yes, its block is new",
};

/** What a transaction really did. */
export const writeNews: WriteNews = ({ findings, input, tokens }) => {
  const [block, transaction] = [findings.at("block"), findings.at("transaction")];
  const succeeded = findings.at("succeeded").flag();
  const sender = transaction.at("from").address();
  const changes = findings
    .at("realised")
    .list()
    .flatMap((one): Change[] => {
      const amount = one.at("measured").whole() ?? one.at("byEvents").whole();
      const holder = one.at("holder").address();
      if (amount === undefined || amount === 0n || holder === undefined) return [];
      const token = one.at("token").address() ?? null;
      const sign = amount > 0n ? "+" : "";
      const whose = holder === sender ? "" : ` of ${holder}`;
      return [
        {
          name: amount > 0n ? "Came" : "Left",
          text: `${sign}${tokens.priced(amount, token)}${whose}`,
          tone: amount > 0n ? "good" : "bad",
          ...tokens.name(token),
        },
      ];
    });
  const count = findings.at("transfers", "total").number() ?? 0;
  // What the sender gained and lost, else what others did.
  const moved =
    changes.length > 0
      ? `${capital(
          changes
            .slice(0, 3)
            .map(({ name, text }) => `${name.toLowerCase()} ${text.replace(/^[+−]/, "")}`)
            .join(", "),
        )}.`
      : tellTransfers(findings.at("transfers"), tokens);
  const what =
    count === 0
      ? " It moved no tokens."
      : ` Tokens moved ${count === 1 ? "once" : `${count} times`}, none of them the sender's.`;
  const number = block.at("number").whole();
  const place = `block ${number}${findings.at("finality").text() === "finalized" ? ", which is final" : ""}`;
  const fee = findings.at("fee", "totalWei").whole();
  const transfers = findings.at("transfers", "shown").list();
  const value = transaction.at("value").whole();
  const gas = findings.at("fee", "gasUsed").whole();
  return {
    headline:
      succeeded === undefined || number === undefined
        ? undefined
        : succeeded && moved !== undefined
          ? `${moved} It succeeded in ${place}.`
          : `The transaction ${succeeded ? "succeeded" : "failed"} in ${place}.${what}`,
    changes,
    sections: [
      {
        title: "The transaction",
        lines: [
          ...line("Succeeded", yesNo(succeeded), succeeded ? "good" : "bad"),
          ...line(
            "Can it be undone",
            wordsFor(finalities, findings.at("finality")) ?? spell(findings.at("finality").text()),
          ),
          ...line(
            "Block",
            number === undefined ? undefined : `${number}, position ${findings.at("index").number() ?? "?"}`,
          ),
          ...line(
            "Time",
            block.at("timestamp").number() === undefined
              ? undefined
              : formatMoment(block.at("timestamp").number() ?? 0),
          ),
          ...line("From", sender),
          ...line("To", transaction.at("to").address() ?? "a new contract"),
          ...line("Fee", fee === undefined ? undefined : tokens.priced(fee, null)),
          ...line("Sent along", value === undefined ? undefined : tokens.amount(value, null)),
          ...line("Function, by its four bytes", transaction.at("selector").text()),
          ...line("Gas", gas === undefined ? undefined : formatAmount(gas, 0)),
          ...line("Proven to the block's hash", yesNo(findings.at("proven", "receipt").flag())),
          ...line("Hash", input.at("txHash").text()),
        ],
      },
      {
        title: `Transfers (${findings.at("transfers", "total").number() ?? transfers.length})`,
        lines: transfers.slice(0, MAX_SHOWN).flatMap((one, place) => {
          const what = tellWhat(one, tokens);
          return what === undefined ? [] : line(`${place + 1}`, `${what}: ${fromOf(one)} → ${toOf(one)}`);
        }),
      },
    ],
  };
};

const fromOf = (transfer: Found) => transfer.at("from").address() ?? "new";
const toOf = (transfer: Found) => transfer.at("to").address() ?? "burnt";

function tellWhat(transfer: Found, tokens: TokenBook): string | undefined {
  const amount = transfer.at("amount").whole();
  const id = transfer.at("id").text();
  if (id !== undefined) return `item ${id} of ${transfer.at("token").text()}`;
  return amount === undefined ? undefined : tokens.priced(amount, transfer.at("token").address() ?? null);
}

/** One transfer, or two that are a trade, in a sentence: who gave what to whom. */
function tellTransfers(transfers: Found, tokens: TokenBook): string | undefined {
  const [first, second, ...more] = transfers.at("shown").list();
  if (first === undefined || more.length > 0 || transfers.at("total").number() !== (second ? 2 : 1))
    return undefined;
  const [from, to] = [first.at("from").address(), first.at("to").address()];
  const gave = tellWhat(first, tokens);
  if (from === undefined || to === undefined || gave === undefined) return undefined;
  if (second === undefined) return `${from} sent ${gave} to ${to}.`;
  const got = tellWhat(second, tokens);
  const isTrade = second.at("from").address() === to && second.at("to").address() === from;
  return isTrade && got !== undefined ? `${from} gave ${gave} and got ${got}.` : undefined;
}
