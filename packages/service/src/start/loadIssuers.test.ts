import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConfigError } from "./configError.js";
import { loadIssuers } from "./loadIssuers.js";

const ADDRESS = `0x${"Ab".repeat(20)}`;
const entry = { symbol: "STF", issuer: "Sample Treasury", addresses: [ADDRESS] };

let directory: string;
let path: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-issuers-"));
  path = join(directory, "issuers.json");
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const refusal = () =>
  loadIssuers(path, undefined).then(
    () => "",
    (error: unknown) => (error instanceof ConfigError ? error.message : "another error"),
  );

test("without a file no issuer is listed on a real chain", async () => {
  expect(await loadIssuers(undefined, undefined)).toEqual([]);
  expect(await refusal()).toBe(`ISSUERS_FILE ${path} does not exist.`);
});

test.each<[unknown, RegExp]>([
  ["[", /JSON/],
  [{}, /must be a JSON list of at most 1000 assets/],
  [[{ ...entry, symbol: " " }], /entry 1: symbol must not be empty/],
  [[{ ...entry, addresses: [] }], /entry 1: addresses must not be empty/],
  [[{ ...entry, addresses: ["0x12"] }], /entry 1: addresses\.0 must be 0x followed by 40 hex digits/],
  [[entry, { ...entry, symbol: "OTHER" }], /0x(ab){20} is listed twice/],
  [[{ ...entry, adress: ADDRESS }], /entry 1: adress is not a known field/],
  [
    [{ ...entry, feed: { kind: "pyth", address: ADDRESS, maxAgeSeconds: 60 } }],
    /feed\.kind must be chainlink/,
  ],
  [
    [{ ...entry, feed: { kind: "chainlink", address: ADDRESS, maxAgeSeconds: 0 } }],
    /must be from 1 to 31536000/,
  ],
  [
    [{ ...entry, marketHours: { days: [1], opens: "21:00", closes: "14:30" } }],
    /opens must be before closes/,
  ],
  [[{ ...entry, marketHours: { days: [8], opens: "14:30", closes: "21:00" } }], /must be from 1 to 7/],
  [[{ ...entry, marketHours: { days: [1], opens: "2pm", closes: "21:00" } }], /must be HH:MM, in UTC/],
])("%j stops start-up with one sentence naming the variable", async (content, rule) => {
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  const sentence = await refusal();
  expect(sentence).toMatch(/^ISSUERS_FILE \S+: .+\.$/);
  expect(sentence).toMatch(rule);
});

test("a list is taken with its addresses in lowercase", async () => {
  await writeFile(path, JSON.stringify([entry]));
  expect(await loadIssuers(path, undefined)).toEqual([
    { ...entry, addresses: [ADDRESS.toLowerCase()], admins: [], feed: null, marketHours: null },
  ]);
});
