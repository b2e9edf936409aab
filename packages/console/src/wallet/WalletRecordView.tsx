import { findCapability } from "@assay/client";
import type { WalletCall, WalletRecord } from "@assay/protocol";
import { type ReactNode, useMemo, useState } from "react";
import { Link } from "../routing/router.js";
import { DayChart } from "../stats/DayChart.js";
import { VerdictMix } from "../stats/VerdictMix.js";
import { count, formatUsd } from "../ui/format.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { Scroll } from "../ui/Scroll.js";
import { Empty } from "../ui/Status.js";
import "../styles/stats.css";

const DAY_MS = 86_400_000;

/** Thirty days of one wallet: what it was kept from, what it spent, and each of its newest calls. */
export function WalletRecordView({ record }: { readonly record: WalletRecord }) {
  const { calls, spentUsd, creditLeftUsd, verdicts, prevented, since } = record;
  const spent = useMemo(() => fillDays(record), [record]);
  return (
    <>
      {record.isBlocked && (
        <p className="bad" role="alert">
          The operator of this service does not sell to this wallet any more.
        </p>
      )}
      <dl className="wallet-figures">
        <Figure name="Kept from losing" tone={prevented.usd > 0 ? "bad" : undefined}>
          {prevented.usd === 0 && !prevented.isWhole ? (
            "no known price"
          ) : (
            <>
              {!prevented.isWhole && <small>at least </small>}
              {toDollars(prevented.usd)}
            </>
          )}
        </Figure>
        <Figure name="Blocked" tone={verdicts.block > 0 ? "bad" : undefined}>
          {verdicts.block}
        </Figure>
        <Figure name="Spent in 30 days">{formatUsd(spentUsd)}</Figure>
        <Figure name="Calls">{calls}</Figure>
      </dl>
      <p className="soft">
        Since <Moment at={since} />.{" "}
        {prevented.calls > 0 &&
          `“Kept from losing” is what ${count(prevented.calls, "blocked transaction or message", "blocked transactions and messages")} would have taken at the prices of that block${prevented.isWhole ? "." : "; what has no known price is not in it."}`}
      </p>
      {calls === 0 ? (
        <Empty title="This wallet bought nothing in these days">
          <p>
            <Link href="/">Ask something</Link>, or let your agent ask.
          </p>
        </Empty>
      ) : (
        <>
          <div className="charts">
            <DayChart title="Spent per day, in USD" days={spent} format={formatUsd} />
            <section className="card">
              <h2>Verdicts</h2>
              <VerdictMix verdicts={verdicts} />
            </section>
          </div>
          <Recent calls={record.recent} isAll={record.recent.length === calls} />
        </>
      )}
      <Limits record={record} />
      {creditLeftUsd > 0 && <p className="soft">Credits left: {formatUsd(creditLeftUsd)}.</p>}
    </>
  );
}

/** A loss to the cent is more than anybody reads. */
const toDollars = (usd: number) =>
  usd >= 1_000 ? `$${Math.round(usd).toLocaleString("en-US")}` : formatUsd(usd);

interface FigureProps {
  readonly name: string;
  readonly tone?: "bad" | undefined;
  readonly children: ReactNode;
}

const Figure = ({ name, tone, children }: FigureProps) => (
  <div className="card">
    <dt>{name}</dt>
    <dd className={tone}>{children}</dd>
  </div>
);

/** Every day since the first, so that a day without a call is seen. */
function fillDays({ since, days }: WalletRecord) {
  const spentOn = new Map(days.map(({ day, spentUsd }) => [day, spentUsd]));
  const first = Date.parse(since);
  const many = Math.floor((Date.now() - first) / DAY_MS) + 1;
  return Array.from({ length: many }, (_, index) => {
    const day = new Date(first + index * DAY_MS).toISOString().slice(0, 10);
    return { day, value: spentOn.get(day) ?? 0 };
  });
}

/** Calls that are shown at once: who looks for an older one asks for them. */
const MOST_AT_ONCE = 10;

function Recent({ calls, isAll }: { readonly calls: readonly WalletCall[]; readonly isAll: boolean }) {
  const [isLong, setIsLong] = useState(false);
  const shown = isLong ? calls : calls.slice(0, MOST_AT_ONCE);
  return (
    <section className="stack">
      <h2>{isAll ? "Calls" : `The newest ${calls.length} calls`}</h2>
      <Scroll label="Calls">
        <table className="table wallet-calls">
          <thead>
            <tr>
              <th scope="col">Verdict</th>
              <th scope="col">Question</th>
              <th scope="col" className="number">
                Paid
              </th>
              <th scope="col">When</th>
              <th scope="col">Record</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((call) => (
              <Call key={call.invocationId} call={call} />
            ))}
          </tbody>
        </table>
      </Scroll>
      {shown.length < calls.length && (
        <button type="button" className="quiet" onClick={() => setIsLong(true)}>
          Show all {calls.length}
        </button>
      )}
    </section>
  );
}

const tones = { allow: "good", review: "open", block: "bad" } as const;

function Call({ call }: { readonly call: WalletCall }) {
  const { invocationId, capabilityId, verdict, loss, pricePaidUsd, settledAt, artifactId } = call;
  return (
    <tr>
      <td>{verdict ? <span className={`tag tone-${tones[verdict]}`}>{verdict}</span> : "not kept"}</td>
      <td>
        {findCapability(capabilityId)?.title ?? "Opening a claim"}{" "}
        <small className="soft mono">{capabilityId}</small>
        {loss && (
          <strong className="bad">
            would have cost {loss.isWhole ? "" : "at least "}
            {toDollars(loss.usd)}
          </strong>
        )}
      </td>
      <td className="mono number">{formatUsd(pricePaidUsd)}</td>
      <td>
        <Moment at={settledAt} />
      </td>
      <td>
        <Link href={`/receipts/${invocationId}`}>Receipt</Link>
        {artifactId && (
          <>
            {" "}
            · <Link href={`/evidence/${artifactId}`}>Evidence</Link>
          </>
        )}
      </td>
    </tr>
  );
}

function Limits({ record: { channels } }: { readonly record: WalletRecord }) {
  return (
    <section className="stack">
      <h2>What it can still spend</h2>
      {channels.length === 0 ? (
        <p>
          This wallet has no open channel: each call is paid by itself, up to the limit that your agent was
          given.
        </p>
      ) : (
        <ul className="list">
          {channels.map(({ channelId, leftUsd, depositedUsd, chargedUsd, openedAt, isClosing }) => (
            <li key={channelId} className="card">
              <p>
                <strong>{formatUsd(leftUsd)} left</strong> of {formatUsd(depositedUsd)};{" "}
                {formatUsd(chargedUsd)} spent.
              </p>
              <p className="soft">
                Channel <Hash value={channelId} label="channel id" />, opened <Moment at={openedAt} />.{" "}
                {isClosing
                  ? "Its money is on its way back."
                  : "More than what is left needs another deposit, which the wallet signs."}
              </p>
            </li>
          ))}
        </ul>
      )}
      <p className="soft">
        The limit of a call and of a day is kept where the agent runs, so that no service can raise it:{" "}
        <code>assay call --max-price</code>, <code>maxTotalUsd</code> of the client, the policy of{" "}
        <code>assay proxy</code>.
      </p>
    </section>
  );
}
