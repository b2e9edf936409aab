// What happens to paid calls in a deployment, as queues: processes of one core each, the cores of PostgreSQL, the lock on the head
// of the log, a settling key for each process, and the gas of the chain. Times come from inputs.json, arrivals and work are random.

/** Mulberry32: the same seed gives the same figures on every machine. */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A binary heap of what is to happen, the next one first. */
function createAgenda() {
  const heap = [];
  let count = 0;
  const isBefore = (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const swap = (a, b) => {
    [heap[a], heap[b]] = [heap[b], heap[a]];
  };
  return {
    add(at, act) {
      heap.push({ at, act, order: count++ });
      for (let i = heap.length - 1; i > 0; ) {
        const above = (i - 1) >> 1;
        if (!isBefore(heap[i], heap[above])) break;
        swap(i, above);
        i = above;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (heap.length > 0) {
        heap[0] = last;
        for (let i = 0; ; ) {
          const [left, right] = [2 * i + 1, 2 * i + 2];
          let least = i;
          if (left < heap.length && isBefore(heap[left], heap[least])) least = left;
          if (right < heap.length && isBefore(heap[right], heap[least])) least = right;
          if (least === i) break;
          swap(i, least);
          i = least;
        }
      }
      return first;
    },
  };
}

/** First come, first served, by so many servers. Remembers for how long they worked. */
function createStation(agenda, clock, servers) {
  const waiting = [];
  let [head, idle, busyMs] = [0, servers, 0];
  const start = ({ ms, done }) => {
    idle -= 1;
    busyMs += ms;
    agenda.add(clock.now + ms, () => {
      idle += 1;
      if (head < waiting.length) start(waiting[head++]);
      done();
    });
  };
  return {
    work(ms, done) {
      if (idle > 0) start({ ms, done });
      else waiting.push({ ms, done });
    },
    load: (overMs) => Math.min(1, busyMs / servers / overMs),
  };
}

/** Takes what waits, at most `max` at once, in at most `lines` batches at once. */
function createBatches(max, lines, run) {
  let waiting = [];
  let running = 0;
  const pump = () => {
    while (running < lines && waiting.length > 0) {
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      running += 1;
      run(batch, () => {
        running -= 1;
        pump();
      });
    }
  };
  return (item) => {
    waiting.push(item);
    pump();
  };
}

/**
 * Plays `perSecond` calls for some seconds. `deployment`: `processes`, `databaseCores`, `kind` of the calls, and optionally
 * `roundTripMs` to the database. Returns latencies, the load of each station, and what was finished within the time.
 */
export function simulate(inputs, perSecond, deployment) {
  const { processes, databaseCores, kind } = deployment;
  const { cpuMs, databaseMs } = inputs.calls[kind];
  const { log, lane, chain } = inputs;
  const roundTripMs = deployment.roundTripMs ?? inputs.roundTripMs.value;
  const horizonMs = inputs.seconds * 1000;
  const random = createRandom(inputs.seed);
  const exponential = (mean) => -mean * Math.log(1 - random());
  const agenda = createAgenda();
  const clock = { now: 0 };
  const database = createStation(agenda, clock, databaseCores);
  const logHead = createStation(agenda, clock, 1);
  // A transfer takes its gas out of what each second has.
  const gas = createStation(agenda, clock, 1);
  // The first half fills the queues; only the second half counts.
  const countsFromMs = horizonMs / 2;
  const latencies = [];
  let arrived = 0;
  const isExact = kind === "exact";

  /** One transaction of the database; the last one of a call appends to the log, whose head it holds until its commit is answered. */
  const commit = (batch, ms, ended, next) =>
    agenda.add(clock.now + roundTripMs, () =>
      database.work(exponential(batch.length * ms), () =>
        logHead.work(log.fixedMs + batch.length * log.perCallMs + roundTripMs, () => {
          ended();
          batch.forEach(next);
        }),
      ),
    );
  const places = Array.from({ length: processes }, () => {
    const cpu = createStation(agenda, clock, 1);
    const finish = createBatches(inputs.maxBatch.value, 1, (batch, ended) =>
      commit(batch, isExact ? databaseMs / 2 : databaseMs, ended, (call) => {
        if (clock.now >= countsFromMs) latencies.push(clock.now - call.at);
      }),
    );
    const settle = createBatches(lane.payments, lane.transactions, (batch, ended) =>
      gas.work((batch.length * chain.gasOfTransfer * 1000) / chain.gasPerSecond, () => {
        const untilSeen = chain.blockMs * (chain.blocksUntilSeen + random());
        agenda.add(clock.now + untilSeen, () => {
          ended();
          batch.forEach(finish);
        });
      }),
    );
    const reserve = createBatches(inputs.maxBatch.value, 2, (batch, ended) =>
      agenda.add(clock.now + 2 * roundTripMs, () =>
        database.work(exponential((batch.length * databaseMs) / 2), () => {
          ended();
          batch.forEach(settle);
        }),
      ),
    );
    return {
      cpu,
      accept: (call) => cpu.work(exponential(cpuMs), () => (isExact ? reserve(call) : finish(call))),
    };
  });

  const arrive = () => {
    if (clock.now >= horizonMs) return;
    if (clock.now >= countsFromMs) arrived += 1;
    const place = places[Math.floor(random() * processes)];
    place.accept({ at: clock.now });
    agenda.add(clock.now + exponential(1000 / perSecond), arrive);
  };
  agenda.add(exponential(1000 / perSecond), arrive);
  for (let event = agenda.take(); event && event.at <= horizonMs; event = agenda.take()) {
    clock.now = event.at;
    event.act();
  }
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  const finishedPerSecond = latencies.length / ((horizonMs - countsFromMs) / 1000);
  // Batches grow as the head of the log is busier, so how long it is held says little: what counts is the work in full batches.
  const fullBatch = inputs.maxBatch.value;
  const logMsOfCall = (log.fixedMs + roundTripMs) / fullBatch + log.perCallMs;
  const loads = {
    "processor of the service": places.reduce((sum, { cpu }) => sum + cpu.load(horizonMs), 0) / processes,
    "processor of PostgreSQL": database.load(horizonMs),
    "head of the log": (finishedPerSecond * logMsOfCall) / 1000,
    ...(isExact && { "gas of the chain": gas.load(horizonMs) }),
  };
  return {
    arrivedPerSecond: arrived / ((horizonMs - countsFromMs) / 1000),
    finishedPerSecond,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    loads,
    // The station with the highest load is the one that gives way first.
    limit: Object.entries(loads).reduce((most, one) => (one[1] > most[1] ? one : most))[0],
  };
}

/** Whether a deployment keeps up: as much is finished as arrives. It does so in time if 99 of 100 calls end within so many milliseconds. */
export const keepsUp = ({ finishedPerSecond, arrivedPerSecond }) =>
  finishedPerSecond > arrivedPerSecond * 0.95;
export const isInTime = (result, withinMs) => keepsUp(result) && result.p99Ms < withinMs;
