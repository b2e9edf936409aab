import { type Address, encodeFunctionData, getContractAddress, parseEther } from "viem";
import type { Deployer } from "./createDeployer.js";
import { devnetAccounts } from "./devnetAccounts.js";
import { type Artifact, loadArtifact } from "./loadArtifact.js";

/** Of each token, all of it made for the deployer. */
export const sampleSupply = parseEther("1000000000");
const storedValue = 42n;

/** Queues one token of each kind that a caller may meet, honest and malicious. */
export function deployTokens(deployer: Deployer) {
  const erc721 = loadSample("Erc721");
  const erc1155 = loadSample("Erc1155");
  const tokens = {
    plainToken: deployer.deploy(loadSample("PlainToken"), [sampleSupply]),
    bytes32Token: deployer.deploy(loadSample("Bytes32Token"), [sampleSupply]),
    pausableToken: deployer.deploy(loadSample("PausableToken"), [sampleSupply]),
    taxedToken: deployer.deploy(loadSample("TaxedToken"), [sampleSupply]),
    honeypotToken: deployer.deploy(loadSample("HoneypotToken"), [sampleSupply]),
    freshToken: deployer.deploy(loadSample("FreshToken"), [sampleSupply]),
    erc721: deployer.deploy(erc721),
    erc1155: deployer.deploy(erc1155),
  };
  deployer.send(tokens.erc721, erc721.abi, "mint", [devnetAccounts.alice.address, 1n]);
  deployer.send(tokens.erc1155, erc1155.abi, "mint", [devnetAccounts.alice.address, 1n, 100n]);
  return tokens;
}

/** Queues one proxy of each pattern, all in front of a box that stores 42 and belongs to the deployer. */
export function deployProxies(deployer: Deployer) {
  const box = loadSample("BoxV1");
  const initialization = encodeFunctionData({
    abi: box.abi,
    functionName: "initialize",
    args: [deployer.address, storedValue],
  });
  const boxV1 = deployer.deploy(box);
  const boxV2 = deployer.deploy(loadSample("BoxV2"));
  const uupsBoxV1 = deployer.deploy(loadSample("UupsBoxV1"));
  const uupsBoxV2 = deployer.deploy(loadSample("UupsBoxV2"));
  const proxiableBox = deployer.deploy(loadSample("ProxiableBox"));

  const transparentProxy = deployer.deploy(loadSample("TransparentUpgradeableProxy"), [
    boxV1,
    deployer.address,
    initialization,
  ]);
  const beacon = deployer.deploy(loadSample("UpgradeableBeacon"), [boxV1, deployer.address]);
  const cloneFactoryArtifact = loadSample("CloneFactory");
  const cloneFactory = deployer.deploy(cloneFactoryArtifact);
  const minimalProxy = predictFirstChild(cloneFactory);
  deployer.send(cloneFactory, cloneFactoryArtifact.abi, "clone", [boxV1]);
  deployer.send(minimalProxy, box.abi, "initialize", [deployer.address, storedValue]);

  return {
    boxV1,
    boxV2,
    uupsBoxV1,
    uupsBoxV2,
    proxiableBox,
    transparentProxy,
    upgradeableProxy: transparentProxy,
    // The transparent proxy's constructor creates its own admin.
    proxyAdmin: predictFirstChild(transparentProxy),
    uupsProxy: deployer.deploy(loadSample("ERC1967Proxy"), [uupsBoxV1, initialization]),
    beacon,
    beaconProxy: deployer.deploy(loadSample("BeaconProxy"), [beacon, initialization]),
    cloneFactory,
    minimalProxy,
    legacyProxy: deployer.deploy(loadSample("LegacyProxy"), [boxV1, deployer.address, initialization]),
    eip1822Proxy: deployer.deploy(loadSample("Uups1822Proxy"), [proxiableBox, initialization]),
  };
}

/** Queues a smart-contract wallet that belongs to alice. */
export function deployWallet(deployer: Deployer): Address {
  return deployer.deploy(loadSample("Wallet1271"), [devnetAccounts.alice.address]);
}

export function loadSample(name: string): Artifact {
  return loadArtifact(`@assay/contracts/out/${name}.json`);
}

// A contract's own nonce starts at one.
function predictFirstChild(creator: Address): Address {
  return getContractAddress({ from: creator, nonce: 1n });
}
