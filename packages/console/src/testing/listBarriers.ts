import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds serious or critical, one line each. */
export async function listBarriers(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly impact?: string | null;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }[];
    }
    const { axe: checker } = globalThis as unknown as { axe: { run(options: object): Promise<Found> } };
    // Every rule runs; only the report on what passed is left out, which takes a third of the time.
    // No rule that runs reads the style sheets, which would be fetched again.
    const { violations } = await checker.run({ resultTypes: ["violations"], preload: false });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
  });
}
