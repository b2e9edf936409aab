import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, parseSignature } from "viem";
import { expect, test } from "vitest";
import { loadSample } from "./deploySamples.js";
import { type Channel, openSettlement } from "./testing/openSettlement.js";
import { useDevnet } from "./testing/useDevnet.js";

const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const FAR_FUTURE = 2n ** 40n;

const local = useDevnet();

function setUp() {
  const settlement = openSettlement(local.devnet);
  const { read, send, signVoucher, receiver } = settlement;
  const readPending = async ({ id }: Channel) => {
    const [amount, initiatedAt] = await read<[bigint, number]>("pendingWithdrawals", [id]);
    return { amount, isPending: initiatedAt !== 0 };
  };
  const claim = async (channel: Channel, total: bigint) =>
    send(receiver.address, "claim", [[await signVoucher(channel, total)]]);
  return { ...settlement, readPending, claim };
}

async function wait(seconds: number): Promise<void> {
  await local.devnet.request("evm_increaseTime", [seconds]);
  await local.devnet.mine();
}

test("anybody settles: the receiver gets everything that was claimed, once", async () => {
  const { listEvents, fundChannel, claim, send, readReceiver, readTokens, receiver, stranger, token } =
    setUp();
  const [first, second] = [await fundChannel(100n), await fundChannel(100n)];
  await claim(first, 30n);
  await claim(second, 20n);
  const before = await readTokens(receiver.address);
  const args = [receiver.address, token.address];
  expect(listEvents(await send(stranger.address, "settle", args))).toEqual([
    {
      eventName: "Settled",
      args: { receiver: receiver.address, token: token.address, sender: stranger.address, amount: 50n },
    },
  ]);
  expect(await readTokens(receiver.address)).toBe(before + 50n);
  expect(await readReceiver()).toEqual({ totalClaimed: 50n, totalSettled: 50n });
  expect((await send(stranger.address, "settle", args)).logs).toEqual([]);
  expect(await readTokens(receiver.address)).toBe(before + 50n);
  await claim(first, 100n);
  await send(stranger.address, "settle", args);
  expect(await readTokens(receiver.address)).toBe(before + 120n);
});

test("a payer gets back what is unclaimed after the delay, and not before", async () => {
  const { listEvents, fundChannel, send, attempt, readChannel, readPending, readTokens, payer } = setUp();
  const channel = await fundChannel(100n, { withdrawDelay: 3_600 });
  const before = await readTokens(payer.address);
  await expect(attempt(payer.address, "finalizeWithdraw", [channel.config])).rejects.toThrow("NoWithdrawal");
  const begun = await send(payer.address, "initiateWithdraw", [channel.config, 60n]);
  expect(listEvents(begun)).toMatchObject([{ eventName: "WithdrawalInitiated", args: { amount: 60n } }]);
  await wait(3_590);
  await expect(attempt(payer.address, "finalizeWithdraw", [channel.config])).rejects.toThrow(
    "WithdrawalTooEarly",
  );
  await wait(10);
  const ended = await send(payer.address, "finalizeWithdraw", [channel.config]);
  expect(listEvents(ended)).toMatchObject([{ eventName: "WithdrawalFinalized", args: { amount: 60n } }]);
  expect(await readTokens(payer.address)).toBe(before + 60n);
  expect(await readChannel(channel)).toEqual({ balance: 40n, totalClaimed: 0n });
  expect(await readPending(channel)).toEqual({ amount: 0n, isPending: false });
  await expect(attempt(payer.address, "finalizeWithdraw", [channel.config])).rejects.toThrow("NoWithdrawal");
});

test("what is claimed before a withdrawal ends is the receiver's", async () => {
  const { listEvents, fundChannel, send, claim, readChannel, readTokens, payer, payerAuthorizer } = setUp();
  const channel = await fundChannel(100n);
  const before = await readTokens(payer.address);
  await send(payerAuthorizer.address, "initiateWithdraw", [channel.config, 100n]);
  await claim(channel, 75n);
  await wait(900);
  const ended = await send(payerAuthorizer.address, "finalizeWithdraw", [channel.config]);
  expect(listEvents(ended)).toMatchObject([{ eventName: "WithdrawalFinalized", args: { amount: 25n } }]);
  expect(await readTokens(payer.address)).toBe(before + 25n);
  expect(await readChannel(channel)).toEqual({ balance: 75n, totalClaimed: 75n });
});

test("a withdrawal that takes everything closes the channel; one that finds nothing pays nothing", async () => {
  const { listEvents, fundChannel, send, claim, readTokens, payer } = setUp();
  const [emptied, used] = [await fundChannel(100n), await fundChannel(100n)];
  await send(payer.address, "initiateWithdraw", [emptied.config, 100n]);
  await send(payer.address, "initiateWithdraw", [used.config, 100n]);
  await claim(used, 100n);
  await wait(900);
  expect(listEvents(await send(payer.address, "finalizeWithdraw", [emptied.config]))).toMatchObject([
    { eventName: "WithdrawalFinalized", args: { amount: 100n } },
    { eventName: "ChannelClosed", args: { channelId: emptied.id } },
  ]);
  const before = await readTokens(payer.address);
  expect(listEvents(await send(payer.address, "finalizeWithdraw", [used.config]))).toMatchObject([
    { eventName: "WithdrawalFinalized", args: { amount: 0n } },
  ]);
  expect(await readTokens(payer.address)).toBe(before);
});

