import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import { canonicalAddresses } from "./canonicalAddresses.js";
import type { DevnetContracts } from "./deployContracts.js";
import { predictionQuestion } from "./deployPrediction.js";
import { devnetAccounts } from "./devnetAccounts.js";
import type { LendingMarket } from "./openLendingMarket.js";
import { orderV4Pool } from "./openV4Pools.js";

/** A question that this chain can answer, under a name that says what to expect of it. */
export interface DevnetSample {
  name: string;
  input: Record<string, string | number>;
}

const swapRouter = parseAbi([
  "function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params) payable returns (uint256 amountOut)",
]);
const alice = devnetAccounts.alice.address;

/** What to ask each capability here, good and bad; left out are those that ask about what a service has published. */
export function describeSamples(facts: {
  contracts: DevnetContracts;
  lendingMarket: LendingMarket;
  pages: readonly string[];
  /** A swap of the set-up's. */
  trade: Hex;
}): Record<string, DevnetSample[]> {
  const { contracts, lendingMarket, pages, trade } = facts;
  const about = (...names: (keyof DevnetContracts)[]) =>
    names.map((name) => ({ name, input: { address: contracts[name] } }));
  return {
    "contract.guard": about("upgradeableProxy", "plainToken", "pausableToken", "beaconProxy"),
    "contract.change": about("upgradeableProxy", "pausableToken"),
    "contract.interface": about("erc721", "erc1155", "plainToken"),
    "token.metadata": about("plainToken", "bytes32Token", "pausableToken"),
    "token.launch.guard": about("freshToken", "honeypotToken", "taxedToken"),
    "chain.snapshot": [{ name: "Now", input: {} }],
    "transaction.intent.guard": listTransactions(contracts),
    "amm.swap.guard": [
      { name: "0.01 ether for 29.90 dollars or more", input: swapFor(parseUnits("29.9", 6)) },
      { name: "0.01 ether for 20 dollars or more", input: swapFor(parseUnits("20", 6)) },
      { name: "0.01 ether for whatever comes", input: swapFor(0n) },
    ],
    "web.compile": pages.map((url) => ({ name: new URL(url).pathname.slice(1), input: { url } })),
    "amm.v4.hook.guard": listPools(contracts),
    "rwa.market.guard": [
      { name: "permissionedToken", input: { address: contracts.permissionedToken, symbol: "STF" } },
      { name: "plainToken", input: { address: contracts.plainToken } },
    ],
    "lending.collateral.guard": [
      { name: "Borrow 5,000 on ten ether", input: borrow(lendingMarket, "5000") },
      { name: "Borrow 24,000", input: borrow(lendingMarket, "24000") },
      { name: "Borrow 30,000, too much", input: borrow(lendingMarket, "30000") },
    ],
    "trade.execution.notarize": [{ name: "A swap of plain tokens", input: { txHash: trade } }],
    "prediction.evidence": [
      { name: "The lamp", input: { question: predictionQuestion, market: contracts.predictionMarket } },
      {
        name: "Another question",
        input: { question: "Will it rain on Skerry Point?", market: contracts.predictionMarket },
      },
    ],
  };
}

function listTransactions({ stablecoin, erc721, plainToken }: DevnetContracts): DevnetSample[] {
  const { swapRouter02 } = canonicalAddresses;
  const stranger = "0x00000000000000000000000000000000005caffe";
  const send = (to: Address, data: Hex) => ({ from: alice, to, data, value: "0" });
  const approve = (token: Address, amount: bigint) =>
    send(token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [swapRouter02, amount] }));
  return [
    { name: "Approve 25 dollars", input: approve(stablecoin, parseUnits("25", 6)) },
    { name: "Approve without a limit", input: approve(plainToken, maxUint256) },
    {
      name: "Send 5 dollars",
      input: send(
        stablecoin,
        encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [stranger, parseUnits("5", 6)] }),
      ),
    },
    {
      name: "Hand over every NFT",
      input: send(
        erc721,
        encodeFunctionData({
          abi: parseAbi(["function setApprovalForAll(address operator, bool approved)"]),
          args: [stranger, true],
        }),
      ),
    },
  ];
}

function swapFor(amountOutMinimum: bigint) {
  const { swapRouter02, weth, stablecoin } = canonicalAddresses;
  const amountIn = parseEther("0.01");
  const swap = {
    tokenIn: weth,
    tokenOut: stablecoin,
    fee: 500,
    recipient: alice,
    amountIn,
    amountOutMinimum,
    sqrtPriceLimitX96: 0n,
  };
  return {
    from: alice,
    to: swapRouter02,
    data: encodeFunctionData({ abi: swapRouter, args: [swap] }),
    value: amountIn.toString(),
  };
}

function listPools({ poolManager, plainToken, ...contracts }: DevnetContracts): DevnetSample[] {
  const pool = (name: string, hooks: Address) => ({
    name,
    input: { poolManager, ...orderV4Pool(plainToken, hooks) },
  });
  return [
    pool("Without a hook", zeroAddress),
    pool("Hook that takes 0.1 %", contracts.v4FeeHook),
    pool("Hook that takes a tenth", contracts.v4SkimmingHook),
    pool("Hook that lets nothing out", contracts.v4OneWayHook),
    pool("Hook behind a proxy", contracts.v4UpgradeableHook),
  ];
}

const borrow = ({ id, collateralToken, loanToken }: LendingMarket, dollars: string) => ({
  marketId: id,
  collateralToken,
  loanToken,
  userAddress: alice,
  borrowAmountWei: parseUnits(dollars, 6).toString(),
});
