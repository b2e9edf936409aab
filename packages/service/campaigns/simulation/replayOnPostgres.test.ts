import { expect, test } from "vitest";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { Tally } from "../commandLine.js";
import { playWorld } from "./playWorld.js";
import { replayOnPostgres } from "./replayOnPostgres.js";
import type { Ended } from "./simulatedDatabase.js";

const postgres = useTestDatabase();
test("every statement of a simulated history gets the same answer from PostgreSQL", async () => {
  const history: Ended[] = [];
  const { world } = await playWorld({
    ...{ seed: 3, lives: 12, coverage: new Tally(), faultRate: 0.02 },
    onEnd: (ended) => void history.push(ended),
  });
  const { connectionString } = postgres.database;
  const { compared, differences } = await replayOnPostgres(connectionString, history, world);
  expect(differences.slice(0, 5)).toEqual([]);
  expect(compared).toBeGreaterThan(200);
}, 120_000);
