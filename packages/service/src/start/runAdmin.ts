import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChain } from "@assay/chain";
import { CHAIN_ID, type Hex } from "@assay/protocol";
import { isAddress } from "viem";
import { type ObligationLine, parseObligationLine } from "../obligations/obligationList.js";
import {
  type ObligationsContext,
  publishIfDue,
  publishObligation,
} from "../obligations/publishObligation.js";
import { createDatabase } from "../store/database.js";
import { migrate } from "../store/migrate.js";
import type { Output } from "./admin/command.js";
import { findCommand, listCommands, runCommand } from "./admin/runCommand.js";
import { checkInstallation } from "./checkInstallation.js";
import { type Config, readConfig } from "./config.js";
import { ConfigError } from "./configError.js";
import { initFolder } from "./initFolder.js";
import { signingKeyPath } from "./keys.js";
import { loadObligations } from "./loadObligations.js";
import { createLogger } from "./logger.js";
import { openIdentity } from "./openIdentity.js";
import { readInstallation } from "./readInstallation.js";
import { rotateKeys } from "./rotateKeys.js";
import { changePayTo, verifyChainIdentity } from "./verifyChainIdentity.js";

const HELP = `Usage: assay-admin init <folder> --public-url <https://…> --pay-to <0x…> --rpc-url <url,url> [options]
       assay-admin check [<folder>]
       assay-admin obligations publish (--file <list.json> | --address <0x…> [options])
       assay-admin pay-to <0x…>
       assay-admin rotate
       assay-admin <command> --help

${listCommands()}

init makes the keys, passwords and settings of a new installation, and replaces no file. --database-url names your
PostgreSQL; without it, the one of deploy/compose.yaml is meant. --settlers <n> makes n settling keys: one for each process, and one more
where a new process starts before an old one stops. --alert-url <https://…> is where alerts are sent (Alertmanager's webhook).

check tries every setting for real before the service goes live, those of the environment or of a folder that init made: database, each node and what it
can do, token, a signature of each key, settling keys and their ether, files. It changes and sends nothing. Exit code 1 where something would not work.

obligations publish publishes obligations: assertions about a contract that the service itself makes, that anyone may
challenge, and that obligation.verdict judges. They are made in the name of the service's own address,
so this takes the environment of the service: DATABASE_URL, RPC_URL, and SERVICE_SIGNING_KEY or
the DATA_DIR that holds its key.

  --file <list.json>       every line of a list that is due: one that was never published, or whose
                           everyHours have passed; the service does the same with OBLIGATIONS_FILE

  --address <0x…>          one obligation, now, about this contract
  --type <type>            upgrade_window (the default): its implementation is the same throughout
                           a window; bytecode: its code is this at the window's last block
  --implementation <0x…>   the claimed one, or none; without it, what the chain has
  --bytecode-hash <0x…>    and --bytecode-bytes <n>: the same for code
  --window-hours <n>       the last hours, up to 720; how many blocks that is follows from the chain's pace
  --window-blocks <n>      this many blocks up to the newest one; Base makes 18,000 an hour
  --from-block <n>         and --to-block <n>: these blocks
  --challenge-hours <n>    how long it is open to challenge, 0 to 720; 24 by default
  --reward-usd <n>         what the service owes the first valid counterexample; 0 by default

A line of a list is the same in JSON:
  [{ "type": "upgrade_window", "address": "0x…", "windowHours": 24, "challengeHours": 24, "everyHours": 24 }]

pay-to changes the account that takes the payments of this database (DATABASE_URL), which every process checks at its start.
It is refused while payments to the former account are open. Set PAY_TO to the same account afterwards.

rotate prepares a change of the key that signs results. It takes the settings that will hold afterwards: in SERVICE_SIGNING_KEY the
new key first and the former one after it, or the new one in SERVICE_SIGNER. The former key signs that the new one follows it, and
clients that pinned it accept the new one. Restart the service with these settings then.

Examples:
  assay-admin init deploy --public-url https://assay.example --pay-to 0x1111111111111111111111111111111111111111 --rpc-url https://node.example
  assay-admin check deploy
  assay-admin pay-to 0x1111111111111111111111111111111111111111
  assay-admin rotate
  assay-admin obligations publish --file obligations.json
  assay-admin obligations publish --address 0x4200000000000000000000000000000000000006 --window-hours 24
`;

