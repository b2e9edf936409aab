import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { CapabilityResult } from "@assay/protocol";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ConnectedService } from "../testing/connectToService.js";
import { getSharedService } from "../testing/getSharedService.js";
import { runAssay } from "../testing/runAssay.js";
import { verifyResult } from "../verifyResult.js";

const root = resolve(import.meta.dirname, "../../../..");

interface Launch {
  readonly command: string;
  readonly args: readonly string[];
}

/** How each application of docs/mcp.md starts the server, in the application's own form. */
async function listLaunches(): Promise<[host: string, launch: Launch][]> {
  const text = await readFile(join(root, "docs/mcp.md"), "utf8");
  const section = text.slice(
    text.indexOf("## In an AI application"),
    text.indexOf("## The endpoint of the service"),
  );
  return section
    .split(/^\*\*/m)
    .slice(1)
    .flatMap((part): [string, Launch][] => {
      const host = part.slice(0, part.indexOf("**"));
      const blocks = [...part.matchAll(/^```(\w*)\n(.*?)^```/gms)].map(([, language = "", body = ""]) => [
        language,
        body,
      ]);
      return blocks.map(([language, body = ""]) => {
        if (language !== "json") {
          const [command = "", ...args] = body.split(" -- ")[1]?.trim().split(" ") ?? [];
          return [host, { command, args }];
        }
        const { mcpServers, servers } = JSON.parse(body) as Record<string, Record<string, Launch>>;
        const launch = (host === "VS Code" ? servers : mcpServers)?.assay;
        if (!launch) throw new Error(`${host} has no server assay`);
        return [host, launch];
      });
    });
}

let service: ConnectedService;
let home: string;
beforeAll(async () => {
  [home, service] = await Promise.all([mkdtemp(join(tmpdir(), "assay-hosts-")), getSharedService()]);
  await mkdir(join(home, "bin"));
  await symlink(join(root, "packages/client/bin/assay.js"), join(home, "bin/assay"));
  // viem keeps no key of an account that it made from one.
  const { accounts } = JSON.parse(await readFile(join(service.dataDir, "devnet.json"), "utf8"));
  const { privateKey } = accounts.find(({ name }: { name: string }) => name === "ivan");
  await writeFile(join(home, "key.txt"), privateKey);
  const init = [
    "--url",
    service.url,
    "--private-key-file",
    join(home, "key.txt"),
    "init",
    "--max-per-day",
    "1",
  ];
  const { code, err } = await runAssay(init, { XDG_CONFIG_HOME: home, XDG_STATE_HOME: home });
  expect([code, err]).toEqual([0, ""]);
});
afterAll(() => rm(home, { recursive: true, force: true }));

it("every application's lines start a server that pays, verifies and says nothing but protocol", async () => {
  const launches = await listLaunches();
  expect(launches.map(([host]) => host)).toEqual([
    "Claude Desktop",
    "Claude Code",
    "Claude Code",
    "Cursor",
    "VS Code",
  ]);
  const path = [join(home, "bin"), dirname(process.execPath)].join(delimiter);
  const env = { PATH: path, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home };
  const before = await service.balanceOf(service.wallet("ivan").address);
  let paidUsd = 0;
  // Starting takes seconds, so what several applications write alike is started once.
  const distinct = new Map(launches.map(([host, { command, args }]) => [[command, ...args].join(" "), host]));
  expect([...distinct.keys()]).toEqual(["assay mcp"]);
  for (const [line, host] of distinct) {
    const [command = "", ...args] = line.split(" ");
    const transport = new StdioClientTransport({ command, args: [...args], env, cwd: home, stderr: "pipe" });
    const faults: Error[] = [];
    const client = new Client({ name: host, version: "1.0.0" });
    client.onerror = (error) => faults.push(error);
    await client.connect(transport as never);
    const { tools } = await client.listTools();
    expect(tools[0]?.name).toBe("check");
    const { content, structuredContent, isError } = await client.callTool({
      name: "chain_snapshot",
      arguments: {},
    });
    const [{ text } = { text: "" }] = content as { text: string }[];
    expect([host, isError ?? false, text]).toEqual([
      host,
      false,
      expect.stringMatching(/^ALLOW by chain\.snapshot/),
    ]);
    const answer = structuredContent as unknown as CapabilityResult;
    await expect(verifyResult(answer)).resolves.toMatchObject({ ok: true });
    paidUsd += answer.pricing.pricePaidUsd;
    // A line on standard output that is no message would be here.
    expect(faults).toEqual([]);
    await client.close();
  }
  expect(paidUsd).toBeGreaterThan(0);
  expect(Number(before - (await service.balanceOf(service.wallet("ivan").address))) / 1e6).toBeCloseTo(
    paidUsd,
    6,
  );
}, 60_000);
