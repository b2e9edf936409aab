import {
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  getAddress,
  type Hex,
  hexToString,
  http,
  pad,
  parseAbi,
  slice,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import type { DevnetContracts } from "./deployContracts.js";
import { useDevnet } from "./testing/useDevnet.js";

const abi = parseAbi([
  "function value() view returns (uint256)",
  "function version() view returns (uint256)",
  "function owner() view returns (address)",
  "function upgradeAndCall(address, address, bytes)",
  "function upgradeToAndCall(address, bytes)",
  "function upgradeTo(address)",
  "function updateCodeAddress(address)",
  "function pause()",
]);
const slots = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
  legacyImplementation: "0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
  legacyAdmin: "0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b",
  proxiable: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7",
} as const;

const local = useDevnet();

function setUp() {
  const transport = http(local.devnet.rpcUrl);
  const client = createPublicClient({ chain: base, transport });
  const owner = createWalletClient({
    chain: base,
    transport,
    account: privateKeyToAccount(local.devnet.deployer.privateKey),
  });
  const read = (address: Address, functionName: "value" | "version") =>
    client.readContract({ address, abi, functionName });
  return { ...local.devnet.contracts, client, owner, read };
}

async function readSlot(proxy: keyof DevnetContracts, slot: keyof typeof slots): Promise<Address> {
  const word = await local.devnet.request<Hex>("eth_getStorageAt", [
    local.devnet.contracts[proxy],
    slots[slot],
    "latest",
  ]);
  return getAddress(slice(pad(word), 12));
}

test.each([
  ["transparentProxy", "implementation", "boxV1"],
  ["transparentProxy", "admin", "proxyAdmin"],
  ["uupsProxy", "implementation", "uupsBoxV1"],
  ["beaconProxy", "beacon", "beacon"],
  ["legacyProxy", "legacyImplementation", "boxV1"],
  ["eip1822Proxy", "proxiable", "proxiableBox"],
] as const)("%s keeps its %s where its pattern says", async (proxy, slot, expected) => {
  expect(await readSlot(proxy, slot)).toBe(getAddress(local.devnet.contracts[expected]));
});

test("the legacy proxy's admin is the deployer", async () => {
  expect(await readSlot("legacyProxy", "legacyAdmin")).toBe(local.devnet.deployer.address);
});

test("the minimal proxy is EIP-1167 code for the box", async () => {
  const { client, minimalProxy, boxV1 } = setUp();
  const code = await client.getCode({ address: minimalProxy });
  expect(code).toBe(`0x363d3d373d3d3d363d73${boxV1.slice(2).toLowerCase()}5af43d82803e903d91602b57fd5bf3`);
});

test.each([
  "transparentProxy",
  "uupsProxy",
  "beaconProxy",
  "minimalProxy",
  "legacyProxy",
  "eip1822Proxy",
] as const)("%s answers through its box", async (proxy) => {
  const { read, [proxy]: address } = setUp();
  expect([await read(address, "value"), await read(address, "version")]).toEqual([42n, 1n]);
});

test("each upgradeable proxy can be moved to the second version by its owner", async () => {
  const { owner, read, boxV2, uupsBoxV2, ...contracts } = setUp();
  await owner.writeContract({
    abi,
    address: contracts.proxyAdmin,
    functionName: "upgradeAndCall",
    args: [contracts.transparentProxy, boxV2, "0x"],
  });
  await owner.writeContract({
    abi,
    address: contracts.uupsProxy,
    functionName: "upgradeToAndCall",
    args: [uupsBoxV2, "0x"],
  });
  await owner.writeContract({
    abi,
    address: contracts.beacon,
    functionName: "upgradeTo",
    args: [boxV2],
  });
  await owner.writeContract({
    abi,
    address: contracts.legacyProxy,
    functionName: "upgradeTo",
    args: [boxV2],
  });
  const { transparentProxy, uupsProxy, beaconProxy, legacyProxy } = contracts;
  for (const proxy of [transparentProxy, uupsProxy, beaconProxy, legacyProxy]) {
    expect([await read(proxy, "value"), await read(proxy, "version")]).toEqual([42n, 2n]);
  }
});

test("a stranger cannot upgrade", async () => {
  const { client, boxV2, uupsBoxV2, proxiableBox, ...contracts } = setUp();
  const account = local.devnet.settler.address;
  const attempts = await Promise.allSettled([
    client.simulateContract({
      account,
      abi,
      address: contracts.uupsProxy,
      functionName: "upgradeToAndCall",
      args: [uupsBoxV2, "0x"],
    }),
    client.simulateContract({
      account,
      abi,
      address: contracts.legacyProxy,
      functionName: "upgradeTo",
      args: [boxV2],
    }),
    client.simulateContract({
      account,
      abi,
      address: contracts.eip1822Proxy,
      functionName: "updateCodeAddress",
      args: [proxiableBox],
    }),
  ]);
  for (const attempt of attempts) {
    expect(attempt).toMatchObject({ status: "rejected", reason: { name: "ContractFunctionExecutionError" } });
  }
});

test("the EIP-1822 box accepts only another of its kind", async () => {
  const { client, eip1822Proxy: address, proxiableBox, boxV2 } = setUp();
  const call = {
    account: local.devnet.deployer.address,
    abi,
    address,
    functionName: "updateCodeAddress",
  } as const;
  await client.simulateContract({ ...call, args: [proxiableBox] });
  await expect(client.simulateContract({ ...call, args: [boxV2] })).rejects.toThrow("reverted");
});

test("the bytes32 token's name is no string", async () => {
  const { client, bytes32Token: address } = setUp();
  const bytes32Abi = parseAbi(["function name() view returns (bytes32)"]);
  const name = await client.readContract({ address, abi: bytes32Abi, functionName: "name" });
  expect(hexToString(name, { size: 32 })).toBe("Bytes32 Token");
  await expect(client.readContract({ address, abi: erc20Abi, functionName: "name" })).rejects.toThrow();
});

test("a paused token does not move", async () => {
  const { client, owner, pausableToken: address } = setUp();
  const call = {
    account: local.devnet.deployer.address,
    address,
    abi: erc20Abi,
    functionName: "transfer",
    args: [local.devnet.payTo, 1n],
  } as const;
  await client.simulateContract(call);
  await owner.writeContract({ address, abi, functionName: "pause" });
  await expect(client.simulateContract(call)).rejects.toThrow("reverted");
});

test.each([
  ["erc721", "0x80ac58cd"],
  ["erc1155", "0xd9b67a26"],
] as const)("%s says which standard it follows", async (name, interfaceId) => {
  const { client, [name]: address } = setUp();
  const introspection = parseAbi(["function supportsInterface(bytes4) view returns (bool)"]);
  const call = {
    address,
    abi: introspection,
    functionName: "supportsInterface",
    args: [interfaceId],
  } as const;
  expect(await client.readContract(call)).toBe(true);
});
