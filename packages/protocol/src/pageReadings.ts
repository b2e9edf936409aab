import { z } from "zod";
import { hash32Schema } from "./primitives.js";

/** The most Markdown in an answer, in UTF-8 bytes. */
export const MAX_MARKDOWN_BYTES = 100 * 1024;
/** The most page text that is read, in UTF-16 code units; the rest of the page is ignored. */
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

/** A fetched and parsed page, as plain JSON. */
export const pageReadingsSchema = z.strictObject({
  /** The response of the page's server. */
  fetched: z.strictObject({
    requestedUrl: z.string(),
    finalUrl: z.string(),
    redirects: z.array(z.strictObject({ from: z.string(), to: z.string(), status: z.int() })),
    httpStatus: z.int(),
    contentType: z.string(),
    charset: z.string(),
    byteLength: z.int().min(0),
    /** Of the decompressed body. */
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
      extraction: z.enum(["article", "whole_body", "source", "pdf"]),
      isTruncated: z.boolean(),
      isScriptOnly: z.boolean(),
      /** A style hides everything, and the page has scripts that can show it; the text counts as seen. */
      isShownByScripts: z.boolean(),
      links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
      hidden: z.array(z.strictObject({ kind: z.enum(hiddenTextKinds), text: z.string() })),
      hiddenCount: z.int().min(0),
      /** The parts of the page's styles that were not read or not understood: text that they hide counts as seen. */
      unreadStyles: z.strictObject({
        /** Style sheets in other files that were not read. */
        externalSheets: z.int().min(0),
        /** The page has more rules than are processed. */
        isIncomplete: z.boolean(),
        /** Names of properties, or of other causes, for which it is uncertain whether text is seen; never words of the page. */
        doubts: z.array(z.string().regex(/^[a-z-]{1,40}$/)),
      }),
      /** Only of a PDF. */
      pdf: z
        .strictObject({
          /** How many pages the file has. */
          pageCount: z.int().min(0),
          /** The range in `text` of each page that was read, from the first on; empty for a page that shows no text. */
          pages: z.array(z.strictObject({ start: offset, end: offset })),
          /** Characters, or runs of them, whose font does not state which letters they stand for. */
          unreadCharacters: z.int().min(0),
        })
        .optional(),
      /** Only where a browser has run the page's scripts: the document that was read then, and what the page asked for. */
      rendered: z
        .strictObject({
          domBytes: z.int().min(0),
          domSha256: hash32Schema,
          requests: z.int().min(0),
          refusedRequests: z.int().min(0),
        })
        .optional(),
    })
    .refine(
      ({ blocks, text }) => blocks.every(({ start, end }) => start <= end && end <= text.length),
      "blocks must lie in the text",
    )
    .refine(
      ({ pdf, text }) => pdf?.pages.every(({ start, end }) => start <= end && end <= text.length) ?? true,
      "pages must lie in the text",
    ),
});

export type PageReadings = z.output<typeof pageReadingsSchema>;
