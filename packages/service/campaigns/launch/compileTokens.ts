import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { posix } from "node:path";
import type { Abi, Hex } from "viem";

// The compiler belongs to the package of the contracts.
const load = createRequire(createRequire(import.meta.url).resolve("@assay/contracts/out/LaunchProbe.json"));

export interface CompiledToken {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { abi: Abi; evm: { bytecode: { object: string } } }>>>
  >;
}

/** Compiles sources by their names; each may hold several contracts. */
export function compileTokens(
  sources: Readonly<Record<string, string>>,
): Readonly<Record<string, Readonly<Record<string, CompiledToken>>>> {
  const solc = load("solc") as { compile(input: string): string };
  const request = {
    language: "Solidity",
    sources: Object.fromEntries(
      Object.entries(addImports(sources)).map(([name, content]) => [name, { content }]),
    ),
    settings: {
      evmVersion: "cancun",
      optimizer: { enabled: true, runs: 200 },
      // Of what they import, nothing is deployed.
      outputSelection: Object.fromEntries(
        Object.keys(sources).map((name) => [name, { "*": ["abi", "evm.bytecode.object"] }]),
      ),
    },
  };
  const { errors, contracts } = JSON.parse(solc.compile(JSON.stringify(request))) as Output;
  const fatal = (errors ?? []).filter(({ severity }) => severity === "error");
  if (fatal.length > 0) throw new Error(fatal.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return Object.fromEntries(
    Object.entries(contracts).map(([source, own]) => [
      source,
      Object.fromEntries(
        Object.entries(own).map(([name, { abi, evm }]) => [
          name,
          { abi, bytecode: `0x${evm.bytecode.object}` as Hex },
        ]),
      ),
    ]),
  );
}

/** The sources with what they import from packages, and what that imports. */
function addImports(sources: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const all: Record<string, string> = { ...sources };
  const queue = Object.keys(sources);
  for (let name = queue.pop(); name !== undefined; name = queue.pop())
    for (const [, path = ""] of (all[name] ?? "").matchAll(/\bimport\s[^;"]*"([^"]+)";/g)) {
      const imported = path.startsWith(".") ? posix.join(posix.dirname(name), path) : path;
      if (imported in all) continue;
      all[imported] = readFileSync(load.resolve(imported), "utf8");
      queue.push(imported);
    }
  return all;
}
