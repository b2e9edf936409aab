import { createSeededChoices } from "@assay/chain/testing/seededChoices";
import { until } from "@assay/chain/testing/until";
import { fetchChallenge } from "../test/payer.js";
import { atService, type ServiceProcess } from "./campaignWorld.js";
import type { CampaignOptions, CampaignSummary } from "./commandLine.js";
import { attempt } from "./paidCalls.js";
import { createVoucherPayer, type VoucherPayer } from "./voucherPayers.js";

export interface ChannelGasOptions extends CampaignOptions {
  readonly channels: number;
  /** Calls of each channel. */
  readonly calls: number;
  readonly postgresUrl?: string;
}

export interface ChannelGasSummary extends CampaignSummary {
  readonly channels: number;
  readonly calls: number;
  /** As `/metrics` states it, by what it was used for. */
  readonly gas: Readonly<Record<string, number>>;
  readonly gasPerCall: number;
}

/** The most gas that a call by voucher may use where each channel makes a hundred. */
const MOST_GAS_PER_CALL = 2_000;
const CALLS_OF_THAT = 100;

/** One deposit for each channel, so many calls by voucher, one claim and one sweep: what a call costs in gas. */
export async function runChannelGas(options: ChannelGasOptions): Promise<ChannelGasSummary> {
  const { seed, channels, calls, postgresUrl, onProgress } = options;
  return atService(undefined, { postgresUrl }, async ({ world, service }) => {
    const { devnet, db } = world;
    const path = `/api/v1/capabilities/contract.interface/invoke?address=${devnet.contracts.plainToken}`;
    // The answer is sold once, so that every call has the same price.
    const [first, ...accounts] = devnet.accounts;
    const open = (privateKey: `0x${string}`, lastsFor: number) =>
      createVoucherPayer(devnet, privateKey, createSeededChoices(seed), () => lastsFor - 1);
    if (!first || accounts.length < channels)
      throw new RangeError(`there are ${accounts.length} payers, not ${channels}`);
    await buy(service, open(first.privateKey, 1), path);
    await until(async () => ((await readMetrics(service)).gas.deposit ? true : undefined));
    const before = await readMetrics(service);
    for (const { privateKey } of accounts.slice(0, channels)) {
      const payer = open(privateKey, calls);
      for (let call = 0; call < calls; call++) await buy(service, payer, path);
      onProgress?.(`channel-gas: ${calls} calls of a channel`);
    }
    // As if the oldest charge and the last sweep were long ago. The first channel's voucher is of no matter here.
    await db.query({
      text: `UPDATE channels SET unclaimed_since = CASE WHEN channel_no = 1 THEN NULL ELSE now() - interval '2 hours' END`,
    });
    await db.query({ text: "UPDATE channel_work SET swept_at = now() - interval '2 days'" });
    await until(async () => ((await readMetrics(service)).gas.sweep ? true : undefined), 60_000);
    const after = await readMetrics(service);
    const gas = Object.fromEntries(
      Object.entries(after.gas).map(([use, used]) => [use, used - (before.gas[use] ?? 0)]),
    );
    const made = after.calls - before.calls;
    const gasPerCall = Math.round(Object.values(gas).reduce((sum, used) => sum + used, 0) / made);
    const violations: string[] = [];
    if (made !== channels * calls) violations.push(`${made} calls were counted, not ${channels * calls}`);
    if (calls >= CALLS_OF_THAT && gasPerCall > MOST_GAS_PER_CALL)
      violations.push(`a call uses ${gasPerCall} gas, more than ${MOST_GAS_PER_CALL}`);
    return { campaign: "channel-gas", seed, channels, calls: made, gas, gasPerCall, violations };
  });
}

async function buy({ url }: ServiceProcess, payer: VoucherPayer, path: string): Promise<void> {
  const call = await payer.sign(path, await fetchChallenge(url + path));
  // A node of a busy machine may be slow to answer; the same payment may always be sent again.
  const sight = await until(async () => {
    const seen = await attempt(url, call);
    return seen.status === 503 ? undefined : seen;
  }, 60_000);
  if (sight.status !== 200) throw new Error(`a call was answered ${sight.status} ${sight.code}`);
  await payer.learn(call, sight);
}

async function readMetrics({ url }: ServiceProcess) {
  const text = await (await fetch(`${url}/metrics`)).text();
  const gas: Record<string, number> = {};
  for (const [, use = "", used] of text.matchAll(/^assay_channel_gas_total\{for="(\w+)"\} (\S+)$/gm))
    gas[use] = Number(used);
  return { gas, calls: Number(/^assay_channel_calls_total (\S+)$/m.exec(text)?.[1] ?? 0) };
}
