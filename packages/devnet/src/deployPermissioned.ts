import { parseUnits, zeroAddress } from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { Deployer, Installation } from "./createDeployer.js";
import { loadSample } from "./deploySamples.js";
import { devnetAccounts } from "./devnetAccounts.js";
import { loadArtifact } from "./loadArtifact.js";

const loadSuite = (path: string, name: string) =>
  loadArtifact(`@tokenysolutions/t-rex/artifacts/contracts/${path}/${name}.sol/${name}.json`);

/** Longer ago than any grace period, in Unix seconds. */
const SEQUENCER_UP_SINCE = 1_700_000_000n;
const UNITED_STATES = 840;

/** The feed of the sequencer's state: zero means that it is up. */
export function listFeeds(): Installation[] {
  const args = [0, 0n, SEQUENCER_UP_SINCE];
  return [{ address: canonicalAddresses.sequencerFeed, artifact: loadSample("SampleFeed"), args }];
}

/**
 * Queues a token of ERC-3643 with all contracts it depends on, as T-REX publishes them and without proxies, so that its code
 * cannot be replaced. The deployer owns it and is its agent; alice is a verified holder. A feed gives its price in dollars.
 */
export function deployPermissioned(deployer: Deployer) {
  const registries = "registry/implementation";
  const start = (artifact: ReturnType<typeof loadSuite>, args: readonly unknown[] = []) => {
    const address = deployer.deploy(artifact);
    deployer.send(address, artifact.abi, "init", args);
    return address;
  };
  const storage = loadSuite(registries, "IdentityRegistryStorage");
  const registry = loadSuite(registries, "IdentityRegistry");
  const token = loadSuite("token", "Token");
  const identityStorage = start(storage);
  const identityRegistry = start(registry, [
    start(loadSuite(registries, "TrustedIssuersRegistry")),
    start(loadSuite(registries, "ClaimTopicsRegistry")),
    identityStorage,
  ]);
  deployer.send(identityStorage, storage.abi, "bindIdentityRegistry", [identityRegistry]);
  const modularCompliance = start(loadSuite("compliance/modular", "ModularCompliance"));
  const permissionedToken = start(token, [
    identityRegistry,
    modularCompliance,
    "Sample Treasury Fund",
    "STF",
    6,
    zeroAddress,
  ]);
  deployer.send(identityRegistry, registry.abi, "addAgent", [deployer.address]);
  deployer.send(permissionedToken, token.abi, "addAgent", [deployer.address]);
  const holder = devnetAccounts.alice.address;
  const identity = deployer.deploy(
    loadArtifact(
      "@tokenysolutions/t-rex/artifacts/@onchain-id/solidity/contracts/Identity.sol/Identity.json",
    ),
    [holder, false],
  );
  deployer.send(identityRegistry, registry.abi, "registerIdentity", [holder, identity, UNITED_STATES]);
  deployer.send(permissionedToken, token.abi, "mint", [holder, parseUnits("1000000", 6)]);
  deployer.send(permissionedToken, token.abi, "unpause");
  const assetFeed = deployer.deploy(loadSample("SampleFeed"), [8, parseUnits("1.02", 8), 0n]);
  return { permissionedToken, identityRegistry, modularCompliance, assetFeed };
}
