import {
  type Address,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  parseSignature,
  serializeSignature,
  toHex,
  zeroAddress,
} from "viem";
import { expect, test } from "vitest";
import { loadSample } from "./deploySamples.js";
import { type Channel, openSettlement } from "./testing/openSettlement.js";
import { useDevnet } from "./testing/useDevnet.js";

/** Half the order of secp256k1 is the highest `s` of a signature that nobody changed (EIP-2). */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const local = useDevnet();
const setUp = () => openSettlement(local.devnet);

/** What `SampleCollector` takes: how much it delivers, and what it then calls. */
const encodeDelivery = (delivered: bigint, further: Hex = "0x") =>
  encodeAbiParameters([{ type: "uint256" }, { type: "bytes" }], [delivered, further]);

test("ids and digests are those of EIP-712 under the contract's own domain", async () => {
  const { openChannel, signVoucher, read, address, domain } = setUp();
  const channel = openChannel();
  expect(await read("getChannelId", [channel.config])).toBe(channel.id);
  const [, name, version, chainId, verifyingContract] = await read<unknown[]>("eip712Domain", []);
  expect({ name, version, chainId, verifyingContract }).toEqual({
    name: "x402 Batch Settlement",
    version: "1",
    chainId: 8453n,
    verifyingContract: address,
  });
  const types = {
    Refund: [
      { name: "channelId", type: "bytes32" },
      { name: "nonce", type: "uint256" },
      { name: "amount", type: "uint128" },
    ],
    Voucher: [
      { name: "channelId", type: "bytes32" },
      { name: "maxClaimableAmount", type: "uint128" },
    ],
    ClaimBatch: [{ name: "claims", type: "ClaimEntry[]" }],
    ClaimEntry: [
      { name: "channelId", type: "bytes32" },
      { name: "maxClaimableAmount", type: "uint128" },
      { name: "totalClaimed", type: "uint128" },
    ],
  } as const;
  const channelId = channel.id;
  const entry = { channelId, maxClaimableAmount: 7n, totalClaimed: 5n };
  const claims = [await signVoucher(channel, 7n, 5n), await signVoucher(channel, 7n, 5n)];
  expect(await read("getVoucherDigest", [channelId, 7n])).toBe(
    hashTypedData({ domain, types, primaryType: "Voucher", message: { channelId, maxClaimableAmount: 7n } }),
  );
  expect(await read("getRefundDigest", [channelId, 3n, 4n])).toBe(
    hashTypedData({ domain, types, primaryType: "Refund", message: { channelId, nonce: 3n, amount: 4n } }),
  );
  expect(await read("getClaimBatchDigest", [claims])).toBe(
    hashTypedData({ domain, types, primaryType: "ClaimBatch", message: { claims: [entry, entry] } }),
  );
});

test("a deposit says so, and the first one also which channel it opened", async () => {
  const { listEvents, openChannel, signDeposit, send, address, stranger, readChannel, readTokens } = setUp();
  const channel = openChannel();
  const first = listEvents(await send(stranger.address, "deposit", await signDeposit(channel, 60n)));
  expect(first).toMatchObject([
    { eventName: "ChannelCreated", args: { channelId: channel.id, config: channel.config } },
    { eventName: "Deposited", args: { sender: stranger.address, amount: 60n, balance: 60n } },
  ]);
  const second = listEvents(await send(stranger.address, "deposit", await signDeposit(channel, 5n)));
  expect(second).toMatchObject([{ eventName: "Deposited", args: { amount: 5n, balance: 65n } }]);
  expect(await readChannel(channel)).toEqual({ balance: 65n, totalClaimed: 0n });
  expect(await readTokens(address)).toBe(65n);
});

test.each([
  ["no payer", { payer: zeroAddress }, /InvalidConfig[\s\S]*\(payer\)/],
  ["no receiver", { receiver: zeroAddress }, /InvalidConfig[\s\S]*\(receiver\)/],
  [
    "no authorizer of the receiver",
    { receiverAuthorizer: zeroAddress },
    /InvalidConfig[\s\S]*\(receiverAuthorizer\)/,
  ],
  ["a delay below a quarter of an hour", { withdrawDelay: 899 }, "WithdrawDelayOutOfRange"],
  ["a delay above thirty days", { withdrawDelay: 2_592_001 }, "WithdrawDelayOutOfRange"],
])("a channel with %s takes no deposit", async (_, change, reason) => {
  const { openChannel, signDeposit, attempt, stranger } = setUp();
  await expect(
    attempt(stranger.address, "deposit", await signDeposit(openChannel(change), 1n)),
  ).rejects.toThrow(reason);
});

