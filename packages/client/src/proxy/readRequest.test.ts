import { concatHex, type Hex, parseGwei, serializeTransaction, toRlp } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { listFields, listItems } from "./jsonText.js";
import { classifyMethod, judgedMethods } from "./methods.js";
import { readRequest } from "./readRequest.js";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const from = account.address.toLowerCase() as Hex;
const other: Hex = "0x00000000000000000000000000000000005caffe";
const read = (raw: string, methods = {}) => readRequest(raw, { methods });
const request = (method: string, params: unknown, id: unknown = 1) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const refusalOf = async (raw: string) => {
  const found = await read(raw);
  return found.kind === "refuse" ? `${found.error.code} ${found.error.message}` : found.kind;
};

describe("slices of JSON", () => {
  it("keep every byte", () => {
    const text = ' [ {"a" : "]}\\"," , "b":[1 ,2]} ,3.0e5,"x" , null,[],{} ]\n';
    expect(listItems(text)).toEqual(['{"a" : "]}\\"," , "b":[1 ,2]}', "3.0e5", '"x"', "null", "[]", "{}"]);
    expect(listFields('{ "\\u0061" : 1.50 ,"a":{"b":"}"} }')).toEqual([
      ["a", "1.50"],
      ["a", '{"b":"}"}'],
    ]);
  });
});

describe("what two readers could read differently is refused", () => {
  it.each([
    [
      "a name twice",
      '{"id":1,"method":"eth_chainId","method":"eth_sendRawTransaction","params":["0x"]}',
      "method",
    ],
    ["a name twice, once escaped", '{"id":1,"method":"eth_chainId","meth\\u006fd":"eth_sign"}', "method"],
    [
      "a name in other letters",
      '{"id":1,"method":"eth_chainId","Method":"eth_sendRawTransaction"}',
      "Method",
    ],
    ["by Unicode's rules", '{"id":1,"method":"eth_chainId","param\u017f":[]}', "param"],
    [
      "a name that ends at a NUL",
      '{"id":1,"method":"eth_chainId","method\\u0000x":"eth_sendRawTransaction"}',
      "twice or in other letters",
    ],
    [
      "a name with half of a surrogate pair",
      '{"id":1,"method":"eth_chainId","method\\ud800":"eth_sendRawTransaction"}',
      "twice or in other letters",
    ],
    [
      "a name in full-width letters",
      '{"id":1,"method":"eth_chainId","\uff4dethod":"eth_sendRawTransaction"}',
      "twice or in other letters",
    ],
    ["no method", '{"id":1}', "method must be a text"],
    ["a method that is no text", '{"id":1,"method":["eth_sign"]}', "method must be a text"],
    ["a member that is no object", "[1]", "must be an object"],
    ["an object of parameters", request("personal_sign", { 0: "0x" }), "params must be a list"],
    ["no id", JSON.stringify({ method: "personal_sign", params: [] }), "needs an id"],
    ["a list as id", request("personal_sign", ["hi", from], []), "needs an id"],
    [
      "a number that readers round",
      `{"id":1,"method":"eth_sendTransaction","params":[{"from":"${from}","value":100000000000000000000}]}`,
      "write it as a text",
    ],
    [
      "a name twice in what is signed",
      `{"id":1,"method":"eth_sendTransaction","params":[{"from":"${from}","to":"${from}","to":"${other}"}]}`,
      '"to" twice',
    ],
    [
      "a name twice in a document's text",
      request("eth_signTypedData_v4", [from, '{"domain":{},"domain":{}}']),
      "once",
    ],
    [
      "what no stack holds",
      `{"id":1,"method":"eth_signTypedData_v4","params":["${from}",${'{"a":'.repeat(200_000)}1${"}".repeat(200_001)}`.replace(
        /\}$/,
        "]}",
      ),
      "64 deep",
    ],
    [
      "more than a call takes",
      `{"id":1,"method":"eth_sendTransaction","params":[${"0,".repeat(400_000)}0]}`,
      "1 parameters",
    ],
  ])("%s", async (_name, raw, text) => {
    expect(await refusalOf(raw)).toContain(text);
  });
});

