import type { Chain } from "@assay/chain";
import { createChain } from "@assay/chain";
import { devnetChain } from "@assay/chain/testing/devnetChain";
import { type FaultyNode, startFaultyNode } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import type { Devnet } from "@assay/devnet";
import { openSharedDevnet } from "@assay/devnet/testing/sharedDevnet";
import {
  CHAIN_ID,
  type Hex,
  NETWORK,
  type PaymentPayload,
  type PaymentRequirements,
  transferWithAuthorizationTypes,
} from "@assay/protocol";
import { pino } from "pino";
import {
  createWalletClient,
  encodeFunctionData,
  hashTypedData,
  http,
  parseAbi,
  publicActions,
  toHex,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { signDigest, toSignatureHex } from "../../../base/secp256k1.js";
import { createLocalSigner } from "../../../base/signers/digestSigner.js";
import type { Delivery } from "../delivery.js";
import type { LanePatience } from "../lanePatience.js";
import { createSettlementLane, type LaneOptions, type SettlementLane } from "../settlementLane.js";
import { createSettlerAccount } from "../settlerAccount.js";
import { encodeTransfer } from "../transferCall.js";
import { GAS_PER_TRANSFER } from "../transferGas.js";

const tokenAbi = parseAbi([
  "function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)",
  "function transfer(address to, uint256 value) returns (bool)",
]);

/** A signed payment, and the key it was signed with. */
export interface SignedPayment {
  readonly payment: PaymentPayload;
  readonly requirements: PaymentRequirements;
  readonly key: Hex;
}

export interface SignOptions {
  readonly key?: Hex;
  readonly from?: string;
  readonly value?: bigint;
  readonly validAfter?: bigint;
  readonly validBefore?: bigint;
  readonly nonce?: Hex;
  /** The EIP-712 domain it is signed under, where it is not the token's. */
  readonly domain?: { name?: string; version?: string; chainId?: number; verifyingContract?: Hex };
}

export interface SettlementFixture {
  readonly devnet: Devnet;
  /** Whose key a lane settles with unless it is given another. */
  readonly settler: { readonly address: Hex; readonly privateKey: Hex };
  /** The HTTP front through which `chain` sees the devnet. */
  readonly node: FaultyNode;
  readonly chain: Chain;
  /** Answers a call in the devnet's place, which then never hears of it. */
  intercept: ((method: string, params: readonly unknown[]) => LocalAnswer | undefined) | undefined;
  openLane(
    patience?: Partial<LanePatience>,
    key?: Hex,
    options?: Pick<LaneOptions, "costs" | "settlesBelowCost">,
  ): SettlementLane;
  keyOf(name: string): Hex;
  sign(options?: SignOptions): SignedPayment;
  toDelivery(signed: SignedPayment, alone?: boolean): Delivery;
  isUsed(signed: SignedPayment): Promise<boolean>;
  /** A transaction of this account, mined when it resolves. */
  send(key: Hex, to: Hex, data: Hex): Promise<Hex>;
  cancel(signed: SignedPayment): Promise<void>;
  transfer(key: Hex, to: string, value: bigint): Promise<void>;
  /** Transactions this account has had mined. */
  countMined(address: string): Promise<number>;
  /** Another node in front of the same chain, with a settler of its own: what happens here and there may happen at once. */
  openBeside(options?: { requestTimeoutMs?: number }): Promise<SettlementFixture>;
  close(): Promise<void>;
}

const AMOUNT = 20_000n;
/** On a busy machine a slow answer must not become none. */
const PATIENT_MS = 10_000;
let lastNonce = 0;

/** A local chain, a node in front of it that can be made to misbehave, and what payers do. */
export async function openSettlement(options: { blockTimeMs?: number } = {}): Promise<SettlementFixture> {
  const devnet = await openSharedDevnet({ blockTimeMs: options.blockTimeMs ?? 500 });
  return openFront(devnet, devnet.settler, PATIENT_MS, () => devnet.close());
}

async function openFront(
  devnet: Devnet,
  settler: SettlementFixture["settler"],
  requestTimeoutMs: number,
  closeChain: () => Promise<void>,
): Promise<SettlementFixture> {
  const tap: Pick<SettlementFixture, "intercept"> = { intercept: undefined };
  const behind = devnetChain(devnet);
  const node = await startFaultyNode({
    ...behind,
    answer: async (method, params) => tap.intercept?.(method, params) ?? behind.answer(method, params),
  });
  const chain = await createChain({
    rpcUrls: [node.url],
    expectedChainId: CHAIN_ID,
    requestTimeoutMs,
  });
  const lanes: SettlementLane[] = [];
  const token = devnet.stablecoin.address;

  async function send(key: Hex, to: Hex, data: Hex): Promise<Hex> {
    const account = privateKeyToAccount(key);
    const wallet = createWalletClient({
      account,
      chain: base,
      pollingInterval: 50,
      transport: http(devnet.rpcUrl),
    }).extend(publicActions);
    const hash = await wallet.sendTransaction({ to, data, gas: 500_000n });
    await wallet.waitForTransactionReceipt({ hash });
    return hash;
  }

  const fixture: SettlementFixture = Object.assign(tap, {
    devnet,
    settler,
    node,
    chain,
    send,
    openLane(patience, key = settler.privateKey, more = {}) {
      const account = createSettlerAccount(chain, createLocalSigner(key));
      const lane = createSettlementLane({
        chain,
        account,
        logger: pino({ level: "silent" }),
        patience,
        ...more,
      });
      lanes.push(lane);
      return lane;
    },
    keyOf(name) {
      const account = devnet.accounts.find((candidate) => candidate.name === name);
      if (!account) throw new Error(`the local chain has no account ${name}`);
      return account.privateKey;
    },
    sign: (signing = {}) => signWith(devnet, signing),
    toDelivery: ({ payment }, alone = false) => ({
      call: encodeTransfer(payment.payload),
      to: token,
      gas: GAS_PER_TRANSFER,
      expected: {
        token,
        payer: payment.payload.authorization.from,
        payTo: payment.payload.authorization.to,
        amount: BigInt(payment.payload.authorization.value),
        nonce: payment.payload.authorization.nonce,
      },
      validBefore: BigInt(payment.payload.authorization.validBefore),
      alone,
    }),
    async isUsed({ payment }) {
      const { from, nonce } = payment.payload.authorization;
      const data = `0xe94a0102${from.slice(2).padStart(64, "0")}${nonce.slice(2)}`;
      return BigInt(await devnet.request<Hex>("eth_call", [{ to: token, data }, "latest"])) === 1n;
    },
    async cancel({ payment, key }) {
      const { from, nonce } = payment.payload.authorization;
      const signature = toSignatureHex(signDigest(key, cancelDigest(token, from, nonce as Hex)));
      const args = [from, nonce as Hex, signature] as const;
      await send(
        fixture.keyOf("judy"),
        token,
        encodeFunctionData({ abi: tokenAbi, functionName: "cancelAuthorization", args }),
      );
    },
    async transfer(key, to, value) {
      const args = [to as Hex, value] as const;
      await send(key, token, encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args }));
    },
    countMined: async (address) =>
      Number(await devnet.request<Hex>("eth_getTransactionCount", [address, "latest"])),
    async openBeside({ requestTimeoutMs = PATIENT_MS } = {}) {
      const privateKey = generatePrivateKey();
      const { address } = privateKeyToAccount(privateKey);
      await devnet.request("hardhat_setBalance", [address, toHex(10n ** 20n)]);
      return openFront(devnet, { address, privateKey }, requestTimeoutMs, async () => undefined);
    },
    async close() {
      node.fault = undefined;
      fixture.intercept = undefined;
      await Promise.all(lanes.map((lane) => lane.close()));
      await chain.close();
      await node.close();
      await closeChain();
    },
  } satisfies Omit<SettlementFixture, "intercept">);
  return fixture;
}

