// A wagmi application whose wallet is never asked to sign a drain: node packages/adapters/wagmi/example.mjs
import { createClient } from "@assay/client";
import { guardConnector } from "@assay/wagmi";
import { createWalletClient, http, UserRejectedRequestError } from "viem";
import { base } from "viem/chains";
import { createConfig, injected } from "wagmi";
import { connect, sendTransaction, signTypedData } from "wagmi/actions";
import { isGuarded, planCalls } from "../../../examples/scene.mjs";
import { setup } from "../../../examples/setup.mjs";

const { baseUrl, rpcUrl, account, contracts } = setup("erin");
// Keep this from a first visit you trust: a service that may name its own key can vouch for itself.
const { signingAddress: signer } = await createClient({ baseUrl }).describe();
const assay = createClient({ baseUrl, account, signer, node: rpcUrl, maxPriceUsd: 0.25, maxTotalUsd: 5 });

// Stands for a browser's wallet, and for a person who confirms everything.
const key = createWalletClient({ account, chain: base, transport: http(rpcUrl) });
const answers = {
  eth_requestAccounts: () => [account.address],
  eth_accounts: () => [account.address],
  eth_sendTransaction: ([{ to, data, value }]) =>
    key.sendTransaction({ to, data, value: BigInt(value ?? 0) }),
  eth_signTypedData_v4: ([, document]) => account.signTypedData(JSON.parse(document)),
};
const provider = {
  request: async ({ method, params }) =>
    method in answers ? answers[method](params) : key.request({ method, params }),
  on: () => provider,
  removeListener: () => provider,
};
// wagmi looks for a wallet only where there is a window.
globalThis.window ??= {};
const wallet = injected({ target: { id: "own", name: "Own wallet", provider } });

const connector = isGuarded() ? guardConnector(wallet, { assay }) : wallet;
const config = createConfig({
  chains: [base],
  connectors: [connector],
  multiInjectedProviderDiscovery: false,
  transports: { [base.id]: http(rpcUrl) },
});
await connect(config, { connector: config.connectors[0] });

const { swap, drain, permit, readStolen, waitFor } = await planCalls({ rpcUrl, account, contracts });
const report = async (name, act) => {
  try {
    console.log(`${name}: ${await act()}`);
  } catch (error) {
    const rejected = error.walk?.((one) => one instanceof UserRejectedRequestError);
    if (!rejected) throw error;
    const { verdict, reasons } = rejected.cause.data;
    console.log(`${name}: not signed (${verdict}): ${reasons.join(", ")}`);
  }
};
const send = async (call) => `sent: ${(await waitFor(await sendTransaction(config, call))).status}`;
await report("swap", () => send(swap));
await report("drain", () => send(drain));
await report("permit", async () => `signed ${(await signTypedData(config, permit)).slice(0, 10)}…`);
console.log(`The stranger may take ${await readStolen()}.`);
