import { expect, test } from "vitest";
import { listHostilePages } from "./hostilePages.js";
import { runPages } from "./runPages.js";

test("pages made to cost memory or time are left: bombs, endless bodies and headers, drips, silence", async () => {
  const { pages } = await runPages({
    seed: 8453,
    rounds: 1,
    megabytes: 8,
    times: { connectMs: 3_000, headersMs: 200, totalMs: 600 },
  });
  for (const { path, expected } of listHostilePages(1))
    expect([path, pages[path]?.code]).toEqual([path, expected]);
  // Two mebibytes may be read, and more lies in the buffers of both ends.
  for (const [path, { sentKb }] of Object.entries(pages))
    expect([path, sentKb < 8 * 1024]).toEqual([path, true]);
}, 60_000);
