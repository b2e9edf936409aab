import type { Hex } from "@assay/protocol";
import type { FetchedSheet, SheetRequest } from "./sheetRequests.js";

export interface PageRedirect {
  readonly from: string;
  readonly to: string;
  readonly status: number;
}

/** One public page as its server sent it, decompressed. */
export interface FetchedPage {
  /** The normalized target that was asked for. */
  readonly requestedUrl: string;
  /** The target of the last redirect; equal to `requestedUrl` without one. */
  readonly finalUrl: string;
  readonly redirects: readonly PageRedirect[];
  readonly status: number;
  /** The media type without parameters, lowercase. */
  readonly contentType: string;
  /** The WHATWG name of the encoding of the bytes; `binary` for a PDF. */
  readonly charset: string;
  /** The body, decompressed. */
  readonly bytes: Uint8Array;
  readonly bytesSha256: Hex;
  readonly fetchedAtMs: number;
  /** The address that answered, as the socket reports it. */
  readonly remoteAddress: string;
}

/**
 * Fetches public pages. Throws an AssayError: `web_target_forbidden` where the target is not a public page,
 * `web_page_unavailable` where its server did not deliver it, `web_page_unsupported` where the page is of a kind
 * that is not read, `overloaded` where too many requests already wait.
 */
export interface PageFetcher {
  fetch(url: string): Promise<FetchedPage>;
  /** The style sheets of a page at `pageUrl`. A sheet that cannot be read is reported as such and refuses nothing. */
  fetchSheets(pageUrl: string, requests: readonly SheetRequest[]): Promise<readonly FetchedSheet[]>;
  /** What a script of a page asks for, under the same rules. Throws as `fetch` does. */
  fetchResource(url: string): Promise<FetchedResource>;
  close(): Promise<void>;
}

export interface FetchedResource {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A page as it was in a browser after its scripts had run. */
export interface RenderedPage extends Rendering {
  /** Its document as HTML in UTF-8, without scripts. */
  readonly bytes: Uint8Array;
}

export interface Rendering {
  readonly domBytes: number;
  readonly domSha256: Hex;
  /** Of the page's scripts and styles, beside the page itself. */
  readonly requests: number;
  readonly refusedRequests: number;
}

/** One paragraph, heading, list item, table, quotation or piece of code. */
export interface PageBlock {
  readonly markdown: string;
  /** Range in the normalized page text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Follows the block before it on the next line, without an empty line between. */
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

/** The parts of a page's styles that were not read or not understood, so that text which counts as seen may be hidden. */
export interface UnreadStyles {
  /** Style sheets in other files that were not read. */
  readonly externalSheets: number;
  /** The page has more rules than are processed. */
  readonly isIncomplete: boolean;
  /**
   * Properties whose value was not understood on text of the blocks, and further causes: `condition` (a rule that perhaps
   * applies would hide it), `picture` (only the picture behind it can make it readable), `clipped-text`, `animation`,
   * `shadow-tree`, `page-cover`, and `generated-text` (a style adds words beside it); in a PDF `picture`, `pattern` (it fills
   * the letters) and `mask`. Never words of the page.
   */
  readonly doubts: readonly string[];
}

/** What a page shows to people, and what it contains only for machines. */
export interface ParsedPage {
  readonly title: string | null;
  readonly language: string | null;
  /** The normalized page text that blocks refer to. */
  readonly text: string;
  readonly blocks: readonly PageBlock[];
  /** The part of the page that the blocks cover: the article that Readability found, the whole body, the source, a PDF. */
  readonly extraction: "article" | "whole_body" | "source" | "pdf";
  readonly isTruncated: boolean;
  readonly isScriptOnly: boolean;
  /** A style hides everything, and the page has scripts that can show it; the text counts as seen. */
  readonly isShownByScripts: boolean;
  readonly links: readonly { readonly text: string; readonly url: string }[];
  /** Excerpts of hidden text; those that address an agent come first. */
  readonly hidden: readonly HiddenText[];
  /** How many pieces were hidden. */
  readonly hiddenCount: number;
  readonly unreadStyles: UnreadStyles;
  /** Only of a PDF. */
  readonly pdf?: PdfPages;
  /** Only where a browser has run the page's scripts. */
  readonly rendered?: Rendering;
}

/** The pages of a PDF. */
export interface PdfPages {
  /** How many the file has. */
  readonly pageCount: number;
  /** The range of each page that was read in the text, from the first on; empty for a page that shows no text. */
  readonly pages: readonly { readonly start: number; readonly end: number }[];
  /** Characters, or runs of them, whose font does not state which letters they stand for. */
  readonly unreadCharacters: number;
}

/** Turns a fetched page into text and Markdown. Throws `web_page_unsupported` where that exceeds a limit. */
export interface PageParser {
  /** The style sheets in other files that the page names. */
  listSheets(page: FetchedPage): Promise<readonly SheetRequest[]>;
  parse(page: FetchedPage, sheets?: readonly FetchedSheet[]): Promise<ParsedPage>;
  close(): Promise<void>;
}