describe("methods", () => {
  it("that sign or send never pass, whatever their name", () => {
    const names =
      "eth_sign eth_signTypedData eth_signTypedData_v1 eth_signTypedData_v3 eth_signTypedData_v5 ETH_SENDTRANSACTION eth_sendrawtransaction eth_resend eth_callBundle eth_sendUnsignedTransaction eth_submitTransaction personal_sendTransaction personal_unlockAccount account_signTransaction mev_sendBundle wallet_grantPermissions wallet_createSession wallet_invokeMethod wallet_sendPreparedCalls wallet_sendTransaction wallet_signTypedData_v4 parity_postTransaction hardhat_sendTransaction anvil_signTransaction flashbots_sendBundle pimlico_sendUserOperationNow alchemy_sendPrivateTransaction zks_sendRawTransactionWithDetailedOutput debug_sign trace_send trace_rawTransaction foo_bar signer_sign wc_sessionPropose constructor __proto__ toString".split(
        " ",
      );
    for (const name of names) expect(classifyMethod(name).kind, name).toBe("refuse");
    for (const name of judgedMethods) expect(classifyMethod(name, { [name]: "pass" }).kind).toBe("judge");
    // A policy lets a method through that nothing here knows, and none that is known to sign.
    expect(classifyMethod("foo_bar", { foo_bar: "pass" }).kind).toBe("pass");
    expect(classifyMethod("eth_sign", { eth_sign: "pass" }).kind).toBe("refuse");
    expect(classifyMethod("eth_chainId", { eth_chainId: "refuse" }).kind).toBe("refuse");
  });

  it("that read pass", () => {
    const names =
      "eth_chainId eth_call eth_callMany eth_estimateGas eth_getLogs eth_getTransactionReceipt eth_feeHistory eth_subscribe eth_simulateV1 eth_estimateUserOperationGas eth_getUserOperationReceipt net_version web3_clientVersion debug_traceTransaction trace_block txpool_content wallet_getCallsStatus wallet_switchEthereumChain anvil_setBalance hardhat_impersonateAccount evm_mine alchemy_getTokenBalances eth_accounts".split(
        " ",
      );
    for (const name of names) expect(classifyMethod(name).kind, name).toBe("pass");
  });
});

it("a permission to see accounts passes, and one to act does not", async () => {
  const kindOf = async (...params: unknown[]) =>
    (await read(request("wallet_requestPermissions", params))).kind;
  expect(await kindOf({ eth_accounts: {} })).toBe("pass");
  for (const asked of [{ wallet_snap: {} }, { eth_accounts: {}, "erc20-token-transfer": {} }, {}, null, [1]])
    expect(await kindOf(asked)).toBe("refuse");
  expect(await kindOf({ eth_accounts: {} }, { wallet_snap: {} })).toBe("refuse");
});

