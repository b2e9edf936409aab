/**
 * The table's rows. A ratio is Assay's figure divided by that of the subject named in `against`; a target is a limit on
 * the ratio, or on Assay's figure itself where `against` is missing.
 */
export function listFigures(results) {
  const { startup, challenges, paidCalls, chainRequests, parallelPayers, slowBlocks } = results;
  const rows = [];
  const add = (section, row) => {
    if (section) rows.push(judge(row()));
  };
  const compare = (title, unit, of, more = {}) => ({
    title,
    unit,
    peer: of.peer,
    tuned: of.tuned,
    assay: of.assay,
    against: "peer",
    ...more,
  });
  /** The same field of each subject. */
  const pick = (section, field, names = ["peer", "tuned", "assay"]) =>
    Object.fromEntries(names.map((name) => [name, section[name]?.[field]]));

  add(startup, () => compare("start to first 402", "ms", pick(startup, "startMs")));
  add(startup, () => ({
    title: "  first start, creating the database",
    unit: "ms",
    assay: startup.assay.firstStartMs,
  }));
  add(startup, () => compare("memory when idle", "MB", pick(startup, "residentMb")));
  add(startup, () => ({ title: "  its PostgreSQL", unit: "MB", assay: startup.assay.postgresMb }));

  for (const [load, words] of [
    ["oneAddress", "one address"],
    ["manyAddresses", "1,000 addresses"],
  ]) {
    const of = (field) => ({ peer: challenges.peer[load][field], assay: challenges.assay[load][field] });
    const target = { atLeast: 2.5 };
    add(challenges, () => compare(`unpaid 402s, ${words}`, "per s", of("perSecond"), { target }));
    add(challenges, () => compare("  p99", "ms", of("p99Ms")));
    add(challenges, () => compare("  CPU each", "µs", of("cpuMicrosecondsEach")));
  }

  for (const delay of ["delay0", "delay25"]) {
    const section = paidCalls?.[delay];
    const words = delay === "delay25" ? "25 ms chain" : "0 ms chain";
    const target = delay === "delay25" ? { atMost: 0.4 } : undefined;
    const hitOf = (field) => ({
      peer: section.peer[field],
      tuned: section.tuned[field],
      assay: section.assayHit[field],
    });
    add(section, () => compare(`paid call, miss, ${words}, p50`, "ms", pick(section, "p50Ms"), { target }));
    add(section, () => compare("  p99", "ms", pick(section, "p99Ms")));
    add(section, () => compare("  paid request alone, p50", "ms", pick(section, "paidLegP50Ms")));
    add(section, () => compare(`paid call, hit, ${words}, p50`, "ms", hitOf("p50Ms")));
    add(section, () => compare("  p99", "ms", hitOf("p99Ms")));
    add(section, () => ({
      title: "  calls that were hits",
      unit: `of ${section.assayHit.calls}`,
      assay: section.assayHit.counted,
    }));
  }

  const requestsOf = (key) => (field) => ({
    peer: chainRequests.peer[field],
    tuned: chainRequests.tuned[field],
    assay: chainRequests[key][field],
  });
  add(chainRequests, () => {
    const of = requestsOf("assay")("depth");
    return compare("chain requests in sequence, miss", "", of, { against: undefined, target: { atMost: 6 } });
  });
  add(chainRequests, () => compare("  all during the call", "", requestsOf("assay")("requestsPerCall")));
  add(chainRequests, () =>
    compare("  of these head polls, expected", "", requestsOf("assay")("pollsExpectedPerCall"), {
      against: undefined,
    }),
  );
  add(chainRequests, () => compare("chain requests in sequence, hit", "", requestsOf("assayHit")("depth")));
  add(chainRequests, () => {
    const of = requestsOf("assayHit")("guardReadsPerCall");
    return compare("  reads for the guard", "", of, { against: undefined, target: { atMost: 0 } });
  });

  const parallel = (title, unit, field, more = {}) =>
    add(parallelPayers, () =>
      compare(title, unit, pick(parallelPayers, field), { against: "tuned", ...more }),
    );
  parallel("32 payers, settled", "per s", "settledPerSecond", { target: { atLeast: 3 } });
  parallel("  failed calls", "of a run", "failed", { against: undefined, target: { atMost: 0 } });
  parallel("  p50", "ms", "p50Ms");
  parallel("  p99", "ms", "p99Ms");
  parallel("  CPU per settled call", "ms", "cpuMsPerSettled", { target: { atMost: 0.5 } });
  add(parallelPayers, () => ({
    title: "  its PostgreSQL, CPU per call",
    unit: "ms",
    assay: parallelPayers.assay.postgresCpuMsPerSettled,
  }));
  add(slowBlocks, () => compare("paid call, 2 s blocks, p50", "ms", pick(slowBlocks, "p50Ms")));
  return rows;
}

function judge(row) {
  const ratio = row.against === undefined ? undefined : row.assay / row[row.against];
  const measured = row.against === undefined ? row.assay : ratio;
  if (!row.target) return { ...row, ratio };
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = row.target;
  return { ...row, ratio, isReached: measured >= atLeast && measured <= atMost };
}
