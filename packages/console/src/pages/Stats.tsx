import { capabilities, findCapability } from "@assay/client";
import type { Stats, Traffic } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link } from "../routing/router.js";
import { assay } from "../service/assay.js";
import { readVerdictMix } from "../service/pageData.js";
import { DayChart } from "../stats/DayChart.js";
import { VerdictMix } from "../stats/VerdictMix.js";
import { Facts } from "../ui/Facts.js";
import { count, formatUsd } from "../ui/format.js";
import { Day, Moment } from "../ui/Moment.js";
import { Scroll } from "../ui/Scroll.js";
import { Empty, Fetched } from "../ui/Status.js";
import "../styles/choice.css";
import "../styles/records.css";
import "../styles/stats.css";

/** Thirty days of the service, without any wallet's name. */
export default function StatsPage() {
  const query = useQuery({ queryKey: ["stats"], queryFn: () => assay.stats(), staleTime: 30_000 });
  return (
    <div className="page">
      <h1>Statistics</h1>
      <Fetched query={query} what="the statistics">
        {(stats) => <StatsView stats={stats} />}
      </Fetched>
    </div>
  );
}

function StatsView({ stats }: { readonly stats: Stats }) {
  const isPlay = stats.agents.settledInvocations === 0 && stats.simulated.settledInvocations > 0;
  const [whose, setWhose] = useState<"agents" | "simulated">(isPlay ? "simulated" : "agents");
  return (
    <>
      <p className="lead">
        {stats.windowDays} days, <Day day={stats.from} /> to <Day day={stats.to} />, as of{" "}
        <Moment at={stats.computedAt} />. Days are UTC, the last is today.
      </p>
      <fieldset className="choice">
        <legend>Whose calls</legend>
        <label>
          <input type="radio" name="whose" checked={whose === "agents"} onChange={() => setWhose("agents")} />
          Agents ({stats.agents.settledInvocations})
        </label>
        <label>
          <input
            type="radio"
            name="whose"
            checked={whose === "simulated"}
            onChange={() => setWhose("simulated")}
          />
          Local chain and operator ({stats.simulated.settledInvocations})
        </label>
      </fieldset>
      <TrafficView traffic={stats[whose]} whose={whose} />
    </>
  );
}

function TrafficView({
  traffic,
  whose,
}: {
  readonly traffic: Traffic;
  readonly whose: "agents" | "simulated";
}) {
  const { byDay } = traffic;
  const { calls, paid, reuses } = useMemo(
    () => ({
      calls: byDay.map(({ day, settledInvocations }) => ({ day, value: settledInvocations })),
      paid: byDay.map(({ day, paidUsd }) => ({ day, value: paidUsd })),
      reuses: byDay.map((one) => ({ day: one.day, value: one.reuses })),
    }),
    [byDay],
  );
  if (traffic.settledInvocations === 0)
    return (
      <Empty title="No call was settled in these days">
        <p>
          Charts appear with the first one. <Link href="/">Try a capability</Link>.
        </p>
      </Empty>
    );
  return (
    <>
      <div className="charts">
        <DayChart title="Settled calls" days={calls} isWhole format={String} />
        <DayChart title="Paid, in USD" days={paid} format={formatUsd} />
        <DayChart title="Answers reused" days={reuses} isWhole format={String} />
      </div>
      <div className="columns">
        {/* One above the other: a third column would be too narrow for the table. */}
        <div className="stack">
          <section className="card">
            <h2>In all</h2>
            <Totals traffic={traffic} />
          </section>
          <Verdicts whose={whose} />
        </div>
        <section className="card">
          <h2>By capability</h2>
          <ByCapability traffic={traffic} />
        </section>
      </div>
    </>
  );
}

/** How shared answers turned out. Private ones are their buyers' alone. */
function Verdicts({ whose }: { readonly whose: "agents" | "simulated" }) {
  const query = useQuery({ queryKey: ["verdict mix"], queryFn: readVerdictMix, staleTime: 30_000 });
  const mix = query.data?.[whose];
  return (
    <section className="card">
      <h2>Verdicts of shared answers</h2>
      {!mix ? (
        <p className="soft">{query.error ? "They could not be read now." : "Asking…"}</p>
      ) : mix.allow + mix.review + mix.block === 0 ? (
        <p className="soft">No shared answer was sold in these days.</p>
      ) : (
        <VerdictMix verdicts={{ ...mix, none: 0 }} />
      )}
      <p className="soft">Verdicts of private answers are their buyers' alone and are not counted.</p>
    </section>
  );
}

const formatRate = (rate: number | null) =>
  rate === null ? "not enough calls yet" : `${(rate * 100).toFixed(1)} %`;
const formatMs = (ms: number | null) => (ms === null ? "unknown" : `${ms.toLocaleString("en-US")} ms`);

function Totals({ traffic }: { readonly traffic: Traffic }) {
  const { reuse, retention, reliability } = traffic;
  return (
    <Facts
      rows={[
        ["Settled calls", String(traffic.settledInvocations)],
        ["Paying wallets", String(traffic.uniquePayingAgents)],
        ["Paid", `${formatUsd(traffic.paidUsd)}, and ${formatUsd(traffic.creditAppliedUsd)} in credits`],
        [
          "Reused",
          `${formatRate(reuse.reuseRate)}: ${reuse.hits} whole, ${reuse.partials} in part, ${reuse.misses} computed`,
        ],
        ["Dividends", formatUsd(traffic.reuseDividendCreditsUsd)],
        ["Came back another day", formatRate(retention.returnRate)],
        ["Came back at full price", formatRate(retention.fullPriceSecondDayRepeatRate)],
        ["Payments that failed", `${count(traffic.failedInvocations, "call")}, uncharged`],
        ["Median response time", formatMs(reliability.p50Ms)],
        ["90 % of calls within", formatMs(reliability.p90Ms)],
        ["99 % of calls within", formatMs(reliability.p99Ms)],
      ]}
    />
  );
}

/** Opening a claim is counted too, but is not a capability. */
const sold: ReadonlySet<string> = new Set(capabilities.map(({ id }) => id));

function ByCapability({ traffic: { byCapability } }: { readonly traffic: Traffic }) {
  return (
    <Scroll label="By capability">
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Question</th>
            <th scope="col" className="number">
              Calls
            </th>
            <th scope="col" className="number">
              Paid
            </th>
            <th scope="col" className="number">
              Reused
            </th>
          </tr>
        </thead>
        <tbody>
          {byCapability.map(({ capabilityId, settledInvocations, paidUsd, hits, partials }) => (
            <tr key={capabilityId}>
              <th scope="row">
                {sold.has(capabilityId) ? (
                  <Link href={`/capabilities/${capabilityId}`} title={capabilityId}>
                    {findCapability(capabilityId)?.title ?? capabilityId}
                  </Link>
                ) : (
                  capabilityId
                )}
              </th>
              <td className="mono number">{settledInvocations}</td>
              <td className="mono number">{formatUsd(paidUsd)}</td>
              <td className="mono number">{hits + partials}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
