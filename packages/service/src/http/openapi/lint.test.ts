import { expect, test } from "vitest";
import { createPriceBook } from "../../quotes/priceBook.js";
import { guidance } from "../discovery/guidance.js";
import { routes } from "../routes.js";
import { buildDocument } from "./buildDocument.js";
import { loadRecordedExamples } from "./recordedExamples.js";
import { lintWithRedocly, lintWithSpectral } from "./testing/lintDocument.js";

const publicUrl = "https://assay.dev";
const text = JSON.stringify(
  buildDocument(
    routes.flatMap(({ operations }) => operations),
    createPriceBook(),
    loadRecordedExamples(),
    { publicUrl, guidance: guidance(publicUrl) },
  ),
);

test("Redocly's recommended rules find no error and no warning", async () => {
  expect(await lintWithRedocly(text)).toEqual([]);
});

test("Spectral's rules for OpenAPI find no error and no warning", async () => {
  expect(await lintWithSpectral(text)).toEqual([]);
});

test("both find a component that nothing refers to", async () => {
  const faulty = JSON.stringify({
    openapi: "3.1.0",
    info: { title: "A service", version: "1.0.0" },
    paths: {},
    components: { schemas: { Unused: { type: "string" } } },
  });
  expect(await lintWithRedocly(faulty)).toContainEqual(
    expect.stringMatching(/^no-unused-components at #\/components\/schemas\/Unused/),
  );
  expect(await lintWithSpectral(faulty)).toContainEqual(
    expect.stringMatching(/^oas3-unused-component at #\/components\/schemas\/Unused/),
  );
});
