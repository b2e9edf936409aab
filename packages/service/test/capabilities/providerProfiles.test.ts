import { isOnlyPassing, type ProviderProfile } from "@assay/chain/testing/providerProfile";
import { providerProfiles } from "@assay/chain/testing/providerProfiles";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDocsTable, writeDocsTable } from "./testing/docsTable.js";
import {
  askPatiently,
  type Cell,
  compareOutcomes,
  type MatrixWorld,
  type Outcome,
  openMatrixWorld,
  type Row,
} from "./testing/profileMatrix.js";

/** `npm run campaign:nodes` asks everything behind every profile, and writes the table of docs/node-faults.md. */
const EVERYTHING = process.env.ASSAY_EVERY_PROFILE !== undefined;
const TABLE = "profiles";

let world: MatrixWorld;
const full = new Map<string, Outcome>();
const cells = new Map<string, Map<string, { cell: Cell; outcome: Outcome }>>();

beforeAll(async () => {
  world = await openMatrixWorld();
  await world.behind({ name: "full node" }, async (chain) => {
    for (const row of rowsOf(world)) full.set(row.name, await askPatiently(row, chain, 4));
  });
}, 120_000);
afterAll(() => world?.service.stop());

/** What is cheap to ask, and once went wrong behind a provider. */
const IN_SUITE = [
  "contract.guard",
  "contract.guard, a paused token",
  "lending.collateral.guard",
  "token.metadata",
];
const rowsOf = ({ rows }: MatrixWorld) =>
  EVERYTHING ? rows : rows.filter(({ name }) => IN_SUITE.includes(name));

/** In the suite each profile meets one row, and each row many profiles. */
function rowsFor(profile: ProviderProfile): readonly Row[] {
  const rows = rowsOf(world);
  return EVERYTHING ? rows : [rows[providerProfiles.indexOf(profile) % rows.length] as Row];
}

test("a full node answers every row", () => {
  for (const [name, { verdict }] of full) expect([name, verdict]).not.toEqual([name, "503"]);
  expect(full.get("contract.guard, a paused token")?.verdict).toBe("block");
});

describe("behind a provider", () => {
  const inSuite = EVERYTHING
    ? providerProfiles
    : providerProfiles.filter(({ distanceMs }) => distanceMs === undefined);
  test.each(inSuite)(
    "$name: the full node's answer, a careful one, or none",
    { timeout: 600_000 },
    async (profile) => {
      const seen = new Map<string, { cell: Cell; outcome: Outcome }>();
      await world.behind(profile, async (chain) => {
        for (const row of rowsFor(profile)) {
          const outcome = await askPatiently(row, chain, EVERYTHING ? 4 : 1);
          seen.set(row.name, { outcome, cell: compareOutcomes(full.get(row.name) as Outcome, outcome) });
        }
      });
      cells.set(profile.name, seen);
      // At once: a long campaign may be ended before its end.
      if (EVERYTHING) drawTable();
      const refused: readonly Cell[] = isOnlyPassing(profile) ? ["wrong", "degraded", "unproven"] : ["wrong"];
      expect([...seen].filter(([, { cell }]) => refused.includes(cell))).toEqual([]);
    },
  );
});

test("docs/node-faults.md has a row for each profile", () => {
  if (EVERYTHING) return;
  const table = readDocsTable(TABLE);
  for (const { name } of providerProfiles) expect(table).toContain(`| ${name} |`);
});

function drawTable(): void {
  const rows = [...cells].map(([name, row]) => {
    const of = (cell: Cell) => [...row].filter(([, seen]) => seen.cell === cell);
    const degraded = of("degraded").map(([asked, { outcome }]) => `${asked} (${missingIn(asked, outcome)})`);
    const list = (values: readonly string[]) => (values.length === 0 ? "–" : values.join("; "));
    const none = of("503").map(([asked]) => asked);
    const counts = (["works", "unproven", "wrong"] as const).map((cell) => String(of(cell).length));
    const [works = "", unproven = "", wrong = ""] = counts;
    return [name, works, unproven, list(degraded), list(none), wrong];
  });
  const head = ["the node", "as a full node", "without proofs", "degraded", "503", "wrong"];
  writeDocsTable(
    TABLE,
    head,
    rows,
    providerProfiles.map(({ name }) => name),
  );
}

/** The reasons that a full node's answer does not have. */
function missingIn(asked: string, { reasonCodes }: Outcome): string {
  const known = full.get(asked)?.reasonCodes ?? [];
  const more = reasonCodes.filter((code) => !known.includes(code)).map((code) => `\`${code}\``);
  return more.length === 0 ? "fewer reasons" : more.join(", ");
}
