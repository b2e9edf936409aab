import type { ChainLog, ChainRead } from "@assay/chain";
import { type Hex, mapReading, noAnswer, type Reading } from "@assay/protocol";
import { toEventSelector } from "viem";

const SCHEDULED = toEventSelector("CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)");
const EXECUTED = toEventSelector("CallExecuted(bytes32,uint256,address,uint256,bytes)");
const CANCELLED = toEventSelector("Cancelled(bytes32)");

/** What OpenZeppelin's TimelockController said of its operations; another account says nothing of this kind. */
export const readOperations = (address: Hex) =>
  ({
    kind: "logs",
    addresses: [address],
    topics: [[SCHEDULED, EXECUTED, CANCELLED]],
    fromBlock: 0,
  }) as const satisfies ChainRead;

/** Operations on the token, or on the timelock itself, that are scheduled and may be due: their delay warns nobody any more. */
export function countPending(
  logs: Reading<readonly ChainLog[]> = noAnswer,
  timelock: Hex,
  token: Hex,
): Reading<number> {
  return mapReading(logs, (list) => {
    const pending = new Map<string, boolean>();
    for (const { topics, data } of list) {
      const [kind, id = "0x"] = topics;
      if (kind !== SCHEDULED) {
        pending.delete(id);
        continue;
      }
      const target = `0x${data.slice(26, 66)}`;
      pending.set(id, pending.get(id) === true || target === token || target === timelock);
    }
    return [...pending.values()].filter(Boolean).length;
  });
}
