import assert from "node:assert/strict";
import { parsePdfPage } from "../../packages/pages/src/pdf/parsePdfPage.ts";
import { pdfLines, writePdf } from "../../packages/pages/src/testing/writePdf.ts";
import { MAX_PAGE_TEXT_CHARACTERS } from "../../packages/protocol/src/index.ts";

const words = [
  "BT",
  "ET",
  "Tj",
  "TJ",
  "Tf",
  "Td",
  "Tm",
  "Tr",
  "Ts",
  "Tz",
  "cm",
  "q",
  "Q",
  "re",
  "f",
  "W n",
  "Do",
  "gs",
  "BDC",
  "EMC",
  "/OC",
  "rg",
  "scn",
  "/F1 12 Tf",
  "(text) Tj",
  "1 0 0 1 72 700 Tm",
  "3 Tr",
  "/Filter /FlateDecode",
  "/Length",
  "endobj",
  "stream",
  "endstream",
  "xref",
  "trailer",
  "/Kids [",
  "/Parent",
  "/Count",
  "/Type /Pages",
  "0 R",
  "/MediaBox [0 0 9 9]",
  "/Rotate 90",
  "/Encrypt",
  "/Prev 0",
  "/ObjStm",
  "/Annots",
  "/XObject",
  "/Form",
  "/BBox",
  "/Matrix [",
  "/Subtype /Type3",
  "/CharProcs",
  "/ToUnicode",
  "/Encoding",
  "obj",
  "<<",
  ">>",
  "[",
  "]",
];
const form = {
  dictionary: "/Type /XObject /Subtype /Form /BBox [0 0 600 700] /Resources << /Font << /F1 3 0 R >> >>",
  bytes: Buffer.from("BT /F1 9 Tf (in a form) Tj ET"),
};

/** Documents of strangers. The thread that reads them refuses a page for any error; what counts is that it ends. */
export const target = {
  maxBytes: 8_192,
  cpuMs: 4_000,
  form: "bytes",
  words,
  // pdf.js goes on with parts that nobody waits for. The thread of a document ends with it.
  mayReject: true,
  seeds: () => [
    writePdf({ pages: [pdfLines("One line", "another one")] }),
    writePdf({
      pages: [
        `1 1 1 rg ${pdfLines("white")} 0 0 0 rg 70 690 200 30 re f q 3 Tr ${pdfLines("unpainted")} Q`,
        pdfLines("second"),
      ],
    }),
    writePdf({
      pages: ["q .5 0 0 .5 10 10 cm /X1 Do Q /OC /L1 BDC BT /F1 8 Tf 10 20 Td [(a) -500 (b)] TJ ET EMC"],
      resources: "/XObject << /X1 100 0 R >> /Properties << /L1 101 0 R >>",
      catalog: "/OCProperties << /OCGs [101 0 R] /D << /OFF [101 0 R] >> >>",
      objects: { 100: form, 101: "<< /Type /OCG /Name (Layer) >>" },
      trailer: "/Info << /Title (A title) >>",
    }),
  ],
  async run(bytes) {
    let page;
    try {
      page = await parsePdfPage(bytes, () => process.cpuUsage().user / 1000);
    } catch (error) {
      assert.ok(error instanceof Error);
      return;
    }
    assert.ok(page.text.length <= MAX_PAGE_TEXT_CHARACTERS);
    for (const { start, end } of page.blocks)
      assert.ok(start <= end && end <= page.text.length, "a block outside of the text");
    assert.doesNotMatch(JSON.stringify(page), /\\u0000|\\ud[89a-f][0-9a-f]{2}/, "text that cannot be stored");
  },
};
