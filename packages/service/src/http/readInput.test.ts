import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { getCapability } from "@assay/capabilities";

import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { toAssayError, toProblemResponse } from "./errors.js";
import { MAX_BODY_BYTES, parseFields, parseInput, pickInputFields, readJsonBody } from "./readInput.js";

const fieldsOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return toAssayError(error).fields;
  }
  throw new Error("accepted");
};

describe("fields of an input", () => {
  const swap = getCapability("amm.swap.guard");
  const pool = getCapability("amm.v4.hook.guard");

  test("absent, of the wrong type and against a rule are three different refusals", () => {
    expect(fieldsOf(() => parseInput(swap, { from: 5, to: "0x12", extra: 1 }))).toEqual(
      expect.arrayContaining([
        { field: "from", rule: expect.stringMatching(/expected string/) },
        { field: "to", rule: "must be 0x followed by 40 hex digits" },
        { field: "data", rule: "is required" },
        { field: "extra", rule: "is not a known field" },
      ]),
    );
  });

  test("a number may come as text, and is refused by its rule when it is none", () => {
    const rules = fieldsOf(() => parseInput(pool, { fee: "many", tickSpacing: "99999999" }));
    expect(rules).toContainEqual({ field: "fee", rule: "must be an integer" });
    expect(rules).toContainEqual({ field: "tickSpacing", rule: "must be from 1 to 32767" });
    expect(rules).toContainEqual({ field: "hooks", rule: "is required" });
  });

  test("half of a surrogate pair is refused wherever it stands, with its place", () => {
    const message = getCapability("message.intent.guard");
    const signer = `0x${"11".repeat(20)}`;
    const rule = "must not hold half of a surrogate pair";
    const typed = (contents: string, name = "Mail") => ({
      types: { [name]: [{ name: "contents", type: "string" }] },
      primaryType: name,
      domain: { name: "x" },
      message: { contents },
    });
    const refused = (given: object) => fieldsOf(() => parseInput(message, { signer, ...given }));
    expect(refused({ personalMessage: "log in \ud800 now" })).toEqual([{ field: "personalMessage", rule }]);
    expect(refused({ typedData: typed("\udc00") })).toEqual([{ field: "typedData.message.contents", rule }]);
    expect(refused({ typedData: JSON.stringify(typed("\ud800")) })).toEqual([
      { field: "typedData.message.contents", rule },
    ]);
    expect(refused({ typedData: typed("a", "M\ud800") })[0]).toMatchObject({ rule });
    expect(parseInput(message, { signer, personalMessage: "log in \ud83d\ude00 now" })).toBeDefined();
  });

  test("a nested field is named by its path", () => {
    const schema = z.object({ a: z.object({ b: z.string() }) });
    expect(fieldsOf(() => parseFields(schema, { a: {} }))).toEqual([{ field: "a.b", rule: "is required" }]);
    expect(fieldsOf(() => parseFields(schema, { a: null }))[0]?.field).toBe("a");
  });

  test("a rule of our own is stated as it is, also inside a text that holds JSON", () => {
    const text = z.string().superRefine((_, context) => {
      context.addIssue({ code: "custom", message: "is not a known field", path: ["b"] });
    });
    expect(fieldsOf(() => parseFields(z.object({ a: text }), { a: '{"b":1}' }))).toEqual([
      { field: "a.b", rule: "is not a known field" },
    ]);
  });

  test("a field in other letter case is refused, not left out; other parameters are ignored", () => {
    const asset = getCapability("rwa.market.guard");
    const address = `0x${"11".repeat(20)}`;
    expect(fieldsOf(() => pickInputFields(asset, { address, Symbol: "STF" }))).toEqual([
      { field: "Symbol", rule: "is not a known field; symbol is" },
    ]);
    expect(pickInputFields(asset, { address, utm_source: "mail" })).toEqual({ address });
  });

  test("a misspelt parameter is no bare probe: its refusal names what is missing", () => {
    const guard = getCapability("contract.guard");
    expect(pickInputFields(guard, { addres: "0x" })).toEqual({});
    expect(fieldsOf(() => parseInput(guard, pickInputFields(guard, { addres: "0x" }) ?? {}))).toEqual([
      { field: "address", rule: "is required" },
    ]);
  });

  test("a query may carry other parameters, a body may not", () => {
    const guard = getCapability("contract.guard");
    expect(pickInputFields(guard, { address: "0x", quote: "q" })).toEqual({ address: "0x" });
    expect(pickInputFields(guard, { quote: "q" })).toBeUndefined();
    expect(pickInputFields(swap, { from: "0x", quote: "q" })).toEqual({ from: "0x", quote: "q" });
    expect(pickInputFields(swap, {})).toBeUndefined();
    expect(pickInputFields(getCapability("chain.snapshot"), { quote: "q" })).toEqual({});
  });
});

describe("a JSON body", () => {
  let server: ServerType;
  let url: string;
  beforeAll(async () => {
    const app = new Hono();
    app.post("/", async (c) => c.json({ body: (await readJsonBody(c)) ?? null }));
    app.onError((error, c) => {
      const { status, body } = toProblemResponse(toAssayError(error), "-");
      return c.json(body, status as 400);
    });
    server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(async () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
    await once(server, "close");
  });
  const post = async (body: RequestInit["body"], init: RequestInit = {}) => {
    const response = await fetch(url, { method: "POST", body: body ?? null, ...init });
    return [response.status, (await response.json()) as { code?: string; body?: unknown }] as const;
  };
  const padded = (bytes: number) => JSON.stringify({ a: "x".repeat(bytes - 8) });

  test("an object is read, no body is none, anything else is not JSON", async () => {
    expect(await post('{"a":1}')).toEqual([200, { body: { a: 1 } }]);
    expect(await post(null)).toEqual([200, { body: null }]);
    for (const body of ["[]", "null", '"a"', "1", "{", "\ufeff", new Uint8Array([0xff, 0xfe])]) {
      const [status, problem] = await post(body);
      expect([status, problem.code]).toEqual([400, "invalid_json"]);
    }
  });

  test("a name that an object has twice is refused by name, also where it is written in another way", async () => {
    for (const body of ['{"to":1,"to":2}', '{"a":[{"to":1,"\\u0074o":2}]}'])
      expect(await post(body)).toMatchObject([
        400,
        { code: "invalid_input", errors: [{ field: "to", rule: "must be given once in its object" }] },
      ]);
    expect((await post('{"to":{"to":1},"a":[{"to":1},{"to":2}]}'))[0]).toBe(200);
  });

  test("exactly the limit is read, one byte more is 413, with and without a stated length", async () => {
    expect(padded(MAX_BODY_BYTES)).toHaveLength(MAX_BODY_BYTES);
    const streamed = (text: string) =>
      [new Blob([text]).stream(), { duplex: "half" } as RequestInit] as const;
    expect((await post(padded(MAX_BODY_BYTES)))[0]).toBe(200);
    expect((await post(...streamed(padded(MAX_BODY_BYTES))))[0]).toBe(200);
    for (const sent of [post(padded(MAX_BODY_BYTES + 1)), post(...streamed(padded(MAX_BODY_BYTES + 1)))]) {
      const [status, problem] = await sent;
      expect([status, problem.code]).toEqual([413, "body_too_large"]);
    }
  });

  test("a body without end is cut off", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const status = await post(endless, { duplex: "half" } as RequestInit).then(
      ([answer]) => answer,
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });
});
