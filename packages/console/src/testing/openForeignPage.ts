import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { bundleForPage } from "@assay/client/testing/bundleForPage";
import { type RunningService, startService } from "@assay/client/testing/startService";
import type { Page } from "playwright-core";
import { launch } from "./openBrowser.js";

export interface ForeignPage {
  readonly page: Page;
  readonly service: RunningService;
  close(): Promise<void>;
}

/** The built service, and a page with this module, bundled, from an origin of its own in a real browser. */
export async function openForeignPage(code: string): Promise<ForeignPage> {
  const [script] = await bundleForPage(code, { isWhole: true });
  const site = createServer((request, response) => {
    const isScript = request.url === "/script.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script?.code : '<!doctype html><script type="module" src="/script.js"></script>');
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const [service, browser] = await Promise.all([startService(), launch()]);
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return {
    page,
    service,
    async close() {
      await browser.close();
      await service.stop();
      site.closeAllConnections();
      await new Promise((closed) => site.close(closed));
    },
  };
}
