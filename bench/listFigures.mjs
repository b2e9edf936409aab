const all = ["peer", "tuned", "assay"];
/** More than this is worse, not chance: `--before` says so beside the figure. */
const WORSE = 1.05;

/**
 * The table's rows, for the sections that were measured. A ratio is Assay's figure divided by that of the subject in
 * `against`; a target limits the ratio, or Assay's figure itself where there is no other subject.
 */
export function listFigures(results) {
  const listers = { startup, challenges, paidCalls, chainRequests, parallelPayers, slowBlocks, vouchers };
  return Object.entries(listers)
    .flatMap(([name, list]) => (results[name] ? list(results[name]) : []))
    .map(judge);
}

/** The rows of Assay beside an earlier state of it. */
export function listChanges(results) {
  const before = listFigures(mapValues(results, asAssay));
  return listFigures(results).map(({ title, unit, assay }, at) => {
    const ratio = assay / before[at].assay;
    const isWorse = unit === "per s" ? ratio < 1 / WORSE : ratio > WORSE;
    return { title, unit, before: before[at].assay, assay, ratio, isWorse };
  });
}

/** A section with the results of the earlier state under the names of Assay's own. */
function asAssay(section) {
  if (section.delay0) return mapValues(section, asAssay);
  const own = Object.entries(section).filter(([key]) => key.startsWith("before"));
  return Object.fromEntries(own.map(([key, value]) => [key.replace("before", "assay"), value]));
}

const mapValues = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));

/** The same field of each subject; `keys` are the names of subjects' results that are not under their own name. */
function pick(section, field, keys = {}) {
  return Object.fromEntries(all.map((name) => [name, section[keys[name] ?? name]?.[field]]));
}

const compare = (title, unit, values, target, against = "peer") => ({
  title,
  unit,
  ...values,
  against,
  target,
});
const state = (title, unit, values, target) => ({ title, unit, ...values, target });

function startup(section) {
  return [
    compare("start to first 402", "ms", pick(section, "startMs")),
    state("  first start, creating the database", "ms", { assay: section.assay.firstStartMs }),
    compare("memory when idle", "MB", pick(section, "residentMb")),
    state("  its PostgreSQL", "MB", { assay: section.assay.postgresMb }),
  ];
}

function challenges({ peer, assay }) {
  const loads = { oneAddress: "one address", manyAddresses: "1,000 addresses" };
  return Object.entries(loads).flatMap(([load, words]) => {
    const of = (field) => ({ peer: peer?.[load][field], assay: assay[load][field] });
    return [
      compare(`unpaid 402s, ${words}`, "per s", of("perSecond"), { atLeast: 2.5 }),
      compare("  p99", "ms", of("p99Ms")),
      compare("  CPU each", "µs", of("cpuMicrosecondsEach")),
      state("  other answers", "", of("not402"), { atMost: 0 }),
    ];
  });
}

function paidCalls({ delay0, delay25 }) {
  return [...paidCallsAt(delay0, "0 ms chain"), ...paidCallsAt(delay25, "25 ms chain", { atMost: 0.4 })];
}

function paidCallsAt(section, words, target) {
  const hit = { assay: "assayHit" };
  const { counted, calls } = section.assayHit;
  return [
    compare(`paid call, miss, ${words}, p50`, "ms", pick(section, "p50Ms"), target),
    compare("  p99", "ms", pick(section, "p99Ms")),
    compare("  paid request alone, p50", "ms", pick(section, "paidLegP50Ms")),
    state("  misses", `of ${section.assay.calls}`, { assay: section.assay.counted }),
    compare(`paid call, hit, ${words}, p50`, "ms", pick(section, "p50Ms", hit)),
    compare("  p99", "ms", pick(section, "p99Ms", hit)),
    state("  hits", `of ${calls}`, { assay: counted }),
    state(
      "  failed calls, misses and hits",
      "",
      { ...pick(section, "failed"), assay: section.assay.failed + section.assayHit.failed },
      { atMost: 0 },
    ),
  ];
}

function chainRequests(section) {
  const hit = { assay: "assayHit" };
  return [
    state("chain requests in sequence, miss", "", pick(section, "depth"), { atMost: 6 }),
    compare("  requests during the call", "", pick(section, "requestsPerCall")),
    state("  head polls expected among them", "", pick(section, "pollsExpectedPerCall")),
    compare("chain requests in sequence, hit", "", pick(section, "depth", hit)),
    state("  reads for the guard", "", pick(section, "guardReadsPerCall", hit), { atMost: 0 }),
    state("  reads of the head", "", pick(section, "headCallsPerCall", hit)),
    state("  head polls expected", "", pick(section, "pollsExpectedPerCall", hit)),
  ];
}

