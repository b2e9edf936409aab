// The chain that every subject uses, run by startChain.mjs as a process of its own. It is the repository's devnet
// behind an HTTP server that delays and counts each request, with proofs that cost what a real node's do. The path of the URL identifies the subject that sent a
// request. Commands come over the IPC channel, so they are neither delayed nor counted.
import { createServer } from "node:http";
import { createDevnet } from "@assay/devnet";
import { encodeFunctionData, pad, parseAbi, toHex } from "viem";
import { getPayerAccount, getProxyAddress, getTill, payerCount, stablecoin } from "./benchAccounts.mjs";
import { createProvingNode } from "./createProvingNode.mjs";

const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";
const mintAbi = parseAbi(["function mint(address to, uint256 amount)"]);
const dollarsEach = 1_000_000_000_000n;

// A block for each transaction as it arrives, and an empty one after two seconds without any: a head that does not
// move would count as stale.
const devnet = await createDevnet({ blockTimeMs: 2000 });
let answer = devnet.request;
let delayMs = 0;
let recorded;
const counts = new Map();

async function fund(subjects) {
  for (const subject of subjects)
    await devnet.request("hardhat_setBalance", [getTill(subject).settler, toHex(10n ** 22n)]);
  const from = devnet.deployer.address;
  await devnet.request("hardhat_impersonateAccount", [from]);
  await devnet.request("evm_setAutomine", [false]);
  for (let index = 0; index < payerCount; index += 1) {
    const data = encodeFunctionData({ abi: mintAbi, args: [getPayerAccount(index).address, dollarsEach] });
    await devnet.request("eth_sendTransaction", [{ from, to: stablecoin, data, gas: toHex(200_000) }]);
  }
  await devnet.mine();
  await devnet.request("evm_setAutomine", [true]);
}

/**
 * Installs proxies of a pausable token. Each has different code: its number replaces the compiler's version in the metadata at
 * the end of the code, so that a subject cannot know a proxy before it is first asked about it.
 */
async function installProxies(count) {
  const { uupsProxy, pausableToken } = devnet.contracts;
  const code = await devnet.request("eth_getCode", [uupsProxy, "latest"]);
  // CBOR for "solc" and three bytes, which follow.
  const versionAt = code.lastIndexOf("64736f6c6343") + 12;
  const implementation = pad(pausableToken.toLowerCase(), { size: 32 });
  const proxies = [];
  for (let index = 0; index < count; index += 1) {
    const address = getProxyAddress(index);
    const version = index.toString(16).padStart(6, "0");
    const ownCode = code.slice(0, versionAt) + version + code.slice(versionAt + 6);
    await devnet.request("hardhat_setCode", [address, ownCode]);
    await devnet.request("hardhat_setStorageAt", [address, implementationSlot, implementation]);
    proxies.push({ address, code: ownCode, slot: implementationSlot, word: implementation });
  }
  // State set by force is seen from the next block on.
  await devnet.mine();
  return proxies;
}

const commands = {
  async prepare({ subjects, proxies }) {
    await fund(subjects);
    const installed = await installProxies(proxies);
    answer = await createProvingNode(devnet, {
      proxies: installed,
      others: [devnet.contracts.pausableToken],
    });
  },
  request: ({ method, params }) => devnet.request(method, params),
  setDelay: ({ ms }) => {
    delayMs = ms;
  },
  count: ({ subject }) => counts.get(subject) ?? { requests: 0, calls: 0 },
  startRecording: ({ subject }) => {
    recorded = { subject, requests: [] };
  },
  stopRecording: () => {
    const requests = recorded?.requests ?? [];
    recorded = undefined;
    return requests;
  },
};

async function answerCall({ id = null, method, params }) {
  try {
    return { jsonrpc: "2.0", id, result: await answer(method, params) };
  } catch (error) {
    // In-process, the devnet puts the method's name before the message that a node would send.
    const message = String(error.message).replace(`${method}: `, "");
    return { jsonrpc: "2.0", id, error: { code: error.code ?? -32603, message, data: error.data } };
  }
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

async function respond(request, response) {
  const body = await readBody(request);
  const startedAt = performance.now();
  const subject = request.url.slice(1);
  const calls = [body].flat();
  const count = counts.get(subject) ?? { requests: 0, calls: 0 };
  counts.set(subject, { requests: count.requests + 1, calls: count.calls + calls.length });
  if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs));
  // The calls of a batch run together, which lets several transactions in one batch share a block.
  const answers = await Promise.all(calls.map(answerCall));
  const text = JSON.stringify(Array.isArray(body) ? answers : answers[0]);
  if (recorded?.subject === subject) {
    const asked = calls.map(({ method, params }) => ({ method, params: JSON.stringify(params ?? []) }));
    recorded.requests.push({ startedAt, endedAt: performance.now(), calls: asked });
  }
  response.writeHead(200, { "content-type": "application/json" }).end(text);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(400).end(String(error.message));
  });
});
server.keepAliveTimeout = 120_000;

process.on("message", async ({ id, command, ...args }) => {
  try {
    process.send({ id, result: await commands[command](args) });
  } catch (error) {
    process.send({ id, error: error.message });
  }
});
// Ctrl-C reaches this process too, but the chain must outlive the subjects that use it; it ends with the driver.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
server.listen(0, "127.0.0.1", () => process.send({ port: server.address().port }));
