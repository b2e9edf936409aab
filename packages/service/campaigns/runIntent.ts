import { type CapabilityInput, getCapability } from "@assay/capabilities";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import { gatherer } from "@assay/capabilities/transaction.intent.guard/gather/gather";
import { rule } from "@assay/capabilities/transaction.intent.guard/rule";
import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { createRoundChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, maxUint256, parseAbi, parseEther } from "viem";
import { createRecords } from "../src/start/createRecords.js";
import type { Database } from "../src/store/database.js";
import { createCampaignWorld } from "./campaignWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { describeTransaction } from "./intentTransactions.js";

export interface IntentOptions extends CampaignOptions {
  readonly rounds: number;
  readonly postgresUrl?: string;
}

export interface IntentSummary extends CampaignSummary {
  readonly rounds: number;
  /** Transactions by kind, and by how they ended. */
  readonly seen: Tally;
  /** Balances and allowances compared, zero changes included. */
  readonly compared: number;
  readonly ms: number;
}

interface World {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly db: Database;
}

type Input = CapabilityInput<"transaction.intent.guard">;
const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function approve(address, uint256)",
  "function transfer(address, uint256)",
  "function deposit()",
]);
const TRADERS = 4;

/** Random swaps, transfers and approvals: what the guard measured and predicted is what the chain shows once they are sent. */
export async function runIntent(options: IntentOptions): Promise<IntentSummary> {
  const startedAt = performance.now();
  const { devnet, db, close } = await createCampaignWorld({
    postgresUrl: options.postgresUrl,
    blockTimeMs: 0,
  });
  const chain = await createChain({ rpcUrls: [devnet.rpcUrl], expectedChainId: 8453 });
  const world = { devnet, chain, db };
  const seen = new Tally();
  const violations: string[] = [];
  let compared = 0;
  try {
    await prepareTraders(devnet);
    for (let round = 0; round < options.rounds; round += 1) {
      const choices = createRoundChoices(options.seed, round);
      const trader = lowercase(choices.pick(devnet.accounts.slice(0, TRADERS)).address);
      const { kind, ...transaction } = describeTransaction(choices, devnet, trader);
      const result = await compareOnce(world, { from: trader, ...transaction });
      seen.add(`${kind}, ${result.status}`);
      compared += result.compared;
      violations.push(...result.differences.map((line) => `round ${round}, ${kind}: ${line}`));
      if ((round + 1) % 100 === 0) options.onProgress?.(`intent: ${round + 1} of ${options.rounds}`);
    }
  } finally {
    await chain.close();
    await close();
  }
  const ms = Math.round(performance.now() - startedAt);
  return { campaign: "intent", seed: options.seed, rounds: options.rounds, seen, compared, violations, ms };
}

async function prepareTraders(devnet: Devnet): Promise<void> {
  const { plainToken, taxedToken, stablecoin, weth, uniswapV2Router, swapRouter02 } = devnet.contracts;
  const deployer = devnet.deployer.address;
  await devnet.request("hardhat_impersonateAccount", [deployer]);
  const call = (from: string, to: string, functionName: string, args: readonly unknown[], value = 0n) =>
    send(devnet, { from, to, value, data: encodeFunctionData({ abi, functionName, args } as never) });
  for (const { address } of devnet.accounts.slice(0, TRADERS)) {
    for (const token of [plainToken, taxedToken])
      await call(deployer, token, "transfer", [address, parseEther("1000000")]);
    await call(address, weth, "deposit", [], parseEther("1000"));
    for (const token of [plainToken, taxedToken, stablecoin, weth])
      for (const router of [uniswapV2Router, swapRouter02])
        await call(address, token, "approve", [router, maxUint256]);
  }
}

interface Sent {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
}

async function send(
  devnet: Devnet,
  { from, to, data, value }: { from: string; to: string; data: Hex; value: bigint },
): Promise<Sent> {
  const gas = "0x2dc6c0";
  const hash = await devnet.request<Hex>("eth_sendTransaction", [
    { from, to, data, value: `0x${value.toString(16)}`, gas },
  ]);
  return devnet.request<Sent>("eth_getTransactionReceipt", [hash]);
}