test.each([900, 2_592_000])("a channel may have a delay of %i seconds", async (withdrawDelay) => {
  const { fundChannel, readChannel } = setUp();
  expect(await readChannel(await fundChannel(1n, { withdrawDelay }))).toEqual({
    balance: 1n,
    totalClaimed: 0n,
  });
});

test("an authorization works for the channel and amount that it was signed for, and through the settlement only", async () => {
  const { openChannel, signDeposit, attempt, send, stranger } = setUp();
  const [meant, other] = [openChannel(), openChannel()];
  const [config, amount, collector, data] = await signDeposit(meant, 50n);
  const refused = "FiatTokenV2: invalid signature";
  await expect(attempt(stranger.address, "deposit", [other.config, amount, collector, data])).rejects.toThrow(
    refused,
  );
  await expect(attempt(stranger.address, "deposit", [config, 51n, collector, data])).rejects.toThrow(refused);
  await expect(attempt(stranger.address, "deposit", [config, 0n, collector, data])).rejects.toThrow(
    "ZeroAmount",
  );
  for (const name of ["Erc3009DepositCollector", "Permit2DepositCollector"]) {
    const { abi } = loadSample(name);
    const args = [config.payer, config.token, amount, meant.id, data];
    const call = { from: stranger.address, data: encodeFunctionData({ abi, functionName: "collect", args }) };
    const key = name === "Permit2DepositCollector" ? "permit2DepositCollector" : "erc3009DepositCollector";
    const calling = local.devnet.request("eth_call", [
      { ...call, to: local.devnet.contracts[key] },
      "latest",
    ]);
    await expect(calling).rejects.toMatchObject({
      data: encodeErrorResult({ abi, errorName: "NotSettlement", args: [stranger.address] }),
    });
  }
  await send(stranger.address, "deposit", [config, amount, collector, data]);
  await expect(attempt(stranger.address, "deposit", [config, amount, collector, data])).rejects.toThrow(
    "used or canceled",
  );
});

test.each([99, 101])("of a deposit of 100, %i that arrive are refused", async (delivered) => {
  const { deploy, openChannel, attempt, transact, stranger } = setUp();
  const token = await deploy("ReenteringToken");
  const collector = await deploy("SampleCollector");
  const mint = { ...token, functionName: "mint", args: [collector.address, 1_000n] };
  await transact(stranger.address, token.address, encodeFunctionData(mint));
  const { config } = openChannel({ token: token.address });
  const deposit = (data: Hex) =>
    attempt(stranger.address, "deposit", [config, 100n, collector.address, data]);
  await deposit(encodeDelivery(100n));
  await expect(deposit(encodeDelivery(BigInt(delivered)))).rejects.toThrow("WrongDeposit");
  await expect(
    attempt(stranger.address, "deposit", [config, 100n, zeroAddress, encodeDelivery(100n)]),
  ).rejects.toThrow("reverted");
});

test("a collector that deposits again while it collects does not have its tokens counted twice", async () => {
  const { deploy, openChannel, attempt, transact, stranger, abi } = setUp();
  const token = await deploy("ReenteringToken");
  const collector = await deploy("SampleCollector");
  const mint = { ...token, functionName: "mint", args: [collector.address, 1_000n] };
  await transact(stranger.address, token.address, encodeFunctionData(mint));
  const { config } = openChannel({ token: token.address });
  const inner = encodeFunctionData({
    abi,
    functionName: "deposit",
    args: [config, 100n, collector.address, encodeDelivery(100n)],
  });
  const outer = [config, 100n, collector.address, encodeDelivery(0n, inner)];
  await expect(attempt(stranger.address, "deposit", outer)).rejects.toThrow("Reentered");
});