describe("a signed transaction", () => {
  const fields = { to: other, value: 5n, data: "0x12345678aa" as Hex, gas: 50_000n, nonce: 7 };
  const fees = { maxFeePerGas: parseGwei("2"), maxPriorityFeePerGas: 1n };
  const sign = (transaction: object) => account.signTransaction(transaction as never);
  const send = async (raw: Hex) => read(request("eth_sendRawTransaction", [raw]));

  it.each([
    ["legacy", { ...fields, type: "legacy", chainId: 8453, gasPrice: parseGwei("2") }],
    ["EIP-2930", { ...fields, type: "eip2930", chainId: 8453, gasPrice: parseGwei("2"), accessList: [] }],
    ["EIP-1559", { ...fields, type: "eip1559", chainId: 8453, ...fees }],
  ])("%s is decoded, with its sender", async (_name, transaction) => {
    const raw = await sign(transaction);
    expect(await send(raw.toUpperCase().replace("0X", "0x") as Hex)).toMatchObject({
      kind: "judge",
      intent: {
        sender: from,
        to: other,
        valueWei: 5n,
        nonce: 7n,
        feeWei: 50_000n * parseGwei("2"),
        selector: "0x12345678",
        questions: [{ transaction: { from, to: other, data: fields.data, value: 5n } }],
        text: `{"jsonrpc":"2.0","id":1,"method":"eth_sendRawTransaction","params":["${raw}"]}`,
      },
    });
  });

  it("EIP-7702: the authorizations are judged too, each with its signer", async () => {
    const signed = await account.signAuthorization({ chainId: 8453, address: other, nonce: 3 });
    const raw = await sign({
      ...fields,
      type: "eip7702",
      chainId: 8453,
      ...fees,
      authorizationList: [signed],
    });
    expect(await send(raw)).toMatchObject({
      intent: {
        unseen: ["AUTHORIZATION_NOT_RUN"],
        questions: [
          { transaction: { from } },
          { message: { authorization: { chainId: "8453", address: other, nonce: "3" } }, signer: from },
        ],
      },
    });
  });

  it("what is for another chain, for every chain, of an unknown type or written otherwise is refused", async () => {
    const good = await sign({ ...fields, type: "eip1559", chainId: 8453, ...fees });
    const cases: [Hex, string][] = [
      [await sign({ ...fields, type: "eip1559", chainId: 1, ...fees }), "chain 1"],
      [await sign({ ...fields, type: "legacy", gasPrice: 1n }), "names no chain"],
      [`0x03${good.slice(4)}`, "EIP-4844"],
      [`0x7e${good.slice(4)}`, "type 0x7e"],
      [concatHex([good, "0x00"]), "not"],
      [
        serializeTransaction({ ...fields, type: "eip1559", chainId: 8453, ...fees }),
        "not a signed transaction",
      ],
      [toRlp(["0x01"]), "not a signed transaction"],
      ["0x", "type 0x"],
    ];
    for (const [raw, text] of cases) {
      const found = await send(raw);
      expect(found.kind === "refuse" && found.error.message, raw.slice(0, 20)).toContain(text);
    }
    const create = await sign({ ...fields, to: undefined, type: "eip1559", chainId: 8453, ...fees });
    expect(await send(create)).toMatchObject({ intent: { createsContract: true, questions: [] } });
  });

  it("is found wherever a method carries it", async () => {
    const raw = await sign({ ...fields, type: "eip1559", chainId: 8453, ...fees });
    const ways: [string, unknown[]][] = [
      ["eth_sendRawTransactionSync", [raw, 2000]],
      ["eth_sendRawTransactionConditional", [raw, { blockNumberMin: "0x1" }]],
      ["eth_sendPrivateRawTransaction", [raw]],
      ["eth_sendPrivateTransaction", [{ tx: raw, maxBlockNumber: "0x1" }]],
      ["eth_sendBundle", [{ txs: [raw], blockNumber: "0x1" }]],
    ];
    for (const [method, params] of ways) {
      const found = await read(request(method, params));
      expect(found, method).toMatchObject({ kind: "judge", intent: { sender: from, to: other } });
      expect(found.kind === "judge" && JSON.parse(found.intent.text).params).toEqual(params);
    }
    expect(await refusalOf(request("eth_sendBundle", [{ txs: [raw, raw] }]))).toContain("one transaction");
  });
});

