import type { RecordedExamples } from "../../src/http/openapi/recordedExamples.js";
import { shortenRecorded } from "./shortenRecorded.js";

/** Asks a service and keeps what it answers. */
export interface Recorder {
  /** Sends a request and records the answer under its status, which must be the one expected. */
  record(operationId: string, status: number, path: string, init?: RequestInit): Promise<unknown>;
  examples(): RecordedExamples;
}

/** `origin` is where the service listens; its public URL may be another. */
export function createRecorder(origin: string): Recorder {
  const examples: Record<string, Record<string, unknown>> = {};
  return {
    async record(operationId, status, path, init) {
      const response = await fetch(`${origin}${path}`, init);
      const text = await response.text();
      if (response.status !== status)
        throw new Error(`${operationId}: expected ${status}, got ${response.status}: ${text}`);
      const isJson = response.headers.get("content-type")?.includes("json") ?? false;
      const body: unknown = isJson ? JSON.parse(text) : text;
      if (text === "") return body;
      const value = shortenRecorded(isDocument(body) ? nameDocument(body) : body);
      examples[operationId] = { ...examples[operationId], [status]: value };
      return body;
    },
    examples: () => examples,
  };
}

interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
}

const isDocument = (body: unknown): body is OpenApiDocument =>
  typeof body === "object" && body !== null && "openapi" in body && "paths" in body;

/** The name of the document alone: inside itself it would hold its own examples. */
const nameDocument = ({ openapi, info }: OpenApiDocument) => ({
  openapi,
  info: { title: info.title, version: info.version },
  paths: {},
});