function parallelPayers(section) {
  const of = (field) => pick(section, field);
  return [
    compare("32 payers, 25 ms chain, settled", "per s", of("settledPerSecond"), { atLeast: 3 }, "tuned"),
    state("  failed calls", `of ${section.assay.sent}`, of("failed"), { atMost: 0 }),
    compare("  p50", "ms", of("p50Ms"), undefined, "tuned"),
    compare("  p99", "ms", of("p99Ms"), undefined, "tuned"),
    compare("  CPU per settled call", "ms", of("cpuMsPerSettled"), undefined, "tuned"),
    state("  Assay alone", "ms", { assay: section.assay.cpuMsPerSettled }, { atMost: 5 }),
    state("  its PostgreSQL, CPU per call", "ms", { assay: section.assay.postgresCpuMsPerSettled }),
    state("  the chain, CPU per call", "ms", of("chainCpuMsPerSettled")),
    ...(section.assayVoucherMiss ? bothByVoucher(section) : []),
  ];
}

const bothByVoucher = (section) => [
  ...byVoucher(section, "assayVoucherMiss", "misses by voucher", { settled: 10 }),
  ...byVoucher(section, "assayVoucherHit", "hits by voucher", { settled: 25, cpuMs: 2 }),
];

/** The peer settles by transaction in the same run. */
function byVoucher(section, key, words, { settled, cpuMs }) {
  const of = (field) => pick(section, field, { assay: key });
  const alone = (field) => ({ assay: section[key][field] });
  return [
    compare(`32 payers, ${words}`, "per s", of("settledPerSecond"), { atLeast: settled }, "tuned"),
    state("  failed calls", `of ${section[key].sent}`, alone("failed"), { atMost: 0 }),
    compare("  p50", "ms", of("p50Ms"), undefined, "tuned"),
    state("  CPU per call", "ms", alone("cpuMsPerSettled"), cpuMs && { atMost: cpuMs }),
    state("  its PostgreSQL, CPU per call", "ms", alone("postgresCpuMsPerSettled")),
    state("  share of a core: Assay", "", alone("cpuBusy")),
    state("  share of a core: load generator", "", alone("driverBusy")),
  ];
}

function slowBlocks(section) {
  return [compare("paid call, 2 s blocks, p50", "ms", pick(section, "p50Ms"))];
}

function vouchers(section) {
  const of = (key, field) => ({ tuned: section.tuned[field], assay: section[key][field] });
  const { assayHit, assayMiss, bytes } = section;
  const againstTuned = (title, key, field) => compare(title, "ms", of(key, field), undefined, "tuned");
  return [
    againstTuned("paid hit by voucher, 2 s blocks, p50", "assayHit", "p50Ms"),
    state("  Assay alone", "ms", { assay: assayHit.p50Ms }, { atMost: 20 }),
    state("  hits", `of ${assayHit.calls}`, { assay: assayHit.counted }),
    againstTuned("paid miss by voucher, 2 s blocks, 25 ms chain, p50", "assayMiss", "p50Ms"),
    state("  Assay alone", "ms", { assay: assayMiss.p50Ms }, { atMost: 90 }),
    state("  chain requests in sequence", "", { assay: assayMiss.depth }, { atMost: 2 }),
    state("  misses", `of ${assayMiss.calls}`, { assay: assayMiss.counted }),
    state("  failed calls", "", { assay: assayHit.failed + assayMiss.failed }, { atMost: 0 }),
    state("PostgreSQL per hit by voucher, packed", "bytes", { assay: bytes.packed.sum }, { atMost: 1536 }),
    state("  other calls among them", `beside ${bytes.hits}`, { assay: bytes.notHits }),
    state("  before it is packed", "bytes", { assay: bytes.atOnce.sum }),
    state("  write-ahead log", "bytes", { assay: bytes.walBytesPerHit }),
  ];
}

function judge(figure) {
  const { target, against, assay } = figure;
  const ratio = against === undefined ? undefined : assay / figure[against];
  if (!target) return { ...figure, ratio };
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = target;
  const measured = ratio ?? assay;
  return { ...figure, ratio, isReached: measured >= atLeast && measured <= atMost };
}
