import {
  type Address,
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseAbi,
  parseEventLogs,
  parseSignature,
  toHex,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { expect, test } from "vitest";
import { useDevnet } from "./testing/useDevnet.js";

const abi = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function authorizationState(address, bytes32) view returns (bool)",
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
  "function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, uint8, bytes32, bytes32)",
  "function receiveWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)",
  "function cancelAuthorization(address, bytes32, bytes)",
  "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
  "event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)",
]);
const fields = [
  { name: "from", type: "address" },
  { name: "to", type: "address" },
  { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" },
  { name: "validBefore", type: "uint256" },
  { name: "nonce", type: "bytes32" },
] as const;
const types = {
  TransferWithAuthorization: fields,
  ReceiveWithAuthorization: fields,
  CancelAuthorization: [
    { name: "authorizer", type: "address" },
    { name: "nonce", type: "bytes32" },
  ],
} as const;

const local = useDevnet();
let nonceCount = 0;

function setUp() {
  const key = local.devnet.accounts[0]?.privateKey;
  if (!key) throw new Error("no first account");
  const alice = privateKeyToAccount(key);
  const transport = http(local.devnet.rpcUrl);
  const client = createPublicClient({ chain: base, transport, pollingInterval: 10 });
  const settler = createWalletClient({
    chain: base,
    transport,
    account: privateKeyToAccount(local.devnet.settler.privateKey),
  });
  const { address, name, version } = local.devnet.stablecoin;
  const domain = { name, version, chainId: 8453, verifyingContract: address };
  const readBalance = (holder: Address) =>
    client.readContract({ address, abi, functionName: "balanceOf", args: [holder] });
  const sign = (signer: PrivateKeyAccount, message: Authorization) =>
    signer.signTypedData({ domain, types, primaryType: "TransferWithAuthorization", message });
  const transfer = { address, abi, functionName: "transferWithAuthorization" } as const;
  return { alice, client, settler, domain, address, readBalance, sign, transfer };
}

type Authorization = ReturnType<typeof authorize>["message"];

/** An authorization of one dollar from now on, as x402 clients make them. */
function authorize(from: Address, change: { validAfter?: bigint; validBefore?: bigint } = {}) {
  nonceCount += 1;
  const now = BigInt(Math.floor(Date.now() / 1000));
  const message = {
    from,
    to: local.devnet.payTo,
    value: 1_000_000n,
    validAfter: change.validAfter ?? now - 600n,
    validBefore: change.validBefore ?? now + 60n,
    nonce: toHex(nonceCount, { size: 32 }),
  };
  const args = [
    message.from,
    message.to,
    message.value,
    message.validAfter,
    message.validBefore,
    message.nonce,
  ] as const;
  return { message, args };
}

function splitSignature(signature: Hex) {
  const { r, s, yParity } = parseSignature(signature);
  return [27 + yParity, r, s] as const;
}

test("an authorization with v, r and s moves the money once", async () => {
  const { alice, client, settler, address, readBalance, sign, transfer } = setUp();
  const { message, args } = authorize(alice.address);
  const signature = await sign(alice, message);
  const call = { ...transfer, args: [...args, ...splitSignature(signature)] } as const;
  const receipt = await client.waitForTransactionReceipt({ hash: await settler.writeContract(call) });
  expect(receipt.status).toBe("success");
  expect(await readBalance(local.devnet.payTo)).toBe(1_000_000n);
  const state = [alice.address, message.nonce] as const;
  expect(await client.readContract({ address, abi, functionName: "authorizationState", args: state })).toBe(
    true,
  );
  const [event] = parseEventLogs({ abi, logs: receipt.logs, eventName: "AuthorizationUsed" });
  expect(event?.args).toEqual({ authorizer: alice.address, nonce: message.nonce });
  await expect(client.simulateContract({ ...call, account: settler.account })).rejects.toThrow(
    "authorization is used or canceled",
  );
});

test("an authorization with a bytes signature moves the money", async () => {
  const { alice, settler, readBalance, sign, transfer } = setUp();
  const { message, args } = authorize(alice.address);
  const signature = await sign(alice, message);
  await settler.writeContract({ ...transfer, args: [...args, signature] });
  expect(await readBalance(local.devnet.payTo)).toBe(1_000_000n);
});

test.each(["bytes", "split"])("a smart-contract wallet pays with its owner's %s signature", async (form) => {
  const { alice, settler, readBalance, sign, transfer } = setUp();
  const { message, args } = authorize(local.devnet.contracts.wallet1271);
  const signature = await sign(alice, message);
  if (form === "bytes") await settler.writeContract({ ...transfer, args: [...args, signature] });
  else await settler.writeContract({ ...transfer, args: [...args, ...splitSignature(signature)] });
  expect(await readBalance(local.devnet.payTo)).toBe(1_000_000n);
});

test("another key's signature is refused, for a person and for a wallet", async () => {
  const { alice, client, settler, sign, transfer } = setUp();
  for (const from of [alice.address, local.devnet.contracts.wallet1271]) {
    const { message, args } = authorize(from);
    const signature = await sign(settler.account, message);
    const call = { ...transfer, args: [...args, signature] } as const;
    await expect(client.simulateContract(call)).rejects.toThrow("invalid signature");
  }
});

test.each([
  ["an expired authorization", { validBefore: 1n }, "authorization is expired"],
  ["an authorization not yet valid", { validAfter: 2n ** 47n, validBefore: 2n ** 48n - 1n }, "not yet valid"],
])("%s is refused", async (_, change, reason) => {
  const { alice, client, sign, transfer } = setUp();
  const { message, args } = authorize(alice.address, change);
  const signature = await sign(alice, message);
  const call = { ...transfer, args: [...args, signature] } as const;
  await expect(client.simulateContract(call)).rejects.toThrow(reason);
});

test("only the payee can receive with an authorization", async () => {
  const { alice, client, settler, domain, address } = setUp();
  const { message, args } = authorize(alice.address);
  const signature = await alice.signTypedData({
    domain,
    types,
    primaryType: "ReceiveWithAuthorization",
    message,
  });
  const call = {
    address,
    abi,
    functionName: "receiveWithAuthorization",
    args: [...args, signature],
  } as const;
  await client.simulateContract({ ...call, account: local.devnet.payTo });
  await expect(client.simulateContract({ ...call, account: settler.account })).rejects.toThrow(
    "caller must be the payee",
  );
});

test("a canceled authorization cannot be used", async () => {
  const { alice, client, settler, domain, address } = setUp();
  const { message } = authorize(alice.address);
  const cancellation = { authorizer: alice.address, nonce: message.nonce };
  const signature = await alice.signTypedData({
    domain,
    types,
    primaryType: "CancelAuthorization",
    message: cancellation,
  });
  const args = [alice.address, message.nonce, signature] as const;
  const hash = await settler.writeContract({ address, abi, functionName: "cancelAuthorization", args });
  const { logs } = await client.waitForTransactionReceipt({ hash });
  const [event] = parseEventLogs({ abi, logs, eventName: "AuthorizationCanceled" });
  expect(event?.args).toEqual(cancellation);
  const state = [alice.address, message.nonce] as const;
  expect(await client.readContract({ address, abi, functionName: "authorizationState", args: state })).toBe(
    true,
  );
});

test("the wallet's owner spends from it by an ordinary call", async () => {
  const { alice, address, readBalance } = setUp();
  const transfer = encodeFunctionData({
    abi: parseAbi(["function transfer(address, uint256) returns (bool)"]),
    args: [local.devnet.payTo, 5n],
  });
  const data = encodeFunctionData({
    abi: parseAbi(["function execute(address, uint256, bytes) returns (bytes)"]),
    args: [address, 0n, transfer],
  });
  const { wallet1271 } = local.devnet.contracts;
  await local.devnet.request("eth_sendTransaction", [{ from: alice.address, to: wallet1271, data }]);
  expect(await readBalance(local.devnet.payTo)).toBe(5n);
  const [, bob] = local.devnet.accounts;
  const byBob = [{ from: getAddress(bob?.address ?? ""), to: wallet1271, data }, "latest"];
  await expect(local.devnet.request("eth_call", byBob)).rejects.toMatchObject({ code: 3 });
});
