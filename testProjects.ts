import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Packages whose tests resolve each other to sources, so that no test judges an earlier build. */
const packages = ["protocol", "chain", "pages", "capabilities", "client", "devnet"];

const adapters = readdirSync(join(root, "packages/adapters"));

export const sourceAliases = [
  // A thread's program that Node loads by itself: built from the sources, because Node cannot load them.
  { find: /^\.\/pageProgram\.js$/, replacement: `${root}packages/pages/src/testing/pageProgram.ts` },
  { find: new RegExp(`^@assay/(${packages.join("|")})$`), replacement: `${root}packages/$1/src/index.ts` },
  {
    find: new RegExp(`^@assay/(${adapters.join("|")})$`),
    replacement: `${root}packages/adapters/$1/src/index.ts`,
  },
  { find: new RegExp(`^@assay/(${packages.join("|")})/(.+)$`), replacement: `${root}packages/$1/src/$2.ts` },
];

/** A test that reaches one of these needs a chain, a database, a process or thread of its own, or what is built. */
const worldly = [
  "packages/devnet/src/createDevnet.ts",
  "packages/pages/src/createPageParser.ts",
  "packages/service/src/store/database.ts",
  "packages/service/test/spawnService.ts",
];
const usesBuildOrProcess = /from "node:child_process"|\binject\("|\/dist\//;

export interface TestProjects {
  /** Neither database nor chain nor process nor thread. */
  readonly pure: string[];
  /** The real PostgreSQL, the local chain, the whole service. */
  readonly world: string[];
  /** A real browser on the console. */
  readonly browser: string[];
  /** Tests that replace modules, and therefore share none with others. */
  readonly isolated: string[];
}

/**
 * Sorts every test by what it needs, from what it imports: nobody keeps a list. A folder with a lock of its own needs packages that
 * `npm ci` does not install, so its tests run only where somebody asks for them.
 */
export function sortTests({ withOwnLocks = false } = {}): TestProjects {
  const projects: TestProjects = { pure: [], world: [], browser: [], isolated: [] };
  for (const path of listTests("", withOwnLocks)) {
    const isConsole = path.startsWith("packages/console/");
    if (readText(path).includes("vi.mock(")) projects.isolated.push(path);
    else projects[needsWorld(path) ? (isConsole ? "browser" : "world") : "pure"].push(path);
  }
  return projects;
}

/**
 * The tests that a command, given as its words, may run: a project costs half a second of processor time even where none of its
 * tests is asked for, and a list of all tests a walk through all folders. A word is a filter unless it is an option or its value.
 * Where a filter is no part of any test's path, such as an absolute path, or a path follows an option that may take a value, this
 * cannot tell, and leaves nothing out.
 */
export function chooseTests(projects: TestProjects, command: readonly string[]): TestProjects {
  const follows = (at: number, option: RegExp) => option.test(command[at - 1] ?? "");
  const words = command.flatMap((word, at) =>
    /^(-|run$|watch$|dev$|list$)/.test(word) ? [] : [{ word, at }],
  );
  const filters = words.filter(({ at }) => !follows(at, /^-[^=]*$/)).map(({ word }) => word);
  const all = Object.values(projects).flat();
  const isPart = (word: string) => all.some((path) => path.includes(word));
  const canTell =
    filters.every(isPart) &&
    !words.some(({ word, at }) => follows(at, /^--?(?!t$|testNamePattern$)[^=]*$/) && isPart(word));
  if (filters.length === 0 || !canTell) return projects;
  const isAskedFor = (path: string) => filters.some((word) => path.includes(word));
  const { pure, world, browser, isolated } = projects;
  return {
    pure: pure.filter(isAskedFor),
    world: world.filter(isAskedFor),
    browser: browser.filter(isAskedFor),
    isolated: isolated.filter(isAskedFor),
  };
}

/**
 * Has pure tests and those of the console run in the workers of those that need a world, where some of those run: a worker takes
 * seconds to load what its tests import, and all import the same. Not where the command names a project.
 */
export function joinTests(projects: TestProjects, command: readonly string[]): TestProjects {
  const { pure, world, browser, isolated } = projects;
  const isNamed = command.some((word) => word.startsWith("--project"));
  if (isNamed || world.length === 0) return projects;
  return { pure: [], world: [...pure, ...world, ...browser], browser: [], isolated };
}

/** Paths from the root, in every folder that holds code. */
function listTests(folder: string, withOwnLocks: boolean): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isFile()) return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
    const isWritten = entry.isDirectory() && !/^(node_modules|dist|out|\..*)$/.test(entry.name);
    const isApart = isWritten && !withOwnLocks && existsSync(join(root, path, "package-lock.json"));
    return isWritten && !isApart ? listTests(`${path}/`, withOwnLocks) : [];
  });
}

function readText(path: string): string {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch {
    // An import of what is not written here, such as JSON.
    return "";
  }
}

interface Source {
  readonly isWorldly: boolean;
  readonly imports: readonly string[];
}

const sources = new Map<string, Source>();
/** Each file is read once, though hundreds of tests reach it. */
function readSource(path: string): Source {
  const known = sources.get(path);
  if (known) return known;
  const text = readText(path);
  const isWorldly = worldly.includes(path) || usesBuildOrProcess.test(text);
  const source = { isWorldly, imports: listImports(path, text) };
  sources.set(path, source);
  return source;
}

function needsWorld(test: string): boolean {
  for (const path of reach(test)) if (readSource(path).isWorldly) return true;
  return false;
}

/** Every source that a test loads, itself included, as paths from the root. */
export const listReached = (test: string): Set<string> => new Set(reach(test));

function* reach(test: string): Generator<string> {
  const seen = new Set<string>();
  const open = [test];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    yield path;
    open.push(...readSource(path).imports);
  }
}

/** Types are left out: they are gone when the test runs. */
function listImports(path: string, text: string): string[] {
  const found = text.matchAll(/^(?:import|export)(?! type\b)[^;]*?from "([^"]+)"/gm);
  return [...found].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("."))
      return [relative(root, join(root, dirname(path), specifier.replace(/\.js$/, ".ts")))];
    const alias = sourceAliases.find(({ find }) => find.test(specifier));
    return alias ? [relative(root, specifier.replace(alias.find, alias.replacement))] : [];
  });
}
