// The peer: the official x402 middleware on Hono with its own facilitator in process, selling a contract guard that
// is written with viem. It is set up as its documentation shows; with TUNED=1 it has what a careful user would enable:
// parallel reads, JSON-RPC batching and viem's nonce manager.
import { serve } from "@hono/node-server";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactFacilitatorScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ExactServerScheme } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import {
  createPublicClient,
  createWalletClient,
  getAddress,
  http,
  isAddress,
  parseAbi,
  publicActions,
} from "viem";
import { nonceManager, privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { network, priceMicroUsd } from "./benchAccounts.mjs";

const { PORT, RPC_URL, SETTLER_PRIVATE_KEY, PAY_TO, TUNED } = process.env;
const isTuned = TUNED === "1";
const createTransport = () => http(RPC_URL, isTuned ? { batch: true } : {});

const settler = createWalletClient({
  account: privateKeyToAccount(SETTLER_PRIVATE_KEY, isTuned ? { nonceManager } : undefined),
  chain: base,
  transport: createTransport(),
}).extend(publicActions);
const signer = toFacilitatorEvmSigner({
  address: settler.account.address,
  getCode: (args) => settler.getCode(args),
  readContract: (args) => settler.readContract({ ...args, args: args.args ?? [] }),
  verifyTypedData: (args) => settler.verifyTypedData(args),
  writeContract: (args) => settler.writeContract({ ...args, args: args.args ?? [] }),
  sendTransaction: (args) => settler.sendTransaction(args),
  waitForTransactionReceipt: (args) => settler.waitForTransactionReceipt(args),
});
const facilitator = new x402Facilitator().register(network, new ExactFacilitatorScheme(signer));
const resourceServer = new x402ResourceServer({
  verify: (payment, requirements) => facilitator.verify(payment, requirements),
  settle: (payment, requirements) => facilitator.settle(payment, requirements),
  getSupported: async () => facilitator.getSupported(),
}).register(network, new ExactServerScheme());

const client = createPublicClient({ chain: base, transport: createTransport() });
const pausableAbi = parseAbi(["function paused() view returns (bool)"]);
const slots = [
  "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
];

async function guard(address) {
  const reads = [
    () => client.getCode({ address }),
    ...slots.map((slot) => () => client.getStorageAt({ address, slot })),
    () => client.readContract({ address, abi: pausableAbi, functionName: "paused" }).catch(() => null),
    () => client.getBlockNumber(),
  ];
  const [code, implementation, admin, beacon, paused, blockNumber] = isTuned
    ? await Promise.all(reads.map((read) => read()))
    : await inOrder(reads);
  const toAddress = (word) => (word && BigInt(word) !== 0n ? getAddress(`0x${word.slice(-40)}`) : null);
  return {
    address: getAddress(address),
    chainId: base.id,
    blockNumber: String(blockNumber),
    codeBytes: code ? (code.length - 2) / 2 : 0,
    proxy: {
      implementation: toAddress(implementation),
      admin: toAddress(admin),
      beacon: toAddress(beacon),
    },
    paused,
  };
}

async function inOrder(reads) {
  const values = [];
  for (const read of reads) values.push(await read());
  return values;
}

const app = new Hono();
const price = `$${priceMicroUsd / 1e6}`;
app.use(
  paymentMiddleware(
    {
      "GET /guard": {
        accepts: { scheme: "exact", price, network, payTo: PAY_TO },
        description: "Contract guard",
        mimeType: "application/json",
      },
    },
    resourceServer,
  ),
);
app.get("/guard", async (c) => {
  const address = c.req.query("address") ?? "";
  if (!isAddress(address)) return c.json({ error: "address must be an address" }, 400);
  return c.json(await guard(address));
});
serve({ fetch: app.fetch, port: Number(PORT), hostname: "127.0.0.1" });
for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => process.exit(0));
process.on("disconnect", () => process.exit(0));
