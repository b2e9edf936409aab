import { type Ability, compareAbility, type Needs, rateAbility } from "./abilities.js";
import type { RpcNode } from "./rpcNode.js";

/** What one item needs of the node that is asked for it. */
export type NeedsOf<I> = (item: I) => Needs;

/** How well each node suits a question. */
export type Suits = ReadonlyMap<RpcNode, Ability>;

/** Items that suit the same nodes, with their places among all items. */
export interface SuitedGroup<I> {
  readonly items: I[];
  readonly places: number[];
  /** Undefined where it makes no difference which node is asked. */
  readonly suits: Suits | undefined;
}

export function groupBySuits<I>(
  nodes: readonly RpcNode[],
  items: readonly I[],
  needsOf: NeedsOf<I> | undefined,
): SuitedGroup<I>[] {
  const groups = new Map<string, SuitedGroup<I>>();
  items.forEach((item, place) => {
    const suits = needsOf && nodes.length > 1 ? rateNodes(nodes, needsOf(item)) : undefined;
    const key = suits ? [...suits].map(([{ label }, ability]) => `${label} ${ability}`).join() : "";
    const group = groups.get(key) ?? { items: [], places: [], suits };
    groups.set(key, group);
    group.items.push(item);
    group.places.push(place);
  });
  return [...groups.values()];
}

function rateNodes(nodes: readonly RpcNode[], needs: Needs): Suits | undefined {
  const suits = new Map(nodes.map((node) => [node, rateAbility(node.report, needs)]));
  return new Set(suits.values()).size > 1 ? suits : undefined;
}

/** Those that can answer first, and otherwise as they are. */
export const sortBySuits = (nodes: readonly RpcNode[], suits: Suits | undefined): readonly RpcNode[] =>
  suits === undefined
    ? nodes
    : nodes.toSorted((a, b) => compareAbility(suits.get(a) ?? "able", suits.get(b) ?? "able"));
