import { getCapability } from "@assay/capabilities";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import { gatherer } from "@assay/capabilities/transaction.intent.guard/gather/gather";
import { rule } from "@assay/capabilities/transaction.intent.guard/rule";
import type { BlockHeader, Chain } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { createRoundChoices, type SeededChoices } from "@assay/chain/testing/seededChoices";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { parseEther } from "viem";
import type { AccuracyWorld, Transaction } from "./accuracy/accuracyWorld.js";
import { type AccuracyCase, DEAD } from "./accuracy/caseTools.js";
import { listCases } from "./accuracy/listCases.js";
import type { Setup } from "./accuracy/setUp.js";
import { type AccuracyPackages, useAccuracyWorld } from "./accuracy/useAccuracyWorld.js";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { changeAmounts } from "./effects/changeAmounts.js";
import {
  compareHoldings,
  type Foretold,
  listForetoldPermissions,
  sumLeaving,
} from "./effects/compareEffects.js";
import { findTokens, readHoldings, type WorldTokens } from "./effects/holdings.js";
import { listItemCases } from "./effects/itemCases.js";
import { keyOfPermission, type Log, listAnnounced, readPermissions } from "./effects/permissions.js";

export interface EffectsOptions extends CampaignOptions, AccuracyPackages {
  /** Transactions to send. */
  readonly rounds: number;
}

export interface EffectsSummary extends CampaignSummary {
  readonly packaged: boolean;
  readonly rounds: number;
  readonly walks: number;
  readonly cases: number;
  readonly tokens: { readonly [kind in keyof WorldTokens]: number };
  /** Transactions by group and kind, and by how they ended. */
  readonly seen: Tally;
  /** Assets that were foretold to leave or return, by kind. */
  readonly foretold: Tally;
  /** What was read after sending, zero changes included. */
  readonly compared: Tally;
  readonly ms: number;
}

const MAX_STEPS = 8;
const HOUR = 3_600;

/**
 * Random walks through the transactions of published protocols, with other amounts: what the guard foretells about the
 * sender's accounts is what the chain shows once they are sent.
 */
export function runEffects(options: EffectsOptions): Promise<EffectsSummary> {
  const startedAt = performance.now();
  return useAccuracyWorld(options, async (chain, world, setup) => {
    const { devnet } = world;
    const cases = [...listCases(world, setup), ...listItemCases(world)];
    const tokens = await findTokens(devnet, world.alice, listNamed(world, setup));
    await prepareSenders(world, cases);
    const [seen, foretold, compared] = [new Tally(), new Tally(), new Tally()];
    const violations: string[] = [];
    let walks = 0;
    let snapshot = await devnet.snapshot();
    let left = 0;
    for (let round = 0; round < options.rounds; round += 1) {
      const choices = createRoundChoices(options.seed, round);
      if (left === 0) {
        if (round > 0) await devnet.revert(snapshot);
        if (round > 0) snapshot = await devnet.snapshot();
        walks += 1;
        left = choices.integer(2, MAX_STEPS);
      }
      left -= 1;
      const { name, group, kind, transaction } = pickCase(choices, cases);
      const block = await passTime(chain, devnet, choices);
      const kept = { words: listKept(world, setup), now: block.timestamp };
      const sent = await compareOnce(
        { chain, devnet, tokens },
        block,
        changeAmounts(choices, transaction, kept),
      );
      seen.add(`${group} ${kind}, ${sent.status}`);
      for (const [what, times] of Object.entries(sent.foretold)) foretold.add(what, times);
      for (const [what, times] of Object.entries(sent.compared)) compared.add(what, times);
      for (const line of sent.differences) {
        violations.push(`round ${round}, ${name}: ${line}`);
        options.onProgress?.(`round ${round}, ${name}: ${line}`);
      }
      if ((round + 1) % 100 === 0)
        options.onProgress?.(`effects: ${round + 1} of ${options.rounds}, ${violations.length} differences`);
    }
    return {
      campaign: "effects",
      seed: options.seed,
      packaged: options.packaged,
      rounds: options.rounds,
      walks,
      cases: cases.length,
      tokens: {
        erc20: tokens.erc20.length,
        growing: tokens.growing.length,
        erc721: tokens.erc721.length,
        erc1155: tokens.erc1155.length,
      },
      seen,
      foretold,
      compared,
      violations,
      ms: Math.round(performance.now() - startedAt),
    };
  });
}

