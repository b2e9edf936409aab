import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Packages whose tests resolve each other to sources, so that no test judges an earlier build. */
const packages = ["protocol", "chain", "pages", "capabilities", "client", "devnet"];

export const sourceAliases = [
  // A thread's program that Node loads by itself: built from the sources, because Node cannot load them.
  { find: /^\.\/pageProgram\.js$/, replacement: `${root}packages/pages/src/testing/pageProgram.ts` },
  { find: new RegExp(`^@assay/(${packages.join("|")})$`), replacement: `${root}packages/$1/src/index.ts` },
  { find: new RegExp(`^@assay/(${packages.join("|")})/(.+)$`), replacement: `${root}packages/$1/src/$2.ts` },
];

/** A test that reaches one of these needs a chain, a database, a process of its own or what is built. */
const worldly = [
  "packages/devnet/src/createDevnet.ts",
  "packages/service/src/store/database.ts",
  "packages/service/test/spawnService.ts",
];
const usesBuildOrProcess = /from "node:child_process"|\binject\("|\/dist\//;

export interface TestProjects {
  /** Neither database nor chain nor process. */
  readonly pure: string[];
  /** The real PostgreSQL, the local chain, the whole service. */
  readonly world: string[];
  /** A real browser on the console. */
  readonly browser: string[];
  /** Tests that replace modules, and therefore share none with others. */
  readonly isolated: string[];
}

/** Sorts every test by what it needs, from what it imports: nobody keeps a list. */
export function sortTests(): TestProjects {
  const projects: TestProjects = { pure: [], world: [], browser: [], isolated: [] };
  for (const path of listTests()) {
    const isConsole = path.startsWith("packages/console/");
    if (readText(path).includes("vi.mock(")) projects.isolated.push(path);
    else projects[needsWorld(path) ? (isConsole ? "browser" : "world") : "pure"].push(path);
  }
  return projects;
}

/** Paths from the root, in every folder that holds code. */
function listTests(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}${entry.name}`;
    if (entry.isFile()) return /\.test\.tsx?$/.test(entry.name) ? [path] : [];
    const isWritten = entry.isDirectory() && !/^(node_modules|dist|out|\..*)$/.test(entry.name);
    return isWritten ? listTests(`${path}/`) : [];
  });
}

const texts = new Map<string, string>();
function readText(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  let text = "";
  try {
    text = readFileSync(join(root, path), "utf8");
  } catch {
    // An import of what is not written here, such as JSON.
  }
  texts.set(path, text);
  return text;
}

function needsWorld(test: string): boolean {
  const seen = new Set<string>();
  const open = [test];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (worldly.includes(path) || usesBuildOrProcess.test(readText(path))) return true;
    open.push(...listImports(path));
  }
  return false;
}

/** Types are left out: they are gone when the test runs. */
function listImports(path: string): string[] {
  const found = readText(path).matchAll(/^(?:import|export)(?! type\b)[^;]*?from "([^"]+)"/gm);
  return [...found].flatMap(([, specifier = ""]) => {
    if (specifier.startsWith("."))
      return [relative(root, join(root, dirname(path), specifier.replace(/\.js$/, ".ts")))];
    const alias = sourceAliases.find(({ find }) => find.test(specifier));
    return alias ? [relative(root, specifier.replace(alias.find, alias.replacement))] : [];
  });
}