describe("what a wallet would sign", () => {
  it.each([
    ["an unknown field", { from, to: other, authorizationList: [] }, "authorizationList"],
    ["a field in other letters", { from, To: other }, '"To"'],
    ["data and input that differ", { from, to: other, data: "0x01", input: "0x02" }, "differ"],
    ["another chain", { from, to: other, chainId: "0x1" }, "chain 8453"],
    ["blobs", { from, to: other, type: "0x3" }, "type 0x3"],
    ["no sender", { to: other }, "from must be an address"],
    ["an empty target", { from, to: "" }, "to must be an address"],
    ["a decimal value", { from, to: other, value: "5" }, "value must be a quantity"],
    ["a mistyped address", { from, to: `0x${"5a".repeat(19)}5A` }, "wrong checksum"],
  ])("%s is refused", async (_name, transaction, text) => {
    expect(await refusalOf(request("eth_sendTransaction", [transaction]))).toContain(text);
  });

  it("the chain is always written into it", async () => {
    const found = await read(
      request("eth_sendTransaction", [{ from, to: other, input: "0xAB", value: "0x00" }]),
    );
    expect(found.kind === "judge" && JSON.parse(found.intent.text).params).toEqual([
      { from, to: other, input: "0xab", value: "0x0", chainId: "0x2105" },
    ]);
  });

  it("of two prices of gas the higher one counts", async () => {
    const priced = { from, to: other, gas: "0x5208", maxFeePerGas: "0x1", gasPrice: "0xff", type: "0x0" };
    expect(await read(request("eth_sendTransaction", [priced]))).toMatchObject({
      intent: { feeWei: 21_000n * 255n },
    });
  });

  it("a price without a limit of gas counts with the most that a transaction may use, and a tip is a price", async () => {
    const feeOf = async (fees: object) => {
      const found = await read(request("eth_sendTransaction", [{ from, to: other, ...fees }]));
      return found.kind === "judge" ? found.intent.feeWei : found.kind;
    };
    expect(await feeOf({ gasPrice: "0x10" })).toBe(2n ** 28n);
    expect(await feeOf({ gas: "0x10", maxPriorityFeePerGas: "0x10" })).toBe(256n);
    // The signer takes the price of the market.
    expect(await feeOf({ gas: "0x10" })).toBe(undefined);
  });

  it("texts are forwarded as the bytes that were judged", async () => {
    const forwarded = async (message: string) => {
      const found = await read(request("personal_sign", [message, from]));
      return found.kind === "judge" ? JSON.parse(found.intent.text).params[0] : undefined;
    };
    expect(await forwarded("é")).toBe("0xc3a9");
    expect(await forwarded("0xC3A9")).toBe("0xc3a9");
    expect(await refusalOf(request("personal_sign", ["0xabc", from]))).toContain("whole bytes");
    expect(await refusalOf(request("personal_sign", [from, "hello"]))).toContain("second parameter");
  });

  it("operations need their entry point, and calls their chain", async () => {
    const operation = {
      sender: other,
      nonce: "0x1",
      callData: "0x",
      callGasLimit: "0x1",
      verificationGasLimit: "0x1",
      preVerificationGas: "0x1",
      maxFeePerGas: "0x7",
      maxPriorityFeePerGas: "0x1",
      signature: "0x12",
    };
    const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";
    expect(await read(request("eth_sendUserOperation", [operation, entryPoint]))).toMatchObject({
      intent: {
        kind: "operation",
        sender: other,
        feeWei: 3n * 7n,
        questions: [{ message: { userOperation: { entryPoint } }, signer: other }],
      },
    });
    // The same fees in the form that contracts take: two amounts in each word.
    const { sender, nonce, callData, preVerificationGas, signature } = operation;
    const word = (first: number, second: number) =>
      `0x${[first, second].map((amount) => amount.toString(16).padStart(32, "0")).join("")}`;
    const packed = {
      ...{ sender, nonce, callData, preVerificationGas, signature },
      ...{ accountGasLimits: word(1, 1), gasFees: word(1, 7) },
    };
    expect(await read(request("eth_sendUserOperation", [packed, entryPoint]))).toMatchObject({
      intent: { feeWei: 3n * 7n },
    });
    const spelled = { ...operation, nonce: "10", callGasLimit: 16 };
    const forwarded = await read(request("eth_sendUserOperation", [spelled, entryPoint]));
    expect(forwarded.kind === "judge" && JSON.parse(forwarded.intent.text).params[0]).toEqual({
      ...operation,
      nonce: "0xa",
      callGasLimit: "0x10",
    });
    expect(await refusalOf(request("eth_sendUserOperation", [operation]))).toContain("2 parameters");
    expect(
      await refusalOf(request("eth_sendUserOperation", [{ ...operation, eip7702Auth: {} }, entryPoint])),
    ).toContain("eip7702Auth");
    const batch = { version: "2.0.0", from, chainId: "0x2105", calls: [{ to: other, value: "0x1" }] };
    expect(await read(request("wallet_sendCalls", [batch]))).toMatchObject({
      intent: { kind: "calls", valueWei: 1n },
    });
    const several = { ...batch, calls: [{ to: other }, { to: from }] };
    for (const atomicRequired of [undefined, false, true]) {
      const found = await read(request("wallet_sendCalls", [{ ...several, atomicRequired }]));
      // They are judged as one, so nobody may act between them.
      expect(found.kind === "judge" && JSON.parse(found.intent.text).params[0].atomicRequired).toBe(true);
    }
    for (const version of ["1.0", undefined])
      expect(await refusalOf(request("wallet_sendCalls", [{ ...several, version }]))).toContain('"2.0.0"');
    expect(await refusalOf(request("wallet_sendCalls", [{ ...batch, chainId: "0x1" }]))).toContain(
      "chain 8453",
    );
    expect(
      await refusalOf(request("wallet_sendCalls", [{ ...batch, capabilities: { permissions: {} } }])),
    ).toContain("permissions");
  });
});