function signWith(devnet: Devnet, signing: SignOptions): SignedPayment {
  const key = signing.key ?? (devnet.accounts[0] as { privateKey: Hex }).privateKey;
  const nowSeconds = BigInt(Math.floor(Date.now() / 1000));
  const value = signing.value ?? AMOUNT;
  const authorization = {
    from: (signing.from ?? privateKeyToAccount(key).address) as Hex,
    to: devnet.payTo,
    value: value.toString(),
    validAfter: (signing.validAfter ?? nowSeconds - 600n).toString(),
    validBefore: (signing.validBefore ?? nowSeconds + 300n).toString(),
    nonce: signing.nonce ?? toHex(++lastNonce + Date.now() * 1_000, { size: 32 }),
  };
  const requirements: PaymentRequirements = {
    scheme: "exact",
    network: NETWORK,
    asset: devnet.stablecoin.address,
    amount: value.toString(),
    payTo: devnet.payTo,
    maxTimeoutSeconds: 300,
    extra: { name: devnet.stablecoin.name, version: devnet.stablecoin.version },
  };
  const digest = hashTypedData({
    domain: {
      name: devnet.stablecoin.name,
      version: devnet.stablecoin.version,
      chainId: CHAIN_ID,
      verifyingContract: devnet.stablecoin.address,
      ...signing.domain,
    },
    types: transferWithAuthorizationTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      nonce: authorization.nonce as Hex,
    },
  });
  const signature = toSignatureHex(signDigest(key, digest));
  const accepted = structuredClone(requirements);
  const payment = { x402Version: 2 as const, accepted, payload: { signature, authorization } };
  return { payment, requirements, key };
}

function cancelDigest(token: Hex, authorizer: string, nonce: Hex): Hex {
  return hashTypedData({
    domain: { name: "USD Coin", version: "2", chainId: CHAIN_ID, verifyingContract: token },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: authorizer as Hex, nonce },
  });
}
