import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

// Loaded once there is something to draw.

export interface Drawing {
  resize(width: number): void;
  destroy(): void;
}

interface Figures {
  readonly label: string;
  /** Unix seconds. */
  readonly times: number[];
  readonly values: number[];
  readonly height: number;
  /** Whether only whole numbers make sense on the axis. */
  readonly isWhole: boolean;
}

const HALF_DAY_SECONDS = 43_200;
const WHOLE_STEPS = [1, 2, 5].flatMap((step) => [0, 1, 2, 3, 4, 5, 6, 7].map((power) => step * 10 ** power));

/** Bars per day in the page's own colours. */
export function drawChart(place: HTMLElement, { label, times, values, height, isWhole }: Figures): Drawing {
  const style = getComputedStyle(place);
  const [ink, line, accent] = ["color", "border-top-color", "outline-color"].map((name) =>
    style.getPropertyValue(name),
  ) as [string, string, string];
  const axis = {
    stroke: ink,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: "13px system-ui",
  };
  const bars = uPlot.paths.bars;
  const chart = new uPlot(
    {
      width: place.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: {
        // Half a day on either side, so that the first and the last bar are whole.
        x: { range: (_chart, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
        y: { range: (_chart, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        { ...axis, values: [[86_400, "{D} {MMM}", null, null, null, null, null, null, 0]] },
        { ...axis, size: 56, ...(isWhole && { incrs: WHOLE_STEPS.toSorted((a, b) => a - b) }) },
      ],
      series: [
        {},
        {
          label,
          fill: accent,
          stroke: accent,
          width: 0,
          points: { show: false },
          ...(bars && { paths: bars({ size: [0.6, 40] }) }),
        },
      ],
    },
    [times, values],
    place,
  );
  return {
    resize: (width) => chart.setSize({ width, height }),
    destroy: () => chart.destroy(),
  };
}