/** Contracts that may keep assets without ever having emitted an event. */
function listNamed({ devnet }: AccuracyWorld, { aave, ...setup }: Setup): Hex[] {
  return [...Object.values(devnet.contracts), ...Object.values(setup), ...Object.values(aave ?? {})].flatMap(
    (value) => (typeof value === "string" && /^0x[0-9a-fA-F]{40}$/.test(value) ? [lowercase(value)] : []),
  );
}

/** Words of calldata that are as small as amounts: some addresses, and the limit of a lending market. */
function listKept({ devnet }: AccuracyWorld, setup: Setup): ReadonlySet<bigint> {
  const { sweptAccount, victim, delegatedAccount } = setup;
  return new Set([
    ...[DEAD, sweptAccount, victim, ...(delegatedAccount ? [delegatedAccount] : [])].map(BigInt),
    BigInt(devnet.lendingMarket.lltv),
  ]);
}

/** The node signs for every sender, and each can pay for gas. */
async function prepareSenders({ devnet, thief }: AccuracyWorld, cases: readonly AccuracyCase[]) {
  await devnet.request("hardhat_setBalance", [thief, `0x${parseEther("1").toString(16)}`]);
  for (const from of new Set(cases.map(({ transaction }) => transaction.from)))
    await devnet.request("hardhat_impersonateAccount", [from]);
  await devnet.mine();
}

/** Half of the time a kind is chosen first, so that kinds with few cases are met as well. */
function pickCase(choices: SeededChoices, cases: readonly AccuracyCase[]): AccuracyCase {
  if (choices.chance(0.5)) return choices.pick(cases);
  const kind = choices.pick([...new Set(cases.map((one) => one.kind))]);
  return choices.pick(cases.filter((one) => one.kind === kind));
}

/** Interest accrues, and sometimes deadlines pass. */
async function passTime(chain: Chain, devnet: Devnet, choices: SeededChoices): Promise<BlockHeader> {
  const { timestamp } = await chain.latestBlock();
  const seconds = choices.chance(0.05)
    ? choices.integer(HOUR, 30 * 24 * HOUR)
    : choices.integer(0, choices.chance(0.5) ? 2 : 120);
  await devnet.request("evm_setNextBlockTimestamp", [timestamp + seconds]);
  await devnet.mine();
  return chain.latestBlock();
}

interface Place {
  readonly chain: Chain;
  readonly devnet: Devnet;
  readonly tokens: WorldTokens;
}

async function compareOnce(place: Place, block: BlockHeader, transaction: Transaction) {
  const { devnet, tokens } = place;
  const { findings, gasPrice } = await foretell(place.chain, block, transaction);
  const { accounts, leaves, returns } = findings.effects;
  const items = [...leaves, ...returns].flatMap(({ token, id }) =>
    token !== null && id !== null ? [{ token, id: BigInt(id) }] : [],
  );
  const before = await readHoldings(devnet, tokens, accounts, items);
  const sent = await send(devnet, block, transaction, gasPrice);
  const after = await readHoldings(devnet, tokens, accounts, items);
  const { status } = findings.execution;
  const differences: string[] = [];
  if (status !== sent.status) differences.push(`the guard said ${status}, the chain ${sent.status}`);
  const holdings = compareHoldings(findings, tokens, before, after, sent.fee);
  const permissions =
    sent.status === "succeeds" ? await comparePermissions(place, block, findings, sent.logs) : nothing;
  differences.push(...holdings.differences, ...permissions.differences);
  const flows = [
    ...leaves.map(({ kind }) => `${kind} leaves`),
    ...returns.map(({ kind }) => `${kind} returns`),
  ];
  return {
    status: sent.status,
    differences,
    foretold: Object.fromEntries(
      [...new Set(flows)].map((what) => [what, flows.filter((one) => one === what).length]),
    ),
    compared: {
      outcomes: 1,
      holdings: holdings.compared,
      "rounded to the last unit": holdings.rounded,
      permissions: permissions.compared,
      "permissions by event": permissions.announced,
    },
  };
}

