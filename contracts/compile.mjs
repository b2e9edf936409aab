import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const sourceFolder = new URL("src/", import.meta.url);
const outputFolder = new URL("out/", import.meta.url);
/** Hashes of sources and output, so that a change to either is noticed without a minute of compiling. */
const recordFile = new URL("compiled.json", import.meta.url);

/** Contracts from OpenZeppelin's sources that are published with our own. */
const publishedFromOpenZeppelin = [
  "BeaconProxy",
  "ERC1967Proxy",
  "ProxyAdmin",
  "TransparentUpgradeableProxy",
  "UpgradeableBeacon",
];

/** Protocols whose packages contain sources only, with the compiler of each. */
const publishedSources = [
  {
    compiler: "solc-0.8.19",
    // The newest target of that compiler. The IR pipeline of Morpho's own build takes longer and changes only gas.
    settings: { evmVersion: "paris", optimizer: { enabled: true, runs: 999_999 } },
    sources: [
      "@morpho-org/morpho-blue/src/Morpho.sol",
      "@morpho-org/morpho-blue/src/mocks/IrmMock.sol",
      "@morpho-org/morpho-blue/src/mocks/OracleMock.sol",
    ],
  },
];

const settings = {
  // Base supports these opcodes; a fixed target keeps the bytecode the same when the compiler's default changes.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
};

const commonSettings = {
  // Without the metadata hash the bytecode depends only on the code, not on comments or file names.
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
};

/**
 * Compiles every contract in `src`, and the published sources whose output is in no package.
 *
 * @returns {{ files: Map<string, string>, sources: Map<string, string> }} The text of each output file by its name, and of
 *   each source that was read.
 */
export function compileAll() {
  const sources = new Map();
  const files = [
    ...compile("solc", listOurs(), settings, sources, publishedFromOpenZeppelin),
    ...publishedSources.flatMap((group) => compile(group.compiler, group.sources, group.settings, sources)),
  ];
  return { files: new Map(files.sort(([left], [right]) => (left < right ? -1 : 1))), sources };
}

/**
 * Compiles one contract of `src` alone.
 *
 * @param {string} source
 * @returns {Map<string, string>}
 */
export const compileOne = (source) => new Map(compile("solc", [source], settings, new Map()));

function compile(compiler, names, chosen, read, alsoPublished = []) {
  // Loading a compiler takes over a second, so a mere import of this file does not.
  const solc = require(compiler);
  const load = (name) => {
    const text = readSource(name);
    read.set(name, text);
    return text;
  };
  const sources = Object.fromEntries(names.map((name) => [name, { content: load(name) }]));
  const request = { language: "Solidity", sources, settings: { ...commonSettings, ...chosen } };
  const readImport = (path) => {
    try {
      return { contents: load(path) };
    } catch (error) {
      return { error: error.message };
    }
  };
  const output = JSON.parse(solc.compile(JSON.stringify(request), { import: readImport }));
  const problems = output.errors ?? [];
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join("\n"));

  return Object.entries(output.contracts).flatMap(([source, contracts]) =>
    Object.entries(contracts)
      .filter(([contractName]) => source in sources || alsoPublished.includes(contractName))
      // An interface has nothing to deploy.
      .filter(([, contract]) => contract.evm.bytecode.object !== "")
      .map(([contractName, contract]) => {
        const artifact = {
          contractName,
          compiler: solc.version(),
          abi: contract.abi,
          bytecode: `0x${contract.evm.bytecode.object}`,
          deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
        };
        return [`${contractName}.json`, `${JSON.stringify(artifact, null, 2)}\n`];
      }),
  );
}

/** Our own sources are named by their file, those of packages by their path in the package. */
const readSource = (name) =>
  readFileSync(name.includes("/") ? require.resolve(name) : new URL(name, sourceFolder), "utf8");

const listOurs = () =>
  readdirSync(sourceFolder)
    .filter((file) => file.endsWith(".sol"))
    .sort();

const readOutput = () =>
  new Map(readdirSync(outputFolder).map((file) => [file, readFileSync(new URL(file, outputFolder), "utf8")]));

const hash = (text) => createHash("sha256").update(text).digest("hex");
const hashEach = (texts) => Object.fromEntries([...texts].map(([name, text]) => [name, hash(text)]).sort());

/** Everything that the output depends on, except the sources. */
function hashSettings() {
  const compilers = ["solc", ...publishedSources.map(({ compiler }) => compiler)];
  const versions = compilers.map((name) => require(`${name}/package.json`).version);
  return hash(
    JSON.stringify([versions, settings, commonSettings, publishedSources, publishedFromOpenZeppelin]),
  );
}

/** The record of how the committed output was compiled. */
export const readRecord = () => JSON.parse(readFileSync(recordFile, "utf8"));

/**
 * Lists the sources and outputs that differ from the record, which takes milliseconds. Only compiling shows whether the record
 * itself is right.
 *
 * @param {ReturnType<typeof readRecord>} record
 * @returns {string[]}
 */
export function listStale(record) {
  const names = new Set([...Object.keys(record.sources), ...listOurs()]);
  const sources = hashEach([...names].map((name) => [name, findSource(name)]));
  const stale = [
    ...listDifferences(Object.entries(sources), Object.entries(record.sources)),
    ...listDifferences(Object.entries(hashEach(readOutput())), Object.entries(record.files)),
  ];
  return record.settings === hashSettings() ? stale : ["settings", ...stale];
}

function findSource(name) {
  try {
    return readSource(name);
  } catch {
    return "";
  }
}

/** The names whose texts differ, or that only one side has. */
function listDifferences(left, right) {
  const [mine, other] = [new Map(left), new Map(right)];
  return [...new Set([...mine.keys(), ...other.keys()])]
    .filter((name) => mine.get(name) !== other.get(name))
    .sort();
}

function writeAll({ files, sources }) {
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder);
  for (const [file, text] of files) writeFileSync(new URL(file, outputFolder), text);
  const record = { settings: hashSettings(), sources: hashEach(sources), files: hashEach(files) };
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
}

const runDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (runDirectly) {
  const compiled = compileAll();
  if (!process.argv.includes("--check")) {
    writeAll(compiled);
  } else {
    const differences = listDifferences(compiled.files, readOutput());
    if (differences.length > 0) {
      console.error(`contracts/out differs from contracts/src: ${differences.join(", ")}`);
      process.exitCode = 1;
    }
  }
}
