import type { RecordedExamples } from "../../src/http/openapi/recordedExamples.js";
import { shortenExample } from "./shortenExample.js";

/** Asks a service and keeps what it answers. */
export interface Recorder {
  /** Sends a request and records the answer under its status, which must be the one expected. */
  record(operationId: string, status: number, path: string, init?: RequestInit): Promise<unknown>;
  examples(): RecordedExamples;
}

/** `origin` is where the service listens, which need not be what it calls itself. */
export function createRecorder(origin: string): Recorder {
  const examples: Record<string, Record<string, { summary: string; value: unknown }>> = {};
  return {
    async record(operationId, status, path, init) {
      const response = await fetch(`${origin}${path}`, init);
      const text = await response.text();
      if (response.status !== status)
        throw new Error(`${operationId}: expected ${status}, got ${response.status}: ${text}`);
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      const body: unknown = isJson ? JSON.parse(text) : text;
      if (text === "") return body;
      const { value, cuts } = shortenExample(operationId === "getOpenApi" ? nameDocument(body) : body);
      const summary = ["Recorded on the local chain", ...cuts].join("; ");
      examples[operationId] = { ...examples[operationId], [status]: { summary: `${summary}.`, value } };
      return body;
    },
    examples: () => examples,
  };
}

/** The document inside itself would hold its own examples. */
function nameDocument(body: unknown): unknown {
  const { openapi, info } = body as { openapi: string; info: { title: string; version: string } };
  return { openapi, info: { title: info.title, version: info.version }, paths: {} };
}
