import type { ChallengeAnswer, ChallengeEvidence, ClaimDetail, Hex } from "@assay/protocol";
import { type Command, Option } from "commander";
import { DEFAULT_SAMPLES } from "../defaultSamples.js";
import { exampleIds, exampleText } from "./exampleText.js";
import { OTHER_CODES } from "./exitCodes.js";
import { formatChallenge, formatScan } from "./formatClaims.js";
import { parseClaimId, parseCount, parseImplementation, toImplementation } from "./parseArguments.js";
import { rpcOption } from "./rpcOption.js";
import { type Session, startSession } from "./session.js";
import type { Terminal } from "./terminal.js";
import { printable } from "./text.js";
import { UsageError } from "./usageError.js";

/** Imports what reads the chain, once there is a claim to read for. */
async function loadChainReads() {
  const [observing, nodes, errors, scanning] = await Promise.all([
    import("../chain/observeAt.js"),
    import("../chain/openChainNode.js"),
    import("../errors.js"),
    import("../scanClaim.js"),
  ]);
  return { ...observing, ...nodes, ...errors, ...scanning };
}

interface ChallengeFlags {
  readonly rpc?: string;
  readonly block?: number;
  readonly implementation?: Hex | "none";
  readonly scan?: true;
  readonly samples?: number;
}

export function addChallengeCommand(program: Command, terminal: Terminal): void {
  program
    .command("challenge")
    .argument("<claimId>", "claim or obligation to challenge", parseClaimId)
    .addOption(rpcOption())
    .addOption(new Option("--block <number>", "block at which it is false").argParser(parseCount))
    .addOption(
      new Option(
        "--implementation <address|none>",
        "implementation at that block (default: what your node shows)",
      ).argParser(parseImplementation),
    )
    .option("--scan", "search the window for a block at which it is false, and challenge with that")
    .addOption(
      new Option(
        "--samples <count>",
        `blocks to read besides those with upgrades (default: ${DEFAULT_SAMPLES})`,
      ).argParser(parseCount),
    )
    .description("challenge a claim with a reading of the chain; free, signed, decided by the chain alone")
    .addHelpText(
      "after",
      exampleText(
        [
          `challenge ${exampleIds.claim} --block 30000100 --rpc ${exampleIds.node}`,
          `challenge ${exampleIds.claim} --scan --rpc ${exampleIds.node}`,
        ],
        `--scan reads the ends of the window, the blocks whose logs report an upgrade, and blocks spread evenly between; then it
searches by halves for the block of the change. Finding nothing proves nothing unless every block was read.
Exit codes: 0 the claim holds, 20 falsified, 10 could not be decided, ${OTHER_CODES}.`,
      ),
    )
    .action(async (claimId: Hex, flags: ChallengeFlags, command: Command) => {
      const session = await startSession(terminal, command);
      const wallet = await session.getWallet();
      const client = session.open(wallet);
      const claim = await client.claim(claimId);
      const evidence = await findEvidence(session, claim, flags);
      if (evidence === undefined) return;
      const answer = await client.challengeClaim(claimId, evidence);
      session.show(answer, (value) => formatChallenge(value, terminal.paint));
      terminal.exitCode = exitCodeOf(answer);
    });
}

function exitCodeOf({ resolution, claimStatus }: ChallengeAnswer): number {
  if (claimStatus === "falsified") return 20;
  return resolution === "invalid_evidence" ? 10 : 0;
}

/** The evidence to challenge with; undefined when a scan found nothing, which it has printed. */
async function findEvidence(
  session: Session<object>,
  claim: ClaimDetail,
  flags: ChallengeFlags,
): Promise<ChallengeEvidence | undefined> {
  if (flags.scan && (flags.block !== undefined || flags.implementation !== undefined))
    throw new UsageError("Give --scan or --block, not both.");
  if (flags.scan) return scan(session, claim, flags);
  const isUpgrade = claim.assertion.type === "upgrade_window";
  const block = isUpgrade ? flags.block : claim.assertion.toBlock;
  if (block === undefined)
    throw new UsageError("Give --block with the block at which it is false, or --scan.");
  if (isUpgrade && flags.implementation !== undefined)
    return { block, implementation: toImplementation(flags.implementation) };
  const { observeAt, openChainNode, ChainNodeError, evidenceOf } = await loadChainReads();
  const observation = await observeAt(await openChainNode(getNode(flags)), claim.assertion, block);
  if (observation.status !== "observed")
    throw new ChainNodeError(`At block ${block} the node does not give ${observation.missing}.`, {
      retryable: observation.status === "unanswered",
    });
  return evidenceOf(block, observation.observed);
}

function getNode({ rpc }: ChallengeFlags): string {
  if (rpc === undefined) throw new UsageError("Give --rpc with a node to read the chain from.");
  return rpc;
}

async function scan(
  { show, terminal }: Session<object>,
  claim: ClaimDetail,
  flags: ChallengeFlags,
): Promise<ChallengeEvidence | undefined> {
  const { scanClaim } = await loadChainReads();
  const found = await scanClaim(claim.assertion, getNode(flags), {
    samples: flags.samples,
    signal: terminal.abortOnInterrupt(),
    onProgress: (what) => terminal.warn(`scan: ${printable(what)}\n`),
  });
  if (found.counterexample) {
    // On stderr: stdout is for the answer to the challenge alone.
    terminal.warn(formatScan(found));
    return found.counterexample;
  }
  show(found, formatScan);
  terminal.exitCode = found.isComplete ? 0 : 10;
  return undefined;
}
