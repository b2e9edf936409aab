import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { type Abi, encodeDeployData, encodeFunctionData, keccak256, parseAbiItem, stringToHex } from "viem";

/** A transaction as a caller gives it. */
export interface Transaction {
  readonly from: Hex;
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
}

export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** The local chain with tools to place published code at the addresses of Base. */
export interface AccuracyWorld {
  readonly devnet: Devnet;
  readonly deployer: Hex;
  readonly alice: Hex;
  readonly bob: Hex;
  readonly carol: Hex;
  /** An account that was never used. */
  readonly thief: Hex;
  /** The packages of `bench/accuracy`; undefined where they are not installed. */
  readonly packages: string | undefined;
  load(path: string, libraries?: Readonly<Record<string, Hex>>): Artifact;
  deploy(artifact: Artifact, args?: readonly unknown[]): Promise<Hex>;
  /** Runs the constructor at a chosen address. */
  install(address: Hex, artifact: Artifact, args?: readonly unknown[]): Promise<void>;
  /** Sends, and throws where it fails. */
  send(transaction: Partial<Transaction> & { readonly to: Hex }): Promise<void>;
  view(to: Hex, signature: string, args?: readonly unknown[]): Promise<Hex>;
}

/** Calldata of a function named by its signature. */
export function encode(signature: string, args: readonly unknown[] = []): Hex {
  return encodeFunctionData({ abi: [parseAbiItem(`function ${signature}`)], args } as never);
}

const GAS = "0xf42400";
const require = createRequire(import.meta.url);

export async function createAccuracyWorld(
  devnet: Devnet,
  packages: string | undefined,
): Promise<AccuracyWorld> {
  const accountOf = (name: string) =>
    lowercase(devnet.accounts.find((account) => account.name === name)?.address ?? "");
  const deployer = lowercase(devnet.deployer.address);
  await devnet.request("hardhat_impersonateAccount", [deployer]);

  async function transact(request: object): Promise<{ status: Hex; contractAddress: Hex | null }> {
    const hash = await devnet.request<Hex>("eth_sendTransaction", [{ gas: GAS, ...request }]);
    return devnet.request("eth_getTransactionReceipt", [hash]);
  }
  async function deploy({ abi, bytecode }: Artifact, args: readonly unknown[] = []): Promise<Hex> {
    const { status, contractAddress } = await transact({
      from: deployer,
      data: encodeDeployData({ abi, bytecode, args }),
    });
    if (status !== "0x1" || contractAddress === null) throw new Error("a deployment failed");
    return lowercase(contractAddress);
  }
  return {
    devnet,
    deployer,
    alice: accountOf("alice"),
    bob: accountOf("bob"),
    carol: accountOf("carol"),
    thief: "0xbadbadbadbadbadbadbadbadbadbadbadbadbad1",
    packages,
    deploy,
    load(path, libraries = {}) {
      const file = join(packages ?? "", "node_modules", path);
      const json = JSON.parse(readFileSync(file, "utf8")) as {
        abi: Abi;
        bytecode: string | { object: string };
        evm?: { bytecode: { object: string } };
      } & Linkable;
      const published = json.bytecode ?? json.evm?.bytecode.object ?? "";
      const text = typeof published === "string" ? published : published.object;
      return { abi: json.abi, bytecode: link(text.startsWith("0x") ? text : `0x${text}`, json, libraries) };
    },
    async install(address, { abi, bytecode }, args = []) {
      await devnet.request("hardhat_setCode", [address, encodeDeployData({ abi, bytecode, args })]);
      const runtime = await devnet.request<Hex>("eth_call", [
        { from: deployer, to: address, gas: GAS },
        "latest",
      ]);
      const { status } = await transact({ from: deployer, to: address, data: "0x" });
      if (status !== "0x1") throw new Error(`the constructor of ${address} failed`);
      await devnet.request("hardhat_setCode", [address, runtime]);
      await devnet.mine();
    },
    async send({ from = deployer, to, data = "0x", value = 0n }) {
      await devnet.request("hardhat_impersonateAccount", [from]);
      const { status } = await transact({ from, to, data, value: `0x${value.toString(16)}` });
      if (status !== "0x1") throw new Error(`the set-up failed at ${to} ${data.slice(0, 10)}`);
    },
    view: (to, signature, args = []) =>
      devnet.request<Hex>("eth_call", [{ to, data: encode(signature, args) }, "latest"]),
  };
}

interface Linkable {
  readonly linkReferences?: Readonly<
    Record<string, Readonly<Record<string, readonly { start: number; length: number }[]>>>
  >;
}

/** Puts the addresses of libraries where the compiler left room for them. */
function link(
  bytecode: string,
  { linkReferences = {} }: Linkable,
  libraries: Readonly<Record<string, Hex>>,
): Hex {
  let linked = bytecode;
  for (const references of Object.values(linkReferences))
    for (const [name, places] of Object.entries(references)) {
      const address = libraries[name];
      if (address === undefined) throw new Error(`no library ${name}`);
      for (const { start, length } of places)
        linked = `${linked.slice(0, 2 + start * 2)}${address.slice(2)}${linked.slice(2 + (start + length) * 2)}`;
    }
  return linked as Hex;
}

/** A contract of `contracts/src`, compiled. */
export const sample = (name: string): Artifact => require(`@assay/contracts/out/${name}.json`) as Artifact;

/** Half of the cases are only ever counted: the rules are tuned on the other half. */
export const isHeldOut = (name: string): boolean =>
  Number.parseInt(keccak256(stringToHex(name)).slice(-1), 16) % 2 === 1;
