import type { HealthDays } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { useHealth } from "../service/assay.js";
import { readHealthDays } from "../service/pageData.js";
import { Facts } from "../ui/Facts.js";
import { formatDuration } from "../ui/format.js";
import { Day, Moment } from "../ui/Moment.js";
import { partNames } from "../ui/names.js";
import { Scroll } from "../ui/Scroll.js";
import { Fetched } from "../ui/Status.js";
import "../styles/records.css";

const EVERY_MS = 60_000;

/** Whether the service works now, and how its last thirty days went. */
export default function StatusPage() {
  const query = useQuery({ queryKey: ["health days"], queryFn: readHealthDays, refetchInterval: EVERY_MS });
  return (
    <div className="page">
      <h1>Status</h1>
      <Now />
      <Fetched query={query} what="the last thirty days">
        {(health) => <Days health={health} />}
      </Fetched>
    </div>
  );
}

function Now() {
  const { data, error } = useHealth();
  const isReady = data?.status === "ready" && !error;
  const title = error
    ? "The service does not answer"
    : !data
      ? "Asking…"
      : isReady
        ? "Everything works"
        : "Not ready";
  return (
    <section
      className={`standing ${data || error ? `standing-${isReady ? "good" : "bad"}` : ""}`}
      aria-label="The service now"
    >
      <p className="standing-title" role="status">
        {title}
      </p>
      <Facts
        rows={(data?.dependencies ?? placeholders).map(({ name, ok, detail }) => [
          partNames[name] ?? name,
          <span key={name} className={ok === false ? "bad" : undefined}>
            {ok === undefined ? "…" : ok ? "works" : "does not work"}
            {detail && <span className="soft">: {detail}</span>}
          </span>,
        ])}
      />
    </section>
  );
}

/** The parts, before they are known: their lines keep their places. */
const placeholders = ["chain", "persistence", "x402"].map((name) => ({ name, ok: undefined, detail: "" }));

type HealthDay = HealthDays["days"][number];

/** Below it a day is drawn as a bad one. */
const GOOD_SHARE = 0.999;
const OPEN_SHARE = 0.98;

const shareOf = ({ minutes, readyMinutes }: Pick<HealthDay, "minutes" | "readyMinutes">) =>
  minutes === 0 ? undefined : Math.min(1, readyMinutes / minutes);

/** Rounded down, so that only a day without an interruption has 100 %. */
const formatShare = (share: number | undefined) =>
  share === undefined ? "not running yet" : `${(Math.floor(share * 100_000) / 1_000).toFixed(2)} %`;

function toneOf(day: HealthDay): string {
  const share = shareOf(day);
  if (share === undefined) return "none";
  return share >= GOOD_SHARE ? "good" : share >= OPEN_SHARE ? "open" : "bad";
}

function Days({ health: { days, interruptions } }: { readonly health: HealthDays }) {
  const sum = (name: "minutes" | "readyMinutes") => days.reduce((all, day) => all + day[name], 0);
  const share = shareOf({ minutes: sum("minutes"), readyMinutes: sum("readyMinutes") });
  const [first, last] = [days[0], days.at(-1)];
  return (
    <>
      <section className="card">
        <h2>Thirty days{share !== undefined && <>: ready {formatShare(share)} of the time</>}</h2>
        <ul className="health-days" aria-hidden="true">
          {days.map((day) => (
            <li
              key={day.day}
              className={`health-day day-${toneOf(day)}`}
              title={`${day.day}: ${formatShare(shareOf(day))}`}
            />
          ))}
        </ul>
        <p className="health-ends soft" aria-hidden="true">
          {first && <Day day={first.day} />}
          {last && <Day day={last.day} />}
        </p>
        <p className="soft">
          Checked three times a minute: the chain, the database, and whether payments can be settled. A minute
          without a check counts as not ready. Days are UTC.
        </p>
        <details>
          <summary>As a table</summary>
          <Scroll label="Thirty days">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Day (UTC)</th>
                  <th scope="col" className="number">
                    Ready
                  </th>
                  <th scope="col">What failed</th>
                </tr>
              </thead>
              <tbody>
                {days.map((day) => (
                  <tr key={day.day}>
                    <th scope="row">
                      <Day day={day.day} />
                    </th>
                    <td className="number">{formatShare(shareOf(day))}</td>
                    <td>{day.failed.map((name) => partNames[name] ?? name).join(", ")}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </details>
      </section>
      <section className="card">
        <h2>Interruptions</h2>
        {interruptions.length === 0 ? (
          <p>None of a minute or longer.</p>
        ) : (
          <ol className="timeline">
            {interruptions.map(({ from, to, failed }) => (
              <li key={from} className="mark mark-bad">
                <p className="mark-title">
                  {formatDuration((Date.parse(to) - Date.parse(from)) / 1_000)} <Moment at={from} />
                </p>
                <p>
                  {failed.length === 0
                    ? "The service did not run, or its database did not answer."
                    : `Not working: ${failed.map((name) => partNames[name] ?? name).join(", ")}.`}
                </p>
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  );
}
