import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Contract, JsonRpcProvider, Wallet } from "ethers";
import {
  createPublicClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  UserRejectedRequestError,
} from "viem";
import { base } from "viem/chains";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Connector, createConfig } from "wagmi";
import { connect, sendTransaction, waitForTransactionReceipt } from "wagmi/actions";
import { mock } from "wagmi/connectors";
import { createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { createFundedWallet, type FundedWallet } from "../testing/createFundedWallet.js";
import { findClosedAddress } from "../testing/findClosedAddress.js";
import { getSharedService } from "../testing/getSharedService.js";
import { runAssay } from "../testing/runAssay.js";
import { type NodeRecorder, startNodeRecorder } from "../testing/startNodeRecorder.js";
import { type JournalEntry, readJournal } from "./journal.js";
import { type OpenProxy, openProxy, type ProxyOptions } from "./openProxy.js";

const STRANGER: Hex = "0x00000000000000000000000000000000005caffe";
const routerAbi = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256)",
]);

let service: ConnectedService;
let node: NodeRecorder;
let folder: string;
let signer: Hex;
/** Pays for verdicts, and sends. What a swap brings in, other tests would take for a payment. */
let payer: FundedWallet;
let sender: FundedWallet;
const running: OpenProxy[] = [];

beforeAll(async () => {
  [service, folder] = await Promise.all([getSharedService(), mkdtemp(join(tmpdir(), "assay-proxy-"))]);
  node = await startNodeRecorder(service.rpcUrl);
  [payer, sender] = [await createFundedWallet(service), await createFundedWallet(service)];
  signer = (await createClient({ baseUrl: service.url }).describe()).signingAddress;
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((proxy) => proxy.stop()));
  node.answer = undefined;
});
afterAll(async () => {
  await node?.stop();
  await rm(folder, { recursive: true, force: true });
});

let runs = 0;
/** A proxy in front of the recorder, with a journal of its own. */
async function start(
  policy: object = {},
  further: Partial<ProxyOptions> & { baseUrl?: string } = {},
): Promise<
  OpenProxy & { journalFile: string; policyFile: string; entries(): Promise<readonly JournalEntry[]> }
> {
  runs += 1;
  const journalFile = join(folder, `${runs}`, "journal.jsonl");
  const policyFile = join(folder, `policy-${runs}.json`);
  await writeFile(policyFile, JSON.stringify(policy));
  const { baseUrl = service.url, ...options } = further;
  const proxy = await openProxy({
    rpc: node.url,
    host: "127.0.0.1",
    port: 0,
    origins: [],
    client: { baseUrl, account: payer.account, signer, maxPriceUsd: 0.5 },
    policyFile,
    journalFile,
    maxPerDayUsd: 5,
    ...options,
  });
  running.push(proxy);
  return { ...proxy, journalFile, policyFile, entries: async () => (await readJournal(journalFile)).entries };
}

const post = (url: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
const ask = async (url: string, method: string, params: unknown[], id: unknown = 1) =>
  (await (await post(url, JSON.stringify({ jsonrpc: "2.0", id, method, params }))).json()) as {
    result?: unknown;
    error?: { code: number; message: string; data: Record<string, unknown> };
  };
const methodsSeen = () => node.bodies.map((body) => body.toString()).join("\n");

const drain = () => ({
  to: service.contract("stablecoin"),
  data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [STRANGER, maxUint256] }),
});
const swap = (recipient: Hex) => ({
  to: service.contract("swapRouter02"),
  value: parseEther("0.01"),
  data: encodeFunctionData({
    abi: routerAbi,
    args: [
      {
        tokenIn: service.contract("weth"),
        tokenOut: service.contract("stablecoin"),
        fee: 500,
        recipient,
        amountIn: parseEther("0.01"),
        amountOutMinimum: parseUnits("29", 6),
        sqrtPriceLimitX96: 0n,
      },
    ],
  }),
});

