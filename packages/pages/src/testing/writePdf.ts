/** A PDF for tests: one content stream for each page, in Helvetica as `F1`, and further objects by their numbers. */
export interface PdfParts {
  readonly pages: readonly string[];
  /** Entries of the resources of every page, beside the font. */
  readonly resources?: string;
  /** Entries of the catalog and of the trailer. */
  readonly catalog?: string;
  readonly trailer?: string;
  /** Numbers from 100 on; a stream is written as its dictionary and its bytes. */
  readonly objects?: Readonly<
    Record<number, string | { readonly dictionary: string; readonly bytes: Uint8Array }>
  >;
}

/** A page of US letter size: 612 × 792 units, y upwards. */
export function writePdf({
  pages,
  resources = "",
  catalog = "",
  trailer = "",
  objects = {},
}: PdfParts): Buffer {
  const kids = pages.map((_, index) => `${10 + 2 * index} 0 R`).join(" ");
  const all = new Map<number, Buffer>();
  const put = (number: number, text: string) => all.set(number, Buffer.from(text, "latin1"));
  const putStream = (number: number, dictionary: string, bytes: Uint8Array) =>
    all.set(
      number,
      Buffer.concat([
        Buffer.from(`<< ${dictionary} /Length ${bytes.length} >>\nstream\n`),
        bytes,
        Buffer.from("\nendstream"),
      ]),
    );
  put(1, `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`);
  put(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  put(3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  pages.forEach((content, index) => {
    const number = 10 + 2 * index;
    put(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${number + 1} 0 R /Resources << /Font << /F1 3 0 R >> ${resources} >> >>`,
    );
    putStream(number + 1, "", Buffer.from(content, "latin1"));
  });
  for (const [number, object] of Object.entries(objects)) {
    if (typeof object === "string") put(Number(number), object);
    else putStream(Number(number), object.dictionary, object.bytes);
  }
  return assemble(all, trailer);
}

function assemble(objects: ReadonlyMap<number, Buffer>, trailer: string): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n")];
  let length = parts[0]?.length ?? 0;
  const places = new Map<number, number>();
  for (const [number, object] of objects) {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    places.set(number, length);
    length += part.length;
    parts.push(part);
  }
  const entries = [...places].map(
    ([number, place]) => `${number} 1\n${String(place).padStart(10, "0")} 00000 n \n`,
  );
  const size = Math.max(...objects.keys()) + 1;
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${entries.join("")}trailer\n<< /Root 1 0 R /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`,
      "latin1",
    ),
  );
  return Buffer.concat(parts);
}

/** Lines of text from the top left of the page downwards, 12 units high. */
export const pdfLines = (...lines: readonly string[]) =>
  `BT /F1 12 Tf 14 TL 72 700 Td ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
