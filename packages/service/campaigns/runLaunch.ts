import { createHash } from "node:crypto";
import { gatherer as swapGatherer } from "@assay/capabilities/amm.swap.guard/gather/gather";
import { rule as swapRule } from "@assay/capabilities/amm.swap.guard/rule";
import { createGatherContext } from "@assay/capabilities/testing/createGatherContext";
import { runCapability } from "@assay/capabilities/testing/runCapability";
import { gatherer } from "@assay/capabilities/token.launch.guard/gather/gather";
import { rule } from "@assay/capabilities/token.launch.guard/rule";
import { type Chain, createChain } from "@assay/chain";
import { createDevnet, type Devnet } from "@assay/devnet";
import type { Hex, Verdict } from "@assay/protocol";
import {
  concat,
  decodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  keccak256,
  parseAbi,
  parseAbiItem,
  parseAbiParameters,
  slice,
  toEventSelector,
  toHex,
  zeroAddress,
} from "viem";
import { type CampaignOptions, type CampaignSummary, Tally } from "./commandLine.js";
import { compileTokens } from "./launch/compileTokens.js";
import type { LaunchCase, Step } from "./launch/launchCase.js";
import { launchCorpus } from "./launch/launchCorpus.js";
import {
  createLaunchWorld,
  DEV,
  type LaunchWorld,
  type OpenMarket,
  OTHER,
  VICTIM,
} from "./launch/launchWorld.js";
import { lockerSource } from "./launch/lockers.js";

export interface LaunchOptions extends CampaignOptions {
  /** The cases to run; all of them where it is left out. */
  readonly cases?: readonly LaunchCase[];
  /** Whether amm.swap.guard is asked about the purchase too. */
  readonly withSwaps?: boolean;
}

export interface LaunchSummary extends CampaignSummary {
  /** By guard, half, label and verdict. */
  readonly seen: Tally;
  readonly kinds: number;
  /** Taxes compared with real trades, and those that are not within ten basis points. */
  readonly taxes: { readonly compared: number; readonly missed: readonly string[] };
  /** Honest tokens that are not allowed, with the reasons. */
  readonly doubted: readonly string[];
  readonly ms: number;
}

interface World {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly acts: LaunchWorld;
  readonly compiled: ReturnType<typeof compileTokens>;
}

const launchGuard = { ...rule, ...gatherer };
const swapGuard = { ...swapRule, ...swapGatherer };
/** A buyer who gets back less than this part was trapped; an honest token leaves more than that. */
const TRAPPED = 0.5;
const KEPT = 0.75;
const SWAP = toEventSelector("Swap(address,uint256,uint256,uint256,uint256,address)");
/** Of the pair's two tokens. */
const PAID_IN = parseAbiParameters("uint256, uint256");

/**
 * Tokens made of parts are launched, judged, bought by a real account, armed by their deployer and sold. A token whose buyer
 * loses must not be allowed; the label of each case is itself checked by what the buyer gets back.
 */
export async function runLaunch(options: LaunchOptions): Promise<LaunchSummary> {
  const startedAt = performance.now();
  const cases = options.cases ?? launchCorpus;
  const devnet = await createDevnet({ blockTimeMs: 0 });
  const chain = await createChain({
    rpcUrls: [devnet.rpcUrl],
    expectedChainId: 8453,
    // On a busy machine a reading that comes late would be one that never came.
    requestTimeoutMs: 120_000,
  });
  const seen = new Tally();
  const violations: string[] = [];
  const doubted: string[] = [];
  const taxes = { compared: 0, missed: [] as string[] };
  try {
    const compiled = compileTokens({
      // The compiler takes a second for them, and few tokens need one.
      ...(cases.some(needsLocker) && { lockers: lockerSource }),
      ...Object.fromEntries(cases.map(({ name, source }) => [name, source])),
    });
    const acts = await createLaunchWorld(devnet);
    const world = { devnet, chain, acts, compiled };
    for (const one of cases) {
      const snapshot = await devnet.snapshot();
      try {
        const outcome = await runCase(world, one, options.withSwaps ?? true);
        const half = halfOf(one.name);
        seen.add(`launch ${half} ${one.label} ${outcome.launch.verdict}`);
        if (outcome.swap !== null) seen.add(`swap ${half} ${one.label} ${outcome.swap.verdict}`);
        const { recovered } = outcome;
        if (one.label === "trap" ? recovered >= TRAPPED : recovered < KEPT)
          violations.push(`${one.name} is labelled ${one.label}, and ${recovered.toFixed(3)} came back`);
        if (one.label === "trap" && outcome.launch.verdict === "allow")
          violations.push(
            `token.launch.guard allows the trap ${one.name} (${outcome.launch.reasonCodes.join(", ")})`,
          );
        if (one.label === "trap" && outcome.swap?.verdict === "allow")
          violations.push(`amm.swap.guard allows the trap ${one.name}`);
        if (one.label === "honest" && outcome.launch.verdict !== "allow")
          doubted.push(`${outcome.launch.verdict} ${one.name}: ${outcome.launch.reasonCodes.join(", ")}`);
        taxes.compared += outcome.taxes.compared;
        taxes.missed.push(...outcome.taxes.missed.map((miss) => `${one.name}: ${miss}`));
        options.onProgress?.(
          `${one.label} ${one.name}: ${outcome.launch.verdict}${outcome.swap ? ` / ${outcome.swap.verdict}` : ""}, ${recovered.toFixed(3)}`,
        );
      } catch (error) {
        violations.push(`${one.name} was not played: ${(error as Error).message}`);
      } finally {
        await devnet.revert(snapshot);
      }
    }
  } finally {
    await chain.close();
    await devnet.close();
  }
  return {
    campaign: "launch",
    seed: options.seed,
    violations,
    seen,
    kinds: new Set(cases.filter(({ label }) => label === "trap").map(({ kind }) => kind)).size,
    taxes,
    doubted,
    ms: Math.round(performance.now() - startedAt),
  };
}

