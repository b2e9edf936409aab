import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { ConnectedService } from "../testing/connectToService.js";
import { createFundedWallet, type FundedWallet } from "../testing/createFundedWallet.js";
import { getSharedService } from "../testing/getSharedService.js";
import { type Run, runAssay } from "../testing/runAssay.js";

let service: ConnectedService;
let state: string;
let wallet: FundedWallet;
beforeAll(async () => {
  service = await getSharedService();
});
// Each test has a state and a wallet of its own: it finds no channel of another one that failed, and nobody else pays from it.
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), "assay-channel-"));
  wallet = await createFundedWallet(service);
  await writeFile(join(state, "key"), wallet.privateKey, { mode: 0o600 });
});
afterEach(() => rm(state, { recursive: true, force: true }));

/** Allowed for an hour, however long the call takes: an answer whose window has ended is exit code 10. */
const CALL = ["call", "web.compile", "--input-url", "http://pages.assay.test/article"];

const assay = (...words: string[]): Promise<Run> =>
  runAssay(["--url", service.url, "--private-key-file", join(state, "key"), ...words], {
    XDG_STATE_HOME: state,
  });
const json = async (...words: string[]) => {
  const { code, out, err } = await assay("--json", ...words);
  expect({ code, err }, out).toEqual({ code: 0, err: "" });
  return JSON.parse(out);
};

it("calls pay from the channel that was opened, at once too, and closing it brings back the rest", async () => {
  const { address } = wallet.account;
  const before = await service.balanceOf(address);
  expect((await assay("channel", "status")).out).toContain("has no channel here");
  expect((await assay("channel", "close")).code).toBe(0);
  expect(await assay("channel", "open")).toMatchObject({ code: 2 });
  expect(await assay("channel", "open", "--deposit", "0.1", "--max-price", "0.2")).toMatchObject({ code: 2 });
  expect((await assay("channel", "open", "--deposit", "0.5")).out).toContain("$0.50 with the first call");
  expect(await service.balanceOf(address)).toBe(before);

  const first = await assay(...CALL);
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toMatch(
    /voucher +\$0\.0\d+ in all from channel 0x[0-9a-f]{64}, after a deposit of \$0\.50/,
  );
  expect(before - (await service.balanceOf(address))).toBe(500_000n);
  // Three runs at once wait for each other: none is corrected or refused.
  const runs = await Promise.all([1, 2, 3].map(() => assay(...CALL)));
  expect(runs.map(({ code, err }) => ({ code, err }))).toEqual(runs.map(() => ({ code: 0, err: "" })));
  expect(before - (await service.balanceOf(address))).toBe(500_000n);

  const { channel } = await json("channel", "status");
  expect(channel).toMatchObject({ depositedUsd: 0.5, signedUsd: channel.chargedUsd });
  expect(channel.leftUsd).toBeCloseTo(0.5 - channel.chargedUsd, 6);
  const folder = join(state, "assay", "channels");
  const [name = ""] = await readdir(folder);
  expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);

  const receiptId = /receipts\/(inv_\w+)/.exec(first.out)?.[1] ?? "";
  const receipt = await assay("receipt", receiptId);
  expect(receipt.out).toContain(channel.channelId);
  expect(receipt.out).toMatch(/claimed +not yet/);

  const { closed } = await json("channel", "close", "--rpc", service.rpcUrl);
  expect(closed).toMatchObject({
    channelId: channel.channelId,
    refundedUsd: channel.leftUsd,
    shownBy: "node",
  });
  const spent = BigInt(Math.round(channel.chargedUsd * 1e6));
  expect(before - (await service.balanceOf(address))).toBe(spent);
  expect((await assay("receipt", receiptId)).out).toMatch(/claimed +0x[0-9a-f]{64}/);
  expect(await readdir(folder)).toEqual([]);
  // Paid one by one again.
  expect((await assay(...CALL)).out).toMatch(/transaction +0x/);
});

it("a call may be paid by itself, and a channel of a chain that is gone may be forgotten", async () => {
  await json("channel", "open", "--deposit", "0.5");
  expect((await assay(...CALL, "--no-channel")).out).toMatch(/transaction +0x/);
  expect(await json("channel", "status")).toMatchObject({ terms: { depositUsd: 0.5 }, channel: null });
  expect(await json("channel", "close", "--forget")).toEqual({ closed: null });
  expect(await json("channel", "status")).toEqual({ terms: null, channel: null });
});
