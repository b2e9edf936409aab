import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runMessage } from "./runMessage.js";

const folder = fileURLToPath(new URL("../../../bench/accuracy", import.meta.url));

/** The long form, `npm run campaign:message`, asks about all messages and adds the protocols that are installed on demand. */
test("honest messages are not blocked, hostile ones not allowed, and what is signed away is taken for real", async () => {
  const summary = await runMessage({ seed: 8453, folder, packaged: false, every: 6 });
  expect(summary.violations).toEqual([]);
  const { "honest allow": allowed = 0, "honest review": reviewed = 0 } = summary.verdicts.toJSON();
  expect(allowed + reviewed).toBeGreaterThan(8);
  expect(allowed / (allowed + reviewed)).toBeGreaterThanOrEqual(0.85);
  expect(summary.drained).toBeGreaterThanOrEqual(4);
}, 60_000);