test("a withdrawal that others ask for, of nothing, of more than is unclaimed, or a second one is refused", async () => {
  const { fundChannel, send, attempt, claim, payer, receiver, receiverAuthorizer, stranger } = setUp();
  const channel = await fundChannel(100n);
  await claim(channel, 10n);
  const begin = (from: Address, amount: bigint) =>
    attempt(from, "initiateWithdraw", [channel.config, amount]);
  for (const { address } of [receiver, receiverAuthorizer, stranger])
    await expect(begin(address, 1n)).rejects.toThrow("NotAuthorized");
  await expect(begin(payer.address, 0n)).rejects.toThrow("ZeroAmount");
  await expect(begin(payer.address, 91n)).rejects.toThrow("AboveBalance");
  await send(payer.address, "initiateWithdraw", [channel.config, 90n]);
  await expect(begin(payer.address, 1n)).rejects.toThrow("WithdrawalPending");
  await wait(900);
  await expect(attempt(stranger.address, "finalizeWithdraw", [channel.config])).rejects.toThrow(
    "NotAuthorized",
  );
});

test("a refund is paid to the payer, at most what is unclaimed, and its signature works once", async () => {
  const {
    listEvents,
    fundChannel,
    claim,
    send,
    attempt,
    signRefund,
    read,
    readChannel,
    readTokens,
    ...parts
  } = setUp();
  const { payer, receiver, stranger } = parts;
  const channel = await fundChannel(100n);
  await claim(channel, 30n);
  const before = await readTokens(payer.address);
  const first = [channel.config, 50n, 0n, await signRefund(channel, 50n, 0n)];
  for (const [args, reason] of [
    [[channel.config, 50n, 0n, await signRefund(channel, 50n, 0n, stranger)], "InvalidAuthorizerSignature"],
    [[channel.config, 50n, 0n, await signRefund(channel, 50n, 0n, receiver)], "InvalidAuthorizerSignature"],
    [[channel.config, 51n, 0n, first[3]], "InvalidAuthorizerSignature"],
    [[channel.config, 50n, 1n, await signRefund(channel, 50n, 1n)], "InvalidRefundNonce"],
    [[channel.config, 0n, 0n, await signRefund(channel, 0n, 0n)], "ZeroAmount"],
  ] as const)
    await expect(attempt(stranger.address, "refundWithSignature", args)).rejects.toThrow(reason);
  expect(listEvents(await send(stranger.address, "refundWithSignature", first))).toMatchObject([
    { eventName: "Refunded", args: { channelId: channel.id, sender: stranger.address, amount: 50n } },
  ]);
  await expect(attempt(stranger.address, "refundWithSignature", first)).rejects.toThrow("InvalidRefundNonce");
  await send(stranger.address, "refundWithSignature", [
    channel.config,
    99n,
    1n,
    await signRefund(channel, 99n, 1n),
  ]);
  expect(await readChannel(channel)).toEqual({ balance: 30n, totalClaimed: 30n });
  expect(await readTokens(payer.address)).toBe(before + 70n);
  // Nothing is left to pay; the signature is used up all the same.
  const idle = [channel.config, 5n, 2n, await signRefund(channel, 5n, 2n)];
  expect((await send(stranger.address, "refundWithSignature", idle)).logs).toEqual([]);
  expect(await read("refundNonce", [channel.id])).toBe(3n);
});

test("the receiver's side refunds without a signature, which ends those signed for the same number", async () => {
  const {
    listEvents,
    fundChannel,
    send,
    attempt,
    signRefund,
    readChannel,
    payer,
    receiver,
    receiverAuthorizer,
    stranger,
  } = setUp();
  const channel = await fundChannel(100n);
  const signed = [channel.config, 10n, 0n, await signRefund(channel, 10n, 0n)];
  await attempt(stranger.address, "refundWithSignature", signed);
  for (const other of [stranger, payer])
    await expect(attempt(other.address, "refund", [channel.config, 10n])).rejects.toThrow("NotAuthorized");
  await send(receiver.address, "refund", [channel.config, 40n]);
  await expect(attempt(stranger.address, "refundWithSignature", signed)).rejects.toThrow(
    "InvalidRefundNonce",
  );
  expect(await readChannel(channel)).toEqual({ balance: 60n, totalClaimed: 0n });
  const last = await send(receiverAuthorizer.address, "refund", [channel.config, 60n]);
  expect(listEvents(last)).toMatchObject([
    { eventName: "Refunded", args: { amount: 60n } },
    { eventName: "ChannelClosed", args: { channelId: channel.id } },
  ]);
});