/** Runs one command of the operator and returns the exit code. Wrong usage throws an error of one sentence. */
export async function runAdmin(
  args: readonly string[],
  getConfig: () => Config,
  output: Output,
): Promise<number> {
  const command = findCommand(args);
  if (command) return runCommand(command, args, getConfig, output);
  const { values, positionals } = readArguments(args);
  if (values.help || positionals.length === 0) {
    output.write(HELP);
    return 0;
  }
  if (positionals[0] === "pay-to") {
    const payTo = await setPayTo(positionals.slice(1), getConfig());
    output.write(`Payments go to ${payTo} now. Set PAY_TO to it before the service starts again.\n`);
    return 0;
  }
  if (positionals.join(" ") === "rotate") return reportRotation(getConfig(), output);
  if (positionals[0] === "init") return writeInstallation(positionals.slice(1), values, output);
  if (positionals[0] === "check") return reportCheck(getChecked(positionals.slice(1), getConfig), output);
  if (positionals.join(" ") !== "obligations publish")
    throw new ConfigError(`There is no command "${positionals.join(" ")}"; --help shows what there is.`);
  const { file, help: _, ...single } = values;
  if (file !== undefined && Object.keys(single).length > 0)
    throw new ConfigError("--file brings its own lines, so no other option goes with it.");
  if (file === undefined && single.address === undefined)
    throw new ConfigError("--file or --address must say what to publish; --help shows both.");
  const config = getConfig();
  const lines = file === undefined ? [readLine(single)] : await loadObligations(file, undefined);
  const { context, close } = await connect(config);
  try {
    return await publishAll(context, lines, file !== undefined, output);
  } finally {
    await close();
  }
}

async function reportRotation(config: Config, output: Output): Promise<number> {
  const { previousSigner, signer, logKey, logOrigin } = await rotateKeys(config);
  output.write(
    [
      `${previousSigner} has named ${signer} as its successor.`,
      `The log stays ${logOrigin}, and its key will be ${logKey}.`,
      "Restart each process with these settings. Keep the former key beside the new one for a day, and until no channel names it:",
      "assay-admin check counts them.",
      "",
    ].join("\n"),
  );
  return 0;
}

function getChecked(given: readonly string[], getConfig: () => Config): Config {
  const [folder] = given;
  if (given.length > 1) throw new ConfigError("check takes one folder, or none: assay-admin check deploy.");
  return folder === undefined ? getConfig() : readConfig(readInstallation(folder));
}

async function reportCheck(config: Config, output: Output): Promise<number> {
  const findings = await checkInstallation(config);
  for (const { part, state, detail } of findings)
    output.write(`${state.padEnd(8)} ${part.padEnd(22)} ${detail}\n`);
  const faults = findings.filter(({ state }) => state === "fault").length;
  output.write(
    faults === 0
      ? "\nThe service can start with these settings.\n"
      : `\n${faults} to repair before the service goes live.\n`,
  );
  return faults === 0 ? 0 : 1;
}

type Values = ReturnType<typeof readArguments>["values"];

async function writeInstallation(given: readonly string[], values: Values, output: Output): Promise<number> {
  const [folder] = given;
  if (given.length !== 1 || folder === undefined)
    throw new ConfigError("init needs one folder: assay-admin init deploy --public-url ….");
  const { "public-url": publicUrl, "pay-to": payTo, "rpc-url": rpcUrl, "database-url": databaseUrl } = values;
  const alertUrl = values["alert-url"];
  if (alertUrl !== undefined && !/^https?:\/\/\S+$/.test(alertUrl))
    throw new ConfigError("--alert-url must be an http(s) address.");
  const settlers = Number(values.settlers ?? 1);
  if (!Number.isInteger(settlers) || settlers < 1 || settlers > 256)
    throw new ConfigError("--settlers must be a whole number from 1 to 256.");
  if (publicUrl === undefined || payTo === undefined || rpcUrl === undefined)
    throw new ConfigError("init needs --public-url, --pay-to and --rpc-url; --help shows an example.");
  // The same rules as at the start, before a key is made.
  const { rpcUrls = [] } = readConfig({
    PUBLIC_URL: publicUrl,
    PAY_TO: payTo,
    RPC_URL: rpcUrl,
    DATABASE_URL: databaseUrl,
    SETTLER_PRIVATE_KEY: `0x${"1".repeat(64)}`,
  });
  const made = await initFolder(folder, {
    ...{ publicUrl, payTo: payTo as Hex, rpcUrls, databaseUrl, settlers, alertUrl },
  });
  output.write(
    [
      `Written; nobody else on this machine may enter ${join(folder, "secrets")}:`,
      ...made.files.map((path) => `  ${path}`),
      "",
      `Results will be signed by ${made.signer}: tell your callers, they pin it.`,
      "Send ether on Base for gas to:",
      ...made.settlers.map((address) => `  ${address}`),
      "",
      ...(alertUrl === undefined
        ? [`Alerts reach nobody yet: write an address to ${join(folder, "secrets", "alert_url")}.`, ""]
        : []),
      `Keep a copy of the secrets in a safe place. Next: ${
        databaseUrl === undefined
          ? "docker compose -f deploy/compose.yaml run --rm --build admin check"
          : `assay-admin check ${folder}`
      }`,
      "",
    ].join("\n"),
  );
  return 0;
}

