import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** What Redocly's recommended rules find, errors and warnings, as `redocly lint` reports them. */
export async function lintWithRedocly(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? "#/"}: ${message}`,
  );
}

/** What the rules of `spectral:oas` find, errors and warnings, as `spectral lint` reports them. */
export async function lintWithSpectral(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  // Its type is inferred from the rules themselves, and names more formats than a ruleset may have.
  linter.setRuleset({ extends: [rulesets.oas as RulesetDefinition] });
  const found = await linter.run(text);
  return found.map(({ code, message, path }) => `${code} at #/${path.join("/")}: ${message}`);
}
