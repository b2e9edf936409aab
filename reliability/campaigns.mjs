// What `npm run campaigns` runs. Programs of packages/service/dist/campaigns print a JSON summary with `violations`; test files are run
// by vitest, and what fails in them is a violation; other commands print the same summary.
//
// Each has a control: the same with one protection removed must report something. `without` names what is removed: a flag of the
// program, or a place in a source that is left out while it is loaded.

/** Figures of a summary by name; a name with dots leads inside. */
const pick =
  (...names) =>
  (summary) =>
    Object.fromEntries(
      names.map((name) => [name, name.split(".").reduce((value, key) => value?.[key], summary)]),
    );

const built = (name, full, quick, minutes) => ({ kind: "built", name, full, quick, minutes });
const tested = (files, environment, quickFiles, minutes, quickEnvironment = {}) => ({
  kind: "tested",
  files,
  environment,
  quickFiles,
  quickEnvironment,
  minutes,
});
const disturbed = (name, promise, removed) => ({
  id: name,
  promise,
  run: built(
    "disturb",
    [`--${name}`, "--seconds", "20", "--payers", "6"],
    [`--${name}`, "--seconds", "6", "--payers", "3"],
    3,
  ),
  figures: pick(
    "calls",
    "answered",
    "neverAnswered",
    "chargedAfter402",
    "answersLost",
    "settled",
    "charges",
    "answeredAfterMs",
    "figures",
  ),
  control: { removed, flags: [`--${name}`, "--seconds", "5", "--payers", "3", "--without-protection"] },
});

const FAULTED_READS = "packages/service/test/capabilities/faultedReads.test.ts";
const STORED = "no answer is stored before its payment is sent";

