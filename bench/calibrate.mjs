import { createHash } from "node:crypto";

/** A fixed amount of work: if it takes longer after the benchmark than before, other processes disturbed the machine. */
export function calibrate() {
  const bytes = Buffer.alloc(16 * 1024 * 1024);
  const startedAt = performance.now();
  for (let round = 0; round < 4; round += 1) createHash("sha256").update(bytes).digest();
  let state = 1;
  for (let step = 0; step < 30_000_000; step += 1) state = (Math.imul(state, 31) + step) | 0;
  return state === 0.5 ? 0 : performance.now() - startedAt;
}
