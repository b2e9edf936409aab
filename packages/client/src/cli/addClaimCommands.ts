import { writeFile } from "node:fs/promises";
import type { ClaimDetail, ClaimStatus, Decision, Hex } from "@assay/protocol";
import { exampleClaim } from "@assay/protocol/exampleClaim";
import { decisionNames } from "@assay/protocol/primitives";
import { Argument, type Command, Option } from "commander";
import type { OpenedClaim } from "../createClaims.js";
import type { Recomputation } from "../recomputeClaim.js";
import { sleep } from "../sleep.js";
import { addChallengeCommand } from "./addChallengeCommand.js";
import { exampleIds, exampleText } from "./exampleText.js";
import { OTHER_CODES } from "./exitCodes.js";
import {
  type ClaimStyle,
  formatClaim,
  formatClaimFeed,
  formatDecision,
  formatOpenedClaim,
  formatRecomputation,
} from "./formatClaims.js";
import {
  parseAddress,
  parseClaimId,
  parseCount,
  parseDeadline,
  parseImplementation,
  parseUsd,
  toImplementation,
} from "./parseArguments.js";
import { makeRequired } from "./requiredOptions.js";
import { rpcOption } from "./rpcOption.js";
import { type Session, startSession } from "./session.js";
import type { Terminal } from "./terminal.js";
import { verifyWritable } from "./verifyWritable.js";

const statusCodes: Record<ClaimStatus, number> = { open: 10, falsified: 20, survived: 0 };
const recomputationCodes: Record<Recomputation["verdict"], number> = {
  holds: 0,
  falsified: 20,
  contradicted: 20,
  undecided: 10,
};

/** Claims and obligations: read, open, challenge, recompute, decide. */
export function addClaimCommands(program: Command, terminal: Terminal): void {
  const claims = program
    .command("claims")
    .description("assertions about the chain that anyone may challenge")
    .addHelpText("after", exampleText(["claims list"]));
  addReading(claims, terminal);
  addOpening(claims, terminal);
  addWatching(claims, terminal);
  addChallengeCommand(program, terminal);
  addChecking(program, terminal);
}

const claimArgument = () => new Argument("<id>", "of a claim or an obligation").argParser(parseClaimId);

function addReading(claims: Command, terminal: Terminal): void {
  claims
    .command("list")
    .addOption(new Option("--limit <count>", "how many (default: 20)").argParser(parseCount))
    .description("claims and obligations that may be challenged now")
    .addHelpText("after", exampleText(["claims list", "claims list --limit 5"]))
    .action(async (flags: { limit?: number }, command: Command) => {
      const session = await startSession(terminal, command);
      const [feed, style] = await Promise.all([session.open().claims(flags), readStyle(session)]);
      session.show(feed, (value) => formatClaimFeed(value, style));
    });
  claims
    .command("show")
    .addArgument(claimArgument())
    .description("one claim, with the challenges to it")
    .addHelpText("after", exampleText([`claims show ${exampleIds.claim}`]))
    .action(async (id: Hex, _flags, command: Command) => {
      const session = await startSession(terminal, command);
      const [claim, style] = await Promise.all([session.open().claim(id), readStyle(session)]);
      session.show(claim, (value) => formatClaim(value, style));
    });
  claims
    .command("receipt")
    .addArgument(claimArgument())
    .option("--save <file>", "write the bytes there instead of printing them")
    .description("the exact bytes that the survival hash is taken over")
    .addHelpText("after", exampleText([`claims receipt ${exampleIds.claim} --save receipt.json`]))
    .action(async (id: Hex, flags: { save?: string }, command: Command) => {
      const { open } = await startSession(terminal, command);
      if (flags.save !== undefined) await verifyWritable(flags.save);
      const bytes = await open().claimReceipt(id);
      if (flags.save === undefined) terminal.print(new TextDecoder().decode(bytes));
      else await writeFile(flags.save, bytes);
    });
}

interface OpeningFlags {
  readonly address: Hex;
  readonly implementation: Hex | "none";
  readonly fromBlock: number;
  readonly toBlock: number;
  readonly reward: number;
  readonly deadline: Date;
  readonly maxPrice?: number;
}

function addOpening(claims: Command, terminal: Terminal): void {
  const { address, implementation, fromBlock, toBlock } = exampleClaim;
  const required = (flags: string, description: string, parse: (text: string) => unknown) =>
    makeRequired(new Option(flags, description).argParser(parse));
  claims
    .command("open")
    .addOption(required("--address <address>", "the contract it is about", parseAddress))
    .addOption(
      required(
        "--implementation <address|none>",
        "its implementation in every block of the window",
        parseImplementation,
      ),
    )
    .addOption(required("--from-block <number>", "first block of the window", parseCount))
    .addOption(required("--to-block <number>", "last block of the window", parseCount))
    .addOption(required("--reward <usd>", "what you owe to the wallet that proves it wrong", parseUsd))
    .addOption(
      required("--deadline <time>", "end of the time for challenges: a time, 36h or 7d", parseDeadline),
    )
    .addOption(new Option("--max-price <usd>", "sign nothing above this (default: 1)").argParser(parseUsd))
    .description("pay 0.25 USD to publish a claim in your wallet's name")
    .addHelpText(
      "after",
      exampleText(
        [
          `claims open --address ${address} --implementation ${implementation} --from-block ${fromBlock} --to-block ${toBlock} --reward 5 --deadline 7d`,
        ],
        "The reward is between you and the winner: the service neither holds nor moves it.",
      ),
    )
    .action(async (flags: OpeningFlags, command: Command) => {
      const session = await startSession(terminal, command);
      const wallet = await session.getWallet();
      const { reward, maxPrice, implementation, ...terms } = flags;
      const client = session.open(wallet);
      const claim = { ...terms, implementation: toImplementation(implementation), rewardUsd: reward };
      const signal = terminal.abortOnInterrupt();
      const { spendWithinDay } = await import("./spendWithinDay.js");
      const opened = await spendWithinDay(session, maxPrice, client.spentUsd, (maxPriceUsd) =>
        client.openClaim(claim, { maxPriceUsd, signal }),
      );
      await showOpenedClaim(session, opened, wallet.label);
    });
}

