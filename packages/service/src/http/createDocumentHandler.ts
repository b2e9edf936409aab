import { type KeptBody, keepBody } from "./keptBody.js";
import type { HeaderName } from "./openapi/operation.js";
import type { Handler } from "./route.js";

const DEFAULT_MAX_AGE_SECONDS = 300;

/** Answers from bytes that are made when they are first asked for, and kept. */
export function createDocumentHandler(
  contentType: string,
  write: () => string,
  maxAgeSeconds = DEFAULT_MAX_AGE_SECONDS,
): Handler {
  let made: KeptBody | undefined;
  return async (c) => {
    made ??= keepBody(Buffer.from(write()));
    return made.send(c, {
      "content-type": contentType,
      "cache-control": `public, max-age=${maxAgeSeconds}`,
    });
  };
}

/** The headers of a document, sent or not sent again. */
export const documentHeaders = ["Cache-Control", "ETag"] as const satisfies readonly HeaderName[];

/** The answer to a caller that has the document already. */
export const notModified = {
  name: "NotModified",
  description: "As it was when the ETag was given.",
  headers: documentHeaders,
};