const needsLocker = ({ liquidity = "burnt", vested }: LaunchCase): boolean =>
  vested === true || (liquidity !== "burnt" && liquidity !== "dev");

/** Half of the cases were looked at while the guard was made; of the others only the figures. */
const halfOf = (name: string): "seen" | "held" =>
  (createHash("sha256").update(name).digest()[0] ?? 0) % 2 === 0 ? "seen" : "held";

interface Judged {
  readonly verdict: Verdict;
  readonly reasonCodes: readonly string[];
}

interface Outcome {
  readonly launch: Judged;
  readonly swap: Judged | null;
  /** The part of what was spent that a real buyer got back. */
  readonly recovered: number;
  readonly taxes: LaunchSummary["taxes"];
}

async function runCase(world: World, one: LaunchCase, withSwaps: boolean): Promise<Outcome> {
  const { acts, chain } = world;
  const { token, market, companions } = await launch(world, one);
  const block = await chain.latestBlock();
  const context = createGatherContext(chain, block);
  const judged = await runCapability(launchGuard, context, { address: token.toLowerCase() as Hex });
  const real = await tradeForReal(world, market);
  const swap = withSwaps ? await judgeSwap(world, market, real.bought) : null;
  const bought = await acts.swap(market, VICTIM, false, market.spent);
  // What a trap shows before it is armed proves nothing.
  const measured =
    one.label === "honest" ? compareTaxes(judged.findings.figures, real) : { compared: 0, missed: [] };
  if (bought === null) return { launch: judged, swap, recovered: 0, taxes: measured };
  await acts.pass(1, 0);
  for (const step of one.arm ?? []) await act(world, token, market, step, companions, bought);
  for (let count = 0; count < (one.others ?? 0); count++) await acts.swap(market, OTHER, false, market.spent);
  if (one.rug === "pull") {
    const keeper = companions.get("keeper");
    if (market.pair) await gatherUp(world, market.pair, one.sharePockets ?? 0);
    if (one.later) await acts.pass(one.later.blocks, one.later.seconds);
    // A keeper of the source is opened by its own steps, unless it opens by itself.
    if (keeper && (one.keeper === undefined || one.later))
      await acts.call(DEV, keeper, parseAbi(["function release()"]), "release");
    await acts.pull(market);
  } else if (one.later) await acts.pass(one.later.blocks, one.later.seconds);
  if (one.rug === "dump") {
    await gatherUp(world, token, one.pockets ?? 0);
    await dump(world, market);
  }
  const held = await acts.balanceOf(token, VICTIM);
  const sold = held === 0n ? null : await acts.swap(market, VICTIM, true, held);
  const recovered = sold === null ? 0 : Number((sold * 10_000n) / market.spent) / 10_000;
  return { launch: judged, swap, recovered, taxes: measured };
}

