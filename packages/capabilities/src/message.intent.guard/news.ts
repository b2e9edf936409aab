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
  const changes = [...describeFlows(effects, effects, tokens), ...describeTrades(findings, tokens)];
  return {
    ...tellLead(sentence ?? lead, changes),
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
      { title: "Payment", lines: describePayment(findings.at("payment"), tokens) },
      { title: "Who takes part", isMinor: true, lines: describeParties(findings) },
    ],
  };
};

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
    ...line("Amount", amount === undefined ? undefined : tokens.amount(amount, token)),
    ...line("To", payment.at("to").address()),
    ...line("Again every", period === undefined ? undefined : `${period} s`, "warn"),
    ...line("Kind", payment.at("isDeposit").flag() ? spell("deposit") : undefined),
  ];
}
