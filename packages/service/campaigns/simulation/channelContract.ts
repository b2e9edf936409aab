import {
  type ChannelConfig,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  depositNonceOf,
  type Hex,
} from "@assay/protocol";
import {
  type AbiFunction,
  decodeAbiParameters,
  decodeFunctionData,
  parseAbi,
  toFunctionSelector,
} from "viem";
import type { TokenLedger } from "./tokenLedger.js";

const abi = parseAbi([
  "struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }",
  "struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }",
  "struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }",
  "function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)",
  "function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)",
  "function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)",
  "function multicall(bytes[] data) returns (bytes[] results)",
  "function settle(address receiver, address token)",
]);

export interface ContractChannel {
  readonly balance: bigint;
  readonly claimed: bigint;
  readonly withdrawing: bigint;
  readonly initiatedAt: number;
  readonly refundNonce: bigint;
  /** Deposits so far, and what went back to the payer. */
  readonly deposited: bigint;
  readonly returned: bigint;
}

const EMPTY: ContractChannel = {
  ...{
    balance: 0n,
    claimed: 0n,
    withdrawing: 0n,
    initiatedAt: 0,
    refundNonce: 0n,
    deposited: 0n,
    returned: 0n,
  },
};

interface Versions<V> {
  readonly all: { readonly height: number; readonly value: V }[];
}

/** The scheme's contract, as `contracts/src/BatchSettlement.sol` is, with the states of earlier blocks. */
export interface ChannelContract {
  at(channelId: string, height: number): ContractChannel;
  /** Runs a transaction's call in a block; throws where the contract reverts, and then has changed nothing. */
  run(data: Hex, height: number, timestamp: number): void;
  /** Whether `run` would succeed now. */
  wouldRun(data: Hex, height: number, timestamp: number): boolean;
  isView(data: Hex): boolean;
  view(data: Hex, height: number): Hex;
  initiateWithdraw(config: ChannelConfig, amount: bigint, height: number, timestamp: number): void;
  finalizeWithdraw(config: ChannelConfig, height: number, timestamp: number): void;
  /** Undoes everything after this block. */
  undoAfter(height: number): void;
  readonly channelIds: () => Iterable<string>;
  unswept(height: number): bigint;
  /** What the payer's key has signed; the contract takes no other voucher. */
  readonly signed: Set<string>;
}

/** How the calldata of a claim begins. */
export const CLAIM = toFunctionSelector(
  abi.find((part) => part.type === "function" && part.name === "claimWithSignature") as AbiFunction,
);

/** By selector. They are asked all the time. */
const VIEWS: ReadonlyMap<string, string> = new Map(
  [
    "channels(bytes32)",
    "pendingWithdrawals(bytes32)",
    "refundNonce(bytes32)",
    "receivers(address,address)",
  ].map((signature) => [toFunctionSelector(signature), signature.split("(")[0] as string]),
);
const viewOf = (data: Hex) => VIEWS.get(data.slice(0, 10));

const require = (holds: boolean, reason: string): void => {
  if (!holds) throw new Error(reason);
};