async function setPayTo(given: readonly string[], { databaseUrl }: Config): Promise<Hex> {
  const [payTo] = given;
  if (given.length !== 1 || !isAddress(payTo ?? "", { strict: false }))
    throw new ConfigError("pay-to needs one account: assay-admin pay-to 0x….");
  if (databaseUrl === undefined)
    throw new ConfigError(
      "DATABASE_URL must be set: the embedded database belongs to the service that runs it.",
    );
  const database = createDatabase({ connectionString: databaseUrl });
  try {
    await migrate(database);
    await changePayTo(database, payTo as Hex);
    return payTo as Hex;
  } finally {
    await database.close();
  }
}

const text = { type: "string" } as const;

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        "public-url": text,
        "pay-to": text,
        "rpc-url": text,
        "database-url": text,
        settlers: text,
        "alert-url": text,
        file: text,
        address: text,
        type: text,
        implementation: text,
        "bytecode-hash": text,
        "bytecode-bytes": text,
        "window-hours": text,
        "window-blocks": text,
        "from-block": text,
        "to-block": text,
        "challenge-hours": text,
        "reward-usd": text,
      },
    });
  } catch (error) {
    throw new ConfigError(
      `${(error as Error).message.split("\n")[0]?.replace(/\.$/, "")}; --help shows the options.`,
    );
  }
}

const NUMBERS = [
  "bytecodeBytes",
  "windowHours",
  "windowBlocks",
  "fromBlock",
  "toBlock",
  "challengeHours",
  "rewardUsd",
];

/** Options are the fields of a line, in the spelling of a command line. */
function readLine(options: Readonly<Record<string, string | boolean | undefined>>): ObligationLine {
  const fields = Object.entries(options).map(([option, value]) => {
    const field = option.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
    if (NUMBERS.includes(field)) return [field, Number(value)];
    return [field, value === "none" ? null : value];
  });
  const line = { type: "upgrade_window", challengeHours: 24, ...Object.fromEntries(fields) };
  try {
    return parseObligationLine(line, "obligation");
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}.`);
  }
}

/** The parts of the service that a publication needs, without starting the service. */
async function connect(
  config: Config,
): Promise<{ readonly context: ObligationsContext; readonly close: () => Promise<unknown> }> {
  const { databaseUrl, rpcUrls, serviceKeys, dataDir } = config;
  for (const [name, value] of Object.entries({ DATABASE_URL: databaseUrl, RPC_URL: rpcUrls }))
    if (value === undefined)
      throw new ConfigError(
        `${name} must be set: an embedded part belongs to the service that runs it, which publishes from OBLIGATIONS_FILE.`,
      );
  if (serviceKeys.length === 0 && !existsSync(signingKeyPath(dataDir)))
    throw new ConfigError(
      "SERVICE_SIGNING_KEY must be set, or DATA_DIR be that of the service, whose key it holds.",
    );
  const logger = createLogger("warn");
  const database = createDatabase({ connectionString: databaseUrl as string });
  const opened: { close(): Promise<void> }[] = [database];
  const close = () => Promise.all(opened.map((part) => part.close()));
  try {
    await migrate(database);
    const chain = await createChain({ rpcUrls: [...(rpcUrls ?? [])], expectedChainId: CHAIN_ID, logger });
    opened.push(chain);
    await verifyChainIdentity(database, chain);
    const identity = await openIdentity(config, database);
    opened.push({ close: async () => identity.close() });
    const { signer } = identity;
    const settings = { writesBreadcrumbs: config.breadcrumbPrivateKey !== undefined };
    return { context: { settings, database, chain, logger, signer }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A line that is refused does not stop the others; the exit code reports it. */
async function publishAll(
  context: ObligationsContext,
  lines: readonly ObligationLine[],
  isList: boolean,
  output: Output,
): Promise<number> {
  let refused = 0;
  for (const line of lines) {
    try {
      const published = isList ? await publishIfDue(context, line) : await publishObligation(context, line);
      output.write(
        published
          ? `published  ${published.claimId}  ${line.type} ${line.address}, blocks ${published.claim.assertion.fromBlock} to ${published.claim.assertion.toBlock}, open to challenge until ${published.claim.deadline}\n`
          : `not due    ${line.type} ${line.address}\n`,
      );
    } catch (error) {
      refused += 1;
      output.write(`refused    ${line.type} ${line.address}: ${(error as Error).message}\n`);
    }
  }
  return refused === 0 ? 0 : 1;
}
