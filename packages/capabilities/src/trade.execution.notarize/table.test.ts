import { lowercase } from "@assay/chain/testing/lowercase";
import type { Hex, Verdict } from "@assay/protocol";
import { encodeFunctionData, erc20Abi, parseAbi, parseEther } from "viem";
import { afterAll, expect, test } from "vitest";
import { v2Orders, v3Orders } from "../testing/swapOrders.js";
import { callAll, hostileTokens, payingWallet, poke } from "./testing/hostileTokens.js";
import { useNotarizeFixture } from "./testing/notarizeFixture.js";

const fixture = useNotarizeFixture();
const table: Record<string, unknown>[] = [];
afterAll(() => {
  if (process.env.SHOW_NOTARIZE_TABLE) console.table(table);
});

interface Row {
  readonly name: string;
  readonly hostile?: boolean;
  readonly send: () => Promise<Hex>;
  readonly verdict: Verdict;
  /** All of them, in order. */
  readonly reasons: readonly string[];
}

const GOOD = ["EXECUTION_PROVEN", "TRANSACTION_SUCCEEDED", "FINALIZED"];
const TRADED = [...GOOD, "REALISED_CONFIRMED", "LIMIT_KEPT"];
const ether = parseEther;
const at = (digit: string): Hex => `0x${digit.repeat(40)}`;

