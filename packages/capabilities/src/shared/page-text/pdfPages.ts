import type { PageReadings } from "@assay/protocol";

type Pdf = NonNullable<PageReadings["page"]["pdf"]>;

/** Where a passage of a PDF stands. */
export interface PdfPlace {
  /** The number of the page, from 1; not the number that is printed on it. */
  readonly page: number;
  /** Range in the text of that page, in UTF-16 code units. */
  readonly pageStart: number;
  readonly pageEnd: number;
}

/** Nothing for a page that is no PDF. A passage never spans two pages: a page ends its last block. */
export function findPlace(
  pdf: Pdf | undefined,
  { start, end }: { readonly start: number; readonly end: number },
): Partial<PdfPlace> {
  const index = pdf?.pages.findIndex((page) => start >= page.start && end <= page.end) ?? -1;
  const page = pdf?.pages[index];
  return page ? { page: index + 1, pageStart: start - page.start, pageEnd: end - page.start } : {};
}

/** Bullets and signs in a font of their own are some hundredths of a text at most. */
const MAX_UNREAD_SHARE = 0.02;

export const isPartlyUnread = ({ pdf, text }: PageReadings["page"]) =>
  pdf !== undefined && pdf.unreadCharacters > MAX_UNREAD_SHARE * text.length;

const MAX_LISTED = 40;

/** What of a PDF is not in the Markdown, in words. */
export function limitPdf({ pageCount, pages, unreadCharacters }: Pdf): string[] {
  const empty = pages.flatMap(({ start, end }, index) => (start === end ? [index + 1] : []));
  const listed = `${empty.slice(0, MAX_LISTED).join(", ")}${empty.length > MAX_LISTED ? " and more" : ""}`;
  return [
    "Of the PDF only its text layer was read, in the order in which the file draws it. Pictures and scanned pages, notes, form fields, links and attached files are left out; a hyphen at the end of a line is taken to divide a word.",
    "Letters are those that the file's fonts state; whether the shapes that people see are the same letters was not checked.",
    ...(pages.length < pageCount
      ? [`The file has ${pageCount} pages; the first ${pages.length} were read, and the rest was not judged.`]
      : []),
    ...(empty.length > 0
      ? [`Pages without text that could be read, which may be scans or drawings: ${listed}.`]
      : []),
    ...(unreadCharacters > 0
      ? [
          `Characters, or runs of them, that could not be read because their fonts do not state which letters they stand for: ${unreadCharacters}.`,
        ]
      : []),
  ];
}
