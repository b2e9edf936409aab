import { execFile, spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAssay } from "../testing/runAssay.js";

const run = promisify(execFile);
/** A folder with a file to complete, and beside it the wallets of a service. */
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-completion-"));
  await Promise.all(["bin", ".data", "other"].map((name) => mkdir(join(directory, name))));
  const command = join(directory, "bin/assay");
  const bin = resolve(import.meta.dirname, "../../bin/assay.js");
  await writeFile(command, `#!/bin/sh\nexec ${process.execPath} ${bin} "$@"\n`);
  await chmod(command, 0o755);
  await writeFile(join(directory, "guard one.json"), "{}");
  const keep = (folder: string, names: readonly string[]) =>
    writeFile(
      join(directory, folder, "devnet.json"),
      JSON.stringify({ accounts: names.map((name) => ({ name, privateKey: "0x" })) }),
    );
  // A shell would not take the last name without quotes.
  await keep(".data", ["alice", "bob", "$(touch taken)"]);
  await keep("other", ["zoe"]);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Shell {
  /** Loads the script, as a shell does when it starts. */
  readonly load: string;
  /** Requests the completions of the last word. */
  ask(words: readonly string[]): string;
}

const shells: Readonly<Record<"bash" | "zsh" | "fish", Shell>> = {
  bash: {
    load: "source <(assay completion bash)",
    ask: (words) => `COMP_WORDS=(assay ${quote(words)}); COMP_CWORD=${words.length}; COMPREPLY=(); _assay
printf '%s\\n' "\${COMPREPLY[@]}"`,
  },
  // Real completion needs a terminal; the two functions that it calls show what it gets.
  zsh: {
    load: `autoload -Uz compinit && compinit -u -d zcompdump
source <(assay completion zsh)
[[ $_comps[assay] == _assay ]] || exit 3
compadd() { print -rl -- "\${@[2,-1]}" }
_files() { print -rl -- *(N) | grep -- "^$words[CURRENT]" }`,
    ask: (words) => `words=(assay ${quote(words)}); CURRENT=${words.length + 1}; _assay`,
  },
  fish: {
    load: "assay completion fish | source",
    ask: (words) => `complete -C 'assay ${words.join(" ")}'`,
  },
};
const quote = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** What one shell offers at the end of each line. */
async function complete(name: keyof typeof shells, lines: readonly string[]): Promise<string[][]> {
  const env = {
    PATH: [join(directory, "bin"), dirname(process.execPath), process.env.PATH].join(":"),
    HOME: directory,
  };
  const { load, ask } = shells[name];
  const script = [load, ...lines.map((line) => `${ask(line.split(" "))}\necho ---`)].join("\n");
  const { stdout } = await run(name, name === "zsh" ? ["-f", "-c", script] : ["-c", script], {
    cwd: directory,
    env,
  });
  const answers = stdout.split("---\n").map((answer) => answer.split("\n").filter((found) => found !== ""));
  return answers.slice(0, -1);
}

describe.each(["bash", "zsh", "fish"] as const)("completion for %s", (shell) => {
  const isThere = shell === "bash" || spawnSync(shell, ["-c", "true"]).status === 0;

  it.runIf(isThere)(
    "offers files where a file may stand, wallets where those may, words where there are some, and else nothing",
    async () => {
      const offers: readonly (readonly [line: string, offered: readonly string[]])[] = [
        ["call chain.snapshot --save gua", ["guard one.json"]],
        ["--wallet ", ["alice", "bob"]],
        ["call contract.gua", ["contract.guard"]],
        ["call contract.guard --address ", []],
      ];
      const lines = offers.map(([line]) => line);
      expect(await complete(shell, lines)).toEqual(offers.map(([, offered]) => offered));
    },
  );
});

it.each([
  ["verify gua", [":files"]],
  ["verify guard.json ", []],
  ["verify --sig", ["--signer"]],
  ["resume ", [":files"]],
  ["call chain.snapshot --save ", [":files"]],
  ["--private-key-file ", [":files"]],
  ["--data-dir other --wallet ", ["zoe"]],
  ["--data-dir nowhere --wallet ", []],
  ["--wallet verify cata", ["catalog"]],
  ["call contract.guard --addr", ["--address"]],
  ["completion z", ["zsh"]],
  ["outcome inv_1 avo", ["avoided"]],
])("finds what may stand at the end of: %s", async (line, expected) => {
  const workingDirectory = process.cwd();
  process.chdir(directory);
  try {
    const { out } = await runAssay(["__complete", "--", ...line.split(" ")]);
    expect(out).toBe(expected.map((word) => `${word}\n`).join(""));
  } finally {
    process.chdir(workingDirectory);
  }
});

it("says that zsh needs compinit", async () => {
  expect((await runAssay(["completion", "--help"])).out).toMatch(/zsh: .*compinit/);
});