async function launch(world: World, one: LaunchCase) {
  const { acts, compiled, chain } = world;
  const own = compiled[one.name] ?? {};
  const companions = new Map<string, Hex>();
  for (const name of one.companions ?? []) {
    const artifact = own[name];
    if (artifact) companions.set(name, await acts.deploy(artifact));
  }
  const artifact = own[one.contract];
  if (!artifact) throw new Error(`${one.name} has no contract ${one.contract}`);
  const token = await acts.deploy(artifact, [...companions.values()]);
  const whole = await acts.balanceOf(token, DEV);
  const tokens = (whole * BigInt(10_000 - (one.keptBps ?? 200))) / 10_000n;
  const kept = one.liquidity ?? (one.keeper === undefined ? "burnt" : "dev");
  const market = await acts.open(token, one.pool ?? "pair", tokens, kept === "burnt");
  const now = (await chain.latestBlock()).timestamp;
  const lock = async (held: Hex, contract: string, until: number) => {
    const keeper = compiled.lockers?.[contract];
    if (!keeper) throw new Error(`there is no locker ${contract}`);
    const address = await acts.deploy(keeper, [held, DEV, BigInt(until)]);
    await acts.call(DEV, held, erc20Abi, "transfer", [address, await acts.balanceOf(held, DEV)]);
    return address;
  };
  const lockers = {
    locked: "TimeLock",
    freeLock: "FreeLock",
    shortLock: "TimeLock",
    buried: "Grave",
  } as const;
  const artifactOfKeeper = one.keeper === undefined ? undefined : own[one.keeper];
  if (artifactOfKeeper && market.pair !== null) {
    const keeper = await acts.deploy(artifactOfKeeper, [market.pair, DEV, BigInt(now + 31_536_000)]);
    await acts.call(DEV, market.pair, erc20Abi, "transfer", [keeper, await acts.balanceOf(market.pair, DEV)]);
    companions.set("keeper", keeper);
  } else if (kept !== "burnt" && kept !== "dev" && market.pair !== null)
    companions.set(
      "keeper",
      await lock(market.pair, lockers[kept], now + (kept === "shortLock" ? 3_600 : 31_536_000)),
    );
  if (market.pair) await handOut(world, market.pair, one.sharePockets ?? 0);
  await handOut(world, token, one.pockets ?? 0);
  if (one.vested) await lock(token, "TimeLock", now + 31_536_000);
  for (const step of one.finish ?? []) await act(world, token, market, step, companions, 0n);
  await acts.pass(4, 8);
  return { token, market, companions };
}

/** Accounts of the deployer that nobody can tell from those of others. */
const listPockets = (count: number): Hex[] =>
  Array.from({ length: count }, (_, index) => slice(keccak256(toHex(`pocket ${index}`)), 0, 20));

async function handOut({ acts }: World, held: Hex, count: number): Promise<void> {
  if (count === 0) return;
  const each = (await acts.balanceOf(held, DEV)) / BigInt(count);
  for (const pocket of listPockets(count)) await acts.call(DEV, held, erc20Abi, "transfer", [pocket, each]);
}

async function gatherUp({ acts }: World, held: Hex, count: number): Promise<void> {
  for (const pocket of listPockets(count)) {
    await acts.admit(pocket);
    await acts.call(pocket, held, erc20Abi, "transfer", [DEV, await acts.balanceOf(held, pocket)]);
  }
}

async function act(
  { acts, devnet }: World,
  token: Hex,
  market: OpenMarket,
  { signature, args, on, as = DEV, value: sent, delegatesTo }: Step,
  companions: ReadonlyMap<string, Hex>,
  bought: bigint,
): Promise<void> {
  const supply = await acts.view<bigint>(token, erc20Abi, "totalSupply");
  const named: Readonly<Record<string, unknown>> = {
    victim: VICTIM,
    dev: DEV,
    pool: market.pair,
    token,
    nobody: zeroAddress,
    supply: supply * 100n,
    shares: market.pair ? await acts.balanceOf(market.pair, companions.get("keeper") ?? as) : 0n,
    held:
      market.pair && signature.startsWith("squeeze")
        ? ((await acts.balanceOf(token, market.pair)) * 99n) / 100n
        : bought,
    ...Object.fromEntries(companions),
  };
  if (as !== DEV) await acts.admit(as);
  if (delegatesTo !== undefined) {
    await devnet.request("hardhat_setCode", [as, concat(["0xef0100", companions.get(delegatesTo) ?? "0x"])]);
    return;
  }
  const to = on === "pool" ? (market.pair ?? undefined) : on ? companions.get(on) : token;
  if (signature === "") {
    await acts.send(as, to, "0x", sent);
    return;
  }
  const item = parseAbiItem(`function ${signature}`);
  if (item.type !== "function") throw new Error(`${signature} is no function`);
  const values = args.map((argument, index) => {
    const value = typeof argument === "string" ? (named[argument] ?? argument) : argument;
    const type = item.inputs[index]?.type ?? "";
    if (type.endsWith("[]")) return [value];
    if (type === "uint8" || type === "uint16") return Number(value);
    return type === "bytes32" ? `0x${(value as bigint).toString(16).padStart(64, "0")}` : value;
  });
  const data = encodeFunctionData({ abi: [item], args: values });
  const { status } = await acts.send(as, to, data, sent);
  if (status !== "0x1") throw new Error(`${signature} was refused to ${as}`);
}