interface Measured {
  readonly balances: readonly { readonly holder: Hex; readonly token: Hex | null; readonly change: string }[];
  readonly allowances: readonly { readonly token: Hex; readonly spender: Hex; readonly after: string }[];
}

interface Predicted {
  readonly leaves: readonly Flow[];
  readonly returns: readonly Flow[];
}
interface Flow {
  readonly token: Hex | null;
  readonly amount: string;
}

const sumFlows = (flows: readonly Flow[], token: Hex | null): bigint =>
  flows.reduce((sum, flow) => (flow.token === token ? sum + BigInt(flow.amount) : sum), 0n);

async function compareOnce(
  { devnet, chain, db }: World,
  transaction: { from: Hex; to: string; data: Hex; value: bigint },
) {
  const input = getCapability("transaction.intent.guard").input.parse({
    ...transaction,
    value: transaction.value.toString(),
  });
  const context = createGatherContext(
    chain,
    await chain.latestBlock(),
    createRecords(db, { publicUrl: "http://127.0.0.1:8402" }),
  );
  const { readings } = await gatherer.gather(context, input);
  const { findings } = rule.evaluate(input, readings);
  const measured = findings.measured as Measured | null;
  const predicted = findings.effects as Predicted;
  const { status } = findings.execution as { status: string };

  const before = await readBalances(devnet, input);
  const sent = await send(devnet, transaction);
  const after = await readBalances(devnet, input);
  const ended = sent.status === "0x1" ? "succeeds" : "reverts";
  const differences: string[] = [];
  if (status !== ended) differences.push(`the guard said ${status}, the chain ${ended}`);
  if (ended !== "succeeds" || measured === null) return { status, differences, compared: 1 };
  const fee = BigInt(sent.gasUsed) * BigInt(sent.effectiveGasPrice);
  for (const [index, { holder, token, value }] of after.entries()) {
    const paid = holder === input.from && token === null ? fee : 0n;
    const change = (value - (before[index]?.value ?? 0n) + paid).toString();
    const reported =
      measured.balances.find((one) => one.holder === holder && one.token === token)?.change ?? "0";
    if (reported !== change)
      differences.push(`${token ?? "ether"} of ${holder}: ${reported} measured, ${change} on chain`);
    if (holder !== input.from) continue;
    const net = sumFlows(predicted.returns, token) - sumFlows(predicted.leaves, token);
    if (net.toString() !== change)
      differences.push(`${token ?? "ether"} of the sender: ${net} predicted, ${change} on chain`);
  }
  for (const { token, spender, after: reported } of measured.allowances) {
    const really = await read(devnet, token, "allowance", [input.from, spender]);
    if (really.toString() !== reported)
      differences.push(`allowance: ${reported} measured, ${really} on chain`);
  }
  return { status, differences, compared: after.length + measured.allowances.length };
}

/** The balances of every token, also of those that the guard did not name. */
async function readBalances(devnet: Devnet, { from, to }: Input) {
  const { plainToken, taxedToken, stablecoin, weth } = devnet.contracts;
  const tokens = await Promise.all(
    [plainToken, taxedToken, stablecoin, weth].map(async (token) => ({
      holder: from,
      token: lowercase(token),
      value: await read(devnet, token, "balanceOf", [from]),
    })),
  );
  const native = await Promise.all(
    [...new Set([from, to])].map(async (holder) => ({
      holder,
      token: null,
      value: BigInt(await devnet.request<Hex>("eth_getBalance", [holder, "latest"])),
    })),
  );
  return [...tokens, ...native];
}

async function read(devnet: Devnet, to: string, functionName: string, args: readonly unknown[]) {
  const data = encodeFunctionData({ abi, functionName, args } as never);
  return BigInt(await devnet.request<Hex>("eth_call", [{ to, data }, "latest"]));
}
