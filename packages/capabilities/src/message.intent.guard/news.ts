import { describeFlows, describePermissions } from "../shared/news/describeFlows.js";
import { formatMoment } from "../shared/news/formatAmount.js";
import type { Found } from "../shared/news/found.js";
import { line, spell } from "../shared/news/line.js";
import type { Change, Line, WriteNews } from "../shared/news/news.js";
import type { TokenBook } from "../shared/news/tokenBook.js";
import { describeParties, describeRun, tellLead } from "../shared/news/writeTransactionNews.js";

/** What a signature gives away, to whom and until when. */
export const writeNews: WriteNews = ({ lead, findings, input, tokens }) => {
  const run = findings.at("run");
  const effects = run.at("effects");
  const [, title, sentence] = /^(This is [^.]+\.) (.+)$/s.exec(lead) ?? [lead, "", lead];
  const payment = findings.at("payment");
  const isFailing = run.at("execution", "status").text() === "reverts";
  const changes = [
    ...describeFlows(effects, effects, tokens),
    ...describeTrades(findings, tokens),
    ...(isFailing ? describeLater(payment, tokens) : []),
  ];
  return {
    ...tellLead(isFailing ? tellLater(sentence ?? lead, findings, tokens) : (sentence ?? lead), changes),
    detail: title,
    // What nobody ran is judged by its text.
    isFromBytes: effects.value === undefined || effects.at("source").text() === "calldata",
    changes,
    powers: describePermissions(effects, { acts: run.at("acts"), measured: effects }, tokens),
    sections: [
      {
        title: "The message",
        lines: [
          ...line("What it is", findings.at("message", "title").text()),
          ...line(
            "Says",
            findings
              .at("message", "says")
              .list()
              .map((one) => one.text())
              .join(" ") || undefined,
          ),
          ...line("Signer", input.at("signer").address()),
          ...line("Asked by the site", input.at("origin").text()),
          ...describeDomain(findings.at("domain")),
          ...line("Works from", describeStart(findings.at("valid", "from"))),
          ...describeEnd(findings.at("valid", "until")),
          ...line("Hash that is signed", findings.at("binding", "digest").text()),
          ...describeRun(run.at("execution")),
        ],
      },
      { title: "Payment", lines: describePayment(payment, tokens) },
      { title: "Who takes part", isMinor: true, lines: describeParties(findings) },
    ],
  };
};

/** A signature that fails today can be used on another day: until it ends, it is a payment. */
function tellLater(sentence: string, findings: Found, tokens: TokenBook): string {
  const fails = /^Fails( \(".*?"\))?: nothing happens but the fee is paid\./s;
  const payment = findings.at("payment");
  const [amount, to] = [payment.at("amount").whole(), payment.at("to").address()];
  const reason = fails.exec(sentence)?.[1] ?? "";
  if (amount === undefined || to === undefined)
    return sentence.replace(fails, () => `Used now it would fail${reason}; it can still be used later.`);
  const [end] = describeEnd(findings.at("valid", "until"));
  const until = end === undefined ? "" : ` until ${end.text}`;
  const what = tokens.priced(amount, payment.at("token").address() ?? null);
  return `${to} could take ${what} of yours${until}, though not now${reason}.`;
}

function describeLater(payment: Found, tokens: TokenBook): Change[] {
  const [amount, to] = [payment.at("amount").whole(), payment.at("to").address()];
  const token = payment.at("token").address() ?? null;
  if (amount === undefined || to === undefined) return [];
  return [
    {
      name: "Could leave later",
      text: `−${tokens.priced(amount, token)} to ${to}`,
      tone: "bad",
      ...tokens.name(token),
    },
  ];
}

function describeTrades(findings: Found, tokens: TokenBook): Change[] {
  const side =
    (name: string, sign: string, tone: "good" | "bad") =>
    (flow: Found): Change[] => {
      const amount = flow.at("amount").whole();
      if (amount === undefined) return [];
      const token = flow.at("token").address() ?? null;
      const usd = flow.at("usd").text();
      const what = flow.at("text").text() ?? tokens.amount(amount, token);
      return [{ name, text: `${sign}${what}${usd ? ` (${usd})` : ""}`, tone, ...tokens.name(token) }];
    };
  return findings
    .at("trades")
    .list()
    .flatMap((trade) => [
      ...trade
        .at("gives")
        .list()
        .flatMap(side("Gives", "−", "bad")),
      ...trade
        .at("gets")
        .list()
        .flatMap(side("Gets at least", "+", "good")),
    ]);
}

function describeDomain(domain: Found): Line[] {
  const stated = domain.at("stated").text();
  const name = domain.at("name").text();
  return [
    ...line("For the contract", domain.at("verifyingContract").address()),
    ...line(
      "It calls itself",
      name === undefined ? undefined : `“${name}”${stated === "same" ? ", as the contract says" : ""}`,
      stated === undefined || stated === "same" ? undefined : "warn",
    ),
    ...line("Chain", domain.at("chainId").text() === "8453" ? "Base" : domain.at("chainId").text()),
  ];
}

function describeStart(from: Found): string | undefined {
  const seconds = Number(from.whole() ?? 0n);
  return seconds === 0 ? undefined : formatMoment(seconds);
}

function describeEnd(until: Found): Line[] {
  const seconds = until.whole();
  if (seconds === undefined) return [];
  const moment = formatMoment(Number(seconds));
  return moment === undefined || moment.startsWith("+")
    ? line("Works until", "it is taken back", "warn")
    : line("Works until", moment);
}

function describePayment(payment: Found, tokens: TokenBook): Line[] {
  const amount = payment.at("amount").whole();
  const token = payment.at("token").address() ?? null;
  const period = payment.at("period").whole();
  return [
    ...line("Amount", amount === undefined ? undefined : tokens.priced(amount, token)),
    ...line("To", payment.at("to").address()),
    ...line("Again every", period === undefined ? undefined : `${period} s`, "warn"),
    ...line("Kind", payment.at("isDeposit").flag() ? spell("deposit") : undefined),
  ];
}
