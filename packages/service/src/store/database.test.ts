import { until } from "@assay/chain/testing/until";
import { expect, test } from "vitest";
import { createDoor } from "../../test/createDoor.js";
import { useTestDatabase } from "../../test/useTestDatabase.js";
import { createDatabase, isDatabaseOutage, isUniqueViolation } from "./database.js";

const own = useTestDatabase();

test("64-bit integers come back exact", async () => {
  const [row] = await own.database.query<{ n: bigint }>({ text: "SELECT 9223372036854775807::bigint AS n" });
  expect(row?.n).toBe(9223372036854775807n);
});

test("a throw rolls everything back, and the connection stays usable", async () => {
  const { database } = own;
  const insert = { text: "INSERT INTO credit_balances VALUES ('wallet:a', 1)" };
  const boom = database.transaction(async (tx) => {
    await tx.query(insert);
    throw new Error("boom");
  });
  await expect(boom).rejects.toThrow("boom");
  expect(await database.query({ text: "SELECT * FROM credit_balances" })).toEqual([]);
  // Control: the same statement without the throw stays.
  await database.transaction((tx) => tx.query(insert));
  expect(await database.query({ text: "SELECT * FROM credit_balances" })).toHaveLength(1);
  await expect(database.query(insert)).rejects.toSatisfy(isUniqueViolation);
  await expect(database.query(insert)).rejects.not.toSatisfy(isDatabaseOutage);
});

test.concurrent("after an outage, listening goes on by itself and did not turn into a storm of connections", async () => {
  const { database } = own;
  const door = await createDoor(database.connectionString);
  const visitor = createDatabase({ connectionString: door.url });
  const heard: string[] = [];
  await visitor.listen("news", (payload) => heard.push(payload));
  const notify = (text: string) => database.query({ text: "SELECT pg_notify('news', $1)", values: [text] });
  await notify("one");
  await until(async () => heard.includes("one") || undefined);

  door.shut();
  const knocksBefore = door.knocks();
  await expect(visitor.query({ text: "SELECT 1" })).rejects.toSatisfy(isDatabaseOutage);
  await new Promise((resume) => setTimeout(resume, 2_200));
  // One listener retries twice a second. Where each failure starts two retries there are thirty by now.
  expect(door.knocks() - knocksBefore).toBeLessThan(10);

  door.open();
  await until(async () => {
    await notify("two");
    return heard.includes("two") || undefined;
  });
  expect(await visitor.query({ text: "SELECT 1 AS one" })).toEqual([{ one: 1 }]);
  // One listener came back, not several: a message arrives once.
  await notify("three");
  await until(async () => heard.includes("three") || undefined);
  await notify("four");
  await until(async () => heard.includes("four") || undefined);
  expect(heard.filter((text) => text === "three")).toHaveLength(1);
  await visitor.close();
  await door.close();
});

test.concurrent("closing during an outage ends, and nothing tries to come back", async () => {
  const door = await createDoor(own.database.connectionString);
  const visitor = createDatabase({ connectionString: door.url });
  await visitor.listen("news", () => undefined);
  await visitor.ping();
  door.shut();
  await visitor.close();
  const knocks = door.knocks();
  await new Promise((resume) => setTimeout(resume, 1_200));
  expect(door.knocks()).toBe(knocks);
  await door.close();
});
