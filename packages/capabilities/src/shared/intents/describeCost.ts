import { operatorFeeOf } from "@assay/protocol";
import { formatEther } from "viem";
import type { IntentCase } from "./intentCase.js";
import { findValue } from "./priceAssets.js";

const ETHER = { kind: "native", token: null, id: null } as const;
/** Wei per gas that a block builder is offered where nobody competes. */
const TIP = 1_000_000n;

const NOT_READ =
  "What the chain asks beside gas (to publish the data on L1, and for its operator) was not read, so the cost is that of gas alone.";

/**
 * What sending it costs the sender, beside the value it sends. It is information: whether a cost is too high, only the sender can
 * say, so nothing here changes the verdict.
 */
export function describeCost(one: IntentCase) {
  const { gasEstimate, besideGas, conditions } = one.readings;
  if (gasEstimate.status !== "value") return { cost: null, limitations: [] };
  const gas = BigInt(gasEstimate.value);
  const weiPerGas = BigInt(conditions.baseFee ?? 0) + TIP;
  const fees = besideGas.status === "value" ? besideGas.value : null;
  const l1Data = fees?.l1Data ?? null;
  const operator = fees?.operator
    ? operatorFeeOf(
        {
          constant: BigInt(fees.operator.constant),
          perMillionGas: BigInt(fees.operator.perMillionGas),
        },
        gas,
      )
    : null;
  const total = gas * weiPerGas + BigInt(l1Data?.wei ?? 0) + (operator ?? 0n);
  const microUsd = findValue(one, { asset: ETHER, amount: total });
  return {
    cost: {
      gas: gas.toString(),
      weiPerGas: weiPerGas.toString(),
      gasWei: (gas * weiPerGas).toString(),
      l1DataWei: l1Data?.wei ?? null,
      /** The data fee of a long transaction is stated by its size, without what compression saves. */
      isL1DataBound: l1Data?.isBound ?? false,
      operatorWei: operator?.toString() ?? null,
      totalWei: total.toString(),
      ether: formatEther(total),
      usd: microUsd === undefined ? null : formatUsd(microUsd),
    },
    limitations: fees === null ? [NOT_READ] : [],
  };
}

/** Fees are fractions of a cent. */
const formatUsd = (microUsd: bigint): string =>
  `$${microUsd / 1_000_000n}.${(microUsd % 1_000_000n).toString().padStart(6, "0")}`;
