import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bundleForPage } from "@assay/client/testing/bundleForPage";
import type { Page } from "playwright-core";
import { launchBrowser } from "./launchBrowser.js";

export interface ForeignPage {
  readonly page: Page;
  close(): Promise<void>;
}

/** A page with this module, bundled, from an origin of its own in a real browser. */
export async function openForeignPage(code: string): Promise<ForeignPage> {
  const [script] = await bundleForPage(code, { isWhole: true });
  const site = createServer((request, response) => {
    const isScript = request.url === "/script.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script?.code : '<!doctype html><script type="module" src="/script.js"></script>');
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const context = await (await launchBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return {
    page,
    async close() {
      await context.close();
      site.closeAllConnections();
      await new Promise((closed) => site.close(closed));
    },
  };
}
