import { createRequire } from "node:module";
import type { Chain, ChainRead } from "@assay/chain";
import { lowercase } from "@assay/chain/testing/lowercase";
import { useLocalChain } from "@assay/chain/testing/useLocalChain";
import { withoutAnswers } from "@assay/chain/testing/withoutAnswers";
import type { Devnet } from "@assay/devnet";
import { canonicalJson, type Hex } from "@assay/protocol";
import { type Abi, encodeFunctionData, zeroAddress } from "viem";
import { type ListedAsset, listedAssetSchema, listLocalIssuers } from "../../shared/issuers/listedAsset.js";
import { verifyFacts } from "../../shared/proofs/provableFact.js";
import { createGatherContext } from "../../testing/createGatherContext.js";
import { createLauncher } from "../../testing/createLauncher.js";
import { loadSample, type SampleContract } from "../../testing/loadSample.js";
import { createMemoryRecords } from "../../testing/memoryRecords.js";
import { runCapability } from "../../testing/runCapability.js";
import { gatherer } from "../gather/gather.js";
import { input as inputSchema } from "../input.js";
import { rule } from "../rule.js";

const rwaMarketGuard = { ...rule, ...gatherer };

const load = createRequire(import.meta.url);
/** ERC-3643 as T-REX publishes it. */
const loadSuite = (path: string, name: string): SampleContract =>
  load(`@tokenysolutions/t-rex/artifacts/contracts/${path}/${name}.sol/${name}.json`);

type Listing = Partial<Omit<ListedAsset, "addresses">>;

const FEED_AGE = 3_600;

export interface AssetQuestion {
  readonly address: string;
  readonly symbol?: string | null;
  /** The operator's list; by default the local chain's own. */
  readonly issuers?: readonly ListedAsset[];
  readonly through?: Chain;
}

