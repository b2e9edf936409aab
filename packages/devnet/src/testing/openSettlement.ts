import { BATCH_SETTLEMENT_DOMAIN, claimBatchTypes, refundTypes, voucherTypes } from "@x402/evm";
import { computeChannelId } from "@x402/evm/batch-settlement/client";
import {
  type Address,
  createPublicClient,
  decodeEventLog,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  http,
  keccak256,
  toHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import type { Devnet } from "../createDevnet.js";
import { loadSample } from "../deploySamples.js";

/** A payment channel of x402's scheme `batch-settlement`. */
export interface Channel {
  readonly id: Hex;
  readonly config: ChannelConfig;
}

export interface ChannelConfig {
  readonly payer: Address;
  readonly payerAuthorizer: Address;
  readonly receiver: Address;
  readonly receiverAuthorizer: Address;
  readonly token: Address;
  /** Seconds. */
  readonly withdrawDelay: number;
  readonly salt: Hex;
}

/** A row of a claim, as the contract takes it. */
export interface VoucherClaim {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: bigint };
  readonly signature: Hex;
  readonly totalClaimed: bigint;
}

export interface Receipt {
  readonly contractAddress: Address | null;
  readonly gasUsed: Hex;
  readonly status: Hex;
  readonly logs: { address: Address; topics: [Hex, ...Hex[]]; data: Hex }[];
}

export type Settlement = ReturnType<typeof openSettlement>;

