import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface PageProps {
  /** What the address names, by the route's own words. */
  readonly params: Readonly<Record<string, string>>;
}

interface PageModule {
  readonly default: ComponentType<PageProps>;
}

interface Route {
  readonly path: string;
  readonly title: string;
  readonly page: LazyExoticComponent<ComponentType<PageProps>>;
}

const modules = import.meta.glob<PageModule>("../pages/*.tsx");
const notFound = (): Promise<PageModule> => import("../pages/NotFound.js");
const pageOf = (name: string) => lazy(modules[`../pages/${name}.tsx`] ?? notFound);

/** Every address of the console with its title and its page; the service answers each with the same document. */
export const routes: readonly Route[] = (
  [
    ["/", "Start", "Start"],
    ["/capabilities/:id", "Capability", "Capability"],
    ["/sign", "Before you sign", "PreSign"],
    ["/verify", "Verify", "Verify"],
    ["/receipts", "Receipts", "Receipt"],
    ["/receipts/:id", "Receipt", "Receipt"],
    ["/evidence", "Evidence", "Evidence"],
    ["/evidence/:id", "Evidence", "Evidence"],
    ["/claims", "Claims", "Claims"],
    ["/claims/:id", "Claim", "Claim"],
    ["/obligations", "Obligations", "Obligations"],
    ["/bounties", "Bounties", "Bounties"],
    ["/publishers", "Publishers", "Publisher"],
    ["/publishers/:wallet", "Publisher", "Publisher"],
    ["/stats", "Statistics", "Stats"],
    ["/log", "Log", "Log"],
  ] as const
).map(([path, title, page]) => ({ path, title, page: pageOf(page) }));

/** The route of an address, with what its parts name. */
export function findRoute(path: string): (Route & PageProps) | undefined {
  for (const route of routes) {
    const params = match(route.path, path);
    if (params) return { ...route, params };
  }
  return undefined;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = path.replace(/(.)\/+$/, "$1").split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [place, part] of wanted.entries()) {
    const value = given[place] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return undefined;
  }
  return params;
}

/** An address that was cut in the middle of an escape is shown as it is. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