async function foretell(chain: Chain, block: BlockHeader, { from, to, data, value }: Transaction) {
  const input = getCapability("transaction.intent.guard").input.parse({
    from,
    to,
    data,
    value: value.toString(),
  });
  const { readings } = await gatherer.gather(createGatherContext(chain, block), input);
  const kept = rule.readings.parse(JSON.parse(JSON.stringify(readings)));
  const findings = rule.evaluate(input, kept).findings as unknown as Foretold;
  return { findings, gasPrice: BigInt(kept.conditions.gasPrice) };
}

interface Sent {
  readonly status: "succeeds" | "reverts" | "unpayable";
  /** Wei. */
  readonly fee: bigint;
  readonly logs: readonly Log[];
}

/** Sends in a block of the same second and base fee as the judged one, so that as much interest is owed. */
async function send(
  devnet: Devnet,
  { timestamp, baseFeePerGas }: BlockHeader,
  { from, to, data, value }: Transaction,
  gasPrice: bigint,
): Promise<Sent> {
  const quantity = (number: bigint) => `0x${number.toString(16)}`;
  await devnet.request("evm_setNextBlockTimestamp", [timestamp]);
  await devnet.request("hardhat_setNextBlockBaseFeePerGas", [quantity(baseFeePerGas ?? 0n)]);
  const request = { from, to, data, value: quantity(value), gas: GAS, gasPrice: quantity(gasPrice) };
  const hash = await devnet.request<Hex>("eth_sendTransaction", [request]).catch((error: Error) => {
    if (/enough funds/.test(error.message)) return null;
    throw error;
  });
  if (hash === null) return { status: "unpayable", fee: 0n, logs: [] };
  const receipt = await devnet.request<{
    status: Hex;
    gasUsed: Hex;
    effectiveGasPrice: Hex;
    logs: readonly Log[];
  }>("eth_getTransactionReceipt", [hash]);
  return {
    status: receipt.status === "0x1" ? "succeeds" : "reverts",
    fee: BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice),
    logs: receipt.logs,
  };
}

/** The most that a transaction may have (EIP-7825). */
const GAS = "0x1000000";
const nothing = { compared: 0, announced: 0, differences: [] as readonly string[] };

/** Permissions that were foretold are as they were foretold, and no other changes, except by its use. */
async function comparePermissions(
  { devnet, tokens }: Place,
  block: BlockHeader,
  findings: Foretold,
  logs: readonly Log[],
) {
  const foretold = listForetoldPermissions(findings, tokens);
  const real = await readPermissions(
    devnet,
    foretold.map(({ permission }) => permission),
  );
  const differences = foretold.flatMap(({ permission, values }, index) => {
    const word = real[index] ?? null;
    return word !== null && values.includes(word)
      ? []
      : [`${keyOfPermission(permission)}: ${values.join(" or ")} foretold, ${word} on chain`];
  });
  const announced = listAnnounced(logs, findings.effects.accounts);
  const [earlier, later] = await Promise.all([
    readPermissions(devnet, announced, `0x${block.number.toString(16)}`),
    readPermissions(devnet, announced),
  ]);
  const keys = new Set(foretold.map(({ permission }) => keyOfPermission(permission)));
  for (const [index, permission] of announced.entries()) {
    const key = keyOfPermission(permission);
    const [was, is] = [earlier[index] ?? 0n, later[index] ?? 0n];
    // Some tokens announce what is left of an allowance that is used.
    const isUsed = was - is === sumLeaving(findings.effects, permission.token);
    if (was !== is && !isUsed && !keys.has(key))
      differences.push(`${key}: changed from ${was} to ${is}, which was not foretold`);
  }
  return { compared: foretold.length, announced: announced.length, differences };
}
