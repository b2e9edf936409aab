import { promisify } from "node:util";
import { gunzip, gzipSync } from "node:zlib";
import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { createPageFetcher, type PageTimes } from "@assay/pages/fetchPage";
import { AssayError } from "@assay/protocol";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { type HostileSite, listHostilePages, serveHostilePages } from "./hostilePages.js";

export interface PagesOptions extends CampaignOptions {
  /** How often every page is asked for. */
  readonly rounds: number;
  /** What each bomb unpacks to. */
  readonly megabytes: number;
  /** For pages that end by time. Those that end by size have the time of every page, however busy the machine is. */
  readonly times?: PageTimes;
}

/** The worst that one page did, over all rounds. */
export interface PageCost {
  readonly code: string;
  readonly ms: number;
  readonly residentMb: number;
  readonly sentKb: number;
}

export interface PagesSummary extends CampaignSummary {
  readonly pages: Readonly<Record<string, PageCost>>;
  /** The control: what is measured when a bomb is unpacked without limits. */
  readonly unbounded: Omit<PageCost, "code">;
  readonly ms: number;
}

const HOST = "hostile.assay.test";
/** The site runs in this process, so its own buffers and the sockets' count too. */
const RESIDENT_LIMIT_MB = 96;
const TOTAL_LIMIT_MS = 11_000;

/** Fetches pages made to cost memory or time, and measures the cost of each. */
export async function runPages(options: PagesOptions): Promise<PagesSummary> {
  const startedAt = performance.now();
  const choices = createSeededChoices(options.seed);
  const hostile = listHostilePages(options.megabytes);
  const site = await serveHostilePages(hostile);
  const settings = { publicUrl: "https://assay.example", webTestHosts: new Map([[HOST, site.place]]) };
  const patient = createPageFetcher({ settings });
  const hurried = createPageFetcher({ settings, ...(options.times && { times: options.times }) });
  const bomb = gzipSync(Buffer.alloc(options.megabytes * 1024 * 1024));
  const { code: _none, ...unbounded } = await weigh(site, () => promisify(gunzip)(bomb));
  const pages: Record<string, PageCost> = {};
  const violations: string[] = [];
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const page of choices.shuffle(hostile)) {
        const fetcher = page.expected === "web_page_unavailable" ? hurried : patient;
        const cost = await weigh(site, () => fetcher.fetch(`http://${HOST}${page.path}`));
        pages[page.path] = worst(pages[page.path], cost);
        options.onProgress?.(`pages: ${page.path} ${JSON.stringify(cost)}`);
        if (cost.code !== page.expected)
          violations.push(`${page.path} ended as ${cost.code}, not ${page.expected}`);
        if (cost.residentMb > RESIDENT_LIMIT_MB) violations.push(`${page.path} took ${cost.residentMb} MB`);
        if (cost.ms > TOTAL_LIMIT_MS) violations.push(`${page.path} took ${cost.ms} ms`);
      }
    }
  } finally {
    await patient.close();
    await hurried.close();
    await site.close();
  }
  const ms = Math.round(performance.now() - startedAt);
  return { campaign: "pages", seed: options.seed, pages, unbounded, violations, ms };
}

async function weigh(site: HostileSite, work: () => Promise<unknown>): Promise<PageCost> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const startedAt = performance.now();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 10);
  const code = await work().then(
    () => "fetched",
    (error: unknown) => (error instanceof AssayError ? error.code : String(error)),
  );
  clearInterval(timer);
  peak = Math.max(peak, process.memoryUsage.rss());
  return {
    code,
    ms: Math.round(performance.now() - startedAt),
    residentMb: Math.round((peak - before) / 1024 / 1024),
    sentKb: Math.round(site.bytesSent() / 1024),
  };
}

const worst = (known: PageCost | undefined, cost: PageCost): PageCost => ({
  code: cost.code,
  ms: Math.max(known?.ms ?? 0, cost.ms),
  residentMb: Math.max(known?.residentMb ?? 0, cost.residentMb),
  sentKb: Math.max(known?.sentKb ?? 0, cost.sentKb),
});