export function createChannelContract(token: TokenLedger): ChannelContract {
  const channels = new Map<string, Versions<ContractChannel>>();
  const receiver: Versions<{ claimed: bigint; settled: bigint }> = { all: [] };
  const decoded = new Map<Hex, ReturnType<typeof decode>>();
  const signed = new Set<string>();

  const decode = (data: Hex) => decodeFunctionData({ abi, data });
  const read = (data: Hex) => {
    const known = decoded.get(data) ?? decode(data);
    decoded.set(data, known);
    return known;
  };
  const last = <V>({ all }: Versions<V>, height: number): V | undefined =>
    all.findLast((version) => version.height <= height)?.value;
  const at = (id: string, height: number): ContractChannel => {
    const versions = channels.get(id.toLowerCase());
    return (versions && last(versions, height)) ?? EMPTY;
  };
  const set = (id: string, height: number, value: ContractChannel): void => {
    const versions = channels.get(id) ?? { all: [] };
    versions.all.push({ height, value });
    channels.set(id, versions);
  };
  const receiverAt = (height: number) => last(receiver, height) ?? { claimed: 0n, settled: 0n };

  function deposit(args: readonly unknown[], height: number, timestamp: number): void {
    const [config, amount, , collectorData] = args as [ChannelConfig, bigint, Hex, Hex];
    const id = channelIdOf(config).toLowerCase();
    const [after, before, salt] = decodeAbiParameters(
      [{ type: "uint256" }, { type: "uint256" }, { type: "uint256" }, { type: "bytes" }],
      collectorData,
    );
    const nonce = depositNonceOf(id, `0x${salt.toString(16).padStart(64, "0")}`);
    const transfer = {
      payer: config.payer.toLowerCase(),
      payTo: DEPOSIT_COLLECTOR.toLowerCase(),
      amount,
      nonce,
    };
    token.use({ ...transfer, validAfter: after, validBefore: before }, height, timestamp);
    const channel = at(id, height);
    set(id, height, { ...channel, balance: channel.balance + amount, deposited: channel.deposited + amount });
  }

  function claim(args: readonly unknown[], height: number): void {
    const [claims] = args as [
      readonly { voucher: { channel: ChannelConfig; maxClaimableAmount: bigint }; totalClaimed: bigint }[],
    ];
    for (const { voucher, totalClaimed } of claims) {
      const id = channelIdOf(voucher.channel).toLowerCase();
      const channel = at(id, height);
      require(totalClaimed <= voucher.maxClaimableAmount, "AboveCeiling");
      if (totalClaimed <= channel.claimed) continue;
      require(totalClaimed <= channel.balance, "AboveBalance");
      require(signed.has(`${id} ${voucher.maxClaimableAmount}`), "InvalidVoucherSignature");
      set(id, height, { ...channel, claimed: totalClaimed });
      const account = receiverAt(height);
      receiver.all.push({
        height,
        value: { ...account, claimed: account.claimed + totalClaimed - channel.claimed },
      });
    }
  }

  function payBack(id: string, channel: ContractChannel, amount: bigint, height: number): void {
    set(id, height, { ...channel, balance: channel.balance - amount, returned: channel.returned + amount });
  }

  function refund(args: readonly unknown[], height: number): void {
    const [config, requested, nonce] = args as [ChannelConfig, bigint, bigint];
    const id = channelIdOf(config).toLowerCase();
    const channel = at(id, height);
    require(nonce === channel.refundNonce, "InvalidRefundNonce");
    require(requested > 0n, "ZeroAmount");
    const available = channel.balance - channel.claimed;
    const amount = requested < available ? requested : available;
    const withdrawing = channel.withdrawing > amount ? channel.withdrawing - amount : 0n;
    const initiatedAt = withdrawing > 0n ? channel.initiatedAt : 0;
    const next = { ...channel, refundNonce: nonce + 1n };
    payBack(id, amount === 0n ? next : { ...next, withdrawing, initiatedAt }, amount, height);
  }

  function call(data: Hex, height: number, timestamp: number): void {
    const { functionName, args } = read(data) as { functionName: string; args: readonly unknown[] };
    if (functionName === "deposit") deposit(args, height, timestamp);
    else if (functionName === "claimWithSignature") claim(args, height);
    else if (functionName === "refundWithSignature") refund(args, height);
    else if (functionName === "multicall")
      for (const part of args[0] as readonly Hex[]) call(part, height, timestamp);
    else {
      require(functionName === "settle", `no function ${functionName}`);
      const account = receiverAt(height);
      receiver.all.push({ height, value: { ...account, settled: account.claimed } });
    }
  }

  /** Changes nothing where `keeps` is false or the call reverts. */
  function attempt(data: Hex, height: number, timestamp: number, keeps: boolean): void {
    const lengths = new Map([...channels].map(([id, { all }]) => [id, all.length]));
    const receivers = receiver.all.length;
    const undoToken = token.mark();
    let isKept = false;
    try {
      call(data, height, timestamp);
      isKept = keeps;
    } finally {
      if (!isKept) {
        for (const [id, { all }] of channels) all.length = lengths.get(id) ?? 0;
        receiver.all.length = receivers;
        undoToken();
      }
    }
  }

  return {
    at,
    signed,
    channelIds: () => channels.keys(),
    unswept: (height) => receiverAt(height).claimed - receiverAt(height).settled,
    run: (data, height, timestamp) => attempt(data, height, timestamp, true),
    wouldRun(data, height, timestamp) {
      try {
        attempt(data, height, timestamp, false);
        return true;
      } catch {
        return false;
      }
    },
    isView: (data) => viewOf(data) !== undefined,
    view(data, height) {
      const name = viewOf(data);
      const { balance, claimed, withdrawing, initiatedAt, refundNonce } = at(
        `0x${data.slice(10, 74)}`,
        height,
      );
      const word = (value: bigint) => value.toString(16).padStart(64, "0");
      if (name === "channels") return `0x${word(balance)}${word(claimed)}`;
      if (name === "pendingWithdrawals") return `0x${word(withdrawing)}${word(BigInt(initiatedAt))}`;
      if (name === "refundNonce") return `0x${word(refundNonce)}`;
      const account = receiverAt(height);
      return `0x${word(account.claimed)}${word(account.settled)}`;
    },
    initiateWithdraw(config, amount, height, timestamp) {
      const id = channelIdOf(config).toLowerCase();
      const channel = at(id, height);
      require(channel.initiatedAt === 0 &&
        amount > 0n &&
        amount <= channel.balance - channel.claimed, "refused");
      set(id, height, { ...channel, withdrawing: amount, initiatedAt: timestamp });
    },
    finalizeWithdraw(config, height, timestamp) {
      const id = channelIdOf(config).toLowerCase();
      const channel = at(id, height);
      require(channel.initiatedAt !== 0 &&
        timestamp >= channel.initiatedAt + config.withdrawDelay, "too early");
      const available = channel.balance - channel.claimed;
      const amount = channel.withdrawing < available ? channel.withdrawing : available;
      payBack(id, { ...channel, withdrawing: 0n, initiatedAt: 0 }, amount, height);
    },
    undoAfter(height) {
      for (const { all } of [...channels.values(), receiver])
        while ((all.at(-1)?.height ?? 0) > height) all.pop();
    },
  };
}
