import { knownSlots } from "@assay/capabilities";
import { contractGuard } from "@assay/capabilities/contract.guard/capability";
import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import type { LocalAnswer } from "@assay/chain/testing/localChain";
import { until } from "@assay/chain/testing/until";
import { capabilityResultSchema } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { accountOf, balanceOf, fetchChallenge, pay, priceOf } from "../payer.js";
import { type Sample, type Through, useFaultyNodes } from "./testing/useFaultyNodes.js";

const fixture = useFaultyNodes();
const { guard, guardAll, addressOf } = fixture;

const failing = (...methods: string[]): Fault => ({
  kind: "edit",
  edit: ({ method }, honest) =>
    methods.includes(method) ? { error: { code: -32603, message: "internal error" } } : honest,
});
const lying = (isLie: (call: NodeCall) => boolean, lie: unknown): Fault => ({
  kind: "edit",
  edit: (call, honest) => (isLie(call) ? { result: lie } : honest),
});
const isPinned = ({ method, params }: NodeCall) =>
  method === "eth_getBlockByHash" || JSON.stringify(params).includes("blockHash");
const isRead = (calls: readonly NodeCall[]) => calls.some(isPinned);
const asks = (method: string, sample: Sample) => (call: NodeCall) =>
  call.method === method && call.params[0] === addressOf(sample);
const asksPaused = (sample: Sample) => (call: NodeCall) => {
  const [asked] = call.params as [{ to?: string; data?: string }];
  return call.method === "eth_call" && asked.to === addressOf(sample) && asked.data === "0x5c975abb";
};
const withId = (answer: LocalAnswer, id: number): LocalAnswer => Object.assign({}, answer, { id });
const UNKNOWN = { error: { code: -32000, message: "header not found" } };
const ZERO_WORD = `0x${"0".repeat(64)}`;
const OTHER_CODE = "0x60006000fd";

const ALL_UNREAD = ["CODE_UNREAD", "SLOT_UNREAD", "PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD"];
const subjects = ["plainToken", "transparentProxy"] as const satisfies readonly Sample[];

test("while nothing is broken the token is allowed and the proxy is reviewed for what it is", async () => {
  const [token, proxy] = await guardAll(subjects, () => {});
  expect(token).toMatchObject({ verdict: "allow", proofs: { header: expect.any(String) } });
  expect(proxy).toMatchObject({ verdict: "review", proofs: { header: expect.any(String) } });
  for (const code of [...ALL_UNREAD, "IMPLEMENTATION_UNREAD", "ADMIN_UNREAD"]) {
    expect(token?.reasonCodes).not.toContain(code);
    expect(proxy?.reasonCodes).not.toContain(code);
  }
});

const wholeAnswers: [string, Fault][] = [
  ["null", { kind: "body", body: "null" }],
  ["[]", { kind: "body", body: "[]" }],
  ["an HTML page, status 200", { kind: "status", status: 200 }],
  ["an HTML page, status 502", { kind: "status", status: 502 }],
  ["429 with Retry-After", { kind: "status", status: 429, headers: { "retry-after": "2" } }],
  ["half of a JSON text", { kind: "body", body: '[{"jsonrpc":"2.0","id":1,"resu' }],
  ["answers to other questions", { kind: "edit", edit: ({ id }, honest) => withId(honest, id + 1_000_000) }],
  ["two answers to each question", { kind: "doubled" }],
  ["nothing, ever", { kind: "hang" }],
];

/** A node that hangs is waited for until the timeout, so a short one saves time. */
const patienceFor = ({ kind }: Fault): Through => (kind === "hang" ? { requestTimeoutMs: 2_000 } : {});

// Each of these waits for retries on a node of its own, so they may wait together.
describe.concurrent("a node that answers everything with", () => {
  test.each(wholeAnswers)("%s: no verdict", async (_, fault) => {
    const node = await fixture.openNode();
    const breakAll = () => {
      node.fault = fault;
    };
    const answer = await guard("plainToken", breakAll, { nodes: [node], ...patienceFor(fault) });
    expect(answer).toMatchObject({ error: "chain_unavailable", retryAfterSeconds: 1 });
  });
});

