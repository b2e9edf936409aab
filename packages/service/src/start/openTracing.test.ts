import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pay } from "../../test/payer.js";
import { useTestService } from "../../test/useTestService.js";
import { noTracing, span, useTracing } from "../base/tracing.js";
import { readConfig } from "./config.js";
import { openTracing } from "./openTracing.js";

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number; message?: string };
}

/** A receiver as a collector has it: OTLP over HTTP, JSON. */
const received: { span: Span; service: string | undefined }[] = [];
let lastHeaders: IncomingHttpHeaders = {};
const receiver = createServer((request, response) => {
  lastHeaders = request.headers;
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks);
    const text = (request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body).toString();
    const { resourceSpans } = JSON.parse(text) as {
      resourceSpans: { resource: { attributes: Span["attributes"] }; scopeSpans: { spans: Span[] }[] }[];
    };
    for (const { resource, scopeSpans } of resourceSpans)
      for (const one of scopeSpans.flatMap(({ spans }) => spans))
        received.push({
          span: one,
          service: resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue,
        });
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
let endpoint: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
});
const service = useTestService({ RATE_LIMITS: "off" });
afterAll(() => {
  useTracing(noTracing);
  receiver.close();
});

test("the life of a paid call is one trace, which says nothing about who called or asked what", async () => {
  const settings = {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=ab%20cd, authorization=Basic%20c2VjcmV0",
  };
  process.env.OTEL_SERVICE_NAME = "assay-on-base";
  const tracing = await openTracing(readConfig(settings).tracing);
  useTracing(tracing);
  const alice = service.account("alice");
  const address = service.chainOf.contracts.plainToken;
  const { response } = await pay(service.invokeUrl("token.metadata", { address }), alice);
  expect(response.status).toBe(200);
  await expect(
    span("fails", {}, () => Promise.reject(new RangeError(`of ${alice.address}`))),
  ).rejects.toThrow();
  await tracing.close();
  useTracing(noTracing);
  delete process.env.OTEL_SERVICE_NAME;
  expect(lastHeaders).toMatchObject({ "x-team": "ab cd", authorization: "Basic c2VjcmV0" });
  expect(new Set(received.map((one) => one.service))).toEqual(new Set(["assay-on-base"]));
  const unnamed = await openTracing({ endpoint, share: 1, headers: {} });
  await unnamed.span("unnamed", {}, async () => undefined);
  await unnamed.close();
  expect(received.pop()).toMatchObject({ service: "assay", span: { name: "unnamed" } });

  const spans = received.map((one) => one.span);
  const paid = spans.find(({ name }) => name === "pay") as Span;
  const names = spans.filter(({ traceId }) => traceId === paid.traceId).map(({ name }) => name);
  expect(names.sort()).toEqual(
    [
      "answer",
      "answer.gather",
      "pay",
      "pay.finish",
      "pay.reserve",
      "pay.settle",
      "pay.store",
      "pay.verify",
      "request",
    ].sort(),
  );
  const parentOf = (name: string) => {
    const child = spans.find((one) => one.name === name && one.traceId === paid.traceId);
    return spans.find(({ spanId }) => spanId === child?.parentSpanId)?.name;
  };
  expect(["pay", "pay.settle", "answer", "answer.gather"].map(parentOf)).toEqual([
    "request",
    "pay",
    "pay",
    "answer",
  ]);
  const attributes = (one: Span) =>
    Object.fromEntries(one.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
  expect(attributes(paid)).toEqual({ "assay.capability": "token.metadata", "assay.outcome": "answer" });
  expect(spans.find(({ name }) => name === "fails")?.status).toEqual({ code: 2, message: "RangeError" });
  const text = JSON.stringify(received).toLowerCase();
  for (const secret of [alice.address, address]) expect(text).not.toContain(secret.slice(2).toLowerCase());
});

test("without a collector nothing is sent, and with one that is away calls go on", async () => {
  const before = received.length;
  expect(await openTracing(readConfig({}).tracing)).toBe(noTracing);
  const away = await openTracing({ endpoint: "http://127.0.0.1:9/", share: 1, headers: {} });
  expect(await away.span("work", {}, async () => 7)).toBe(7);
  expect(received).toHaveLength(before);
  const none = await openTracing({ endpoint, share: 0, headers: {} });
  await none.span("work", {}, async () => undefined);
  await none.close();
  expect(received).toHaveLength(before);
});

test("wrong settings are named", () => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" })).toThrow(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
  );
  expect(() => readConfig({ TRACES_SHARE: "2" })).toThrow("TRACES_SHARE");
  for (const wrong of ["secret", "a=b,", "a=%zz"])
    expect(() => readConfig({ OTEL_EXPORTER_OTLP_HEADERS: wrong })).toThrow("must be a list of name=value");
});
