import { useEffect, useRef, useState } from "react";
import { Day } from "../ui/Moment.js";
import { Scroll } from "../ui/Scroll.js";
import type { Drawing } from "./drawChart.js";

const HEIGHT_PX = 200;

export interface DayValue {
  /** ISO 8601 date, UTC. */
  readonly day: string;
  readonly value: number;
}

/** One figure per day, drawn, and the same as a table for people who cannot see the drawing. */
export function DayChart({
  title,
  days,
  isWhole = false,
  format,
}: {
  readonly title: string;
  readonly days: readonly DayValue[];
  /** Whether only whole numbers make sense on the axis. */
  readonly isWhole?: boolean | undefined;
  format(value: number): string;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let drawing: Drawing | undefined;
    let isGone = false;
    const draw = async () => {
      const { drawChart } = await import("./drawChart.js");
      if (isGone) return;
      drawing?.destroy();
      drawing = drawChart(element, {
        label: title,
        times: days.map(({ day }) => Date.parse(day) / 1000),
        values: days.map(({ value }) => value),
        height: HEIGHT_PX,
        isWhole,
      });
    };
    const redraw = () => void draw().catch(() => setIsMissing(true));
    redraw();
    const watcher = new ResizeObserver(() => drawing?.resize(element.clientWidth));
    watcher.observe(element);
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    scheme.addEventListener("change", redraw);
    return () => {
      isGone = true;
      watcher.disconnect();
      scheme.removeEventListener("change", redraw);
      drawing?.destroy();
    };
  }, [title, days, isWhole]);
  const total = days.reduce((sum, { value }) => sum + value, 0);
  return (
    <figure className="card chart">
      <figcaption>
        <span>{title}</span> <strong>{format(total)}</strong>
      </figcaption>
      <div ref={place} className="chart-place" aria-hidden="true" />
      {isMissing && <p role="status">The chart could not be loaded; the table below has the same figures.</p>}
      <details>
        <summary>As a table</summary>
        <Scroll label={title}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                <th scope="col" className="number">
                  {title}
                </th>
              </tr>
            </thead>
            <tbody>
              {days.map(({ day, value }) => (
                <tr key={day}>
                  <th scope="row">
                    <Day day={day} />
                  </th>
                  <td className="mono number">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </figure>
  );
}