describe.concurrent("a node that names its block and answers every read with", () => {
  const everyRead: [string, Fault][] = [
    ...wholeAnswers,
    ["null results", lying(isPinned, null)],
    ["[] results", lying(isPinned, [])],
    [
      "an unknown block, because it lags",
      { kind: "edit", edit: (call, honest) => (isPinned(call) ? UNKNOWN : honest) },
    ],
  ];
  test.each(everyRead)("%s: no answer, which is 503 and not a verdict", async (_, fault) => {
    const node = await fixture.openNode();
    const breakReads = () => {
      node.fault = fault;
      node.appliesTo = isRead;
    };
    const through = { nodes: [node], countsOnProofs: false, ...patienceFor(fault) };
    const answers = await guardAll(subjects, breakReads, through);
    expect(answers).toHaveLength(2);
    for (const answer of answers) expect(answer).toMatchObject({ error: "chain_unavailable" });
  });
});

describe("a node that fails at one method", () => {
  test.each<[string, Sample, Fault, string[]]>([
    ["eth_getCode", "plainToken", failing("eth_getCode"), ["CODE_UNREAD"]],
    [
      "eth_getCode",
      "transparentProxy",
      failing("eth_getCode"),
      ["CODE_UNREAD", "IMPLEMENTATION_UNREAD", "ADMIN_UNREAD"],
    ],
    [
      "eth_getProof and eth_getStorageAt",
      "plainToken",
      failing("eth_getProof", "eth_getStorageAt"),
      ["SLOT_UNREAD"],
    ],
    [
      "eth_getProof and eth_getStorageAt",
      "transparentProxy",
      failing("eth_getProof", "eth_getStorageAt"),
      ["SLOT_UNREAD"],
    ],
    ["eth_call", "plainToken", failing("eth_call"), ["PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD"]],
    [
      "eth_call",
      "transparentProxy",
      failing("eth_call"),
      ["PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD", "ADMIN_UNREAD", "IMPLEMENTATION_UNREAD"],
    ],
  ])("%s (%s): review, saying what was not read", async (_, subject, fault, unread) => {
    const answer = await guard(subject, () => {
      fixture.first.fault = fault;
    });
    expect(answer.verdict).toBe("review");
    expect(answer.reasonCodes).toEqual(expect.arrayContaining(unread));
  });

  test("eth_getProof: reads slots plainly, and says that nothing is proven", async () => {
    const answer = await guard("plainToken", () => {
      fixture.first.fault = failing("eth_getProof");
    });
    expect(answer).toMatchObject({ verdict: "allow", proofs: null });
    expect(answer.limitations).toContain("PROOF_UNAVAILABLE");
  });
});

describe("a node that changes its mind", () => {
  test("and forgets the block once the proxy was read: no verdict, because it may know it again", async () => {
    const answer = await guard("transparentProxy", () => {
      let reads = 0;
      fixture.first.fault = { kind: "edit", edit: (call, honest) => (isPinned(call) ? UNKNOWN : honest) };
      fixture.first.appliesTo = (calls) => isRead(calls) && ++reads > 1;
    });
    expect(answer).toMatchObject({ error: "chain_unavailable", retryAfterSeconds: 1 });
    expect(answer.detail).toContain("unknown_block");
  });

  test.each<[string, Sample, Sample]>([
    ["the subject's code", "plainToken", "plainToken"],
    ["the implementation's code", "transparentProxy", "boxV1"],
    ["the admin's code", "transparentProxy", "proxyAdmin"],
  ])("about %s between the proof and the answer: no verdict", async (_, subject, liedAbout) => {
    const answer = await guard(subject, () => {
      fixture.first.fault = lying(asks("eth_getCode", liedAbout), OTHER_CODE);
    });
    expect(answer).toMatchObject({ error: "chain_unavailable", retryAfterSeconds: 1 });
    expect(answer.detail).toContain("contradicts its own proof");
  });

  test("about the subject's code, and proves another account not at all: no verdict either", async () => {
    const owner = fixture.service.chainOf.deployer.address.toLowerCase();
    const answer = await guard("taxedToken", () => {
      fixture.first.fault = {
        kind: "edit",
        edit: (call, honest) => {
          if (asks("eth_getCode", "taxedToken")(call)) return { result: OTHER_CODE };
          return call.method === "eth_getProof" && call.params[0] === owner
            ? { error: { code: -32603, message: "Internal error" } }
            : honest;
        },
      };
    });
    expect(answer).toMatchObject({ error: "chain_unavailable" });
    expect(answer.detail).toContain("contradicts its own proof");
  });

  test("about a slot: the proof's word counts", async () => {
    const answer = await guard("transparentProxy", () => {
      fixture.first.fault = lying(({ method }) => method === "eth_getStorageAt", ZERO_WORD);
    });
    expect(answer.reasonCodes).toEqual(expect.arrayContaining(["PROXY_EIP1967", "PROXY_ADMIN_SET"]));
    expect(answer.proofs).not.toBeNull();
  });
});