describe("a drain is not sent and a swap is", () => {
  it("by viem", async () => {
    const proxy = await start();
    const { account } = sender;
    const wallet = createWalletClient({
      ...{ account, chain: base },
      // On a busy machine the first verdict takes longer than viem waits by default.
      transport: http(proxy.url, { timeout: 60_000 }),
    });
    const before = methodsSeen().match(/eth_sendRawTransaction/g)?.length ?? 0;
    const refused = await wallet.sendTransaction(drain()).catch((error) => error);
    const cause = refused.walk((one: unknown) => one instanceof UserRejectedRequestError);
    expect(cause?.code).toBe(4001);
    expect(cause.cause.data ?? cause.data).toMatchObject({
      refusal: "verdict",
      verdict: "block",
      reasons: ["UNLIMITED_APPROVAL_TO_ACCOUNT", ...Array(5).fill(expect.stringMatching(/^[A-Z_]+$/))],
      receiptUrl: expect.stringContaining("/api/v1/receipts/"),
      journalId: expect.stringMatching(/^jr_/),
    });
    expect(methodsSeen().match(/eth_sendRawTransaction/g)?.length ?? 0).toBe(before);

    const hash = await wallet.sendTransaction(swap(account.address));
    expect(await service.wasMined(hash)).toBe(true);
    const [first, second] = await proxy.entries();
    expect(first).toMatchObject({ event: "refused", verdict: "block", rule: "verdicts.block" });
    // What the proxy shows on a line: the other reasons would reassure.
    expect(first?.decisive).toEqual(["UNLIMITED_APPROVAL_TO_ACCOUNT"]);
    expect(second).toMatchObject({ event: "forwarded", verdict: "allow", transactionHash: hash });
  });

  it("by ethers", async () => {
    const proxy = await start();
    const provider = new JsonRpcProvider(proxy.url, 8453, { staticNetwork: true });
    const wallet = new Wallet(sender.privateKey, provider);
    const token = new Contract(service.contract("stablecoin"), ["function approve(address,uint256)"], wallet);
    const refused = await token
      .getFunction("approve")(STRANGER, maxUint256)
      .catch((error: unknown) => error);
    expect(refused.error ?? refused.info?.error).toMatchObject({ code: 4001, data: { verdict: "block" } });
    const sent = await wallet.sendTransaction(swap(sender.account.address));
    expect((await sent.wait())?.status).toBe(1);
    provider.destroy();
  });

  it("by wagmi, whose wallet holds its key or hands everything to its node", async () => {
    const proxy = await start();
    const { account } = sender;
    const chain = { ...base, rpcUrls: { default: { http: [proxy.url] } } };
    // As above: verdicts take longer on a busy machine.
    const connected = mock({ accounts: [account.address], features: { defaultConnected: true } });
    const config = createConfig({
      ...{
        chains: [chain],
        connectors: [connected],
        transports: { [base.id]: http(proxy.url, { timeout: 60_000 }) },
      },
      ...{ storage: null, multiInjectedProviderDiscovery: false },
    });
    await connect(config, { connector: config.connectors[0] as Connector });
    const refusalOf = (sending: Promise<unknown>) =>
      sending.catch((error) => error.walk((one: { code?: unknown }) => one.code === 4001));
    // Its wallet hands what is to be signed to the node behind the proxy.
    expect(await refusalOf(sendTransaction(config, drain()))).toMatchObject({ code: 4001 });
    // The key is in the page, and the node gets signed transactions.
    expect(await refusalOf(sendTransaction(config, { account, ...drain() }))).toMatchObject({ code: 4001 });
    const hash = await sendTransaction(config, { account, ...swap(account.address) });
    expect((await waitForTransactionReceipt(config, { hash })).status).toBe("success");
    const entries = await proxy.entries();
    expect(entries.map(({ event, verdict, method }) => [event, verdict, method])).toEqual([
      ["refused", "block", "eth_sendTransaction"],
      ["refused", "block", "eth_sendRawTransaction"],
      ["forwarded", "allow", "eth_sendRawTransaction"],
    ]);
  });

  it("by plain JSON for a node that signs, and by signatures", async () => {
    const proxy = await start();
    const from = service.wallet("judy").address;
    const refused = await ask(proxy.url, "eth_sendTransaction", [{ from, ...drain() }]);
    expect(refused.error).toMatchObject({ code: 4001, data: { verdict: "block" } });
    // As forge and cast write quantities and fields.
    const { value, ...rest } = swap(from);
    const call = { from, ...rest, value: `0x${value.toString(16)}`, chainId: "0x2105", gas: "0x7a120" };
    const sent = await ask(proxy.url, "eth_sendTransaction", [call]);
    // The embedded node holds no keys: that it says so shows that it was asked.
    expect(sent.error?.message ?? sent.result).toMatch(/0x|unknown account|not found/i);
    expect(JSON.parse(node.bodies.at(-1)?.toString() ?? "")).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_sendTransaction",
      params: [{ ...call, from: from.toLowerCase(), to: call.to.toLowerCase(), chainId: "0x2105" }],
    });
    const permit = {
      domain: {
        name: "USD Coin",
        version: "2",
        chainId: 8453,
        verifyingContract: service.contract("stablecoin"),
      },
      primaryType: "Permit",
      types: {
        EIP712Domain: ["name", "version"]
          .map((name) => ({ name, type: "string" }))
          .concat({ name: "chainId", type: "uint256" }, { name: "verifyingContract", type: "address" }),
        Permit: [
          { name: "owner", type: "address" },
          { name: "spender", type: "address" },
          { name: "value", type: "uint256" },
          { name: "nonce", type: "uint256" },
          { name: "deadline", type: "uint256" },
        ],
      },
      message: {
        owner: from,
        spender: STRANGER,
        value: maxUint256.toString(),
        nonce: "0",
        deadline: "4102444800",
      },
    };
    const count = node.bodies.length;
    const signed = await ask(proxy.url, "eth_signTypedData_v4", [from, JSON.stringify(permit)]);
    expect(signed.error).toMatchObject({ code: 4001, data: { verdict: "block" } });
    const text = await ask(proxy.url, "personal_sign", [`0x${"ab".repeat(32)}`, from]);
    expect(text.error).toMatchObject({ code: 4001, data: { verdict: "block" } });
    const calls = await ask(proxy.url, "wallet_sendCalls", [
      { version: "2.0.0", chainId: "0x2105", from, atomicRequired: true, calls: [drain()] },
    ]);
    expect(calls.error).toMatchObject({ code: 4001, data: { verdict: "block" } });
    expect(methodsSeen()).not.toMatch(/eth_signTypedData|personal_sign|wallet_sendCalls/);
    expect(node.bodies.length).toBeGreaterThan(count);
  });
});

