/**
 * The number of successive round trips to the chain: the most requests of which no two overlap. A request that came later
 * only by chance counts as well, so the figure is never too low.
 */
export function sequentialDepth(requests) {
  let depth = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  for (const request of requests.toSorted((a, b) => a.endedAt - b.endedAt)) {
    if (request.startedAt < endedAt) continue;
    depth += 1;
    endedAt = request.endedAt;
  }
  return depth;
}