/** The deployer sells what it has, and takes from the buyer what it was granted. */
async function dump({ acts }: World, market: OpenMarket): Promise<void> {
  const held = await acts.balanceOf(market.token, VICTIM);
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [VICTIM, DEV, held] });
  await acts.send(DEV, market.token, data);
  const own = await acts.balanceOf(market.token, DEV);
  if (own > 0n) await acts.swap(market, DEV, true, own);
}

async function judgeSwap({ acts, chain }: World, market: OpenMarket, given: bigint): Promise<Judged> {
  const { to } = acts.encodeSwap(market, false, market.spent, VICTIM);
  await acts.call(VICTIM, market.quote, erc20Abi, "approve", [to, 2n ** 255n]);
  const block = await chain.latestBlock();
  const deadline = BigInt(block.timestamp + 600);
  const { data } = acts.encodeSwap(market, false, market.spent, VICTIM, (given * 98n) / 100n, deadline);
  const context = createGatherContext(chain, block);
  return runCapability(swapGuard, context, { from: VICTIM, to: to.toLowerCase() as Hex, data, value: "0" });
}

interface RealTrade {
  readonly bought: bigint;
  readonly buyTaxBps: number | null;
  readonly sellTaxBps: number | null;
}

/** A real purchase and sale before anything is armed, as soon as it can be, undone afterwards. Taxes are measured in pairs. */
async function tradeForReal(world: World, market: OpenMarket): Promise<RealTrade> {
  const { acts, devnet } = world;
  const snapshot = await devnet.snapshot();
  try {
    const promised = await acts.quote(market, market.spent);
    const bought = (await acts.swap(market, VICTIM, false, market.spent)) ?? 0n;
    const bps = (whole: bigint, part: bigint) =>
      whole === 0n ? null : Number(((whole - part) * 20_000n + whole) / (whole * 2n));
    const buyTaxBps = promised === null ? null : bps(promised, bought);
    const { pair } = market;
    if (bought === 0n || !pair) return { bought, buyTaxBps, sellTaxBps: null };
    await acts.pass(1, 0);
    const reached =
      (await sellForReal(world, market, bought)) ??
      // Some tokens let a buyer wait.
      (await acts.pass(2, 700).then(() => sellForReal(world, market, bought)));
    return { bought, buyTaxBps, sellTaxBps: reached === null ? null : bps(bought, reached) };
  } finally {
    await devnet.revert(snapshot);
  }
}

/**
 * What the pair counted as paid in by a real sale, or null where it failed. Its last swap is the seller's: before it a token may
 * sell taxes that it had collected.
 */
async function sellForReal({ acts, devnet }: World, market: OpenMarket, amount: bigint) {
  const fromBlock = toHex(BigInt(await devnet.request<Hex>("eth_blockNumber")) + 1n);
  if ((await acts.swap(market, VICTIM, true, amount)) === null) return null;
  const swaps = await devnet.request<readonly { readonly data: Hex }[]>("eth_getLogs", [
    { fromBlock, toBlock: "latest", address: market.pair, topics: [SWAP] },
  ]);
  const [first, second] = decodeAbiParameters(PAID_IN, swaps.at(-1)?.data ?? "0x");
  return market.token.toLowerCase() < market.quote.toLowerCase() ? first : second;
}

/** The taxes that the guard states beside the real ones. */
function compareTaxes(
  figures: { readonly buyTaxBps?: number | null; readonly sellTaxBps?: number | null },
  real: RealTrade,
): LaunchSummary["taxes"] {
  const pairs = (["buyTaxBps", "sellTaxBps"] as const).flatMap((name) => {
    const [stated, traded] = [figures[name], real[name]];
    return typeof stated === "number" && typeof traded === "number" ? [{ name, stated, traded }] : [];
  });
  return {
    compared: pairs.length,
    missed: pairs
      .filter(({ stated, traded }) => Math.abs(stated - traded) > 10)
      .map(({ name, stated, traded }) => `${name} is said to be ${stated}, and was ${traded}`),
  };
}