test("a token that calls back while it moves changes nothing", async () => {
  const { deploy, openChannel, attempt, send, transact, stranger, receiver, address, abi } = setUp();
  const token = await deploy("ReenteringToken");
  const collector = await deploy("SampleCollector");
  const call = (functionName: string, args: readonly unknown[]) =>
    transact(stranger.address, token.address, encodeFunctionData({ abi: token.abi, functionName, args }));
  await call("mint", [collector.address, 1_000n]);
  // The token itself may refund, and is paid: whatever it calls, it is entitled to.
  const own = {
    token: token.address,
    payer: token.address,
    receiver: token.address,
    receiverAuthorizer: token.address,
  };
  const { config } = openChannel(own);
  const deposit = [config, 100n, collector.address, encodeDelivery(100n)];
  await send(stranger.address, "deposit", deposit);
  for (const [functionName, args] of [
    ["refund", [config, 10n]],
    ["claim", [[]]],
    ["settle", [receiver.address, token.address]],
    ["multicall", [[encodeFunctionData({ abi, functionName: "refund", args: [config, 10n] })]]],
  ] as const) {
    await attempt(token.address, functionName, args);
    await call("arm", [address, encodeFunctionData({ abi, functionName, args })]);
    await expect(attempt(token.address, "refund", [config, 10n])).rejects.toThrow("Reentered");
    await expect(attempt(stranger.address, "deposit", deposit)).rejects.toThrow("Reentered");
    await call("arm", [zeroAddress, "0x"]);
  }
});

test("a claim takes what a voucher allows, once, and says so", async () => {
  const { listEvents, fundChannel, signVoucher, send, readChannel, readReceiver, receiverAuthorizer } =
    setUp();
  const channel = await fundChannel(100n);
  const claim = await signVoucher(channel, 80n, 70n);
  const receipt = await send(receiverAuthorizer.address, "claim", [[claim]]);
  expect(listEvents(receipt)).toMatchObject([
    {
      eventName: "Claimed",
      args: { channelId: channel.id, amount: 70n, totalClaimed: 70n },
    },
  ]);
  const lower = await signVoucher(channel, 60n);
  expect((await send(receiverAuthorizer.address, "claim", [[claim, lower]])).logs).toEqual([]);
  expect(await readChannel(channel)).toEqual({ balance: 100n, totalClaimed: 70n });
  expect(await readReceiver()).toEqual({ totalClaimed: 70n, totalSettled: 0n });
});

test("several vouchers of one channel in one claim count together no more than the highest", async () => {
  const { fundChannel, signVoucher, send, readChannel, readReceiver, receiver } = setUp();
  const channel = await fundChannel(100n);
  const claims = await Promise.all([30n, 90n, 90n, 50n].map((ceiling) => signVoucher(channel, ceiling)));
  await send(receiver.address, "claim", [claims]);
  expect(await readChannel(channel)).toEqual({ balance: 100n, totalClaimed: 90n });
  expect(await readReceiver()).toEqual({ totalClaimed: 90n, totalSettled: 0n });
});

test("claims for several receivers are credited to each, in any order", async () => {
  const { fundChannel, signVoucher, signClaims, send, readReceiver, receiver, stranger } = setUp();
  const to = (holder: Address) => fundChannel(100n, { receiver: holder });
  const channels = [
    await to(receiver.address),
    await to(stranger.address),
    await to(receiver.address),
    await to(stranger.address),
  ];
  const claims = await Promise.all(channels.map((channel, at) => signVoucher(channel, BigInt(at + 1))));
  await send(stranger.address, "claimWithSignature", [claims, await signClaims(claims)]);
  expect((await readReceiver(receiver.address)).totalClaimed).toBe(4n);
  expect((await readReceiver(stranger.address)).totalClaimed).toBe(6n);
});

test("a claim above its voucher, above the deposit, or under another's signature is refused", async () => {
  const { fundChannel, signVoucher, attempt, payer, receiverAuthorizer, stranger, domain, payerAuthorizer } =
    setUp();
  const channel = await fundChannel(100n);
  const claim = async (row: Awaited<ReturnType<typeof signVoucher>>) =>
    attempt(receiverAuthorizer.address, "claim", [[row]]);
  const honest = await signVoucher(channel, 100n);
  await claim(honest);
  await expect(claim(await signVoucher(channel, 100n, 101n))).rejects.toThrow("AboveCeiling");
  await expect(claim(await signVoucher(channel, 101n))).rejects.toThrow("AboveBalance");
  const unsigned = "InvalidVoucherSignature";
  await expect(claim(await signVoucher(channel, 100n, 100n, stranger))).rejects.toThrow(unsigned);
  // With an authorizer set, not even the payer signs.
  await expect(claim(await signVoucher(channel, 100n, 100n, payer))).rejects.toThrow(unsigned);
  await expect(claim({ ...honest, signature: "0x" })).rejects.toThrow(unsigned);
  await expect(claim({ ...(await signVoucher(channel, 99n)), voucher: honest.voucher })).rejects.toThrow(
    unsigned,
  );
  const { r, s, yParity } = parseSignature(honest.signature);
  const turned = { r, s: toHex(CURVE_ORDER - BigInt(s), { size: 32 }), yParity: 1 - yParity };
  await expect(claim({ ...honest, signature: serializeSignature(turned) })).rejects.toThrow(unsigned);
  for (const change of [{ chainId: 84532 }, { verifyingContract: stranger.address }, { version: "2" }]) {
    const signature = await payerAuthorizer.signTypedData({
      domain: { ...domain, ...change },
      types: {
        Voucher: [
          { name: "channelId", type: "bytes32" },
          { name: "maxClaimableAmount", type: "uint128" },
        ],
      },
      primaryType: "Voucher",
      message: { channelId: channel.id, maxClaimableAmount: 100n },
    });
    await expect(claim({ ...honest, signature })).rejects.toThrow(unsigned);
  }
});