export const campaigns = [
  {
    id: "races",
    promise: "A quote buys once, however many pay with it at two processes.",
    run: built("races", ["--rounds", "10000", "--racers", "40"], ["--rounds", "40", "--racers", "40"], 50),
    figures: pick("quotes", "racers", "grants", "ended", "charges", "replays"),
    control: {
      removed: "the conditional update of a quote (read first, written later)",
      flags: ["--rounds", "5", "--without-protection"],
    },
  },
  {
    id: "kill",
    promise:
      "A process killed at any moment of a paid call loses nothing acknowledged and leaves nothing half done.",
    run: built("kill", ["--rounds", "700"], ["--rounds", "9"], 25),
    figures: pick(
      "kills",
      "missed",
      "calls",
      "acknowledged",
      "acknowledgedLost",
      "chargedAfter402",
      "settled",
      "charges",
      "slowestReadyMs",
    ),
    control: {
      removed: "what is stored of an answer before its payment is sent",
      flags: ["--rounds", "3", "--without-bytes"],
    },
  },
  {
    id: "voucher-kill",
    promise: "The same for vouchers, deposits, claims, sweeps and refunds.",
    run: built("voucherKill", ["--rounds", "300"], ["--rounds", "12"], 10),
    figures: pick("kills", "calls", "charges", "settled", "acknowledged", "acknowledgedLost"),
    control: {
      removed: "no answer is stored with its charge",
      flags: ["--rounds", "3", "--without-answers"],
    },
  },
  {
    id: "simulation",
    promise:
      "Whatever fails while it waits: no life of a payment is charged twice, unpaid, or lost, and what became of it is decided 25 minutes after its validity, through outages, reorganisations and nodes that lag.",
    run: built("simulate", ["--lives", "300000"], ["--lives", "20000"], 5),
    figures: pick("lives", "worlds", "livesPerMinute", "cpuMsPerLife", "pairs", "latestDecisionSeconds"),
    control: {
      removed: "what may still be mined is unknown, not failed",
      flags: ["--lives", "20000", "--without-protection"],
    },
  },
  {
    id: "hostile",
    promise:
      "Whatever a facilitator or a node does: nobody is charged twice, served unpaid, or refused what was taken.",
    run: built("hostile", ["--seeds", "200", "--payloads", "1000"], ["--seeds", "2", "--payloads", "20"], 20),
    figures: (summary) => {
      const all = Object.values(summary.behaviours ?? {});
      const sum = (name) => all.reduce((total, one) => total + one[name], 0);
      const names = [
        "purchases",
        "served",
        "charged",
        "doubleCharges",
        "unpaidReleases",
        "refusedThoughTaken",
        "chargedUnserved",
        "undecided",
      ];
      return { behaviours: all.length, ...Object.fromEntries(names.map((name) => [name, sum(name)])) };
    },
    control: {
      removed: "what a facilitator reports is taken at its word",
      flags: ["--seeds", "2", "--trusting"],
    },
  },
  {
    id: "ledger",
    promise:
      "Credits: debits equal credits, no balance below zero, no cap exceeded, no path between wallets.",
    run: built("ledger", ["--commands", "1000000"], ["--commands", "10000"], 10),
    figures: pick("commands", "histories", "crashes", "seen"),
    control: {
      removed: "the cap of a seeder's dividends",
      flags: ["--commands", "20000", "--shrink-ms", "1000", "--without-cap"],
    },
  },
  {
    id: "actions",
    promise: "A nonce of a signed action, and a seeder's slot, have one winner.",
    run: built("actions", ["--rounds", "10000"], ["--rounds", "50"], 10),
    figures: pick("rounds", "racers", "nonceGrants", "slotGrants"),
    control: {
      removed: "the unique keys of nonces and slots",
      flags: ["--rounds", "10", "--without-protection"],
    },
  },
  {
    id: "faulted-reads",
    promise: "A node that lies, lags or says nothing never turns a doubt into an allow.",
    run: tested(
      [
        FAULTED_READS,
        "packages/service/test/capabilities/disagreeingNodes.test.ts",
        "packages/service/test/capabilities/endlessCode.test.ts",
        "packages/capabilities/src/transaction.intent.guard/table.test.ts",
        "packages/service/test/capabilities/faultTable.test.ts",
      ],
      { ASSAY_EVERY_READING: "1", ASSAY_FAULTED_READS: "10000" },
      [FAULTED_READS],
      10,
      { ASSAY_FAULTED_READS: "500" },
    ),
    figures: pick("reads", "answers", "asHonest", "abstained", "refused", "tests", "passed"),
    control: {
      removed: "the comparison of two nodes' readings",
      files: [FAULTED_READS, "packages/service/test/capabilities/disagreeingNodes.test.ts"],
      without: {
        file: "packages/chain/src/areSameReading.ts",
        from: "return first.value === second.value;",
        to: "return true;",
      },
    },
  },
  {
    id: "log",
    promise: "Every receipt is proven by the log, and no forged proof is accepted.",
    run: built(
      "log",
      ["--leaves", "1000000", "--forgeries", "100000"],
      ["--leaves", "5000", "--proofs", "100", "--forgeries", "1000"],
      8,
    ),
    figures: pick("leaves", "inclusion.checked", "consistency.checked", "forgeries", "auditSeconds"),
    control: {
      removed: "the comparison of a proof's result with the root",
      files: ["packages/service/campaigns/runLog.test.ts"],
      without: {
        file: "packages/protocol/src/merkleLog.ts",
        from: "return climb.last === 0 && reached === root;",
        to: "return climb.last === 0 && reached.length === root.length;",
      },
    },
  },
  {
    id: "forbidden-connects",
    promise:
      "A page fetcher connects to no address that is not public, through names, redirects and rebinding.",
    run: tested(
      ["packages/pages/src/forbiddenTargets.test.ts", "packages/pages/src/fetchPage.test.ts"],
      {},
      ["packages/pages/src/forbiddenTargets.test.ts"],
      2,
    ),
    figures: pick("tests", "passed"),
    control: {
      removed: "the check of an IPv4 address",
      files: ["packages/pages/src/forbiddenTargets.test.ts"],
      without: {
        file: "packages/pages/src/publicAddress.ts",
        from: 'return ipaddr.IPv4.parse(text).range() === "unicast" && text !== AZURE_HOST;',
        to: "return true;",
      },
    },
  },
  {
    id: "contract",
    promise: "Whatever is sent, each route and tool answers as the OpenAPI document says, and none fails.",
    run: built("contract", ["--runs", "10000"], ["--runs", "20"], 25),
    figures: pick("requests", "routes"),
    control: {
      removed: "an answer from the document",
      files: ["packages/service/campaigns/runContract.test.ts"],
      isOwnTest: "an answer that the document does not name is found",
    },
  },
  {
    id: "attacks",
    promise:
      "Slow, silent and endless connections neither take memory nor make honest callers wait more than twice as long.",
    run: built(
      "httpAttacks",
      ["--connections", "500"],
      ["--connections", "100", "--rounds", "1", "--seconds", "3"],
      10,
    ),
    figures: (summary) =>
      Object.fromEntries(
        (summary.figures ?? []).map(({ attack, p99Ms, grownMb, refused }) => [
          attack,
          `p99 ${p99Ms[0]} → ${p99Ms[1]} ms, ${grownMb} MB more, ${refused} refused`,
        ]),
      ),
    control: {
      statement:
        "The same requests are made without the attack, in turns with it; the first figure of each pair is that one.",
    },
  },
  {
    id: "mutants",
    promise: "A change of one token in what judges or moves money is noticed by a test.",
    run: {
      kind: "mutants",
      folders: [
        "packages/service/src/credits",
        "packages/service/src/log",
        "packages/service/src/quotes",
        "packages/service/src/actions",
        "packages/protocol/src",
      ],
      full: 40,
      quick: 3,
      minutes: 20,
    },
    figures: pick("folders"),
    control: { statement: "Each mutant is a protection removed; one that no test notices is a survivor." },
  },
  disturbed(
    "clock",
    "The clock of the service jumps an hour ahead and back, and an hour behind and back.",
    STORED,
  ),
  disturbed("disk", "The disk is full, for PostgreSQL's tables and for its log.", STORED),
  disturbed("failover", "PostgreSQL is lost and a replica takes over.", "a commit waits for the replica"),
  disturbed("dns", "The name of the only node stops resolving.", STORED),
  disturbed("memory", "The process may use little memory while strangers send the longest bodies.", STORED),
  {
    id: "reorgs",
    promise: "The node replaces its newest 1 to 10 blocks during every step of a paid call.",
    run: built("reorgs", ["--rounds", "240"], ["--rounds", "12"], 10),
    figures: pick("rounds", "reorganised", "answered", "refused", "redelivered", "settled", "charges"),
    control: {
      removed: "the second look at settled payments once their blocks are final",
      flags: ["--rounds", "30", "--unconfirmed"],
    },
  },
  {
    id: "fuzz",
    promise: "No parser of strangers' bytes fails in another way than it declares, or takes long.",
    run: { kind: "fuzz", full: 50, quick: 5, minutes: 10 },
    figures: (summary) =>
      Object.fromEntries(
        (summary.targets ?? []).map(({ target, runs, places }) => [
          target,
          `${runs} inputs, ${places} places`,
        ]),
      ),
    control: {
      removed: "the check that a payment has a canonical form",
      target: "payment-header",
      without: {
        file: "packages/service/src/payments/paymentHeader.ts",
        from: "if (!hasCanonicalForm(decoded))",
        to: "if (decoded === undefined)",
      },
    },
  },
];
