import type { Catalog } from "@assay/protocol";
import * as contract from "./contract.js";
import { type Document, listFields, listParameters, listPlaced, type Placed } from "./readDocument.js";

/** Three descriptions of one service that must say the same as the contract's tables. */
export interface Described {
  readonly document: Document;
  readonly catalog: Pick<Catalog, "capabilities">;
  /** As the router has them. */
  readonly routes: readonly { readonly method: string; readonly path: string }[];
  /** The capabilities that can be called. */
  readonly callable: readonly string[];
}

const INVOKE = "/api/v1/capabilities/:id/invoke";
const invokePath = (name: string) => `/api/v1/capabilities/${name}/invoke`;

/** One sentence for each disagreement between the document, the catalog, the routes and the contract. */
export function checkAgreement(described: Described): string[] {
  const placed = new Map(listPlaced(described.document).map((entry) => [entry.route, entry]));
  return [
    ...checkCatalog(described.catalog),
    ...checkRoutes(described, placed),
    ...[...contract.contractRoutes, ...contract.ownRoutes].flatMap((route) =>
      checkRoute(described.document, route, placed.get(`${route.method} ${route.path}`)),
    ),
    ...checkPrices(described, placed),
    ...checkSigned(described.document, placed),
    ...checkLimits(described.document, placed),
    ...checkDeprecation(described.document, placed),
  ];
}

function checkCatalog({ capabilities }: Described["catalog"]): string[] {
  const listed = capabilities.map((entry) => ({
    id: entry.id,
    version: entry.version,
    status: entry.status,
    reuse: entry.reuse,
    ttlSeconds: entry.constraints.ttlSeconds,
    pricesUsd: [entry.pricing.cacheHitUsd, entry.pricing.fingerprintHitUsd, entry.pricing.cacheMissUsd],
    input: Object.keys(entry.input),
  }));
  const differing = contract.catalogRows.flatMap((row, at) => {
    const [said, meant] = [listed[at], row].map((one) => JSON.stringify(one));
    return said === meant ? [] : [`the catalog has ${said} where the contract has ${meant}`];
  });
  const further = listed.slice(contract.catalogRows.length);
  return [...differing, ...further.map(({ id }) => `the catalog has ${id}, which the contract lacks`)];
}

/** Every route is in the document, and everything in the document is a route. */
function checkRoutes({ routes, callable }: Described, placed: ReadonlyMap<string, Placed>): string[] {
  const served = new Set(
    routes
      .filter(({ method }) => method === "GET" || method === "POST")
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`),
  );
  const invoked = new Set([...callable, ...contract.formerNames.keys()].map(invokePath));
  const wanted = new Set(
    [...contract.contractRoutes, ...contract.ownRoutes].map(({ method, path }) => `${method} ${path}`),
  );
  const hasInvoke = routes.some(({ path }) => path === INVOKE);
  const isServed = ({ route, path }: Placed) => served.has(route) || (hasInvoke && invoked.has(path));
  const documented = [...placed.values()];
  return [
    ...documented
      .filter((entry) => !isServed(entry))
      .map(({ route }) => `${route} is documented and not served`),
    ...[...served]
      .filter((route) => !placed.has(route))
      .map((route) => `${route} is served and not documented`),
    ...[...invoked]
      .filter((path) => !documented.some((entry) => entry.path === path))
      .map((path) => `${path} can be called and is not documented`),
    ...documented
      .filter(({ route, path }) => !wanted.has(route) && !invoked.has(path))
      .map(({ route }) => `${route} stands in no table`),
  ];
}

function checkRoute(
  document: Document,
  { method, path, statuses, fields }: contract.ContractRoute,
  placed: Placed | undefined,
): string[] {
  const route = `${method} ${path}`;
  if (!placed) return [`${route} is in the tables and not in the document`];
  const documented = listFields(document, placed.operation);
  return [
    ...statuses
      .filter((status) => !placed.operation.responses[status])
      .map((status) => `${route} answers ${status}, which the document leaves out`),
    ...fields.flatMap((word) => {
      const required = word.endsWith("!");
      const found = documented.get(required ? word.slice(0, -1) : word);
      if (!found) return [`${route} takes ${word}, which the document leaves out`];
      return found.required === required ? [] : [`${route}: whether ${word} is required differs`];
    }),
  ];
}

/** Paid routes carry the catalog's prices, and no other route carries any. */
function checkPrices({ catalog, callable }: Described, placed: ReadonlyMap<string, Placed>): string[] {
  const expected = new Map<string, string>(
    contract.fixedPrices.map(({ route, amount }) => [route, `${amount} to ${amount}`]),
  );
  for (const { id, pricing } of catalog.capabilities) {
    if (!callable.includes(id)) continue;
    const price = `${pricing.cacheHitUsd} to ${pricing.cacheMissUsd}`;
    const formerNames = [...contract.formerNames].filter(([, called]) => called === id);
    const paths = [id, ...formerNames.map(([name]) => name)].map(invokePath);
    for (const { route, path } of placed.values()) if (paths.includes(path)) expected.set(route, price);
  }
  const pricings = catalog.capabilities
    .filter(({ id }) => callable.includes(id))
    .map(({ pricing }) => pricing);
  const least = Math.min(...pricings.map(({ cacheHitUsd }) => cacheHitUsd));
  expected.set(
    "POST /api/mcp",
    `${least} to ${Math.max(...pricings.map(({ cacheMissUsd }) => cacheMissUsd))}`,
  );
  return [...placed.values()].flatMap(({ route, operation }) => {
    const price = operation["x-payment-info"]?.price;
    const stated = price && `${price.min ?? price.amount} to ${price.max ?? price.amount}`;
    const free = operation.security.length === 0 ? [] : [`${route} asks for an account`];
    return stated === expected.get(route)
      ? free
      : [...free, `${route} is said to cost ${stated} and costs ${expected.get(route)}`];
  });
}

function checkSigned(document: Document, placed: ReadonlyMap<string, Placed>): string[] {
  return contract.signedPaths.flatMap((path) => {
    const operation = placed.get(`POST ${path}`)?.operation;
    const headers = operation && listParameters(document, operation).filter((one) => one.in === "header");
    return contract.signedHeaders
      .filter((name) => !headers?.some((header) => header.name === name && header.required))
      .map((name) => `POST ${path} must be signed, and the document does not ask for ${name}`);
  });
}

function checkLimits(document: Document, placed: ReadonlyMap<string, Placed>): string[] {
  return contract.limits.flatMap(({ route, field, keyword, value }) => {
    const operation = placed.get(route)?.operation;
    const stated = operation && listFields(document, operation).get(field)?.schema[keyword];
    return String(stated) === value ? [] : [`${route}: ${keyword} of ${field} is ${stated}, not ${value}`];
  });
}

function checkDeprecation({ info }: Document, placed: ReadonlyMap<string, Placed>): string[] {
  const deprecated = [...placed.values()]
    .filter(({ operation }) => operation.deprecated)
    .map(({ route }) => route);
  return [
    ...(info.version === contract.DOCUMENT_VERSION ? [] : [`the document's version is ${info.version}`]),
    ...(String(deprecated) === String(contract.DEPRECATED) ? [] : [`deprecated are ${deprecated}`]),
  ];
}
