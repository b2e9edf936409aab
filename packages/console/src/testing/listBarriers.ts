import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export interface BarrierOptions {
  /** For a view that was examined before in another theme: only its colours can have other barriers. */
  readonly onlyColours?: boolean;
}

/** What axe finds serious or critical, one line each. */
export async function listBarriers(
  page: Page,
  { onlyColours = false }: BarrierOptions = {},
): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (isAboutColours) => {
    interface Found {
      readonly violations: readonly {
        readonly id: string;
        readonly impact?: string | null;
        readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
      }[];
    }
    interface Checker {
      run(options: object): Promise<Found>;
      readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact?: string }[] };
    }
    const { axe: checker } = globalThis as unknown as { axe: Checker };
    // A rule's own impact is that of all it finds: what these find is never serious.
    const harmless = checker._audit.rules.filter(({ impact }) => impact === "minor" || impact === "moderate");
    // The report on what passed is left out, which takes a third of the time.
    // No rule that runs reads the style sheets, which would be fetched again.
    const { violations } = await checker.run({
      ...{ resultTypes: ["violations"], preload: false },
      // By their names: the category has a rule that is off otherwise.
      rules: Object.fromEntries(harmless.map(({ id }) => [id, { enabled: false }])),
      ...(isAboutColours && { runOnly: ["color-contrast", "link-in-text-block"] }),
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
  }, onlyColours);
}
