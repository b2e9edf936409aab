import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Hex, Verdict } from "@assay/protocol";
import { type Command, InvalidArgumentError, Option } from "commander";
import { type JournalEntry, openJournal, readJournal } from "../proxy/journal.js";
import type { Conclusion } from "../verification.js";
import { journalFile } from "./addProxyCommand.js";
import { exampleIds, exampleText } from "./exampleText.js";
import { verifyCodes } from "./exitCodes.js";
import { formatEntries, formatWholeEntry } from "./formatJournal.js";
import { startSession } from "./session.js";
import { signerOption } from "./signerOption.js";
import type { Terminal } from "./terminal.js";
import { page } from "./text.js";
import { UsageError } from "./usageError.js";

interface JournalFlags {
  readonly journal?: string;
  readonly since?: Date;
  readonly verdict?: Verdict;
  readonly event?: JournalEntry["event"];
  readonly signer?: Hex;
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time, or how long ago: 30m, 12h, 7d. */
function parseSince(text: string): Date {
  const [, count, unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const since = count ? new Date(Date.now() - Number(count) * (UNIT_MS[unit] ?? 0)) : new Date(text);
  if (Number.isNaN(since.getTime()))
    throw new InvalidArgumentError(
      "Give a time such as 2030-01-31T12:00:00Z, or how long ago: 30m, 12h, 7d.",
    );
  return since;
}

/** What `assay proxy` decided. */
export function addJournalCommands(program: Command, terminal: Terminal): void {
  const journal = program
    .command("journal")
    .description("what assay proxy has decided: list, show, verify, approve, refuse")
    .option("--journal <file>", "the journal (default: journal.jsonl in the state folder)")
    .addOption(new Option("--since <time>", "only newer: a time, or 30m, 12h, 7d").argParser(parseSince))
    .addOption(
      new Option("--verdict <verdict>", "only of this verdict").choices(["allow", "review", "block"]),
    )
    .addOption(new Option("--event <event>", "only of this kind").choices(["asked", "forwarded", "refused"]))
    .addHelpText(
      "after",
      exampleText(
        ["journal", "journal --since 24h --verdict block", "journal --json"],
        "Lines hold no signature, key or password. Answers lie beside the journal, in the folder answers.",
      ),
    )
    .action(async (_flags, command: Command) => {
      const session = await startSession<JournalFlags>(terminal, command);
      const { since, verdict, event } = session.options;
      const { entries, brokenLines } = await readJournal(journalFile(terminal, session.options.journal));
      const shown = entries.filter(
        (entry) =>
          (since === undefined || new Date(entry.time) >= since) &&
          (verdict === undefined || entry.verdict === verdict) &&
          (event === undefined || entry.event === event),
      );
      if (brokenLines > 0)
        terminal.warn(`assay: ${brokenLines} lines are broken: a process was stopped while it wrote them.\n`);
      session.show(shown, formatEntries);
    });
  addShow(journal, terminal);
  addVerify(journal, terminal);
  addOrder(journal, terminal, "approve", "forward a request that waits for a person");
  addOrder(journal, terminal, "refuse", "refuse a request that waits for a person");
}

async function findEntry(id: string, file: string): Promise<JournalEntry> {
  const entry = (await readJournal(file)).entries.find((one) => one.id === id);
  if (!entry) throw new UsageError(`${file} has no entry ${id}. assay journal lists them.`);
  return entry;
}

function addShow(journal: Command, terminal: Terminal): void {
  journal
    .command("show")
    .argument("<id>", "id of the entry")
    .description("one decision; with --json also the whole answers that it rests on")
    .addHelpText("after", exampleText([`journal show ${exampleIds.journal}`]))
    .action(async (id: string, _flags, command: Command) => {
      const session = await startSession<JournalFlags>(terminal, command);
      const entry = await findEntry(id, journalFile(terminal, session.options.journal));
      const saved = await Promise.all(
        (entry.answers ?? []).map(async ({ file }) => JSON.parse(await readFile(file, "utf8")) as unknown),
      );
      session.show({ ...entry, saved }, () => formatWholeEntry(entry));
    });
}

/** Of several conclusions the weakest is that of all. */
const conclusions: readonly Conclusion[] = ["verified", "self_consistent", "failed"];

function addVerify(journal: Command, terminal: Terminal): void {
  journal
    .command("verify")
    .argument("[id]", "id of one entry; all without it")
    .addOption(signerOption())
    .description("check the saved answers offline, as assay verify does")
    .addHelpText(
      "after",
      exampleText(
        ["journal verify"],
        "The signer is that of --signer, or of the configuration.\nExit codes: 0 all verified, 1 one failed, 6 self-consistent, but no signer is known.",
      ),
    )
    .action(async (id: string | undefined, _flags, command: Command) => {
      const session = await startSession<JournalFlags>(terminal, command);
      const file = journalFile(terminal, session.options.journal);
      const entries = id === undefined ? (await readJournal(file)).entries : [await findEntry(id, file)];
      const { checkResult } = await import("../checkResult.js");
      const signer = session.options.signer ?? session.config?.signer;
      const results: { id: string; file: string; conclusion: Conclusion; detail: string }[] = [];
      for (const entry of entries)
        for (const answer of entry.answers ?? []) {
          const found = await check(answer, async (value) => checkResult(value, { signer }));
          results.push({ id: entry.id, file: answer.file, ...found });
        }
      session.show(results, () =>
        results.length === 0
          ? "There are no saved answers.\n"
          : page(results.map((one) => `${one.id}  ${one.conclusion}  ${one.detail}`.trimEnd())),
      );
      const worst = Math.max(0, ...results.map((one) => conclusions.indexOf(one.conclusion)));
      terminal.exitCode = verifyCodes[conclusions[worst] ?? "failed"];
    });
}

async function check(
  { file, sha256 }: { readonly file: string; readonly sha256: string },
  verify: (
    value: unknown,
  ) => Promise<{ conclusion: Conclusion; steps: readonly { ok: boolean; detail: string }[] }>,
): Promise<{ conclusion: Conclusion; detail: string }> {
  const failed = (detail: string) => ({ conclusion: "failed" as const, detail });
  const bytes = await readFile(file).catch(() => undefined);
  if (!bytes) return failed(`${file} cannot be read.`);
  if (createHash("sha256").update(bytes).digest("hex") !== sha256)
    return failed("The file is not the answer that the journal names.");
  const { conclusion, steps } = await verify(JSON.parse(bytes.toString("utf8")));
  return { conclusion, detail: steps.find(({ ok }) => !ok)?.detail ?? "" };
}

function addOrder(journal: Command, terminal: Terminal, name: "approve" | "refuse", what: string): void {
  journal
    .command(name)
    .argument("<id>", "id of the entry, as the proxy shows it")
    .description(what)
    .addHelpText("after", exampleText([`journal ${name} ${exampleIds.journal}`]))
    .action(async (id: string, _flags, command: Command) => {
      const session = await startSession<JournalFlags>(terminal, command);
      const path = journalFile(terminal, session.options.journal);
      const entry = await findEntry(id, path);
      if (entry.event !== "asked") throw new UsageError(`${id} is decided already: it was ${entry.event}.`);
      const file = await openJournal(path);
      const event = name === "approve" ? "approve" : "reject";
      await file.append({ event, about: id, time: new Date().toISOString() });
      await file.close();
      session.show({ id, event }, () => `${id}: ${event === "approve" ? "approved" : "refused"}.\n`);
    });
}
