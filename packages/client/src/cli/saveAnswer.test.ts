import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../createClient.js";
import type { PaidAnswer } from "../paidAnswer.js";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { saveAnswer } from "./saveAnswer.js";

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-save-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it("keeps the answer byte for byte when its receipt cannot be had, and says why", async () => {
  const client = createClient({ baseUrl: await findClosedAddress() });
  const text = '{ "invocationId": "inv_1",\n "verdict":"allow" }';
  const paid = { answer: JSON.parse(text), settlement: null, rawBody: new TextEncoder().encode(text) };
  const file = join(directory, "answer.json");
  expect(await saveAnswer(client, paid as PaidAnswer, file)).toEqual({
    isSaved: true,
    remark: expect.stringMatching(/answer\.json holds the answer without its receipt: No answer from http/),
  });
  expect(await readFile(file, "utf8")).toBe(text);
});