/** A window of blocks is printed as time too; where the service cannot say how long a block takes, as blocks alone. */
async function readStyle({ open, options, terminal: { paint } }: Session<object>): Promise<ClaimStyle> {
  const health = options.json
    ? undefined
    : await open()
        .health({ signal: AbortSignal.timeout(3_000) })
        .catch(() => undefined);
  return { paint, blockTimeMs: health?.blockTimeMs ?? undefined };
}

export async function showOpenedClaim(
  session: Session<object>,
  opened: OpenedClaim,
  paidBy: string,
): Promise<void> {
  const { options, terminal } = session;
  terminal.print(
    options.json
      ? `${new TextDecoder().decode(opened.rawBody)}\n`
      : formatOpenedClaim(opened, paidBy, await readStyle(session)),
  );
  await terminal.flush().catch((error: Error) => {
    const { claimId } = opened.record;
    throw new Error(`The claim is paid for, but ${error.message}; show it with assay claims show ${claimId}`);
  });
}

const DEFAULT_EVERY_SECONDS = 15;

function addWatching(claims: Command, terminal: Terminal): void {
  claims
    .command("watch")
    .addArgument(claimArgument())
    .addOption(
      new Option("--every <seconds>", `how often to ask (default: ${DEFAULT_EVERY_SECONDS})`).argParser(
        parseCount,
      ),
    )
    .description("wait until a claim is resolved; reports each challenge")
    .addHelpText(
      "after",
      exampleText(
        [`claims watch ${exampleIds.claim}`],
        `Exit codes: 0 survived, 20 falsified, ${OTHER_CODES}.`,
      ),
    )
    .action(async (id: Hex, flags: { every?: number }, command: Command) => {
      const session = await startSession(terminal, command);
      const { open, show } = session;
      const resolved = await watch(() => open().claim(id), flags.every ?? DEFAULT_EVERY_SECONDS, terminal);
      const style = await readStyle(session);
      show(resolved, (value) => formatClaim(value, style));
      terminal.exitCode = statusCodes[resolved.status];
    });
}

async function watch(
  readClaim: () => Promise<ClaimDetail>,
  everySeconds: number,
  terminal: Terminal,
): Promise<ClaimDetail> {
  const signal = terminal.abortOnInterrupt();
  let reported = -1;
  for (;;) {
    const claim = await readClaim();
    if (claim.challengesTotal !== reported)
      terminal.warn(`${claim.status}, ${claim.challengesTotal} challenges, until ${claim.deadline}\n`);
    reported = claim.challengesTotal;
    if (claim.status !== "open") return claim;
    await sleep(Math.max(1, everySeconds) * 1000, signal);
  }
}

function addChecking(program: Command, terminal: Terminal): void {
  program
    .command("recompute")
    .addArgument(claimArgument())
    .addOption(makeRequired(rpcOption()))
    .description("compute the verdict on a claim or obligation again, from the claim and your own node")
    .addHelpText(
      "after",
      exampleText(
        [`recompute ${exampleIds.claim} --rpc ${exampleIds.node}`],
        `The service is asked only for the claim. Your node gives the state at both ends of the window and wherever logs report an
upgrade; a change and its return between those, without a log, are not seen.
Exit codes: 0 holds, 20 falsified or contradicted, 10 could not be decided, ${OTHER_CODES}.`,
      ),
    )
    .action(async (id: Hex, flags: { rpc: string }, command: Command) => {
      const { open, show } = await startSession(terminal, command);
      const { recomputeClaim } = await import("../recomputeClaim.js");
      const recomputation = await recomputeClaim(await open().claim(id), flags.rpc);
      show(recomputation, (value) => formatRecomputation(value, terminal.paint));
      terminal.exitCode = recomputationCodes[recomputation.verdict];
    });
  program
    .command("decide")
    .argument("<invocationId>", "of an obligation.verdict your wallet paid for")
    .addArgument(new Argument("<decision>", "what you did with it").choices(decisionNames))
    .description("record what you did with a verdict on an obligation; free, signed, once per call")
    .addHelpText("after", exampleText([`decide ${exampleIds.invocation} accepted`]))
    .action(async (invocationId: string, asked: Decision["decision"], _flags, command: Command) => {
      const { open, show, getWallet } = await startSession(terminal, command);
      const decision = await open(await getWallet()).decide(invocationId, asked);
      show(decision, (value) => formatDecision(value, asked));
      if (decision.decision !== asked) terminal.exitCode = 1;
    });
}