describe("a proof of another trie", () => {
  const ofAnotherTrie = async (liesAboutSlots: boolean): Promise<Fault> => {
    const slots = Object.values(knownSlots);
    const other = await fixture.service.chainOf.request("eth_getProof", [addressOf("boxV2"), slots, "0x1"]);
    return {
      kind: "edit",
      edit: ({ method }, honest) => {
        if (method === "eth_getProof") return { result: other };
        return liesAboutSlots && method === "eth_getStorageAt" ? { result: ZERO_WORD } : honest;
      },
    };
  };

  test("proves nothing: the proxy's slots are read plainly, and it is said", async () => {
    const fault = await ofAnotherTrie(false);
    const answer = await guard("transparentProxy", () => {
      fixture.first.fault = fault;
    });
    expect(answer).toMatchObject({ verdict: "review", proofs: null });
    expect(answer.reasonCodes).toContain("PROXY_EIP1967");
    expect(answer.limitations).toContain("PROOF_UNAVAILABLE");
  });

  test("leaves a node that also lies about slots believed, and it is said", async () => {
    const fault = await ofAnotherTrie(true);
    const answer = await guard("transparentProxy", () => {
      fixture.first.fault = fault;
    });
    // As if no proof had been given: then, too, there is only the node's word. The code shows that it is a proxy, which
    // with empty slots runs nothing.
    expect(answer).toMatchObject({ verdict: "block", proofs: null });
    expect(answer.limitations).toContain("PROOF_UNAVAILABLE");
  });
});

describe("of two nodes", () => {
  const both = () => ({ nodes: [fixture.first, fixture.second] });

  test("the first that lags or fails is made up for by the second", async () => {
    const lags: Fault = { kind: "edit", edit: (call, honest) => (isPinned(call) ? UNKNOWN : honest) };
    for (const fault of [lags, failing("eth_getCode", "eth_getProof", "eth_call")]) {
      const answer = await guard("plainToken", () => (fixture.first.fault = fault), both());
      expect(answer).toMatchObject({ verdict: "allow", proofs: { header: expect.any(String) } });
      fixture.first.fault = undefined;
    }
  });

  test("the second is not asked about what the first proves", async () => {
    const answer = await guard(
      "plainToken",
      () => {
        fixture.second.fault = lying((call) => isPinned(call) && call.method !== "eth_call", OTHER_CODE);
        fixture.second.requests.length = 0;
      },
      both(),
    );
    expect(answer).toMatchObject({ verdict: "allow" });
    const asked = new Set(fixture.second.requests.flat().map(({ method }) => method));
    expect(asked).toEqual(new Set(["eth_call"]));
  });

  test.each<[string, Sample, Fault, Fault]>([
    [
      "code",
      "plainToken",
      failing("eth_getCode"),
      lying(({ method }) => method === "eth_getCode", OTHER_CODE),
    ],
    [
      "no code",
      "transparentProxy",
      failing("eth_getCode"),
      lying(({ method }) => method === "eth_getCode", "0x"),
    ],
  ])(
    "the second lies about %s (%s) where the first has proved it: no verdict",
    async (_, subject, fails, lies) => {
      const answer = await guard(
        subject,
        () => {
          fixture.first.fault = fails;
          fixture.second.fault = lies;
        },
        both(),
      );
      expect(answer).toMatchObject({ error: "chain_unavailable" });
    },
  );

  test("the second lies about a slot: the proof decides, from either node", async () => {
    const answer = await guard(
      "transparentProxy",
      () => {
        fixture.first.fault = failing("eth_getProof", "eth_getStorageAt");
        fixture.second.fault = lying(({ method }) => method === "eth_getStorageAt", ZERO_WORD);
      },
      both(),
    );
    expect(answer.reasonCodes).toContain("PROXY_EIP1967");
    expect(answer.proofs).not.toBeNull();
  });
});

