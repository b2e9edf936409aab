import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";
import { asSources, oneModule } from "../../bundling.mjs";

// Builds today's rules into one file that is never edited again: `npm run freeze -- <folder under former/>`. Do it before a rule
// changes its verdicts, then raise the rule's version and list the folder in src/formerRules.ts.
const [name] = process.argv.slice(2);
if (!/^[\w.-]+$/.test(name ?? "")) throw new Error("Name the folder: npm run freeze -- 2.0.0");
const here = import.meta.dirname;
const folder = join(here, "former", name);
const entry = join(here, "src/frozen.entry.ts");

writeFileSync(
  entry,
  `import { capabilities } from "./capabilities.js";
export const loadRules = async () => Object.fromEntries(
  await Promise.all(capabilities.map(async (one) => {
    const rule = await one.loadRule();
    return [one.id, { version: rule.ruleVersion ?? one.version, input: one.input, rule }];
  })),
);
`,
);
try {
  mkdirSync(folder, { recursive: true });
  // Our own packages are frozen with the rules; published ones of others are pinned.
  await build(oneModule({ root: here, alias: asSources("protocol"), entry, folder, name: "rules.js" }));
  copyFileSync(join(here, "former/1.0.0/rules.d.ts"), join(folder, "rules.d.ts"));
} finally {
  rmSync(entry);
}
