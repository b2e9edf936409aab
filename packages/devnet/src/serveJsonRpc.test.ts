import { expect, test } from "vitest";
import { useDevnet } from "./testing/useDevnet.js";

const local = useDevnet();

async function post(body: string): Promise<unknown> {
  const response = await fetch(local.devnet.rpcUrl, { method: "POST", body });
  return response.json();
}

test.each([
  ["a number", 7],
  ["a string", "seven"],
  ["null", null],
])("echoes an id that is %s", async (_, id) => {
  const answer = await post(JSON.stringify({ jsonrpc: "2.0", id, method: "eth_chainId", params: [] }));
  expect(answer).toEqual({ jsonrpc: "2.0", id, result: "0x2105" });
});

test("a call without params works", async () => {
  expect(await post('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')).toMatchObject({ result: "0x2105" });
});

test("a batch is answered in order, failures beside successes", async () => {
  const [alice, bob] = local.devnet.accounts;
  const send = { from: alice?.address, to: bob?.address, value: "0x1", gas: "0x5208" };
  const before = Number(await local.devnet.request("eth_blockNumber"));
  const answers = await post(
    JSON.stringify([
      { jsonrpc: "2.0", id: 1, method: "eth_sendTransaction", params: [send] },
      { jsonrpc: "2.0", id: 2, method: "eth_blockNumber" },
      { jsonrpc: "2.0", id: 3, method: "no_suchMethod" },
      17,
    ]),
  );
  expect(answers).toEqual([
    { jsonrpc: "2.0", id: 1, result: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    { jsonrpc: "2.0", id: 2, result: `0x${(before + 1).toString(16)}` },
    { jsonrpc: "2.0", id: 3, error: { code: -32601, message: expect.stringContaining("no_suchMethod") } },
    { jsonrpc: "2.0", id: null, error: { code: -32600, message: "invalid request" } },
  ]);
});

test.each([
  ["broken JSON", '{"jsonrpc":', -32700],
  ["an empty body", "", -32700],
  ["an empty batch", "[]", -32600],
  ["no method", '{"jsonrpc":"2.0","id":1}', -32600],
  ["null", "null", -32600],
])("%s gets a JSON-RPC error", async (_, body, code) => {
  expect(await post(body)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
});

test("params of the wrong shape get an error and the node goes on", async () => {
  expect(await post('{"jsonrpc":"2.0","id":1,"method":"eth_call","params":["x"]}')).toMatchObject({
    error: { code: -32602 },
  });
  expect(await post('{"jsonrpc":"2.0","id":1,"method":"evm_mine","params":{}}')).toHaveProperty("id", 1);
  expect(await post('{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}')).toMatchObject({ result: "0x2105" });
});

test("a notification gets no body", async () => {
  const response = await fetch(local.devnet.rpcUrl, {
    method: "POST",
    body: '{"jsonrpc":"2.0","method":"eth_chainId"}',
  });
  expect(response.status).toBe(204);
});

test("browsers of any origin may call", async () => {
  const preflight = await fetch(local.devnet.rpcUrl, { method: "OPTIONS" });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
});

test("other verbs are refused", async () => {
  expect((await fetch(local.devnet.rpcUrl)).status).toBe(405);
});