describe("everything else passes byte for byte", () => {
  const odd =
    '  {"id" : 1.50e400 ,\t"method":"eth_ch\\u0061inId","x":"\\ud83d\\ude00 \u00e9","params":[ ],"jsonrpc":"2.0"}\r\n';
  const reply = Buffer.concat([
    Buffer.from('{"result": 1.0,\n "id":'),
    Buffer.from([0xff, 0x00, 0xfe]),
    Buffer.from("}"),
  ]);

  it("requests and answers, with status, headers and compression", async () => {
    const proxy = await start();
    const zipped = gzipSync(reply);
    node.answer = () => ({
      status: 418,
      headers: { "X-Odd": "Ä".normalize(), "Content-Encoding": "gzip", "Content-Type": "text/odd" },
      body: zipped,
    });
    const response = await post(proxy.url, odd, { "x-api-key": "k", "accept-encoding": "gzip" });
    expect(node.bodies.at(-1)?.equals(Buffer.from(odd))).toBe(true);
    expect(node.headers.at(-1)).toMatchObject({ "x-api-key": "k", "accept-encoding": "gzip" });
    expect(response.status).toBe(418);
    expect(response.headers.get("content-type")).toBe("text/odd");
    expect(Buffer.from(await response.arrayBuffer()).equals(reply)).toBe(true);
    // A batch of reads, too.
    const batch = `[${odd.trim()} ,\n${odd}]`;
    await post(proxy.url, batch);
    expect(node.bodies.at(-1)?.toString()).toBe(batch);
    expect(await proxy.entries()).toEqual([]);
  });

  it("a large answer streams", async () => {
    const proxy = await start();
    const large = Buffer.alloc(30 << 20, "x");
    node.answer = () => ({ body: large });
    const response = await post(
      proxy.url,
      '{"jsonrpc":"2.0","id":1,"method":"debug_traceBlockByNumber","params":[]}',
    );
    expect(Buffer.from(await response.arrayBuffer()).equals(large)).toBe(true);
  });

  it.each([
    ["bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), {}, 200, "not JSON in UTF-8"],
    ["a mark at its start", Buffer.from('\ufeff{"method":"eth_chainId"}'), {}, 200, "not JSON in UTF-8"],
    ["UTF-16", Buffer.from('{"method":"eth_chainId"}', "utf16le"), {}, 200, "not JSON in UTF-8"],
    ["another charset", "{}", { "content-type": "application/json; charset=utf-16" }, 415, "UTF-8"],
    [
      "two charsets",
      "{}",
      { "content-type": "application/json; charset=utf-8; charset=utf-7" },
      415,
      "UTF-8",
    ],
    ["a compressed request", gzipSync("{}"), { "content-encoding": "gzip" }, 415, "uncompressed"],
    ["a page of another site", "{}", { origin: "https://evil.example" }, 403, "evil.example"],
    ["too many bytes", Buffer.alloc((5 << 20) + 1, " "), {}, 413, "bytes"],
  ])("but not %s", async (_name, body, headers, status, text) => {
    const proxy = await start();
    const count = node.bodies.length;
    const response = await post(proxy.url, body as Buffer, headers as Record<string, string>);
    expect([response.status, await response.text()]).toEqual([status, expect.stringContaining(text)]);
    expect(node.bodies.length).toBe(count);
  });

  it("the pages of a site that may ask read the answers, whatever the node says about pages", async () => {
    const origin = "https://app.example";
    const proxy = await start({}, { origins: [origin] });
    const preflight = await fetch(proxy.url, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-headers": "content-type,x-api-key" },
    });
    expect(preflight.headers.get("access-control-allow-headers")).toBe("content-type,x-api-key");
    for (const headers of [{}, { "Access-Control-Allow-Origin": "https://other.example", Vary: "Accept" }]) {
      node.answer = () => ({ headers, body: "{}" });
      const passed = await post(proxy.url, '{"id":1,"method":"eth_chainId"}', { origin });
      expect(passed.headers.get("access-control-allow-origin")).toBe(origin);
      expect(passed.headers.get("vary")).toContain("Origin");
    }
    node.answer = undefined;
    const refused = await post(proxy.url, '{"id":1,"method":"eth_sign"}', { origin });
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
  });

  it("nor other addresses, queries and names of this machine", async () => {
    const proxy = await start();
    for (const place of ["/graphql", "/?module=proxy&action=eth_sendRawTransaction"])
      expect((await post(proxy.url + place, "{}")).status).toBe(404);
    expect((await fetch(proxy.url)).status).toBe(405);
  });
});

