import type { Hex } from "@assay/protocol";
import type { Meaning, TradeItem } from "../meaning.js";
import type { TypedStruct } from "../typedDocument.js";
import { address, max, min, struct, structs, text } from "./form.js";
import { fungible } from "./tradeItems.js";

interface Permitted {
  readonly spender: Hex;
  readonly token: Hex;
  readonly amount: string;
  readonly signer: Hex;
}

/** Where each order of UniswapX keeps what is given and what must come. */
interface OrderShape {
  readonly title: string;
  gives(order: TypedStruct): readonly [token: unknown, amount: string];
  readonly outputs: string;
  least(output: TypedStruct): string;
}

const dutch = { least: (output: TypedStruct) => min(text(output.startAmount), text(output.endAmount)) };
const shapes: Readonly<Record<string, OrderShape>> = {
  ExclusiveDutchOrder: {
    title: "a UniswapX order (Exclusive Dutch)",
    gives: (order) => [order.inputToken, max(text(order.inputStartAmount), text(order.inputEndAmount))],
    outputs: "outputs",
    ...dutch,
  },
  DutchOrder: {
    title: "a UniswapX order (Dutch)",
    gives: (order) => [order.inputToken, max(text(order.inputStartAmount), text(order.inputEndAmount))],
    outputs: "outputs",
    ...dutch,
  },
  V2DutchOrder: {
    title: "a UniswapX order (Dutch V2)",
    gives: (order) => [
      order.baseInputToken,
      max(text(order.baseInputStartAmount), text(order.baseInputEndAmount)),
    ],
    outputs: "baseOutputs",
    ...dutch,
  },
  V3DutchOrder: {
    title: "a UniswapX order (Dutch V3)",
    gives: ({ baseInput }) => [struct(baseInput).token, text(struct(baseInput).maxAmount)],
    outputs: "baseOutputs",
    least: ({ minAmount }) => text(minAmount),
  },
  PriorityOrder: {
    title: "a UniswapX order (Priority)",
    gives: ({ input }) => [struct(input).token, text(struct(input).amount)],
    outputs: "outputs",
    least: ({ amount }) => text(amount),
  },
  LimitOrder: {
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
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) return undefined;
  try {
    const info = struct(order.info);
    const [given, most] = shape.gives(order);
    const gives: TradeItem = fungible(token, max(most, amount), null);
    const isFit = address(given) === token && address(info.reactor) === spender;
    return {
      form: `uniswapx.${type}`,
      title: shape.title,
      owner: address(info.swapper),
      until: text(info.deadline),
      trades: [
        {
          maker: signer,
          gives: [gives],
          gets: structs(order[shape.outputs]).map((output) =>
            fungible(address(output.token), shape.least(output), address(output.recipient)),
          ),
        },
      ],
      notes: isFit ? [{ code: "SPENDER_CARRIES_OUT" }] : [{ code: "ORDER_UNLIKE_PERMIT" }],
    };
  } catch {
    // Another protocol has a witness of the same name.
    return undefined;
  }
}