/** What tests do to a local chain before they ask about a token on it. */
function createIssuer(devnet: Devnet) {
  const launcher = createLauncher(devnet);
  const { contracts } = devnet;
  const suite = {
    token: loadSuite("token", "Token"),
    rules: loadSuite("compliance/modular", "ModularCompliance"),
  };
  const feedAbi = loadSample("SampleFeed").abi;

  /** State set by force is seen from the next block on. */
  async function setCode(address: string, code: Hex): Promise<void> {
    await devnet.request("hardhat_setCode", [address, code]);
    await devnet.mine();
  }
  /** Puts a new token of the suite into circulation: alice, who is verified, holds some. */
  async function issue(token: string): Promise<void> {
    const { abi } = suite.token;
    await launcher.call(token, abi, "addAgent", [devnet.deployer.address]);
    await launcher.call(token, abi, "unpause");
    await launcher.call(token, abi, "mint", [devnet.accounts[0]?.address, 1_000_000n]);
  }

  return {
    ...launcher,
    devnet,
    list: (address: string, changes: Listing = {}): ListedAsset[] => [
      listedAssetSchema.parse({
        symbol: "STF",
        issuer: "SampleContract Treasury",
        addresses: [address],
        ...changes,
      }),
    ],
    localList: listLocalIssuers(contracts),
    feed: { kind: "chainlink", address: lowercase(contracts.assetFeed), maxAgeSeconds: FEED_AGE } as const,
    onToken: (functionName: string, args: readonly unknown[] = []) =>
      launcher.call(contracts.permissionedToken, suite.token.abi, functionName, args),
    onRules: (functionName: string, args: readonly unknown[] = []) =>
      launcher.call(contracts.modularCompliance, suite.rules.abi, functionName, args),
    /** Seconds are counted from the block's own time. */
    async setRound(feed: string, round: Partial<Round>) {
      const { timestamp } = await devnet.request<{ timestamp: Hex }>("eth_getBlockByNumber", [
        "latest",
        false,
      ]);
      const now = BigInt(timestamp);
      await launcher.call(feed, feedAbi, "setRound", [
        {
          id: round.id ?? 9n,
          answer: round.answer ?? 100n,
          startedAt: now - (round.startedAgo ?? 60n),
          updatedAt: round.updatedAgo === null ? 0n : now - (round.updatedAgo ?? 60n),
          answeredIn: round.answeredIn ?? 9n,
        },
      ]);
    },
    setCode,
    /** A token behind T-REX's own proxy, whose authority belongs to the deployer. */
    async deployProxied(): Promise<{ token: Hex; authority: Hex; authorityAbi: Abi }> {
      const authority = loadSuite("proxy/authority", "TREXImplementationAuthority");
      const address = await launcher.create(authority, [true, zeroAddress, zeroAddress]);
      const code = await launcher.create(suite.token);
      const any = contracts.identityRegistry;
      await launcher.call(address, authority.abi, "addAndUseTREXVersion", [
        { major: 4, minor: 0, patch: 0 },
        {
          tokenImplementation: code,
          ctrImplementation: any,
          irImplementation: any,
          irsImplementation: any,
          tirImplementation: any,
          mcImplementation: any,
        },
      ]);
      const rules = await launcher.create(suite.rules);
      await launcher.call(rules, suite.rules.abi, "init");
      const args = [address, any, rules, "Proxied Fund", "STF", 6, zeroAddress];
      const token = await launcher.create(loadSuite("proxy", "TokenProxy"), args);
      await issue(token);
      return { token, authority: address, authorityAbi: authority.abi };
    },
    /** The same token behind OpenZeppelin's transparent proxy, whose admin's owner is named. */
    async deployTransparent(owner: string): Promise<Hex> {
      const code = await launcher.create(suite.token);
      const rules = await launcher.create(suite.rules);
      await launcher.call(rules, suite.rules.abi, "init");
      const data = encodeFunctionData({
        abi: suite.token.abi,
        functionName: "init",
        args: [contracts.identityRegistry, rules, "Transparent Fund", "STF", 6, zeroAddress],
      });
      const token = await launcher.deploy("TransparentUpgradeableProxy", [code, owner, data]);
      await issue(token);
      return token;
    },
    /** Contracts in place of the precompiles that this chain does not have. */
    async deployB20(isInitialized = true): Promise<Hex> {
      const token = await launcher.deploy("SampleB20Token", ["STF"]);
      const factory = "0xb20f000000000000000000000000000000000000";
      await setCode(factory, deployedCode("SampleB20Factory"));
      await setCode("0x8453000000000000000000000000000000000002", deployedCode("SampleB20Policies"));
      await launcher.call(factory, loadSample("SampleB20Factory").abi, "register", [token, isInitialized]);
      return token;
    },
  };
}

export type Issuer = ReturnType<typeof createIssuer>;

interface Round {
  readonly id: bigint;
  readonly answer: bigint;
  readonly startedAgo: bigint;
  /** Null for a round that has no answer yet. */
  readonly updatedAgo: bigint | null;
  readonly answeredIn: bigint;
}

const deployedCode = (name: string) => load(`@assay/contracts/out/${name}.json`).deployedBytecode as Hex;

/** A local chain for the tests of one file; what a test changes in its state is undone after it. */
export function useAssetFixture() {
  const local = useLocalChain();
  const records = createMemoryRecords();

  return {
    get devnet() {
      return local.devnet;
    },
    get issuer() {
      return createIssuer(local.devnet);
    },

    /** Runs the capability as the service does, and proves what it says of the state. */
    async guard({ address, symbol = null, issuers, through = local.chain }: AssetQuestion) {
      const block = await local.chain.latestBlock();
      const input = inputSchema.parse({ address, symbol });
      const list = issuers ?? listLocalIssuers(local.devnet.contracts);
      const context = { ...createGatherContext(through, block, records), issuers: list };
      const result = await runCapability(rwaMarketGuard, context, input);
      if (through === local.chain) verifyFacts(context.proofs, result.facts);
      return { ...result, bytes: canonicalJson(result.gathered.readings).length };
    },

    deafTo: (matches: (read: ChainRead) => boolean): Chain => withoutAnswers(local.chain, matches),
  };
}
