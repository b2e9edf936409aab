import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const sourceFolder = new URL("src/", import.meta.url);
const outputFolder = new URL("out/", import.meta.url);

/** Contracts published from OpenZeppelin's sources beside our own. */
const publishedFromOpenZeppelin = [
  "BeaconProxy",
  "ERC1967Proxy",
  "ProxyAdmin",
  "TransparentUpgradeableProxy",
  "UpgradeableBeacon",
];

/** Protocols whose package holds sources only, with the compiler each is written for. */
const publishedSources = [
  {
    compiler: "solc-0.8.19",
    // The target that compiler knows; without the IR pipeline of Morpho's own build, which takes twenty seconds more and changes only gas.
    settings: { evmVersion: "paris", optimizer: { enabled: true, runs: 999_999 } },
    sources: [
      "@morpho-org/morpho-blue/src/Morpho.sol",
      "@morpho-org/morpho-blue/src/mocks/IrmMock.sol",
      "@morpho-org/morpho-blue/src/mocks/OracleMock.sol",
    ],
  },
];

const settings = {
  // Base runs these opcodes today; a fixed target keeps the bytes the same when the compiler's default moves on.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
};

const commonSettings = {
  // Without the metadata hash the bytecode depends on the code alone, not on comments or file names.
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
};

/**
 * Compiles every contract in `src`, and the published sources that no package holds the output of, and returns the text of
 * each output file by its name.
 *
 * @returns {Map<string, string>}
 */
export function compileAll() {
  const ours = readdirSync(sourceFolder)
    .filter((file) => file.endsWith(".sol"))
    .sort();
  const readOurs = (file) => readFileSync(new URL(file, sourceFolder), "utf8");
  const files = [
    ...compile("solc", ours, readOurs, settings, publishedFromOpenZeppelin),
    ...publishedSources.flatMap((group) =>
      compile(group.compiler, group.sources, readPackaged, group.settings, []),
    ),
  ];
  return new Map(files.sort(([left], [right]) => (left < right ? -1 : 1)));
}

function compile(compiler, names, read, chosen, alsoPublished) {
  // Loading a compiler takes over a second, so a mere import of this file does not.
  const solc = require(compiler);
  const sources = Object.fromEntries(names.map((name) => [name, { content: read(name) }]));
  const request = { language: "Solidity", sources, settings: { ...commonSettings, ...chosen } };
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

/**
 * Names the output files that are missing, stale or no longer produced.
 *
 * @param {Map<string, string>} files
 * @returns {string[]}
 */
export function listDifferences(files) {
  const present = new Map(
    readdirSync(outputFolder).map((file) => [file, readFileSync(new URL(file, outputFolder), "utf8")]),
  );
  return [...new Set([...files.keys(), ...present.keys()])]
    .filter((file) => files.get(file) !== present.get(file))
    .sort();
}

const readPackaged = (path) => readFileSync(require.resolve(path), "utf8");

function readImport(path) {
  try {
    return { contents: readPackaged(path) };
  } catch (error) {
    return { error: error.message };
  }
}

function writeAll(files) {
  rmSync(outputFolder, { recursive: true, force: true });
  mkdirSync(outputFolder);
  for (const [file, text] of files) writeFileSync(new URL(file, outputFolder), text);
}

const runDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (runDirectly) {
  const files = compileAll();
  if (!process.argv.includes("--check")) {
    writeAll(files);
  } else {
    const differences = listDifferences(files);
    if (differences.length > 0) {
      console.error(`contracts/out differs from contracts/src: ${differences.join(", ")}`);
      process.exitCode = 1;
    }
  }
}
