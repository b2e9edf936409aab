import { lowercase } from "@assay/chain/testing/lowercase";
import type { Devnet } from "@assay/devnet";
import type { Hex } from "@assay/protocol";
import { encodeFunctionData, parseAbi, toEventSelector } from "viem";
import { PERMIT2 } from "../accuracy/setUp.js";
import { readWords } from "./holdings.js";

const abi = parseAbi([
  "function allowance(address owner, address spender) view returns (uint256)",
  "function allowance(address owner, address token, address spender) view returns (uint160, uint48, uint48)",
  "function isApprovedForAll(address owner, address operator) view returns (bool)",
  "function borrowAllowance(address owner, address spender) view returns (uint256)",
  "function isAuthorized(address authorizer, address authorized) view returns (bool)",
  "function getApproved(uint256 id) view returns (address)",
]);
const encode = (functionName: string, args: readonly unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args } as never);

/** A permission that a view of its keeper answers: an amount, 1 or 0, or for an item the address that may take it. */
export interface Permission {
  readonly view: "allowance" | "permit2" | "operator" | "credit" | "authorization" | "item";
  readonly keeper: Hex;
  readonly token: Hex;
  readonly owner: Hex;
  readonly spender: Hex;
  /** Of an item. */
  readonly id?: bigint;
}

export const keyOfPermission = ({ view, keeper, token, owner, spender, id }: Permission): string =>
  view === "item" ? `item ${id} of ${token}` : `${view} of ${token} of ${owner} for ${spender} at ${keeper}`;

function ask({ view, keeper, token, owner, spender, id }: Permission): Hex {
  switch (view) {
    case "allowance":
      return encode("allowance", [owner, spender]);
    case "permit2":
      return encode("allowance", [owner, token, spender]);
    case "operator":
      return encode("isApprovedForAll", [owner, spender]);
    case "credit":
      return encode("borrowAllowance", [owner, spender]);
    case "authorization":
      return encode("isAuthorized", [owner, spender]);
    case "item":
      if (id === undefined) throw new Error(`an item of ${keeper} has no number`);
      return encode("getApproved", [id]);
  }
}

export const readPermissions = (
  devnet: Devnet,
  permissions: readonly Permission[],
  block: Hex | "latest" = "latest",
): Promise<(bigint | null)[]> =>
  readWords(
    devnet,
    permissions.map((one) => ({ to: one.keeper, data: ask(one) })),
    block,
  );

export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const TOPICS = {
  approval: toEventSelector("Approval(address,address,uint256)"),
  approvalForAll: toEventSelector("ApprovalForAll(address,address,bool)"),
  permit2: toEventSelector("Approval(address,address,address,uint160,uint48)"),
  credit: toEventSelector("BorrowAllowanceDelegated(address,address,address,uint256)"),
  authorization: toEventSelector("SetAuthorization(address,address,address,bool)"),
};

/** The permissions of these accounts that events of a mined transaction are about. */
export function listAnnounced(logs: readonly Log[], accounts: readonly Hex[]): Permission[] {
  return logs
    .flatMap((log): Permission[] => {
      const keeper = lowercase(log.address);
      const [topic, ...rest] = log.topics;
      const [first, second, third] = rest.map((word) => `0x${word.slice(-40)}` as Hex) as [Hex, Hex, Hex];
      const place = { keeper, token: keeper, owner: first, spender: second };
      switch (topic) {
        case TOPICS.approval:
          return third === undefined
            ? [{ view: "allowance", ...place }]
            : [{ view: "item", ...place, id: BigInt(rest[2] as Hex) }];
        case TOPICS.approvalForAll:
          return [{ view: "operator", ...place }];
        case TOPICS.permit2:
          return keeper === PERMIT2
            ? [{ view: "permit2", keeper, owner: first, token: second, spender: third }]
            : [];
        case TOPICS.credit:
          return [{ view: "credit", ...place }];
        case TOPICS.authorization:
          // The first topic is the caller.
          return [{ view: "authorization", keeper, token: keeper, owner: second, spender: third }];
        default:
          return [];
      }
    })
    .filter(({ owner }) => accounts.includes(owner));
}
