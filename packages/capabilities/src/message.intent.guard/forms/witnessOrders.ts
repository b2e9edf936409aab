import type { Hex } from "@assay/protocol";
import type { Meaning, TradeItem } from "../meaning.js";
import type { TypedStruct } from "../typedDocument.js";
import { address, max, min, struct, structs, text, ZERO } from "./form.js";
import { fungible } from "./tradeItems.js";

interface Permitted {
  readonly spender: Hex;
  readonly token: Hex;
  readonly amount: string;
  readonly signer: Hex;
}

/** Where each order of UniswapX keeps what is given and what must come. */
interface OrderShape {
  readonly name: string;
  readonly title: string;
  gives(order: TypedStruct): readonly [token: unknown, amount: string];
  readonly outputs: string;
  least(output: TypedStruct): string;
}

const ORDER_INFO =
  "OrderInfo(address reactor,address swapper,uint256 nonce,uint256 deadline,address additionalValidationContract,bytes additionalValidationData)";
const DUTCH_OUTPUT = "DutchOutput(address token,uint256 startAmount,uint256 endAmount,address recipient)";
const dutch = { least: (output: TypedStruct) => min(text(output.startAmount), text(output.endAmount)) };
/** By the text that the type hash is made of. */
const shapes: Readonly<Record<string, OrderShape>> = {
  [`ExclusiveDutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address exclusiveFiller,uint256 exclusivityOverrideBps,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)${DUTCH_OUTPUT}${ORDER_INFO}`]:
    {
      name: "ExclusiveDutchOrder",
      title: "a UniswapX order (Exclusive Dutch)",
      gives: (order) => [order.inputToken, max(text(order.inputStartAmount), text(order.inputEndAmount))],
      outputs: "outputs",
      ...dutch,
    },
  [`DutchOrder(OrderInfo info,uint256 decayStartTime,uint256 decayEndTime,address inputToken,uint256 inputStartAmount,uint256 inputEndAmount,DutchOutput[] outputs)${DUTCH_OUTPUT}${ORDER_INFO}`]:
    {
      name: "DutchOrder",
      title: "a UniswapX order (Dutch)",
      gives: (order) => [order.inputToken, max(text(order.inputStartAmount), text(order.inputEndAmount))],
      outputs: "outputs",
      ...dutch,
    },
  [`V2DutchOrder(OrderInfo info,address cosigner,address baseInputToken,uint256 baseInputStartAmount,uint256 baseInputEndAmount,DutchOutput[] baseOutputs)${DUTCH_OUTPUT}${ORDER_INFO}`]:
    {
      name: "V2DutchOrder",
      title: "a UniswapX order (Dutch V2)",
      gives: (order) => [
        order.baseInputToken,
        max(text(order.baseInputStartAmount), text(order.baseInputEndAmount)),
      ],
      outputs: "baseOutputs",
      ...dutch,
    },
  [`V3DutchOrder(OrderInfo info,address cosigner,uint256 startingBaseFee,V3DutchInput baseInput,V3DutchOutput[] baseOutputs)NonlinearDutchDecay(uint256 relativeBlocks,int256[] relativeAmounts)${ORDER_INFO}V3DutchInput(address token,uint256 startAmount,NonlinearDutchDecay curve,uint256 maxAmount,uint256 adjustmentPerGweiBaseFee)V3DutchOutput(address token,uint256 startAmount,NonlinearDutchDecay curve,address recipient,uint256 minAmount,uint256 adjustmentPerGweiBaseFee)`]:
    {
      name: "V3DutchOrder",
      title: "a UniswapX order (Dutch V3)",
      gives: ({ baseInput }) => [struct(baseInput).token, text(struct(baseInput).maxAmount)],
      outputs: "baseOutputs",
      least: ({ minAmount }) => text(minAmount),
    },
  [`PriorityOrder(OrderInfo info,address cosigner,uint256 auctionStartBlock,uint256 baselinePriorityFeeWei,PriorityInput input,PriorityOutput[] outputs)${ORDER_INFO}PriorityInput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei)PriorityOutput(address token,uint256 amount,uint256 mpsPerPriorityFeeWei,address recipient)`]:
    {
      name: "PriorityOrder",
      title: "a UniswapX order (Priority)",
      gives: ({ input }) => [struct(input).token, text(struct(input).amount)],
      outputs: "outputs",
      least: ({ amount }) => text(amount),
    },
  [`LimitOrder(OrderInfo info,address inputToken,uint256 inputAmount,OutputToken[] outputs)${ORDER_INFO}OutputToken(address token,uint256 amount,address recipient)`]:
    {
      name: "LimitOrder",
      title: "a UniswapX order (limit)",
      gives: (order) => [order.inputToken, text(order.inputAmount)],
      outputs: "outputs",
      least: ({ amount }) => text(amount),
    },
};

/** An order that a reactor carries out with what Permit2 lets it take. */
export function readWitnessOrder(
  type: string,
  order: TypedStruct,
  { spender, token, amount, signer }: Permitted,
): Partial<Meaning> | undefined {
  const shape = shapes[type];
  if (shape === undefined) return undefined;
  const info = struct(order.info);
  const [given, most] = shape.gives(order);
  const gives: TradeItem = fungible(token, max(most, amount), null, null);
  const isFit = address(given) === token && address(info.reactor) === spender;
  return {
    form: `uniswapx.${shape.name}`,
    title: shape.title,
    owner: address(info.swapper),
    until: text(info.deadline),
    trades: [
      {
        maker: signer,
        gives: [gives],
        gets: structs(order[shape.outputs]).map((output) =>
          fungible(address(output.token), shape.least(output), address(output.recipient), ZERO),
        ),
      },
    ],
    notes: isFit ? [{ code: "SPENDER_CARRIES_OUT" }] : [{ code: "ORDER_UNLIKE_PERMIT" }],
  };
}