const receiveTypes = {
  ReceiveWithAuthorization: [
    { name: "from", type: "address" },
    { name: "to", type: "address" },
    { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" },
    { name: "validBefore", type: "uint256" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;
const FAR_FUTURE = 2n ** 40n;
const abi = loadSample("BatchSettlement").abi;

/** The batch settlement of a devnet with one account for each part: what a test sends, reads and signs. */
export function openSettlement(devnet: Devnet) {
  const { batchSettlement: address, erc3009DepositCollector } = devnet.contracts;
  // Reads of one moment travel together.
  const client = createPublicClient({
    chain: base,
    transport: http(devnet.rpcUrl),
    batch: { multicall: { wait: 0 } },
  });
  const accounts = devnet.accounts.slice(0, 5).map(({ privateKey }) => privateKeyToAccount(privateKey));
  const [payer, payerAuthorizer, receiver, receiverAuthorizer, stranger] = accounts as [
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
    PrivateKeyAccount,
  ];
  const token = devnet.stablecoin;
  const domain = { ...BATCH_SETTLEMENT_DOMAIN, chainId: 8453, verifyingContract: address };
  let salts = 0n;

  const read = <Result>(functionName: string, args: readonly unknown[]) =>
    client.readContract({ address, abi, functionName, args }) as Promise<Result>;

  /** Runs a call without a transaction; throws with the name of the contract's error. */
  const attempt = (from: Address, functionName: string, args: readonly unknown[]): Promise<unknown> =>
    client.simulateContract({ account: from, address, abi, functionName, args });

  /** Sends a transaction from an account whose key the node has; without a recipient it creates. Throws if it fails. */
  async function transact(from: Address, to: Address | null, data: Hex): Promise<Receipt> {
    const order = { from, to, data, gas: toHex(15_000_000) };
    const hash = await devnet.request<Hex>("eth_sendTransaction", [order]);
    const receipt = await devnet.request<Receipt>("eth_getTransactionReceipt", [hash]);
    if (receipt.status !== "0x1") throw new Error(`The transaction ${hash} failed.`);
    return receipt;
  }

  const send = (from: Address, functionName: string, args: readonly unknown[]) =>
    transact(from, address, encodeFunctionData({ abi, functionName, args }));

  /** What a transaction's events say that are the settlement's own. */
  const listEvents = ({ logs }: Receipt) =>
    logs
      .filter((log) => getAddress(log.address) === address)
      .map(({ topics, data }) => decodeEventLog({ abi, topics, data }));

  async function deploy(name: string, args: readonly unknown[] = []) {
    const artifact = loadSample(name);
    const data = encodeDeployData({ ...artifact, args });
    const { contractAddress } = await transact(stranger.address, null, data);
    return { address: getAddress(contractAddress ?? "0x"), abi: artifact.abi };
  }

  function openChannel(change: Partial<ChannelConfig> = {}): Channel {
    salts += 1n;
    const config = {
      payer: payer.address,
      payerAuthorizer: payerAuthorizer.address,
      receiver: receiver.address,
      receiverAuthorizer: receiverAuthorizer.address,
      token: token.address,
      withdrawDelay: 900,
      salt: toHex(salts, { size: 32 }),
      ...change,
    };
    return { config, id: computeChannelId(config, 8453) };
  }

  /** The arguments of a deposit by EIP-3009, signed for this channel. */
  async function signDeposit({ id, config }: Channel, value: bigint, signer = payer) {
    salts += 1n;
    const nonce = keccak256(encodeAbiParameters([{ type: "bytes32" }, { type: "uint256" }], [id, salts]));
    const signature = await signer.signTypedData({
      domain: { name: token.name, version: token.version, chainId: 8453, verifyingContract: token.address },
      types: receiveTypes,
      primaryType: "ReceiveWithAuthorization",
      message: {
        from: config.payer,
        to: erc3009DepositCollector,
        value,
        validAfter: 0n,
        validBefore: FAR_FUTURE,
        nonce,
      },
    });
    const data = encodeAbiParameters(
      [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }],
      [0n, FAR_FUTURE, salts, signature],
    );
    return [config, value, erc3009DepositCollector, data] as const;
  }

  /** A row of a claim; the whole ceiling is claimed unless less is said. */
  async function signVoucher(
    { id, config }: Channel,
    ceiling: bigint,
    totalClaimed = ceiling,
    signer = payerAuthorizer,
  ): Promise<VoucherClaim> {
    const signature = await signer.signTypedData({
      domain,
      types: voucherTypes,
      primaryType: "Voucher",
      message: { channelId: id, maxClaimableAmount: ceiling },
    });
    return { voucher: { channel: config, maxClaimableAmount: ceiling }, signature, totalClaimed };
  }

  async function signClaims(claims: readonly VoucherClaim[], signer = receiverAuthorizer): Promise<Hex> {
    const entries = claims.map(({ voucher: { channel, maxClaimableAmount }, totalClaimed }) => ({
      channelId: computeChannelId(channel, 8453),
      maxClaimableAmount,
      totalClaimed,
    }));
    return signer.signTypedData({
      domain,
      types: claimBatchTypes,
      primaryType: "ClaimBatch",
      message: { claims: entries },
    });
  }

  const signRefund = ({ id }: Channel, amount: bigint, nonce: bigint, signer = receiverAuthorizer) =>
    signer.signTypedData({
      domain,
      types: refundTypes,
      primaryType: "Refund",
      message: { channelId: id, nonce, amount },
    });

  /** Opens a channel that holds this much. */
  async function fundChannel(amount: bigint, change: Partial<ChannelConfig> = {}): Promise<Channel> {
    const channel = openChannel(change);
    await send(stranger.address, "deposit", await signDeposit(channel, amount));
    return channel;
  }

  const readChannel = async ({ id }: Channel) => {
    const [balance, totalClaimed] = await read<[bigint, bigint]>("channels", [id]);
    return { balance, totalClaimed };
  };

  const readReceiver = async (holder = receiver.address, asset: Address = token.address) => {
    const [totalClaimed, totalSettled] = await read<[bigint, bigint]>("receivers", [holder, asset]);
    return { totalClaimed, totalSettled };
  };

  const readTokens = (holder: Address, asset: Address = token.address) =>
    client.readContract({ address: asset, abi: erc20Abi, functionName: "balanceOf", args: [holder] });

  return {
    address,
    abi,
    domain,
    token,
    payer,
    payerAuthorizer,
    receiver,
    receiverAuthorizer,
    stranger,
    read,
    attempt,
    send,
    transact,
    listEvents,
    deploy,
    openChannel,
    fundChannel,
    signDeposit,
    signVoucher,
    signClaims,
    signRefund,
    readChannel,
    readReceiver,
    readTokens,
  };
}
