import { z } from "zod";
import { hash32Schema } from "./primitives.js";

/** UTF-8 bytes of Markdown that an answer holds at most. */
export const MAX_MARKDOWN_BYTES = 100 * 1024;
/** UTF-16 code units of page text that are read; what follows is as if the page ended there. */
export const MAX_PAGE_TEXT_CHARACTERS = 200_000;

const hiddenTextKinds = [
  "off_screen",
  "zero_size",
  "same_colour",
  "aria_hidden",
  "display_none",
  "covered",
  "invisible_characters",
  "comment_like",
] as const;

const offset = z.int().min(0).max(MAX_PAGE_TEXT_CHARACTERS);

/** A page as it was fetched and read, as plain JSON. */
export const pageReadingsSchema = z.strictObject({
  /** What came over the wire. */
  fetched: z.strictObject({
    requestedUrl: z.string(),
    finalUrl: z.string(),
    redirects: z.array(z.strictObject({ from: z.string(), to: z.string(), status: z.int() })),
    httpStatus: z.int(),
    contentType: z.string(),
    charset: z.string(),
    byteLength: z.int().min(0),
    /** Of the body after its content coding was undone. */
    bytesSha256: hash32Schema,
    fetchedAtMs: z.int().min(0),
  }),
  page: z
    .strictObject({
      title: z.string().nullable(),
      language: z.string().nullable(),
      text: z.string().max(MAX_PAGE_TEXT_CHARACTERS),
      blocks: z.array(
        z.strictObject({
          markdown: z.string(),
          /** Range of the same words in `text`, in UTF-16 code units. */
          start: offset,
          end: offset,
          isTight: z.boolean(),
        }),
      ),
      extraction: z.enum(["article", "whole_body", "source"]),
      isTruncated: z.boolean(),
      isScriptOnly: z.boolean(),
      links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
      hidden: z.array(z.strictObject({ kind: z.enum(hiddenTextKinds), text: z.string() })),
      hiddenCount: z.int().min(0),
      /** What of the page's styles was not read or not understood: text that it hides counts as seen. */
      unreadStyles: z.strictObject({
        /** Style sheets in other files, which are not fetched. */
        externalSheets: z.int().min(0),
        /** There were more rules than are gone through. */
        isIncomplete: z.boolean(),
        /** Names of properties, or of what else leaves open whether text is seen; never words of the page. */
        doubts: z.array(z.string().regex(/^[a-z-]{1,40}$/)),
      }),
    })
    .refine(
      ({ blocks, text }) => blocks.every(({ start, end }) => start <= end && end <= text.length),
      "blocks must lie in the text",
    ),
});

export type PageReadings = z.output<typeof pageReadingsSchema>;
