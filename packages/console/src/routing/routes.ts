import { type ComponentType, type LazyExoticComponent, lazy } from "react";

export interface PageProps {
  /** What the address names, by the route's own words. */
  readonly params: Readonly<Record<string, string>>;
}

type Page = LazyExoticComponent<ComponentType<PageProps>>;

interface Route {
  readonly path: string;
  readonly title: string;
  readonly page: Page;
}

/** Every address of the console; the service answers each with the same document. */
export const routes: readonly Route[] = [
  { path: "/", title: "Start", page: lazy(() => import("../pages/Start.js")) },
  { path: "/capabilities/:id", title: "Capability", page: lazy(() => import("../pages/Capability.js")) },
  { path: "/sign", title: "Before you sign", page: lazy(() => import("../pages/PreSign.js")) },
  { path: "/verify", title: "Verify", page: lazy(() => import("../pages/Verify.js")) },
  { path: "/receipts", title: "Receipts", page: lazy(() => import("../pages/Receipt.js")) },
  { path: "/receipts/:id", title: "Receipt", page: lazy(() => import("../pages/Receipt.js")) },
  { path: "/evidence", title: "Evidence", page: lazy(() => import("../pages/Evidence.js")) },
  { path: "/evidence/:id", title: "Evidence", page: lazy(() => import("../pages/Evidence.js")) },
  { path: "/claims", title: "Claims", page: lazy(() => import("../pages/Claims.js")) },
  { path: "/claims/:id", title: "Claim", page: lazy(() => import("../pages/Claim.js")) },
  { path: "/obligations", title: "Obligations", page: lazy(() => import("../pages/Obligations.js")) },
  { path: "/bounties", title: "Bounties", page: lazy(() => import("../pages/Bounties.js")) },
  { path: "/publishers", title: "Publishers", page: lazy(() => import("../pages/Publisher.js")) },
  { path: "/publishers/:wallet", title: "Publisher", page: lazy(() => import("../pages/Publisher.js")) },
  { path: "/stats", title: "Statistics", page: lazy(() => import("../pages/Stats.js")) },
  { path: "/log", title: "Log", page: lazy(() => import("../pages/Log.js")) },
];

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
    if (part.startsWith(":")) params[part.slice(1)] = decodeURIComponent(value);
    else if (part !== value) return undefined;
  }
  return params;
}
