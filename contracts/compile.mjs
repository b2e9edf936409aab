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

const settings = {
  // Base runs these opcodes today; a fixed target keeps the bytes the same when the compiler's default moves on.
  evmVersion: "cancun",
  optimizer: { enabled: true, runs: 200 },
  // Without the metadata hash the bytecode depends on the code alone, not on comments or file names.
  metadata: { bytecodeHash: "none" },
  outputSelection: { "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object"] } },
};

/**
 * Compiles every contract in `src` and returns the text of each output file by its name.
 *
 * @returns {Map<string, string>}
 */
export function compileAll() {
  // Loading the compiler takes over a second, so a mere import of this file does not.
  const solc = require("solc");
  const sources = Object.fromEntries(
    readdirSync(sourceFolder)
      .filter((file) => file.endsWith(".sol"))
      .sort()
      .map((file) => [file, { content: readFileSync(new URL(file, sourceFolder), "utf8") }]),
  );
  const output = JSON.parse(
    solc.compile(JSON.stringify({ language: "Solidity", sources, settings }), { import: readImport }),
  );
  const problems = output.errors ?? [];
  if (problems.length > 0) throw new Error(problems.map((problem) => problem.formattedMessage).join("\n"));

  const files = new Map();
  for (const [source, contracts] of Object.entries(output.contracts)) {
    for (const [contractName, contract] of Object.entries(contracts)) {
      if (!(source in sources) && !publishedFromOpenZeppelin.includes(contractName)) continue;
      // An interface has nothing to deploy.
      if (contract.evm.bytecode.object === "") continue;
      const artifact = {
        contractName,
        compiler: solc.version(),
        abi: contract.abi,
        bytecode: `0x${contract.evm.bytecode.object}`,
        deployedBytecode: `0x${contract.evm.deployedBytecode.object}`,
      };
      files.set(`${contractName}.json`, `${JSON.stringify(artifact, null, 2)}\n`);
    }
  }
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
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

function readImport(path) {
  try {
    return { contents: readFileSync(require.resolve(path), "utf8") };
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
