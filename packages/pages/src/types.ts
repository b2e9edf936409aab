import type { Hex } from "@assay/protocol";

export interface PageRedirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** One public page as it came over the wire, after its content coding was undone. */
export interface FetchedPage {
  /** The normalized target that was asked for. */
  readonly requestedUrl: string;
  /** Where the last redirect led; equal to `requestedUrl` without one. */
  readonly finalUrl: string;
  readonly redirects: readonly PageRedirect[];
  readonly status: number;
  /** The media type without parameters, lowercase. */
  readonly contentType: string;
  /** The WHATWG name of the encoding the bytes are to be read in. */
  readonly charset: string;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  readonly bytesSha256: Hex;
  readonly fetchedAtMs: number;
  /** The address that answered, as the socket told. */
  readonly remoteAddress: string;
}

/**
 * Reads public pages. Throws an AssayError: `web_target_forbidden` where the target is not a public page,
 * `web_page_unavailable` where its server did not give it, `web_page_unsupported` where what it gave is
 * nothing we read, `overloaded` where too many wait already.
 */
export interface PageFetcher {
  fetch(url: string): Promise<FetchedPage>;
  close(): Promise<void>;
}

/** One paragraph, heading, list item, table, quotation or piece of code. */
export interface PageBlock {
  readonly markdown: string;
  /** Range in the normalized page text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Follows the block before it on the next line, without an empty one between. */
  readonly isTight: boolean;
}

/** Text that the page carries and people are not shown. */
export interface HiddenText {
  readonly kind:
    | "off_screen"
    | "zero_size"
    | "same_colour"
    | "aria_hidden"
    | "display_none"
    | "covered"
    | "invisible_characters"
    | "comment_like";
  readonly text: string;
}

/** What of a page's styles was not read or not understood, so that text which counts as seen may be hidden. */
export interface UnreadStyles {
  /** Style sheets in other files, which were not fetched. */
  readonly externalSheets: number;
  /** There were more rules than are gone through. */
  readonly isIncomplete: boolean;
  /**
   * Properties whose value was not understood on text that would otherwise be seen, and beside them `condition` (a rule
   * that may hold and would hide it), `picture` (only what is behind it can set it off), `animation`, `shadow-tree`,
   * `page-cover` and `generated-text` (words that a style puts beside it). Never words of the page.
   */
  readonly doubts: readonly string[];
}

/** What a page says to a reader, and what it says only to machines. */
export interface ParsedPage {
  readonly title: string | null;
  readonly language: string | null;
  /** The normalized page text that blocks point into. */
  readonly text: string;
  readonly blocks: readonly PageBlock[];
  /** Which part of the page the blocks are of: what Readability took for its article, all of it, or its source. */
  readonly extraction: "article" | "whole_body" | "source";
  readonly isTruncated: boolean;
  readonly isScriptOnly: boolean;
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** Excerpts of hidden text, what addresses an agent first. */
  readonly hidden: readonly HiddenText[];
  /** How many pieces were hidden. */
  readonly hiddenCount: number;
  readonly unreadStyles: UnreadStyles;
}

/** Makes a fetched page into text and Markdown; throws `web_page_unsupported` where it cannot be done in bounds. */
export interface PageParser {
  parse(page: FetchedPage): Promise<ParsedPage>;
  close(): Promise<void>;
}