describe("batches", () => {
  it("judge each member and answer in one list with the ids as they were written", async () => {
    const proxy = await start();
    const from = service.wallet("judy").address;
    const send = (id: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"eth_sendTransaction","params":[${JSON.stringify({ from, ...drain() })}]}`;
    const body = `[{"jsonrpc":"2.0","id":"a","method":"eth_chainId"}, ${send("7.0")} ,{"jsonrpc":"2.0","id":1e3,"method":"eth_sign","params":[]},{"jsonrpc":"2.0","id":null,"method":"eth_blockNumber","params":[]}]`;
    const count = node.bodies.length;
    const text = await (await post(proxy.url, body)).text();
    expect(JSON.parse(text)).toMatchObject([
      { id: "a", result: "0x2105" },
      { id: 7, error: { code: 4001, data: { verdict: "block" } } },
      { id: 1000, error: { code: 4200, data: { refusal: "method" } } },
      { id: null, result: expect.stringMatching(/^0x/) },
    ]);
    expect(text).toContain('"id":7.0,');
    expect(text).toContain('"id":1e3,');
    const forwarded = node.bodies.slice(count).map(String);
    expect(forwarded).toContain(
      '[{"jsonrpc":"2.0","id":"a","method":"eth_chainId"},{"jsonrpc":"2.0","id":null,"method":"eth_blockNumber","params":[]}]',
    );
    expect(forwarded.join()).not.toContain("eth_sendTransaction");
  });
});

describe("fails closed, unless the policy says open", () => {
  const plain = async (url: string) => {
    const from = service.wallet("judy").address;
    return ask(url, "eth_sendTransaction", [{ from, to: STRANGER, value: "0x1" }]);
  };

  it("where no service answers", async () => {
    const nobody = { baseUrl: await findClosedAddress() };
    const closed = await start({}, nobody);
    expect((await plain(closed.url)).error).toMatchObject({ code: 4001, data: { refusal: "not_judged" } });
    expect(methodsSeen()).not.toContain('"value":"0x1"');
    const opened = await start({ onFailure: "open" }, nobody);
    await plain(opened.url);
    expect(methodsSeen()).toContain('"value":"0x1"');
    expect(await opened.entries()).toMatchObject([{ event: "forwarded", rule: "onFailure" }]);
  });

  it("where the answer is of another signer", async () => {
    const client = { baseUrl: service.url, account: payer.account, signer: STRANGER };
    const proxy = await start({}, { client });
    expect((await plain(proxy.url)).error).toMatchObject({ code: 4001, data: { refusal: "not_judged" } });
  });

  it("where the day's limit for answers is reached, exactly, also after a restart", async () => {
    const ledgerFolder = join(folder, "limit");
    const limited = await start({ price: { perDayUsd: 0.1 } }, { ledgerFolder });
    // Each text costs 0.05 dollars, and all come at once.
    const texts = (url: string) =>
      Promise.all(
        Array.from({ length: 5 }, (_, index) =>
          ask(url, "personal_sign", [
            `Sign in to example.org, attempt ${index}`,
            service.wallet("judy").address,
          ]),
        ),
      );
    const kinds = (await texts(limited.url)).map(({ error }) => error?.data.refusal);
    expect(kinds.filter((kind) => kind === "limit")).toHaveLength(3);
    const again = await start({ price: { perDayUsd: 0.1 } }, { ledgerFolder });
    const later = (await texts(again.url)).map(({ error }) => error?.data);
    expect(later.every((data) => data?.refusal === "limit" && data?.rule === "price.perDayUsd")).toBe(true);
  });
});

describe("the journal", () => {
  it("keeps no signature, survives a half line, and its answers verify offline", async () => {
    const proxy = await start();
    const { account } = sender;
    const chain = createPublicClient({ chain: base, transport: http(service.rpcUrl) });
    const raw = await account.signTransaction({
      ...drain(),
      chainId: 8453,
      type: "eip1559",
      nonce: await chain.getTransactionCount({ address: account.address }),
      gas: 100_000n,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 1n,
    });
    const spent = await service.balanceOf(payer.account.address);
    // The same bytes at once and again: one payment.
    const answers = await Promise.all(
      [1, 2, 3].map((id) => ask(proxy.url, "eth_sendRawTransaction", [raw], id)),
    );
    answers.push(await ask(proxy.url, "eth_sendRawTransaction", [raw]));
    expect(answers.map(({ error }) => error?.data.verdict)).toEqual(["block", "block", "block", "block"]);
    expect(spent - (await service.balanceOf(payer.account.address))).toBeLessThanOrEqual(250_000n);
    const text = await readFile(proxy.journalFile, "utf8");
    expect(text).not.toContain(raw.slice(-80));
    const entries = await proxy.entries();
    expect(entries.map(({ answers: saved }) => saved?.[0]?.isRepeated).filter((one) => !one)).toHaveLength(1);

    await appendFile(proxy.journalFile, '\n{"id":"jr_half","event":"forwa');
    await ask(proxy.url, "eth_sign", [account.address, "0x"]);
    const read = await readJournal(proxy.journalFile);
    expect([read.entries.length, read.brokenLines]).toEqual([5, 1]);

    const run = (...args: string[]) =>
      runAssay(["--url", service.url, "journal", ...args, "--journal", proxy.journalFile]);
    expect((await run("--verdict", "block")).out.trim().split("\n")).toHaveLength(4);
    expect(await run("verify", "--signer", signer)).toMatchObject({ code: 0 });
    expect(await run("verify", "--signer", STRANGER)).toMatchObject({ code: 1 });
    const shown = await run("show", entries[0]?.id ?? "", "--json");
    expect(JSON.parse(shown.out).saved[0]).toMatchObject({
      verdict: "block",
      capabilityId: "transaction.intent.guard",
    });
  });

  it("forwards nothing for a client that has left", async () => {
    const proxy = await start({ askSeconds: 20, verdicts: { allow: "ask" } });
    const transaction = {
      from: service.wallet("judy").address,
      to: service.wallet("alice").address,
      value: "0x3",
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_sendTransaction",
      params: [transaction],
    });
    const leaving = new AbortController();
    const left = fetch(proxy.url, { method: "POST", body, signal: leaving.signal }).catch(() => "left");
    const find = async (event: JournalEntry["event"]) => {
      for (;;) {
        const found = (await proxy.entries()).find((entry) => entry.event === event);
        if (found) return found;
        await new Promise((done) => setTimeout(done, 50));
      }
    };
    await find("asked");
    leaving.abort();
    expect(await left).toBe("left");
    expect(await find("refused")).toMatchObject({ refusal: "client_gone" });
    expect(methodsSeen()).not.toContain('"value":"0x3"');
  });

  it("nor for one that leaves while its request is judged", async () => {
    const leaving = new AbortController();
    const left = new Promise<void>((done) => leaving.signal.addEventListener("abort", () => done()));
    const client = {
      ...{ baseUrl: service.url, account: payer.account, signer, maxPriceUsd: 0.5 },
      // The answer, an allow, comes after the client has left.
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        leaving.abort();
        await left;
        return fetch(input, init);
      },
    };
    const proxy = await start({}, { client });
    const transaction = {
      from: service.wallet("judy").address,
      to: service.wallet("alice").address,
      value: "0x4",
    };
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_sendTransaction",
      params: [transaction],
    });
    await fetch(proxy.url, { method: "POST", body, signal: leaving.signal }).catch(() => {});
    let entry: JournalEntry | undefined;
    while (!entry) [entry] = await proxy.entries();
    expect(entry).toMatchObject({ event: "refused", refusal: "client_gone", verdict: "allow" });
    expect(methodsSeen()).not.toContain('"value":"0x4"');
  });

  it("judges the same payment again where it is another transaction", async () => {
    const proxy = await start();
    const account = service.wallet("heidi");
    const chain = createPublicClient({ chain: base, transport: http(service.rpcUrl) });
    const first = await chain.getTransactionCount({ address: account.address });
    const pay = (nonce: number) =>
      account.signTransaction({
        to: service.wallet("alice").address,
        value: 1n,
        chainId: 8453,
        type: "eip1559",
        nonce,
        gas: 30_000n,
        maxFeePerGas: 10n ** 9n,
        maxPriorityFeePerGas: 1n,
      });
    for (const nonce of [first, first + 1])
      expect(await ask(proxy.url, "eth_sendRawTransaction", [await pay(nonce)])).toHaveProperty("result");
    const entries = await proxy.entries();
    expect(entries.map(({ event, answers }) => [event, answers?.[0]?.isRepeated])).toEqual([
      ["forwarded", false],
      ["forwarded", false],
    ]);
  });

  it("asks a person by assay journal approve, and refuses after the time-out", async () => {
    const proxy = await start({ askSeconds: 20, verdicts: { allow: "ask" } });
    const from = service.wallet("judy").address;
    const transaction = { from, to: service.wallet("alice").address, value: "0x2" };
    const decide = async (order: string) => {
      const asked = ask(proxy.url, "eth_sendTransaction", [transaction]);
      let waiting: JournalEntry | undefined;
      while (!waiting) {
        waiting = (await proxy.entries()).find(({ event }) => event === "asked");
        await new Promise((done) => setTimeout(done, 50));
      }
      const given = await runAssay(["journal", order, waiting.id, "--journal", proxy.journalFile]);
      expect(given).toMatchObject({ code: 0 });
      return [await asked, waiting.id] as const;
    };
    const [approved, id] = await decide("approve");
    expect(approved.error?.code).not.toBe(4001);
    expect((await proxy.entries()).find((one) => one.id === id)).toMatchObject({
      event: "forwarded",
      by: "person",
    });
    const [refused] = await decide("refuse");
    expect(refused.error).toMatchObject({ code: 4001, data: { refusal: "not_approved" } });
    // The policy is read again while the proxy runs; a file with a fault changes nothing.
    await writeFile(proxy.policyFile, JSON.stringify({ verdicts: { allow: "nonsense" } }));
    await proxy.reload();
    await writeFile(proxy.policyFile, JSON.stringify({ askSeconds: 1, verdicts: { allow: "ask" } }));
    await proxy.reload();
    const late = await ask(proxy.url, "eth_sendTransaction", [transaction]);
    expect(late.error).toMatchObject({ code: 4001, data: { rule: "verdicts.allow" } });
  });
});

it("transactions of one sender keep the order of their nonces, and the day's value is exact", async () => {
  const { account: ownPayer } = await createFundedWallet(service);
  const client = { baseUrl: service.url, account: ownPayer, signer, maxPriceUsd: 0.5 };
  const proxy = await start({ value: { perDayEther: 0.000003 } }, { client });
  const account = service.wallet("frank");
  const chain = createPublicClient({ chain: base, transport: http(service.rpcUrl) });
  const first = await chain.getTransactionCount({ address: account.address });
  const raws = await Promise.all(
    [3, 1, 0, 2].map((ahead) =>
      account.signTransaction({
        to: service.wallet("alice").address,
        value: 10n ** 12n,
        chainId: 8453,
        type: "eip1559",
        nonce: first + ahead,
        gas: 30_000n,
        maxFeePerGas: 10n ** 9n,
        maxPriorityFeePerGas: 1n,
      }),
    ),
  );
  const count = node.bodies.length;
  const answers = await Promise.all(raws.map((raw) => ask(proxy.url, "eth_sendRawTransaction", [raw])));
  const sent = node.bodies
    .slice(count)
    .map((body) => JSON.parse(body.toString()))
    .filter(({ method }) => method === "eth_sendRawTransaction")
    .map(({ params }) => raws.indexOf(params[0]));
  // Nonces 0, 1 and 2; the fourth would exceed the limit.
  expect(sent).toEqual([2, 1, 3]);
  expect(answers[0]?.error).toMatchObject({
    code: 4001,
    data: { refusal: "limit", rule: "value.perDayEther" },
  });
});
