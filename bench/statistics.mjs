const sort = (values) => [...values].sort((a, b) => a - b);

export function median(values) {
  const sorted = sort(values);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function percentile(values, percent) {
  const sorted = sort(values);
  return sorted.length === 0 ? Number.NaN : sorted[Math.ceil((percent / 100) * sorted.length) - 1];
}

/** How often each value occurs. */
export function tally(values) {
  const counts = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

/** One object whose every number is the median of that number over the runs. */
export function medianOfRuns(runs) {
  const keys = Object.keys(runs[0] ?? {}).filter((key) => typeof runs[0][key] === "number");
  return Object.fromEntries(keys.map((key) => [key, median(runs.map((run) => run[key]))]));
}
