import { wordsFor } from "../shared/news/codeWords.js";
import { formatAmount, formatMoment } from "../shared/news/formatAmount.js";
import { line, spell, yesNo } from "../shared/news/line.js";
import type { Change, WriteNews } from "../shared/news/news.js";

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
          text: `${sign}${tokens.amount(amount, token)}${whose}`,
          tone: amount > 0n ? "good" : "bad",
          ...tokens.name(token),
        },
      ];
    });
  const count = findings.at("transfers", "total").number() ?? 0;
  const what =
    changes.length === 0
      ? count === 0
        ? " It moved no tokens."
        : ` Tokens moved ${count === 1 ? "once" : `${count} times`}, none of them the sender's.`
      : ` ${changes
          .slice(0, 3)
          .map(({ text }) => text)
          .join(", ")}.`;
  const number = block.at("number").whole();
  const fee = findings.at("fee", "totalWei").whole();
  const transfers = findings.at("transfers", "shown").list();
  const value = transaction.at("value").whole();
  const gas = findings.at("fee", "gasUsed").whole();
  return {
    headline:
      succeeded === undefined || number === undefined
        ? undefined
        : `The transaction ${succeeded ? "succeeded" : "failed"} in block ${number}${findings.at("finality").text() === "finalized" ? ", which is final" : ""}.${what}`,
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
          ...line("Sent along", value === undefined ? undefined : tokens.amount(value, null)),
          ...line("Function, by its four bytes", transaction.at("selector").text()),
          ...line("Fee", fee === undefined ? undefined : `${formatAmount(fee, 18)} ETH`),
          ...line("Gas", gas === undefined ? undefined : formatAmount(gas, 0)),
          ...line("Proven to the block's hash", yesNo(findings.at("proven", "receipt").flag())),
          ...line("Hash", input.at("txHash").text()),
        ],
      },
      {
        title: `Transfers (${findings.at("transfers", "total").number() ?? transfers.length})`,
        lines: transfers.slice(0, MAX_SHOWN).flatMap((one) => {
          const amount = one.at("amount").whole();
          if (amount === undefined) return [];
          const [from, to] = [one.at("from").address() ?? "new", one.at("to").address() ?? "burnt"];
          const id = one.at("id").text();
          return line(
            id === undefined
              ? tokens.amount(amount, one.at("token").address() ?? null)
              : `item ${id} of ${one.at("token").text()}`,
            `${from} → ${to}`,
          );
        }),
      },
    ],
  };
};
