import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { parseSync, Visitor } from "vite";
import { describe, expect, test } from "vitest";

// The house rules: which room may import which, and what no file may hold. Every rule is a pure function,
// tried at the end of this file on made-up code that breaks it, so that a rule which stops seeing fails too.

interface Import {
  specifier: string;
  typeOnly: boolean;
}

interface CodeFile {
  path: string;
  imports: Import[];
  /** Code found in the file that only some files, or none, may hold. */
  readsEnvironment: boolean;
  typedAny: boolean;
  switchesTestsOff: boolean;
  onlyReExports: boolean;
  /** Texts that something is compared with. */
  comparedWith: string[];
  /** Whether statements of one transaction travel at once without `inOrder`; a transaction is called `tx` everywhere. */
  mixesStatements: boolean;
}

interface Span {
  start: number;
  end: number;
}

interface Manifest {
  name?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Says in one sentence which rule an import breaks. */
type ImportRule = (file: CodeFile, imported: Import) => string | undefined;

const packageImports: Record<string, string[]> = {
  adapters: ["client"],
  protocol: [],
  chain: ["protocol"],
  pages: ["protocol"],
  capabilities: ["chain", "contracts", "pages", "protocol"],
  client: ["capabilities", "protocol"],
  console: ["client", "protocol"],
  contracts: [],
  devnet: ["contracts"],
  service: ["capabilities", "chain", "contracts", "devnet", "pages", "protocol"],
};

/**
 * What a package offers besides its entry: what only the service needs, and light parts for programs that must start fast.
 * Tests may import any file of another package.
 */
const furtherEntries = [
  "@assay/capabilities/capabilities",
  "@assay/capabilities/knownTokens",
  "@assay/capabilities/loadNews",
  "@assay/capabilities/samples",
  "@assay/capabilities/served",
  "@assay/protocol/baseAddresses",
  "@assay/protocol/cacheWords",
  "@assay/protocol/exampleClaim",
  "@assay/protocol/primitives",
  "@assay/protocol/repeatedName",
];

/** The service's rooms from the top floor down. */
const floors = [
  ["start"],
  ["http", "jobs"],
  ["mcp"],
  ["payments"],
  ["quotes"],
  ["market", "obligations"],
  ["claims"],
  ["evidence", "credits", "log", "actions"],
  ["store"],
  ["base"],
];
const serviceSource = "packages/service/src/";
const capabilitiesSource = "packages/capabilities/src/";
/** Packages that read the outside world: browsers never load them. */
const readers = ["@assay/chain", "@assay/pages"];

const codeEnding = /\.[cm]?[jt]sx?$/;
const isTesting = (path: string) =>
  path.includes("/testing/") ||
  path.includes("/example.echo/") ||
  /^(packages\/service\/(test|campaigns)|fuzz)\//.test(path);
const isTest = (path: string) => /\.test\.tsx?$/.test(path);
const isTestCode = (path: string) => isTest(path) || isTesting(path) || /^vitest\.[a-z]+\.ts$/.test(path);

/** A parser and not a pattern reads the code, so words in comments and strings are never taken for code. */
function parseCode(path: string, text: string): CodeFile {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const sourceOf = (node: { start: number; end: number }) => text.slice(node.start, node.end);
  const file: CodeFile = {
    path,
    imports: [],
    readsEnvironment: false,
    typedAny: false,
    switchesTestsOff: false,
    onlyReExports: program.body.length > 0,
    comparedWith: [],
    mixesStatements: false,
  };
  for (const node of program.body)
    if (!node.type.startsWith("Export") || !("source" in node && node.source)) file.onlyReExports = false;
  // A specifier made up at run time is nobody's to check.
  const add = (node: { start: number; end: number } | null | undefined, typeOnly = false) => {
    const literal = node && /^(["'`])([^$]+)\1$/.exec(sourceOf(node));
    if (literal?.[2]) file.imports.push({ specifier: literal[2], typeOnly });
  };
  const compare = (node: { start: number; end: number } | null) => {
    const literal = node && /^(["'`])([^$]*)\1$/.exec(sourceOf(node));
    if (literal?.[2]) file.comparedWith.push(literal[2]);
  };
  // What waits for several promises, functions that are given a transaction, and places that name one.
  const [together, given, transactions]: [Span[], Span[], Span[]] = [[], [], []];
  const addFunction = (node: Span & { params: Span[] }) => {
    if (node.params.some((param) => /^tx\b/.test(sourceOf(param)))) given.push(node);
  };
  new Visitor({
    BinaryExpression(node) {
      if (!/^[=!]==?$/.test(node.operator)) return;
      compare(node.left);
      compare(node.right);
    },
    SwitchCase: (node) => compare(node.test),
    ImportDeclaration(node) {
      // `import { type A }` still loads the file at run time; only `import type` does not.
      add(node.source, node.importKind === "type");
      if (/^(node:)?process$/.test(node.source.value) && /\benv\b/.test(sourceOf(node)))
        file.readsEnvironment = true;
    },
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source, true),
    CallExpression(node) {
      if (/^(require|require\.resolve|import\.meta\.resolve)$/.test(sourceOf(node.callee)))
        add(node.arguments[0]);
      if (/^Promise\.(all|allSettled|any|race)$/.test(sourceOf(node.callee))) together.push(node);
    },
    ArrowFunctionExpression: (node) => addFunction(node),
    FunctionExpression: (node) => addFunction(node),
    Identifier(node) {
      if (node.name === "tx") transactions.push(node);
    },
    MemberExpression(node) {
      const property = sourceOf(node.property).replaceAll(/["'`]/g, "");
      if (property === "env" && /\bprocess$/.test(sourceOf(node.object))) file.readsEnvironment = true;
      if (["skip", "only", "todo"].includes(property)) file.switchesTestsOff = true;
    },
    VariableDeclarator(node) {
      if (node.init && /\bprocess$/.test(sourceOf(node.init)) && /\benv\b/.test(sourceOf(node.id)))
        file.readsEnvironment = true;
    },
    TSAnyKeyword(node) {
      // As another type's argument it may be what a library asks for; the linter wants a reason there.
      if (/(:|\bas)\s*$/.test(text.slice(0, node.start))) file.typedAny = true;
    },
  }).visit(program);
  const holds = (outer: Span, inner: Span) => outer.start <= inner.start && inner.end <= outer.end;
  // A transaction that begins inside of the call has its own connection or its own turn.
  file.mixesStatements = together.some((call) =>
    transactions.some(
      (tx) => holds(call, tx) && !given.some((inner) => holds(call, inner) && holds(inner, tx)),
    ),
  );
  return file;
}

/** Each adapter is a package of its own, beside the others. */
const adapters = readdirSync(new URL("packages/adapters", import.meta.url));

/** A path without its ending: sources name each other by the ending of what they compile to. */
const moduleOf = (path: string) =>
  path.replace(codeEnding, "").replace(/^(packages\/[^/]+\/)dist\//, "$1src/");

/** The module an import leads to within this repository, or undefined for an npm package. */
function resolveInside(file: CodeFile, { specifier }: Import): string | undefined {
  if (specifier.startsWith(".")) return moduleOf(posix.join(posix.dirname(file.path), specifier));
  const [, name, inner = "index"] = /^@assay\/([^/]+)(?:\/(.+))?/.exec(specifier) ?? [];
  if (!name) return undefined;
  if (name === "contracts") return "contracts/package.json";
  return `packages/${adapters.includes(name) ? "adapters/" : ""}${name}/src/${inner}`;
}

const packageOf = (path: string) =>
  /^(?:packages\/(adapters\/[^/]+|[^/]+)|(contracts))\//.exec(path)?.slice(1).find(Boolean);
/** Adapters are alike: what one may import, all may. */
const kindOf = (name: string) => name.replace(/^adapters\/.*/, "adapters");

const packageRule: ImportRule = (file, imported) => {
  const target = resolveInside(file, imported);
  const from = packageOf(file.path);
  if (!target || !from || isTesting(file.path)) return undefined;
  const allowed = packageImports[kindOf(from)];
  if (!allowed) return `${from} has no place among the packages yet`;
  // How packages are bundled is one file of the repository, for their scripts and nothing else.
  if (target === "bundling" && /^packages\/[^/]+\/\w+\.mjs$/.test(file.path)) return undefined;
  // Examples of adapters stand on the scene that all examples share.
  const isExample = /\/example\.mjs$/.test(file.path) || isTest(file.path);
  if (
    kindOf(from) === "adapters" &&
    isExample &&
    (target.startsWith("examples/") || packageOf(target) === from)
  )
    return undefined;
  if (imported.specifier.startsWith("."))
    return packageOf(target) === from ? undefined : "a relative import stays inside its package";
  if (allowed.includes(packageOf(target) ?? "")) {
    const isEntry = /^@assay\/[^/]+$/.test(imported.specifier) || furtherEntries.includes(imported.specifier);
    return isEntry || isTest(file.path) ? undefined : "a package is imported by its entry";
  }
  // Tests of a package may stand on a local chain.
  if (isTest(file.path) && packageOf(target) === "devnet") return undefined;
  return `${from} may import ${allowed.length ? `only ${allowed.join(", ")}` : "nothing"} of this repository`;
};

function dependencyRule(manifests: Record<string, Manifest>): ImportRule {
  return (file, { specifier }) => {
    if (/^[./]/.test(specifier) || isBuiltin(specifier)) return undefined;
    if (specifier.startsWith("@assay/") && isTesting(file.path)) return undefined;
    const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
    // The nearest folder that has one, as Node reads them.
    let folder = posix.dirname(file.path);
    while (folder !== "." && !manifests[folder]) folder = posix.dirname(folder);
    const own = manifests[folder === "." ? "" : folder];
    if (name === own?.name) return undefined;
    // What ships must be installed with the package; tests and build scripts run only inside this repository.
    const ships = /^packages\/(adapters\/)?[^/]+\/(src|bin)\//.test(file.path) && !isTestCode(file.path);
    const declared = {
      ...own?.dependencies,
      ...own?.optionalDependencies,
      ...own?.peerDependencies,
      ...(ships ? {} : own?.devDependencies),
      ...(isTestCode(file.path) ? manifests[""]?.devDependencies : {}),
    };
    return name in declared ? undefined : `${name} is not declared in the package's own package.json`;
  };
}

const roomOf = (module: string): string | undefined =>
  module.startsWith(serviceSource) ? module.slice(serviceSource.length).split("/")[0] : undefined;

/** A capability's folder is named by its id, which holds a dot; shared knowledge has a folder per topic. */
function capabilityRoomOf(module: string): string | undefined {
  if (!module.startsWith(capabilitiesSource)) return undefined;
  const [first = "", second = "", ...rest] = module.slice(capabilitiesSource.length).split("/");
  if (first === "shared" && rest.length > 0) return `shared/${second}`;
  return second ? first : "";
}
const isCapability = (room: string | undefined) => room?.includes(".") ?? false;

const capabilityRule: ImportRule = (file, imported) => {
  const module = moduleOf(file.path);
  const from = capabilityRoomOf(module);
  if (from === undefined || isTestCode(file.path)) return undefined;
  const isGathering = module.includes("/gather/");
  if (readers.includes(imported.specifier) && !isGathering && !imported.typeOnly)
    return "only gather folders read the chain and pages";
  const target = resolveInside(file, imported);
  const to = target && capabilityRoomOf(target);
  if (target?.includes("/gather/") && !isGathering && !imported.typeOnly && from !== "")
    return "a rule does not know how its readings were gathered";
  if (to === undefined || to === from || from === "") return undefined;
  if (isCapability(to))
    return isCapability(from) ? "a capability imports no other" : "what is shared knows no capability";
  return undefined;
};

/** Each cycle of folders once: two rooms that import each other are one room with a wall in it. */
function findFolderCycles(files: CodeFile[]): string[] {
  const rooms = files.flatMap((file): CodeFile[] => {
    const from = capabilityRoomOf(moduleOf(file.path));
    if (!from || isTestCode(file.path)) return [];
    const imports = file.imports.flatMap((imported): Import[] => {
      const to = capabilityRoomOf(resolveInside(file, imported) ?? "");
      return to && to !== from ? [{ ...imported, specifier: `${"../".repeat(9)}${to}.ts` }] : [];
    });
    return [{ ...file, path: `${from}.ts`, imports }];
  });
  const merged = new Map<string, CodeFile>();
  for (const room of rooms) {
    const known = merged.get(room.path);
    merged.set(room.path, { ...room, imports: [...(known?.imports ?? []), ...room.imports] });
  }
  return findCycles(
    [...merged.values()].map((room) => ({
      ...room,
      imports: room.imports.map((imported) => ({
        ...imported,
        specifier: `./${posix.relative(posix.dirname(room.path), imported.specifier.replace(/^(\.\.\/)+/, ""))}`,
      })),
    })),
  );
}

/** Code that treats all capabilities the same way has no exception for one of them: that is a field of its object. */
const findComparedIds = (files: CodeFile[], ids: readonly string[]) =>
  files.filter(
    (file) =>
      !isTestCode(file.path) &&
      file.comparedWith.some((text) => ids.includes(text) && !file.path.includes(`/${text}/`)),
  );

const floorRule: ImportRule = (file, imported) => {
  const from = roomOf(moduleOf(file.path));
  const target = resolveInside(file, imported);
  if (!from || !target || isTesting(file.path) || isTesting(target)) return undefined;
  const to = roomOf(target);
  // Only `credits` writes balances; the less it knows, the less can write them through it.
  if (from === "credits" && ![from, "store"].includes(to ?? "") && imported.specifier !== "@assay/protocol")
    return "credits imports only store and protocol";
  if (!to || to === from) return undefined;
  if (moduleOf(file.path) === `${serviceSource}base/context` && to === "store")
    return imported.typeOnly ? undefined : "context imports only types of the store";
  const [fromFloor, toFloor] = [from, to].map((room) => floors.findIndex((floor) => floor.includes(room)));
  if (fromFloor === undefined || toFloor === undefined || fromFloor < 0 || toFloor < 0)
    return `${fromFloor === -1 ? from : to} has no floor yet`;
  if (fromFloor === toFloor) return `${from} and ${to} share a floor and do not import each other`;
  return fromFloor < toFloor ? undefined : `${to} is above ${from}, and imports only go down`;
};

const testingRule: ImportRule = (file, imported) => {
  if (isTestCode(file.path) || !isTesting(resolveInside(file, imported) ?? "")) return undefined;
  return "only tests import from a testing folder";
};

function findViolations(files: CodeFile[], rule: ImportRule): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((imported) => {
      const broken = rule(file, imported);
      return broken ? [`${file.path} → ${imported.specifier}: ${broken}`] : [];
    }),
  );
}

/** Each cycle once, as the modules along it. Types count: a cycle of types ties two files together as well. */
function findCycles(files: CodeFile[]): string[] {
  const graph = new Map(
    files.map((file) => [moduleOf(file.path), file.imports.map((imported) => resolveInside(file, imported))]),
  );
  const done = new Set<string>();
  const cycles: string[] = [];
  const follow = (module: string, trail: string[]): void => {
    const start = trail.indexOf(module);
    if (start >= 0) cycles.push([...trail.slice(start), module].join(" → "));
    if (start >= 0 || done.has(module)) return;
    for (const next of new Set(graph.get(module))) if (next) follow(next, [...trail, module]);
    done.add(module);
  };
  for (const module of graph.keys()) follow(module, []);
  return cycles;
}

const isEntry = (path: string) => /^packages\/(adapters\/)?[^/]+\/src\/index\.ts$/.test(path);
const findBadNames = (paths: string[]) =>
  paths.filter(
    (path) =>
      path.split(/[/.]/).some((part) => /^(utils?|helpers?|common|misc)$/i.test(part)) ||
      (/(^|\/)index\.[cm]?[jt]sx?$/.test(path) && !isEntry(path)),
  );
/** A compiled file beside its source wins over it in a bundler, and grows old. */
const findCompiled = (paths: string[]) =>
  paths.filter((path) => /^packages\/(adapters\/)?[^/]+\/src\/.*\.(js|js\.map|d\.ts)$/.test(path));
const findBarrels = (files: CodeFile[]) => files.filter((file) => file.onlyReExports && !isEntry(file.path));

const lineCountOf = (text: string) => text.trimEnd().split("\n").length;
const isTooLong = ({ lines }: { lines: number }) => lines > 400;

const mayReadEnvironment = (path: string) =>
  [`${serviceSource}start/main.ts`, `${serviceSource}start/admin.ts`].includes(path) ||
  /^packages\/client\/(bin|src\/cli)\b/.test(path) ||
  /^(bench|examples|mutants|reliability)\//.test(path) ||
  isTestCode(path);

/** The helper itself, and tests, which fill tables with rows of any order. */
const maySendAtOnce = (path: string) => path === `${serviceSource}store/inOrder.ts` || isTest(path);

// Put together here, or this file would hold the words it looks for.
const unfinished = new RegExp(`\\b(${["TO-DO", "FIX-ME", "X-XX"].join("|").replaceAll("-", "")})\\b`);

/** Words that plain English does not need, put together for the same reason. */
const oddField = "to-ld".replace("-", "");
const oddWords = new RegExp(
  `\\b(${oddField}|${["who-ever", "me-nd(ed|ing|s)?"].join("|").replaceAll("-", "")})\\b`,
  "gi",
);
const isProse = (path: string) => /\.([cm]?[jt]sx?|md|sql|sol|css|html|sh|ya?ml)$|^\.ci\//.test(path);
/** Texts that stand as somebody else wrote them, or whose hash is kept. */
const mayHoldOddWords = (path: string) =>
  path.startsWith("packages/service/migrations/") ||
  path.includes("/testing/pages/") ||
  // A page and a market's question, made up as the world writes them.
  ["packages/devnet/src/samplePages.ts", "packages/devnet/src/deployPrediction.ts"].includes(path) ||
  // Its patterns look for such words in pages.
  path === "packages/protocol/src/findAgentInstruction.ts";
/** Where a field on the wire is called `oddField`. */
const namesOddField = (path: string) =>
  path.startsWith(`${capabilitiesSource}trade.execution.notarize/`) ||
  ["packages/chain/src/executions.ts", "packages/chain/src/types.ts"].includes(path);

function findOddWords(path: string, text: string): string[] {
  if (!isProse(path) || mayHoldOddWords(path)) return [];
  // Keys of `formerWording` are sentences as they were signed.
  const today = path.startsWith(capabilitiesSource) ? text.replaceAll(/"[^"\n]*":/g, '"":') : text;
  const words = (namesOddField(path) ? eraseField(path, today) : today).match(oddWords) ?? [];
  return words.map((word) => `${path}: ${word}`);
}

/** The text without the field's name in code. It stays in comments and sentences. */
function eraseField(path: string, text: string): string {
  if (!codeEnding.test(path)) return text;
  let erased = text;
  const erase = (found: unknown, { start, end }: Span) => {
    if (found === oddField) erased = erased.slice(0, start) + " ".repeat(end - start) + erased.slice(end);
  };
  new Visitor({
    Identifier: (node) => erase(node.name, node),
    Literal: (node) => erase(node.value, node),
  }).visit(parseSync(path, text).program);
  return erased;
}

/** Versions that are not exact, at any depth: overrides may be nested. */
function findLooseVersions(versions: object): string[] {
  return Object.entries(versions).flatMap(([name, version]) => {
    if (typeof version === "object") return findLooseVersions(version);
    return /^(npm:(@[^/]+\/)?[^@]+@)?\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) ? [] : [`${name} ${version}`];
  });
}

const findRegistries = (lock: string) => lock.match(/"resolved": "http.*/g) ?? [];

/** Every file of the repository that somebody wrote, with its path from the root. */
function listFiles(folder = ""): string[] {
  return readdirSync(new URL(folder || ".", import.meta.url), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    // A frozen build is written by a bundler.
    if (entry.isFile()) return /\/former\/[^/]+\/rules\.js$/.test(path) ? [] : [path];
    const written = entry.isDirectory() && !/^(node_modules|dist|coverage|\.(?!ci$).*)$/.test(entry.name);
    return written && path !== "bench/results" && path !== "contracts/out" ? listFiles(`${path}/`) : [];
  });
}

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const paths = listFiles();
const code = paths.filter((path) => codeEnding.test(path)).map((path) => parseCode(path, read(path)));
const manifests = Object.fromEntries(
  paths
    .filter((path) => posix.basename(path) === "package.json")
    .map((path) => [posix.dirname(path).replace(/^\.$/, ""), JSON.parse(read(path)) as Manifest]),
);

function expectNone(rule: string, violations: string[]): void {
  // Soft, so that one broken rule does not hide the next.
  expect.soft(violations, [rule, ...violations].join("\n  ")).toEqual([]);
}
const pathsOf = (files: CodeFile[]) => files.map((file) => file.path);
const ids = readdirSync(new URL(capabilitiesSource, import.meta.url)).filter(isCapability);

describe("the house", () => {
  test("the rules below look at the whole repository", () => {
    const packages = code.flatMap((file) => packageOf(file.path) ?? []);
    expect(Object.keys(packageImports)).toEqual(expect.arrayContaining([...new Set(packages.map(kindOf))]));
    expect(pathsOf(code)).toEqual(expect.arrayContaining([`${serviceSource}start/main.ts`, "house.test.ts"]));
    expect(code.flatMap((file) => file.imports).length).toBeGreaterThan(200);
  });

  test("packages import only the packages they may", () => {
    expectNone("Packages depend on each other in one direction.", findViolations(code, packageRule));
  });

  test("every imported npm package is declared where it is imported", () => {
    expectNone("A package declares what it imports.", findViolations(code, dependencyRule(manifests)));
  });

  test("the service's folders import only from floors below them", () => {
    expectNone("The service's imports only go down.", findViolations(code, floorRule));
  });

  test("a capability knows shared topics and no other capability", () => {
    expectNone("Each capability has a room of its own.", findViolations(code, capabilityRule));
    expectNone("No two rooms import each other.", findFolderCycles(code));
  });

  test("no generic code has an exception for one capability", () => {
    expectNone("What is special about a capability is a field of it.", pathsOf(findComparedIds(code, ids)));
  });

  test("testing folders are imported only by tests", () => {
    expectNone("What ships does not need testing code.", findViolations(code, testingRule));
  });

  test("no file imports itself through others", () => {
    expectNone("No import cycles.", findCycles(code));
  });

  test("source files have at most 400 lines", async ({ annotate }) => {
    const sizes = pathsOf(code)
      .filter((path) => !isTest(path))
      .map((path) => ({ path, lines: lineCountOf(read(path)) }))
      .sort((a, b) => b.lines - a.lines);
    const describeSize = ({ path, lines }: { path: string; lines: number }) => `${path}: ${lines} lines`;
    await annotate(`Longest: ${sizes.slice(0, 3).map(describeSize).join(", ")}`);
    expectNone("Files stay near 300 lines.", sizes.filter(isTooLong).map(describeSize));
  });

  test("files are named after what they hold", () => {
    expectNone("No drawers for odds and ends, no index but a package's entry.", findBadNames(paths));
    expectNone("Only a package's entry may be nothing but re-exports.", pathsOf(findBarrels(code)));
    expectNone("Sources hold nothing compiled.", findCompiled(paths));
  });

  test("only the entry points read the environment", () => {
    const readers = code.filter((file) => file.readsEnvironment && !mayReadEnvironment(file.path));
    expectNone("Settings are read once, in main, and passed on.", pathsOf(readers));
  });

  test("nothing is left unfinished, switched off or untyped", () => {
    const texts = paths.filter((path) => /\.([cm]?[jt]sx?|sql|sol|css|html|sh)$|^\.ci\//.test(path));
    const marked = texts.filter((path) => unfinished.test(read(path)));
    expectNone("What is not done is not marked in the code.", marked);
    expectNone(
      "Every test runs.",
      pathsOf(code.filter((file) => isTest(file.path) && file.switchesTestsOff)),
    );
    expectNone("Nothing is typed any.", pathsOf(code.filter((file) => file.typedAny)));
  });

  test("comments, sentences and documents are in plain words", () => {
    expectNone(
      "Say it in the words of today.",
      paths.flatMap((path) => (isProse(path) ? findOddWords(path, read(path)) : [])),
    );
  });

  test("statements of one transaction that travel together have an order", () => {
    const mixing = code.filter((file) => file.mixesStatements && !maySendAtOnce(file.path));
    expectNone("Use inOrder of the store.", pathsOf(mixing));
  });

  test("versions are exact and the lock names no registry", () => {
    const loose = Object.entries(manifests).flatMap(([folder, manifest]) => {
      // A peer is what the caller has installed already, so it is a range.
      const kinds = Object.entries(manifest).filter(([key]) =>
        /^(d|devD|optionalD)ependencies$|^overrides$/.test(key),
      );
      return kinds
        .flatMap(([, versions]) => findLooseVersions(versions))
        .map((found) => `${folder || "."}: ${found}`);
    });
    expectNone("Two installs give the same code.", loose);
    expectNone(
      "Any registry can serve the install.",
      paths
        .filter((path) => posix.basename(path) === "package-lock.json")
        .flatMap((path) => findRegistries(read(path)).map((found) => `${path}: ${found}`)),
    );
  });
});

describe("the rules can fail", () => {
  const service = (path: string, text: string) => parseCode(`${serviceSource}${path}`, text);
  const broken = (rule: ImportRule, ...files: CodeFile[]) => findViolations(files, rule).length;

  test.each([
    ["an upward import", service("payments/settle.ts", 'import { app } from "../start/app.js";')],
    ["an upward import of a type", service("store/rows.ts", 'import type { A } from "../quotes/a.js";')],
    ["an upward import in a type", service("store/rows.ts", 'let a: import("../quotes/a.js").A;')],
    ["an upward import at run time", service("store/read.ts", 'await import("../evidence/a.js");')],
    [
      "an upward re-export from a subfolder",
      service("quotes/a/b.ts", 'export * from "../../http/errors.js";'),
    ],
    ["an import on the same floor", service("http/routes/a.ts", 'import "../../jobs/schedule.js";')],
    ["a tool knowing a route", service("mcp/answerMcp.ts", 'import "../http/errors.js";')],
    ["credits knowing more than the store", service("credits/ledger.ts", 'import "../base/settings.js";')],
    ["credits knowing the rules", service("credits/ledger.ts", 'import "@assay/capabilities";')],
    [
      "the context holding more than types",
      service("base/context.ts", 'import { c } from "../store/database.js";'),
    ],
    [
      "the context knowing a domain",
      service("base/context.ts", 'import type { Q } from "../quotes/quotes.js";'),
    ],
    ["a folder nobody placed", service("newroom/a.ts", 'import "../store/database.js";')],
  ])("floors: %s", (_name, file) => expect(broken(floorRule, file)).toBe(1));

  test("floors: imports that go down are let through", () => {
    const text = 'import "../quotes/q.js"; import "../store/s.js"; import "../base/c.js"; import "./b.js";';
    expect(broken(floorRule, service("payments/a.ts", `${text} // import "../http/errors.js"`))).toBe(0);
    expect(broken(floorRule, service("claims/testing/a.ts", 'import "../../http/errors.js";'))).toBe(0);
  });

  test.each([
    ["protocol importing rules", "packages/protocol/src/a.ts", "@assay/capabilities"],
    ["a package imported by one of its files", "packages/client/src/a.ts", "@assay/capabilities/records"],
    ["client importing the service", "packages/client/src/a.ts", "@assay/service"],
    ["a test doing so", "packages/client/src/a.test.ts", "@assay/service"],
    ["a package reaching into another", "packages/chain/src/a.ts", "../../protocol/src/money.js"],
    ["a package nobody placed", "packages/extra/src/a.ts", "@assay/protocol"],
    ["an adapter importing rules", "packages/adapters/goat/src/index.ts", "@assay/capabilities"],
    ["an adapter importing another", "packages/adapters/goat/src/index.ts", "../../wagmi/src/index.js"],
    [
      "an adapter importing an example",
      "packages/adapters/goat/src/index.ts",
      "../../../../examples/scene.mjs",
    ],
    ["the client importing an adapter", "packages/client/src/a.ts", "@assay/goat"],
  ])("packages: %s", (_name, path, specifier) => {
    expect(broken(packageRule, parseCode(path, `import "${specifier}";`))).toBe(1);
  });

  const capability = (path: string, text: string) => parseCode(`${capabilitiesSource}${path}`, text);

  test.each([
    ["one importing another", capability("a.b/evaluate.ts", 'import "../c.d/readings.js";')],
    ["one importing another's type", capability("a.b/evaluate.ts", 'import type { X } from "../c.d/r.js";')],
    ["what is shared knowing one", capability("shared/code/a.ts", 'import "../../a.b/readings.js";')],
    ["a rule that reads the chain", capability("a.b/evaluate.ts", 'import { c } from "@assay/chain";')],
    ["a shared rule that reads pages", capability("shared/code/a.ts", 'import { c } from "@assay/pages";')],
    ["a rule that gathers", capability("a.b/evaluate.ts", 'import { g } from "./gather/gather.js";')],
  ])("capabilities: %s", (_name, file) => expect(broken(capabilityRule, file)).toBe(1));

  test("capabilities: what is shared, types of readers and gathering itself are let through", () => {
    const files = [
      capability("a.b/evaluate.ts", 'import "../shared/code/a.js"; import type { C } from "@assay/chain";'),
      capability("a.b/gather/gather.ts", 'import "@assay/chain"; import "../../shared/code/gather/b.js";'),
      capability("list.ts", 'import "./a.b/capability.js";'),
      capability("a.b/gather.test.ts", 'import "@assay/chain"; import "../c.d/testing/x.js";'),
    ];
    expect(broken(capabilityRule, ...files)).toBe(0);
  });

  test("capabilities: rooms that import each other through different files", () => {
    const there = capability("shared/code/a.ts", 'import "../words/b.js";');
    const back = capability("shared/words/c.ts", 'import type { D } from "../code/d.js";');
    expect(findFolderCycles([there])).toEqual([]);
    expect(findFolderCycles([there, back])).toEqual(["shared/code → shared/words → shared/code"]);
  });

  test("capabilities: an id that generic code compares with", () => {
    const compares = (path: string, text: string) => findComparedIds([parseCode(path, text)], ["a.b"]).length;
    for (const text of ['if (id === "a.b") go();', 'switch (id) { case "a.b": go(); }', "x = `a.b` !== id;"])
      expect(compares("packages/service/src/http/a.ts", text), text).toBe(1);
    expect(compares("packages/service/src/http/a.ts", 'const named = "a.b";')).toBe(0);
    expect(compares(`${capabilitiesSource}a.b/evaluate.ts`, 'if (id === "a.b") go();')).toBe(0);
  });

  test("dependencies: one that the package does not declare", () => {
    const rule = dependencyRule({
      "": { devDependencies: { vitest: "1.0.0" } },
      "packages/chain": { dependencies: { viem: "1.0.0" }, devDependencies: { zod: "1.0.0" } },
    });
    const text =
      'import "viem/chains"; import "node:fs"; import "zod"; import "@scope/name/part"; import "vitest";';
    const found = (path: string) =>
      findViolations([parseCode(path, text)], rule).map((line) => line.split(" ")[2]);
    expect(found("packages/chain/src/a.ts")).toEqual(["zod:", "@scope/name/part:", "vitest:"]);
    expect(found("packages/chain/src/a.test.ts")).toEqual(["@scope/name/part:"]);
  });

  test("testing: a source that imports from a testing folder", () => {
    const text = 'import "./testing/fake.js";';
    expect(broken(testingRule, service("chain/a.ts", text), service("chain/a.test.ts", text))).toBe(1);
  });

  test("cycles: through files and through packages", () => {
    const a = parseCode("packages/chain/src/index.ts", 'export * from "./b.js";');
    const b = parseCode("packages/chain/src/b.ts", 'import type { C } from "@assay/protocol";');
    const c = parseCode("packages/protocol/src/index.ts", 'import "@assay/chain";');
    expect(findCycles([a, b])).toEqual([]);
    expect(findCycles([a, b, c])).toEqual([
      "packages/chain/src/index → packages/chain/src/b → packages/protocol/src/index → packages/chain/src/index",
    ]);
  });

  test("plain words: in comments, names and documents, and nowhere else", () => {
    const count = (path: string, text: string) => findOddWords(path, text).length;
    const words = [oddField, "Who-ever", "ME-ND", "me-nded"].map((word) => word.replace("-", ""));
    for (const word of words) {
      for (const text of [`// It is ${word}.`, `throw new Error("${word}");`, `const ${word} = 1;`])
        expect(count("packages/service/src/a.ts", text), text).toBe(1);
      for (const path of ["docs/a.md", "packages/console/public/a.js", "contracts/src/A.sol", ".ci/a"])
        expect(count(path, `It is ${word}.`), path).toBe(1);
      expect(count("packages/service/migrations/0001_a.sql", `-- ${word}`)).toBe(0);
      expect(
        count(`${capabilitiesSource}a.b/rule.ts`, `const former = { "It is ${word}.": "It is said." };`),
      ).toBe(0);
      expect(
        count(`${capabilitiesSource}a.b/rule.ts`, `const former = { "It is said.": "It is ${word}." };`),
      ).toBe(1);
      expect(count("packages/service/src/a.ts", `const x${word}y = "re${word}er";`)).toBe(0);
    }
    const field = `// ${oddField}\nconst { ${oddField} } = a; b(${oddField}.c, "as ${oddField}"); type T = R["${oddField}"];`;
    expect(count("packages/chain/src/types.ts", field)).toBe(2);
    expect(count("packages/chain/src/other.ts", field)).toBe(5);
  });

  test("transactions: statements that are sent at once", () => {
    const mixes = (text: string) => parseCode(`${serviceSource}market/a.ts`, text).mixesStatements;
    for (const text of [
      "await Promise.all([tx.query(a), tx.query(b)]);",
      "const [rows] = await Promise.allSettled(list.map((one) => store(tx, one)));",
      "db.transaction((tx) => Promise.all([read(db), write(tx)]));",
      "db.transaction(async function (tx) { await Promise.race([tx.query(a), late]); });",
    ])
      expect(mixes(text), text).toBe(true);
    for (const text of [
      "await inOrder(tx, [(tx) => tx.query(a), (tx) => tx.query(b)]);",
      "await Promise.all([db.query(a), db.query(b)]);",
      "await Promise.all(list.map((one) => db.transaction((tx) => store(tx, one))));",
      "await Promise.all([a, b]); await tx.query(c);",
    ])
      expect(mixes(text), text).toBe(false);
    expect(maySendAtOnce(`${serviceSource}store/database.ts`)).toBe(false);
  });

  test("what no file may hold", () => {
    const names = ["packages/chain/src/utils/a.ts", "bench/Helpers.ts", "packages/chain/src/deep/index.ts"];
    expect(findBadNames([...names, "packages/chain/src/index.ts"])).toEqual(names);
    expect(findCompiled(["packages/chain/src/a.js", "packages/chain/src/a.ts"])).toEqual([
      "packages/chain/src/a.js",
    ]);
    const barrel = parseCode(
      "packages/chain/src/all.ts",
      'export { a } from "./a.js"; export * from "./b.js";',
    );
    expect(findBarrels([barrel, parseCode("a.ts", "export const a = 1;")])).toEqual([barrel]);
    for (const text of [
      "process.env.A",
      'process["env"]',
      "const { env } = process",
      'import { env } from "node:process"',
    ])
      expect(parseCode("a.ts", text).readsEnvironment, text).toBe(true);
    expect(mayReadEnvironment(`${serviceSource}config.ts`)).toBe(false);
    expect(parseCode("a.ts", "const a = b as any;").typedAny).toBe(true);
    expect(parseCode("a.ts", 'const a = "b as any"; // c: any').typedAny).toBe(false);
    for (const text of ["test.skip('a')", "describe.only.each([])('a')", "it.todo('a')"])
      expect(parseCode("a.test.ts", text).switchesTestsOff, text).toBe(true);
    expect(unfinished.test(["// TO", "DO: later"].join(""))).toBe(true);
    const loose = { a: "^1.0.0", b: "~1.0.0", c: "*", d: "latest", e: { f: ">=1.0.0" } };
    expect(findLooseVersions({ ...loose, g: "1.0.0-beta.1", h: "npm:x@1.0.0" })).toHaveLength(5);
    expect(findRegistries('"resolved": "https://registry.example/a.tgz"')).toHaveLength(1);
    const tooLong = (count: number) => isTooLong({ lines: lineCountOf("a\n".repeat(count)) });
    expect([400, 401].map(tooLong)).toEqual([false, true]);
  });
});
