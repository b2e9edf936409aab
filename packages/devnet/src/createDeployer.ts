import {
  type Abi,
  type Address,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  toHex,
} from "viem";
import type { Evm } from "./createEvm.js";
import { devnetAccounts } from "./devnetAccounts.js";
import type { Artifact } from "./loadArtifact.js";
import { readResult } from "./readResult.js";

// More than the most expensive step (a Uniswap V3 pool, about 5 million), but little enough that many steps fit into a block.
const gas = toHex(8_000_000);

export interface Installation {
  address: Address;
  artifact: Artifact;
  args?: readonly unknown[];
}

/** Queues deployments, then sends them together: waiting for each receipt would take most of the start-up time. */
export interface Deployer {
  address: Address;
  /** Queues a contract creation and returns the address it will have. */
  deploy(artifact: Artifact, args?: readonly unknown[]): Address;
  /** Queues a call. */
  send(to: Address, abi: Abi, functionName: string, args?: readonly unknown[], value?: bigint): void;
  /** Runs each contract's own constructor at a chosen address. */
  install(installations: readonly Installation[]): Promise<void>;
  /** Mines everything that is queued. Returns the hashes in the same order. Throws if a transaction failed. */
  flush(): Promise<Hex[]>;
}

interface QueuedTransaction {
  description: string;
  request: { from: Address; to?: Address; data: Hex; value: Hex; gas: Hex; nonce: Hex };
}

export function createDeployer(evm: Evm): Deployer {
  const { address } = devnetAccounts.deployer;
  let nonce = 0;
  let queued: QueuedTransaction[] = [];

  async function call<Result>(method: string, params: unknown[]): Promise<Result> {
    return readResult<Result>(method, await evm(method, params));
  }

  function enqueue(description: string, data: Hex, to?: Address, value = 0n): void {
    const request = { from: address, data, value: toHex(value), gas, nonce: toHex(nonce) };
    queued.push({ description, request: to ? { ...request, to } : request });
    nonce += 1;
  }

  async function flush(): Promise<Hex[]> {
    const sent = queued;
    queued = [];
    const hashes = await Promise.all(sent.map(({ request }) => call<Hex>("eth_sendTransaction", [request])));
    while (Number(await call<Hex>("eth_getTransactionCount", [address, "latest"])) < nonce) {
      await call("evm_mine", []);
    }
    const receipts = await Promise.all(
      hashes.map((hash) => call<{ status: Hex }>("eth_getTransactionReceipt", [hash])),
    );
    const failed = sent.filter((_, index) => receipts[index]?.status !== "0x1");
    if (failed.length > 0) {
      throw new Error(
        `The devnet's set-up failed at: ${failed.map(({ description }) => description).join(", ")}.`,
      );
    }
    return hashes;
  }

  return {
    address,
    flush,
    deploy({ abi, bytecode }, args = []) {
      const created = getContractAddress({ from: address, nonce: BigInt(nonce) });
      enqueue(`creation of ${created}`, encodeDeployData({ abi, bytecode, args }));
      return created;
    },
    send(to, abi, functionName, args = [], value) {
      enqueue(`${functionName} on ${to}`, encodeFunctionData({ abi, functionName, args }), to, value);
    },
    async install(installations) {
      await Promise.all(
        installations.map(({ address: target, artifact: { abi, bytecode }, args = [] }) =>
          call("hardhat_setCode", [target, encodeDeployData({ abi, bytecode, args })]),
        ),
      );
      // With the creation code in place of the code, a call returns the runtime code, immutables included,
      // and a transaction makes the constructor's storage writes.
      const runtimes = await Promise.all(
        installations.map(({ address: target }) =>
          call<Hex>("eth_call", [{ from: address, to: target, gas }, "latest"]),
        ),
      );
      for (const { address: target } of installations) enqueue(`constructor of ${target}`, "0x", target);
      await flush();
      await Promise.all(
        installations.map(({ address: target }, index) => call("hardhat_setCode", [target, runtimes[index]])),
      );
    },
  };
}
