import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { consoleRoutes } from "./consoleRoutes.js";
import { importWithRetry } from "./importWithRetry.js";

export interface PageProps {
  /** The parts of the address, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
}

interface PageModule {
  readonly default: ComponentType<PageProps>;
}

type Page = LazyExoticComponent<ComponentType<PageProps>>;

interface Route {
  readonly path: string;
  readonly title: string;
  /** The file in pages/. */
  readonly page: string;
}

const modules = import.meta.glob<PageModule>("../pages/*.tsx");
const pages = new Map<string, Page>();

/** A page, loaded once it is shown. */
export function findPage(name: string): Page {
  const load = modules[`../pages/${name}.tsx`];
  if (!load) throw new Error(`there is no page ${name}`);
  const page = pages.get(name) ?? lazy(() => importWithRetry(load));
  pages.set(name, page);
  return page;
}

/** React keeps a failure to load for ever; this drops it. */
export const forgetPage = (name: string): void => void pages.delete(name);

/** Every address of the console with its title and its page; the service answers each with the same document. */
export const routes: readonly Route[] = consoleRoutes.map(([path, title, page]) => ({ path, title, page }));

/** The route of an address, with its parameters. */
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