test("a refund lowers a withdrawal that is under way, and removes it when nothing of it remains", async () => {
  const { listEvents, fundChannel, send, readPending, payer, receiver } = setUp();
  const channel = await fundChannel(100n);
  await send(payer.address, "initiateWithdraw", [channel.config, 50n]);
  const lowered = await send(receiver.address, "refund", [channel.config, 20n]);
  expect(listEvents(lowered)).toMatchObject([
    { eventName: "WithdrawalLowered", args: { amount: 30n } },
    { eventName: "Refunded", args: { amount: 20n } },
  ]);
  expect(await readPending(channel)).toEqual({ amount: 30n, isPending: true });
  await send(receiver.address, "refund", [channel.config, 30n]);
  expect(await readPending(channel)).toEqual({ amount: 0n, isPending: false });
});

test("several calls in one: all of them, or none and the reason of the one that failed", async () => {
  const { fundChannel, signVoucher, send, attempt, readChannel, receiver, abi } = setUp();
  const channel = await fundChannel(100n);
  const encode = (functionName: string, args: readonly unknown[]) =>
    encodeFunctionData({ abi, functionName, args });
  const claiming = encode("claim", [[await signVoucher(channel, 30n)]]);
  const refunding = encode("refund", [channel.config, 100n]);
  const withdrawing = encode("initiateWithdraw", [channel.config, 1n]);
  await expect(attempt(receiver.address, "multicall", [[claiming, withdrawing]])).rejects.toThrow(
    "NotAuthorized",
  );
  await send(receiver.address, "multicall", [[claiming, refunding]]);
  expect(await readChannel(channel)).toEqual({ balance: 30n, totalClaimed: 30n });
});

test("Permit2's deposit takes a token's own permit along (EIP-2612), also one that somebody sent before", async () => {
  const { deploy, openChannel, attempt, send, transact, payer, stranger, readChannel } = setUp();
  const code = await local.devnet.request<Hex>("eth_call", [{ data: loadSample("SamplePermit2").bytecode }]);
  await local.devnet.request("hardhat_setCode", [PERMIT2, code]);
  const token = await deploy("SamplePermitToken", [payer.address]);
  const channel = openChannel({ token: token.address });
  const { permit2DepositCollector: spender } = local.devnet.contracts;
  const permitted = { token: token.address, amount: 100n };
  const signature = await payer.signTypedData({
    domain: { name: "Permit2", chainId: 8453, verifyingContract: PERMIT2 },
    types: {
      PermitWitnessTransferFrom: [
        { name: "permitted", type: "TokenPermissions" },
        { name: "spender", type: "address" },
        { name: "nonce", type: "uint256" },
        { name: "deadline", type: "uint256" },
        { name: "witness", type: "DepositWitness" },
      ],
      TokenPermissions: [
        { name: "token", type: "address" },
        { name: "amount", type: "uint256" },
      ],
      DepositWitness: [{ name: "channelId", type: "bytes32" }],
    },
    primaryType: "PermitWitnessTransferFrom",
    message: { permitted, spender, nonce: 700n, deadline: FAR_FUTURE, witness: { channelId: channel.id } },
  });
  const permit = {
    owner: payer.address,
    spender: PERMIT2,
    value: 100n,
    nonce: 0n,
    deadline: FAR_FUTURE,
  } as const;
  const { r, s, yParity } = parseSignature(
    await payer.signTypedData({
      domain: { name: "Permit Token", version: "1", chainId: 8453, verifyingContract: token.address },
      types: {
        Permit: [
          { name: "owner", type: "address" },
          { name: "spender", type: "address" },
          { name: "value", type: "uint256" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" },
        ],
      },
      primaryType: "Permit",
      message: permit,
    }),
  );
  const v = 27 + yParity;
  const [word, bytes] = [{ type: "uint256" }, { type: "bytes" }] as const;
  const permitData = encodeAbiParameters(
    [word, word, { type: "uint8" }, { type: "bytes32" }, { type: "bytes32" }],
    [100n, FAR_FUTURE, v, r, s],
  );
  const collect = (tokenPermit: Hex) =>
    encodeAbiParameters([word, word, bytes, bytes], [700n, FAR_FUTURE, signature, tokenPermit]);
  const deposit = (config: Channel["config"], tokenPermit: Hex) => [
    config,
    100n,
    spender,
    collect(tokenPermit),
  ];
  const withPermit = deposit(channel.config, permitData);
  await expect(attempt(stranger.address, "deposit", deposit(channel.config, "0x"))).rejects.toThrow(
    "reverted",
  );
  const other = openChannel({ token: token.address });
  await expect(attempt(stranger.address, "deposit", deposit(other.config, permitData))).rejects.toThrow(
    "reverted",
  );
  await attempt(stranger.address, "deposit", withPermit);
  const args = [permit.owner, permit.spender, permit.value, permit.deadline, v, r, s];
  const sentBefore = encodeFunctionData({ abi: token.abi, functionName: "permit", args });
  await transact(stranger.address, token.address, sentBefore);
  await send(stranger.address, "deposit", withPermit);
  expect(await readChannel(channel)).toEqual({ balance: 100n, totalClaimed: 0n });
});