function listRows(): Row[] {
  const { alice, bob, contracts, send, sendSwap, sendTogether, setCode } = fixture;
  const me = lowercase(alice.address);
  const other = lowercase(bob.address);
  const [weth, usdc, plain, taxed] = [
    contracts.weth,
    contracts.stablecoin,
    contracts.plainToken,
    contracts.taxedToken,
  ].map(lowercase) as [Hex, Hex, Hex, Hex];
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 3_600);
  const v2 = { from: me, router: lowercase(contracts.uniswapV2Router), deadline };
  const v3 = { from: me, router: lowercase(contracts.swapRouter02), deadline };
  const transfer = (token: Hex, to: Hex, amount: bigint) => () =>
    send(alice, {
      to: token,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
    });
  /** Calls a contract of that code without arguments. */
  const callCode = (address: Hex, code: Hex) => async () => {
    await setCode(address, code);
    return send(alice, { to: address });
  };
  return [
    {
      name: "native value to somebody",
      send: () => send(alice, { to: bob.address, value: 5n }),
      verdict: "allow",
      reasons: [...GOOD, "NO_TOKEN_MOVED"],
    },
    {
      name: "a token transfer",
      send: transfer(usdc, other, 7n),
      verdict: "allow",
      reasons: [...GOOD, "REALISED_CONFIRMED"],
    },
    {
      name: "a contract's creation",
      send: () => send(alice, { data: "0x6001600c60003960016000f300" }),
      verdict: "allow",
      reasons: [...GOOD, "NO_TOKEN_MOVED"],
    },
    {
      name: "wrapping native currency",
      send: () => send(alice, { to: weth, data: "0xd0e30db0", value: 9n }),
      verdict: "allow",
      reasons: [...GOOD, "REALISED_CONFIRMED"],
    },
    {
      name: "classic: native currency for dollars",
      send: () => sendSwap(v2Orders.swapExactETHForTokens(v2, [weth, usdc], ether("1"), 2_900_000_000n)),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "classic: dollars for native currency",
      send: () => sendSwap(v2Orders.swapExactTokensForETH(v2, [usdc, weth], 30_000_000n, ether("0.0095"))),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "classic: exactly so many dollars, change given back",
      send: () => sendSwap(v2Orders.swapETHForExactTokens(v2, [weth, usdc], 1_000_000_000n, ether("1"))),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "classic: token for token",
      send: () => sendSwap(v2Orders.swapExactTokensForTokens(v2, [plain, weth, usdc], ether("10"), 1n)),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "concentrated: token for dollars",
      send: () => sendSwap(v3Orders.exactInputSingle(v3, [weth, usdc], ether("0.1"), 280_000_000n)),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "concentrated: exactly so many dollars",
      send: () => sendSwap(v3Orders.exactOutputSingle(v3, [weth, usdc], 100_000_000n, ether("0.05"))),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "the output goes to somebody else",
      hostile: true,
      send: () =>
        sendSwap(
          v2Orders.swapExactTokensForTokens(
            { ...v2, recipient: other },
            [weth, usdc],
            ether("0.1"),
            280_000_000n,
          ),
        ),
      verdict: "review",
      reasons: [...TRADED, "RECIPIENT_NOT_SENDER"],
    },
    {
      name: "a taxed token through the function for such tokens",
      send: () =>
        sendSwap(
          v2Orders.swapExactETHForTokensSupportingFeeOnTransferTokens(v2, [weth, taxed], ether("0.01"), 1n),
        ),
      verdict: "allow",
      reasons: TRADED,
    },
    {
      name: "a taxed token through a function that counts before the tax",
      hostile: true,
      send: async () => {
        const { request } = fixture.devnet;
        const args = [ether("0.01"), [weth, taxed]] as const;
        const data = encodeFunctionData({ abi: quoteAbi, functionName: "getAmountsOut", args });
        const answer = await request<Hex>("eth_call", [{ to: v2.router, data }, "latest"]);
        const quoted = BigInt(`0x${answer.slice(-64)}`);
        return sendSwap(
          v2Orders.swapExactTokensForTokens(v2, [weth, taxed], ether("0.01"), (quoted * 99n) / 100n),
        );
      },
      verdict: "block",
      reasons: [...GOOD, "REALISED_CONFIRMED", "LIMIT_NOT_KEPT"],
    },
    {
      name: "native currency for a wallet out of which another transaction of the block takes some, without an event",
      hostile: true,
      send: async () => {
        const [wallet, through] = [at("7"), at("8")];
        await setCode(wallet, payingWallet(other, ether("1")));
        await setCode(through, poke(wallet));
        await send(alice, { to: wallet, value: ether("1") });
        const swap = v2Orders.swapExactTokensForETH(
          { ...v2, recipient: wallet },
          [usdc, weth],
          30_000_000n,
          ether("0.009"),
        );
        const hashes = await sendTogether([() => sendSwap(swap), () => send(bob, { to: through })]);
        return hashes[0] as Hex;
      },
      verdict: "review",
      reasons: [...GOOD, "REALISED_CONFIRMED", "LIMIT_UNCONFIRMED", "RECIPIENT_NOT_SENDER"],
    },
    {
      name: "a swap without a limit",
      hostile: true,
      send: () => sendSwap(v2Orders.swapExactTokensForTokens(v2, [weth, usdc], ether("0.1"), 0n)),
      verdict: "review",
      reasons: [...TRADED, "MIN_OUT_ZERO"],
    },
    {
      name: "a swap that failed",
      hostile: true,
      send: () => sendSwap(v2Orders.swapExactETHForTokens(v2, [weth, usdc], ether("1"), 10n ** 18n)),
      verdict: "review",
      reasons: ["EXECUTION_PROVEN", "TRANSACTION_REVERTED", "FINALIZED"],
    },
    {
      name: "an event that reports dollars nobody sent",
      hostile: true,
      send: callCode(at("1"), hostileTokens.forging(me, 10n ** 30n)),
      verdict: "review",
      reasons: [...GOOD, "REALISED_CONTRADICTED"],
    },
    {
      name: "a token that keeps its balances to itself",
      hostile: true,
      send: callCode(at("2"), hostileTokens.mute(me)),
      verdict: "review",
      reasons: [...GOOD, "REALISED_UNCONFIRMED"],
    },
    {
      name: "a token that burns all gas when asked",
      hostile: true,
      send: callCode(at("3"), hostileTokens.burning(me)),
      verdict: "review",
      reasons: [...GOOD, "REALISED_UNCONFIRMED"],
    },
    {
      name: "a token that answers with 100 KB",
      hostile: true,
      send: callCode(at("4"), hostileTokens.flooding(me)),
      verdict: "review",
      reasons: [...GOOD, "REALISED_UNCONFIRMED"],
    },
    {
      name: "an event that is not encoded as its topic says",
      send: callCode(at("5"), hostileTokens.garbled),
      verdict: "allow",
      reasons: [...GOOD, "NO_TOKEN_MOVED"],
    },
    {
      name: "thirty tokens from nowhere at once",
      hostile: true,
      send: async () => {
        const tokens = Array.from(
          { length: 30 },
          (_, i): Hex => `0x${(0xaaaa00 + i).toString(16).padStart(40, "0")}`,
        );
        for (const token of tokens) await setCode(token, hostileTokens.forging(me, 5n));
        return callCode(at("6"), callAll(tokens))();
      },
      verdict: "review",
      reasons: [...GOOD, "REALISED_CONTRADICTED", "MEASURE_BOUND_REACHED"],
    },
    {
      name: "two transfers of one token in one block",
      hostile: true,
      send: async () =>
        (await sendTogether([transfer(usdc, other, 1n), transfer(usdc, other, 2n)]))[0] as Hex,
      verdict: "review",
      reasons: [...GOOD, "REALISED_UNCONFIRMED"],
    },
    {
      name: "an item of a collection",
      send: async () => {
        const from = fixture.devnet.deployer.address;
        const data = encodeFunctionData({ abi: mintAbi, functionName: "mint", args: [alice.address, 77n] });
        await fixture.devnet.request("eth_sendTransaction", [
          { from, to: contracts.erc721, data, gas: "0x7a1200" },
        ]);
        const args = [alice.address, bob.address, 77n] as const;
        return send(alice, {
          to: contracts.erc721,
          data: encodeFunctionData({ abi: mintAbi, functionName: "transferFrom", args }),
        });
      },
      verdict: "review",
      reasons: [...GOOD, "REALISED_UNCONFIRMED"],
    },
    {
      name: "a router call that is no swap",
      send: () =>
        send(alice, {
          to: v2.router,
          data: encodeFunctionData({
            abi: quoteAbi,
            functionName: "getAmountsOut",
            args: [1_000n, [weth, usdc]],
          }),
        }),
      verdict: "allow",
      reasons: [...GOOD, "NO_TOKEN_MOVED"],
    },
  ];
}

const quoteAbi = parseAbi(["function getAmountsOut(uint256,address[]) view returns (uint256[])"]);
const mintAbi = parseAbi([
  "function mint(address to, uint256 id)",
  "function transferFrom(address from, address to, uint256 id)",
]);

test("every execution is judged as it should be", async () => {
  const rows = listRows();
  expect(rows.length).toBeGreaterThanOrEqual(15);
  for (const { name, hostile = false, send, verdict, reasons } of rows) {
    const answer = await fixture.notarize(await send());
    table.push({ name, hostile, verdict: answer.verdict, reasons: answer.reasonCodes.join(" ") });
    expect
      .soft({ name, verdict: answer.verdict, reasons: answer.reasonCodes })
      .toEqual({ name, verdict, reasons });
    // Independent of the table: nothing hostile is allowed.
    if (hostile) expect.soft(answer.verdict, name).not.toBe("allow");
  }
}, 60_000);
