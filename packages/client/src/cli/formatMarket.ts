import type {
  Bounties,
  Opportunities,
  Outcome,
  Pledge,
  Published,
  Publisher,
  SeederEconomics,
  Stats,
  Traffic,
} from "@assay/protocol";
import { alignRows, formatUsd, type Paint, page, printable } from "./text.js";

export function formatBounties({ bounties, passport, note }: Bounties, paint: Paint): string {
  return page([
    ...(bounties.length === 0 ? ["No open bounties."] : []),
    ...bounties.flatMap(({ capabilityId, input, misses, lastMissAt, seederEconomics, ...bounty }) => [
      `${paint("bold", printable(capabilityId))}  ${describeInput(input)}`,
      ...alignRows([
        ["asked", `${misses} times, last ${lastMissAt}`],
        ["earns", describeEconomics(seederEconomics)],
        ["do", describeFulfillment(capabilityId, input, bounty.fulfillment)],
      ]),
    ]),
    ...(passport
      ? [
          "",
          `${passport.attestedPublisher ? paint("green", "attested publisher") : "not an attested publisher"}: ${passport.withheldByHeadStart} bounties withheld by a head start of ${passport.headStartSeconds} s`,
        ]
      : []),
    "",
    printable(note),
  ]);
}

const describeInput = (input: Readonly<Record<string, unknown>>) =>
  Object.entries(input)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => printable(`${name}=${String(value)}`))
    .join(" ");

const describeEconomics = ({
  dividendPerSettledReusePct: pct,
  dividendPerSettledReuseUsd: each,
  lifetimeCapUsd: cap,
}: SeederEconomics) => `${pct} % of each reuse (${formatUsd(each)}), at most ${formatUsd(cap)}, in credits`;

function describeFulfillment(
  capabilityId: string,
  input: Readonly<Record<string, unknown>>,
  fulfillment: Bounties["bounties"][number]["fulfillment"],
): string {
  if (fulfillment === "publish") return `assay publish ${String(input.address)} --rpc <your node>`;
  return `be the first to call ${capabilityId}`;
}

export function formatOpportunities({ opportunities, note }: Opportunities, paint: Paint): string {
  return page([
    ...(opportunities.length === 0 ? ["Nobody has asked for anything that is not sold."] : []),
    ...opportunities.flatMap(({ capability, status, ...asked }) => [
      `${paint("bold", printable(capability))}  ${status}`,
      ...alignRows([
        ["asked", `${asked.unknownAsks} times, last ${asked.lastAskedAt}`],
        ["pledged", `by ${asked.conditionalPledges}, honoured by ${asked.pledgesHonoured}`],
      ]),
    ]),
    "",
    printable(note),
  ]);
}

export function formatPublisher(publisher: Publisher, paint: Paint): string {
  const { attestation, publications, dividends, reviewCredits } = publisher;
  const blocked = attestation.blockedUntil ? `, not before ${attestation.blockedUntil}` : "";
  return page([
    `${paint("bold", printable(publisher.wallet))}: ${publisher.attested ? paint("green", "attested") : `not attested${blocked}`}`,
    ...alignRows([
      [
        "publications",
        `${publications.passed} passed, ${publications.failed} failed, ${publications.unaudited} unaudited`,
      ],
      ["seeds", publisher.seededInputs],
      ["dividends", `${formatUsd(dividends.totalUsd)} from ${dividends.settledReuses} reuses`],
      ["reviews", `${formatUsd(reviewCredits.totalUsd)} for ${reviewCredits.outcomes} outcomes`],
      ["head start", `${attestation.headStartSeconds} s`],
    ]),
    ...(publisher.audits.length > 0 ? ["", paint("bold", "Newest audits")] : []),
    ...publisher.audits.map(
      ({ audit, address, computedAtBlock, publishedAt }) =>
        `  ${paint(audit === "failed" ? "red" : "green", audit.padEnd(9))}  ${printable(address)}  block ${computedAtBlock}  ${publishedAt}`,
    ),
  ]);
}

export function formatStats({ agents, simulated, ...stats }: Stats, paint: Paint): string {
  return page([
    paint("bold", `${stats.windowDays} days, ${stats.from} to ${stats.to}`),
    ...alignRows(describeTraffic(agents)),
    "",
    `Left out as simulated: ${simulated.settledInvocations} settled calls, ${formatUsd(simulated.paidUsd)}.`,
    printable(stats.note),
  ]);
}

function describeTraffic({ reuse, retention, reliability, ...traffic }: Traffic): [string, string][] {
  const { p50Ms, p90Ms, p99Ms } = reliability;
  return [
    ["settled calls", `${traffic.settledInvocations} by ${traffic.uniquePayingAgents} agents`],
    ["paid", `${formatUsd(traffic.paidUsd)} and ${formatUsd(traffic.creditAppliedUsd)} in credits`],
    [
      "reuse",
      `${formatRate(reuse.reuseRate)} (${reuse.hits} hits, ${reuse.partials} partial, ${reuse.misses} misses)`,
    ],
    ["dividends", formatUsd(traffic.reuseDividendCreditsUsd)],
    ["returned", `${formatRate(retention.returnRate)} of new agents on a later day`],
    ["at full price", formatRate(retention.fullPriceSecondDayRepeatRate)],
    ["success", formatRate(reliability.successRate)],
    ["time", `p50 ${formatMs(p50Ms)}, p90 ${formatMs(p90Ms)}, p99 ${formatMs(p99Ms)}`],
  ];
}

const formatRate = (rate: number | null) => (rate === null ? "-" : `${(rate * 100).toFixed(1)} %`);
const formatMs = (ms: number | null) => (ms === null ? "-" : `${ms} ms`);

export function formatPublished(published: Published, paint: Paint): string {
  const { seeder } = published;
  return page([
    `${paint(["bold", "green"], "PUBLISHED")}  ${printable(published.address)}`,
    ...alignRows([
      ["publication", published.publicationId],
      ["code", `${published.bytecodeHash ?? "none"}, ${published.bytecodeBytes} bytes`],
      ["at block", `${published.computedAtBlock} ${published.blockHash}`],
      ["seeder", `${seeder.wallet} until ${seeder.freshUntil}`],
      ["earns", describeEconomics(seeder.economics)],
      ["log leaf", published.logIndex ?? "once somebody has paid to use it"],
    ]),
  ]);
}

export function formatPledge({ capability, built, pledgedAt, credit }: Pledge): string {
  return page([
    `Pledged for ${printable(capability)}${built ? "" : ", which is not built yet"}.`,
    ...alignRows([
      ["since", pledgedAt],
      [
        "credit",
        credit.creditedUsd === null
          ? `${credit.pctOfPricePaid} % of the first call after the pledge, at most ${formatUsd(credit.maxUsd)}`
          : `${formatUsd(credit.creditedUsd)} received`,
      ],
    ]),
  ]);
}

export function formatOutcome({ invocationId, capabilityId, outcome, reviewCreditUsd }: Outcome): string {
  return page([
    `${printable(invocationId)} (${printable(capabilityId)}): ${outcome}; credit ${formatUsd(reviewCreditUsd)}`,
  ]);
}
