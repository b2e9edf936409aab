import { AssayError, type CapabilityResult } from "@assay/protocol";
import type { Context, Hono } from "hono";
import type { BaseContext } from "../../base/context.js";
import { findSharedAnswer } from "../../payments/sharedAnswers.js";
import { clientAddress } from "../clientAddress.js";
import { securityHeaders } from "../console.js";
import type { Env } from "../route.js";
import { describeShared } from "./describeShared.js";
import { drawCard } from "./drawCard.js";
import { escapeText } from "./escapeText.js";
import { CARD_HEIGHT, CARD_WIDTH, writeCard } from "./writeCard.js";

const PAGE = "/shared/:id/:key";
const MOST_CARDS = 64;
/** What was sold does not change; a service that stops answering is noticed within the hour. */
const FOR_AN_HOUR = "public, max-age=3600";

/**
 * The page of a shared answer, with what previews of links show, its picture, and the answer itself for the page, which
 * checks it. `document` is the console's own page.
 */
export function addSharePages(app: Hono<Env>, context: BaseContext, document: string): void {
  const { database, limits, settings } = context;
  const find = async (c: Context<Env>) => {
    await limits.consume("read", clientAddress(c));
    const [id = "", key = ""] = [c.req.param("id"), c.req.param("key")];
    return findSharedAnswer(database, id, key);
  };
  const cards = createCards(() => new URL(settings.publicUrl).host);
  app.get(PAGE, async (c) => {
    const shared = await find(c);
    const headers = {
      ...securityHeaders,
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
    };
    if (!shared) return c.body(document, 404, headers);
    const url = `${settings.publicUrl}${c.req.path}`;
    return c.body(await addPreview(document, shared.answer, url), 200, headers);
  });
  app.get(`${PAGE}/card.png`, async (c) => {
    const shared = await find(c);
    if (!shared) throw new AssayError("not_found", "No shared answer has that link.");
    if (!cards.isDrawn(shared.answer)) await limits.consume("card", clientAddress(c));
    const png = await cards.draw(shared.answer).catch((err: unknown) => {
      // Such as a machine for which the library has no binary: the page itself needs no picture.
      context.logger.warn({ err }, "a card could not be drawn");
      throw new AssayError("not_found", "This service draws no pictures now.");
    });
    return c.body(new Uint8Array(png), 200, { "content-type": "image/png", "cache-control": FOR_AN_HOUR });
  });
  app.get(`${PAGE}/answer.json`, async (c) => {
    const shared = await find(c);
    if (!shared) throw new AssayError("not_found", "No shared answer has that link.");
    const body = new Uint8Array(shared.body);
    return c.body(body, 200, { "content-type": "application/json", "cache-control": FOR_AN_HOUR });
  });
}

/** The title and the tags of Open Graph, for programs that show a link before somebody follows it. */
async function addPreview(document: string, answer: CapabilityResult, url: string): Promise<string> {
  const { verdict, question, headline, readAt } = await describeShared(answer);
  const title = `${verdict.toUpperCase()}: ${question}`;
  const description = `${headline} ${readAt}. The page checks it in your browser.`;
  const tags: readonly (readonly [attribute: string, name: string, content: string])[] = [
    ["property", "og:type", "website"],
    ["property", "og:site_name", "Assay"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", url],
    ["property", "og:image", `${url}/card.png`],
    ["property", "og:image:width", String(CARD_WIDTH)],
    ["property", "og:image:height", String(CARD_HEIGHT)],
    ["property", "og:image:alt", `${title}. ${headline}`],
    ["name", "twitter:card", "summary_large_image"],
  ];
  const head = tags.map(
    ([attribute, name, content]) => `<meta ${attribute}="${name}" content="${escapeText(content)}" />`,
  );
  return document
    .replace(
      /<meta name="description"[^>]*>/,
      () => `<meta name="description" content="${escapeText(description)}" />`,
    )
    .replace(/<title>[^<]*<\/title>/, () =>
      [`<title>${escapeText(title)} · Assay</title>`, ...head].join("\n    "),
    );
}

interface Cards {
  isDrawn(answer: CapabilityResult): boolean;
  draw(answer: CapabilityResult): Promise<Buffer>;
}

/** Draws each card once, however many ask for it meanwhile, one card after another, and keeps the newest ones. */
function createCards(host: () => string): Cards {
  const drawn = new Map<string, Promise<Buffer>>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    isDrawn: ({ invocationId }) => drawn.has(invocationId),
    draw(answer) {
      const { invocationId } = answer;
      const known = drawn.get(invocationId);
      if (known) return known;
      const card = last.then(async () => drawCard(writeCard(await describeShared(answer), host())));
      last = card.catch(() => undefined);
      // A failure is not remembered.
      card.catch(() => drawn.delete(invocationId));
      drawn.set(invocationId, card);
      if (drawn.size > MOST_CARDS) drawn.delete(drawn.keys().next().value as string);
      return card;
    },
  };
}
