import { createRequire } from "node:module";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeDeployData, encodeFunctionData, getAddress, toHex } from "viem";

/** What runs behind the proxy, one after another: three upgrades, and back. */
const phases = ["A1", "B1", "A2", "B2", "A3"] as const;
type Phase = "before" | (typeof phases)[number];
export type Moment = `${Phase} ${"first" | "middle" | "last"}`;
export type Implementation = "A" | "B" | "none";

/** One proxy from before its creation to the newest block. */
export interface UpgradeHistory {
  readonly proxy: Hex;
  blockAt(moment: Moment): number;
  implementationOf(name: Implementation): Hex | null;
}

export const proxyKinds = ["EIP-1967", "beacon", "EIP-1822", "ZeppelinOS"] as const;
export type ProxyKind = (typeof proxyKinds)[number];

interface Plan {
  readonly a: Hex;
  readonly b: Hex;
  readonly create: () => Promise<Receipt>;
  readonly upgrade: (proxy: Hex, implementation: Hex) => Promise<Receipt>;
}
interface Receipt {
  readonly status: Hex;
  readonly blockNumber: Hex;
  readonly contractAddress: Hex | null;
}

/** Creates a proxy of each kind and takes all of them through the same upgrades, each in a block of its own. */
export async function recordUpgradeHistories(devnet: Devnet): Promise<Record<ProxyKind, UpgradeHistory>> {
  const plans = await planProxies(devnet);
  await devnet.mine(3);
  const starts = Object.fromEntries(proxyKinds.map((kind) => [kind, [] as number[]]));
  const proxies: Record<string, Hex> = {};
  for (const phase of phases) {
    for (const kind of proxyKinds) {
      const { a, b, create, upgrade } = plans[kind];
      const proxy = proxies[kind];
      const { blockNumber, contractAddress } = await (proxy
        ? upgrade(proxy, phase.startsWith("A") ? a : b)
        : create());
      if (contractAddress) proxies[kind] = contractAddress;
      starts[kind]?.push(Number(blockNumber));
    }
    await devnet.mine(2);
  }
  const end = Number(await devnet.request<Hex>("eth_blockNumber"));
  const histories = proxyKinds.map((kind) => {
    const { a, b } = plans[kind];
    return [kind, describeHistory(proxies[kind] as Hex, starts[kind] ?? [], end, { a, b })] as const;
  });
  return Object.fromEntries(histories) as Record<ProxyKind, UpgradeHistory>;
}

function describeHistory(proxy: Hex, starts: number[], end: number, { a, b }: Pick<Plan, "a" | "b">) {
  const [created = 0] = starts;
  const firsts = [created - 3, ...starts];
  const names: readonly Phase[] = ["before", ...phases];
  return {
    proxy: proxy.toLowerCase() as Hex,
    blockAt(moment: Moment) {
      const [phase, place] = moment.split(" ") as [Phase, string];
      const at = names.indexOf(phase);
      const first = firsts[at] as number;
      const last = (firsts[at + 1] ?? end + 1) - 1;
      if (last - first < 2) throw new Error(`${phase} is too short to have a middle`);
      return place === "first" ? first : place === "last" ? last : first + 1;
    },
    implementationOf: (name: Implementation) => (name === "none" ? null : getAddress(name === "A" ? a : b)),
  };
}

async function planProxies(devnet: Devnet): Promise<Record<ProxyKind, Plan>> {
  const { contracts, deployer } = devnet;
  const { boxV1, boxV2, uupsBoxV1, uupsBoxV2, proxiableBox } = contracts;
  await devnet.request("hardhat_impersonateAccount", [deployer.address]);
  const send = async (transaction: { to?: Hex; data: Hex }): Promise<Receipt> => {
    const request = { from: deployer.address, gas: toHex(3_000_000), ...transaction };
    const hash = await devnet.request<Hex>("eth_sendTransaction", [request]);
    const receipt = await devnet.request<Receipt>("eth_getTransactionReceipt", [hash]);
    if (receipt.status !== "0x1") throw new Error("a step of the history failed");
    return receipt;
  };
  const create = (name: string, args: readonly unknown[] = []) => {
    const { abi, bytecode } = load(name);
    return send({ data: encodeDeployData({ abi, bytecode, args }) });
  };
  const call = (to: Hex, contract: string, functionName: string, args: readonly unknown[]) =>
    send({ to, data: encodeFunctionData({ abi: load(contract).abi, functionName, args }) });

  const [secondBox, beaconCreated] = [
    await create("ProxiableBox"),
    await create("UpgradeableBeacon", [boxV1, deployer.address]),
  ];
  const beacon = beaconCreated.contractAddress as Hex;
  const initialization = encodeFunctionData({
    abi: load("BoxV1").abi,
    functionName: "initialize",
    args: [deployer.address, 42n],
  });
  return {
    "EIP-1967": {
      a: uupsBoxV1,
      b: uupsBoxV2,
      create: () => create("ERC1967Proxy", [uupsBoxV1, initialization]),
      upgrade: (proxy, to) => call(proxy, "UupsBoxV1", "upgradeToAndCall", [to, "0x"]),
    },
    beacon: {
      a: boxV1,
      b: boxV2,
      create: () => create("BeaconProxy", [beacon, initialization]),
      upgrade: (_, to) => call(beacon, "UpgradeableBeacon", "upgradeTo", [to]),
    },
    "EIP-1822": {
      a: proxiableBox,
      b: secondBox.contractAddress as Hex,
      create: () => create("Uups1822Proxy", [proxiableBox, initialization]),
      upgrade: (proxy, to) => call(proxy, "ProxiableBox", "updateCodeAddress", [to]),
    },
    ZeppelinOS: {
      a: boxV1,
      b: boxV2,
      create: () => create("LegacyProxy", [boxV1, deployer.address, initialization]),
      upgrade: (proxy, to) => call(proxy, "LegacyProxy", "upgradeTo", [to]),
    },
  };
}

const load = (name: string) =>
  createRequire(import.meta.url)(`@assay/contracts/out/${name}.json`) as { abi: Abi; bytecode: Hex };