const urlOf = (sample: Sample) =>
  `${fixture.service.url}/api/v1/capabilities/contract.guard/invoke?address=${addressOf(sample)}`;
/** Buys it, and says what left the payer's wallet, in micro-USD. */
async function buy(sample: Sample) {
  const payer = accountOf(fixture.service, "alice");
  const before = await balanceOf(fixture.service, payer.address);
  const { response } = await pay(urlOf(sample), payer);
  const body: unknown = await response.json();
  return { response, body, paid: before - (await balanceOf(fixture.service, payer.address)) };
}

describe("a paid call", () => {
  /** The service has found its node again. */
  const recover = () =>
    until(async () => {
      fixture.servicesNode.fault = undefined;
      return fixture.service.context.chain.latestBlock().catch(() => undefined);
    });
  // The other faulty answers are the same to the payer; see above.
  const outages = wholeAnswers.filter(([name]) => /^null|502|429/.test(name));

  test.each(outages)("through a node that answers %s: 503, nothing charged", async (_, fault) => {
    fixture.servicesNode.fault = fault;
    const { response, body, paid } = await buy("plainToken");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    // The payment is verified by the same node, at the same time.
    expect(body).toMatchObject({ code: "facilitator_unavailable" });
    expect(paid).toBe(0n);
    await recover();
  });

  test("through a node that contradicts its own proof: 503, nothing charged", async () => {
    fixture.servicesNode.fault = lying(asks("eth_getCode", "plainToken"), OTHER_CODE);
    const { response, body, paid } = await buy("plainToken");
    expect(response.status).toBe(503);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(body).toMatchObject({ code: "chain_unavailable" });
    expect(paid).toBe(0n);
  });

  test("with a reading unanswered is a review, is not given to the next caller, and a whole answer is", async () => {
    await fixture.service.chainOf.mine();
    fixture.servicesNode.fault = {
      kind: "edit",
      edit: (call, honest) =>
        asksPaused("plainToken")(call) ? { error: { code: -32603, message: "internal error" } } : honest,
    };
    const partly = await buy("plainToken");
    const { verdict, result } = capabilityResultSchema.parse(partly.body);
    expect(verdict).toBe("review");
    expect(result.reasonCodes).toContain("PAUSE_UNREAD");
    expect(partly.paid).toBeGreaterThan(0n);

    fixture.servicesNode.fault = undefined;
    await fixture.service.chainOf.mine();
    const hitPrice = contractGuard.prices.hitMicroUsd;
    expect(priceOf((await fetchChallenge(urlOf("plainToken"))).accepts[0])).toBeGreaterThan(hitPrice);
    const whole = capabilityResultSchema.parse((await buy("plainToken")).body);
    expect(whole).toMatchObject({ verdict: "allow", pricing: { actualCacheStatus: "partial" } });

    const shared = capabilityResultSchema.parse((await buy("plainToken")).body);
    expect(shared).toMatchObject({ verdict: "allow", pricing: { actualCacheStatus: "hit" } });
    expect(shared.evidenceReference.artifactId).toBe(whole.evidenceReference.artifactId);
  });
});