test("only the receiver's side claims: as the caller of every row, or by one signature over all of them", async () => {
  const { fundChannel, signVoucher, signClaims, attempt, receiver, receiverAuthorizer, stranger, payer } =
    setUp();
  const mine = await signVoucher(await fundChannel(100n), 50n);
  const other = await signVoucher(await fundChannel(100n, { receiverAuthorizer: stranger.address }), 50n);
  await attempt(receiver.address, "claim", [[mine, other]]);
  await attempt(receiverAuthorizer.address, "claim", [[mine]]);
  await expect(attempt(receiverAuthorizer.address, "claim", [[mine, other]])).rejects.toThrow(
    "NotAuthorized",
  );
  await expect(attempt(payer.address, "claim", [[mine]])).rejects.toThrow("NotAuthorized");

  const relay = (claims: readonly (typeof mine)[], signature: Hex) =>
    attempt(stranger.address, "claimWithSignature", [claims, signature]);
  await relay([mine], await signClaims([mine]));
  await expect(relay([mine], await signClaims([mine], stranger))).rejects.toThrow(
    "InvalidAuthorizerSignature",
  );
  await expect(relay([mine], await signClaims([mine], receiver))).rejects.toThrow(
    "InvalidAuthorizerSignature",
  );
  await expect(relay([mine, mine], await signClaims([mine]))).rejects.toThrow("InvalidAuthorizerSignature");
  const less = { ...mine, totalClaimed: 49n };
  await expect(relay([less], await signClaims([mine]))).rejects.toThrow("InvalidAuthorizerSignature");
  await expect(relay([mine, other], await signClaims([mine, other]))).rejects.toThrow("MixedAuthorizers");
  await expect(relay([], await signClaims([]))).rejects.toThrow("NoClaims");
});

test("contracts sign as payer and as the receiver's authorizer (ERC-1271)", async () => {
  const { fundChannel, signVoucher, signClaims, send, attempt, readChannel, payer, stranger } = setUp();
  // Alice, who is the payer elsewhere, owns this wallet.
  const { wallet1271 } = local.devnet.contracts;
  const ofWallet = { payer: wallet1271, payerAuthorizer: zeroAddress, receiverAuthorizer: wallet1271 };
  const channel: Channel = await fundChannel(100n, ofWallet);
  const claims = [await signVoucher(channel, 40n, 40n, payer)];
  const forged = [await signVoucher(channel, 40n, 40n, stranger)];
  const relay = async (rows: typeof claims, signer = payer) => [rows, await signClaims(rows, signer)];
  await expect(attempt(stranger.address, "claimWithSignature", await relay(forged))).rejects.toThrow(
    "InvalidVoucherSignature",
  );
  await expect(
    attempt(stranger.address, "claimWithSignature", await relay(claims, stranger)),
  ).rejects.toThrow("InvalidAuthorizerSignature");
  await send(stranger.address, "claimWithSignature", await relay(claims));
  expect(await readChannel(channel)).toEqual({ balance: 100n, totalClaimed: 40n });
  // A payer without code signs by itself where no authorizer is named.
  const plain = await fundChannel(100n, { payerAuthorizer: zeroAddress });
  const own = [await signVoucher(plain, 1n, 1n, payer)];
  await send(stranger.address, "claimWithSignature", [own, await signClaims(own)]);
  expect(await readChannel(plain)).toEqual({ balance: 100n, totalClaimed: 1n });
});
