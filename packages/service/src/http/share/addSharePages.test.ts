import { sharePath } from "@assay/protocol";
import { expect, test } from "vitest";
import { asPost } from "../../../test/payer.js";
import { useTestService } from "../../../test/useTestService.js";
import { createRouter } from "../router.js";
import { addSharePages } from "./addSharePages.js";
import { writeCard } from "./writeCard.js";

const service = useTestService();
const DOCUMENT = '<head><meta name="description" content="usual" /><title>Assay</title></head>';

async function ask(path: string): Promise<Response> {
  const app = createRouter(service.context);
  addSharePages(app, service.context, DOCUMENT);
  return app.request(path);
}

test("a link to a shared answer has its words, its picture and its exact bytes; one with another key has none of them", async () => {
  const address = service.chainOf.contracts.legacyProxy;
  const answer = await service.buy(service.invokeUrl("contract.guard", { address }));
  const path = sharePath(answer.invocationId, answer.evidenceReference.signature);
  const page = await ask(path);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  const html = await page.text();
  expect(html).toMatch(new RegExp(`<title>${answer.verdict.toUpperCase()}: .+ · Assay</title>`));
  expect(html).toContain(`<meta property="og:image" content="${service.url}${path}/card.png" />`);
  expect(html).toContain(`Read at block ${answer.result.computedAtBlock}, 20`);
  expect(html).not.toContain('content="usual"');

  const card = await ask(`${path}/card.png`);
  expect(card.headers.get("content-type")).toBe("image/png");
  const png = Buffer.from(await card.arrayBuffer());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630]);
  // Without its fonts the picture would be a coloured band and nothing else.
  expect(png.length).toBeGreaterThan(15_000);

  expect(await (await ask(`${path}/answer.json`)).json()).toEqual(answer);
  const other = path.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
  expect((await ask(other)).status).toBe(404);
  expect(await (await ask(other)).text()).toBe(DOCUMENT);
  expect((await ask(`${other}/card.png`)).status).toBe(404);
  expect((await ask(`${other}/answer.json`)).status).toBe(404);
});

test("a private answer has neither page nor picture, even for its buyer", async () => {
  const signer = service.account("bob").address;
  const message = asPost({ signer, personalMessage: "Good morning" });
  const answer = await service.buy(service.invokeUrl("message.intent.guard"), "bob", message);
  const path = sharePath(answer.invocationId, answer.evidenceReference.signature);
  expect((await ask(path)).status).toBe(404);
  expect((await ask(`${path}/card.png`)).status).toBe(404);
  expect((await ask(`${path}/answer.json`)).status).toBe(404);
});

test("words of a contract are text in the picture, whatever they contain", () => {
  const hostile = `</text><script>"&'\u202e\u0000 ${"x".repeat(300)}`;
  const svg = writeCard(
    { verdict: "block", question: hostile, headline: hostile, readAt: "now" },
    "assay.example",
  );
  expect(svg).not.toContain("<script");
  for (const hidden of ["\u202e", "\u0000"]) expect(svg).not.toContain(hidden);
  expect(svg.match(/<text/g)?.length).toBeLessThan(12);
  // The widest letters stay inside, and marks do not pile up.
  const wide = writeCard(
    {
      verdict: "block",
      question: "?",
      headline: `${"W".repeat(200)} e${"\u0301\u0302".repeat(80)}`,
      readAt: "now",
    },
    "assay.example",
  );
  const lines = [...wide.matchAll(/font-size="40">([^<]*)</g)].map(([, line = ""]) => line);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(26);
  expect(wide).not.toMatch(/\p{M}{3}/u);
});

test("a picture counts against its caller's budget only where it is drawn", async () => {
  const answer = await service.buy(
    service.invokeUrl("contract.guard", { address: service.chainOf.contracts.weth }),
  );
  const path = `${sharePath(answer.invocationId, answer.evidenceReference.signature)}/card.png`;
  const consumed: string[] = [];
  const limits = { consume: async (what: string) => void consumed.push(what), refuseIfSpent: () => {} };
  const app = createRouter(service.context);
  addSharePages(app, { ...service.context, limits }, DOCUMENT);
  for (let again = 0; again < 2; again++) expect((await app.request(path)).status).toBe(200);
  expect(consumed).toEqual(["read", "card", "read"]);
});
