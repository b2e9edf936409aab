import type { ClaimRecord } from "@assay/protocol";
import { expect, it } from "vitest";
import { formatClaimFeed } from "./formatClaims.js";

const claim = {
  claimId: `0x${"1".repeat(64)}`,
  kind: "claim",
  status: "open",
  assertion: { type: "upgrade_window", address: `0x${"2".repeat(40)}`, implementation: null },
  window: { fromBlock: 1_000, toBlock: 1_899, blocks: 900 },
  reward: { rewardUsd: 5 },
  deadline: "2026-01-01T00:00:00.000Z",
  opener: `0x${"3".repeat(40)}`,
} as unknown as ClaimRecord;

it.each([
  [200, "1000 to 1899 (900 blocks, about 3 min)"],
  [2_000, "1000 to 1899 (900 blocks, about 30 min)"],
  [undefined, "1000 to 1899 (900 blocks)"],
])("states a window in blocks and in time: a block every %s ms", (blockTimeMs, words) => {
  const style = { paint: (_style: unknown, text: string) => text, blockTimeMs };
  const feed = { claims: [claim], listFeed: "enabled" as const, note: "Note." };
  expect(formatClaimFeed(feed as never, style)).toContain(words);
});
