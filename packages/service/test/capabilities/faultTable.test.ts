import type { Fault, NodeCall } from "@assay/chain/testing/faultyNode";
import { beforeAll, describe, expect, test } from "vitest";
import { type Asked, sampleQuestions } from "./testing/sampleQuestions.js";
import { useFaultyNodes } from "./testing/useFaultyNodes.js";

/** The table of docs/node-faults.md: what each capability answers when a node is at fault. */
const fixture = useFaultyNodes();

const failing = (isMet: (call: NodeCall) => boolean): Fault => ({
  kind: "edit",
  edit: (call, honest) => (isMet(call) ? { error: { code: -32603, message: "internal error" } } : honest),
});
const lying = (method: string, lie: string): Fault => ({
  kind: "edit",
  edit: (call, honest) => (call.method === method ? { result: lie } : honest),
});
const asks =
  (...methods: string[]) =>
  ({ method }: NodeCall) =>
    methods.includes(method);
const isRead = (call: NodeCall) =>
  asks("eth_getBlockByHash", "eth_feeHistory", "eth_getLogs")(call) ||
  JSON.stringify(call.params).includes("blockHash");

/** A verdict with some of its reason codes, or the code of the error. */
type Expected = readonly [string, ...string[]];
type Row = Record<Asked, Expected>;

const nothing: Expected = ["chain_unavailable"];
const unaffected: Expected = ["allow"];

const callsUnread: Row = {
  "contract.guard": ["review", "PROXY_PROBE_UNREAD", "PAUSE_UNREAD", "OWNER_UNREAD"],
  "contract.change": ["review", "FIELD_UNREAD"],
  "contract.interface": ["review", "INTERFACE_PROBE_UNREAD", "STANDARD_UNCERTAIN"],
  "token.metadata": ["review", "METADATA_UNREAD"],
  "token.launch.guard": ["review", "POOL_UNREAD", "OWNER_UNREAD"],
  "rwa.market.guard": [
    "review",
    "PERMISSION_PROBE_UNREAD",
    "FEED_UNREAD",
    "SEQUENCER_UNREAD",
    "PAUSE_UNREAD",
  ],
  "transaction.intent.guard": ["review", "CALL_UNREAD", "SIMULATION_UNAVAILABLE", "PAUSE_UNREAD"],
  "amm.swap.guard": ["review", "SWAP_UNREAD", "SIMULATION_UNAVAILABLE"],
  "amm.v4.hook.guard": ["review", "SIMULATION_UNAVAILABLE"],
  "lending.collateral.guard": [
    "review",
    "MARKET_UNREAD",
    "RATE_UNREAD",
    "ORACLE_UNREAD",
    "ORACLE_CODE_UNKNOWN",
    "CALL_UNREAD",
    "SIMULATION_UNAVAILABLE",
  ],
  "chain.snapshot": unaffected,
  "message.intent.guard": ["review", "DOMAIN_UNREAD", "NONCE_UNREAD", "CALL_UNREAD"],
  "prediction.evidence": ["review", "MARKET_UNREAD", "DECIDER_UNKNOWN"],
  "trade.execution.notarize": ["review", "REALISED_UNCONFIRMED"],
};

const rows: [name: string, fault: Fault, through: "one" | "two", row: Row][] = [
  [
    "fails at every read",
    failing(isRead),
    "one",
    {
      "contract.guard": nothing,
      "contract.change": nothing,
      "contract.interface": nothing,
      "token.metadata": nothing,
      "token.launch.guard": nothing,
      "rwa.market.guard": nothing,
      "transaction.intent.guard": nothing,
      "amm.swap.guard": nothing,
      "amm.v4.hook.guard": nothing,
      "lending.collateral.guard": nothing,
      "chain.snapshot": ["review", "FEE_HISTORY_UNREAD"],
      "message.intent.guard": nothing,
      "prediction.evidence": nothing,
      "trade.execution.notarize": nothing,
    },
  ],
  [
    "fails at eth_getCode",
    failing(asks("eth_getCode")),
    "one",
    {
      "contract.guard": ["review", "CODE_UNREAD"],
      "contract.change": ["review", "FIELD_UNREAD"],
      "contract.interface": ["review", "CODE_UNREAD"],
      "token.metadata": ["review", "CODE_UNREAD"],
      "token.launch.guard": ["review", "CODE_UNREAD", "POWERS_UNREAD"],
      "rwa.market.guard": ["review", "CODE_UNREAD", "ISSUER_POWERS_UNREAD", "PERMISSION_CONTRACT_UNREAD"],
      "transaction.intent.guard": ["review", "CODE_UNREAD", "SENDER_UNREAD", "COUNTERPARTY_UNREAD"],
      "amm.swap.guard": ["review", "CODE_UNREAD"],
      "amm.v4.hook.guard": ["review", "POOL_MANAGER_UNREAD"],
      "lending.collateral.guard": ["review", "CODE_UNREAD", "ORACLE_UNREAD", "ORACLE_CODE_UNKNOWN"],
      "chain.snapshot": unaffected,
      "message.intent.guard": ["review", "COUNTERPARTY_UNREAD", "CODE_UNREAD"],
      "prediction.evidence": ["review", "CODE_UNREAD", "CONDITION_STATE_UNREAD"],
      "trade.execution.notarize": unaffected,
    },
  ],
  [
    "fails at eth_getProof and eth_getStorageAt",
    failing(asks("eth_getProof", "eth_getStorageAt")),
    "one",
    {
      "contract.guard": ["review", "SLOT_UNREAD"],
      "contract.change": ["review", "SLOT_UNREAD", "FIELD_UNREAD"],
      "contract.interface": ["review", "SLOT_UNREAD"],
      "token.metadata": unaffected,
      "token.launch.guard": ["review", "SLOT_UNREAD"],
      "rwa.market.guard": ["review", "SLOT_UNREAD"],
      "transaction.intent.guard": ["review", "SLOT_UNREAD"],
      "amm.swap.guard": unaffected,
      "amm.v4.hook.guard": ["review", "POOL_STATE_UNREAD"],
      "lending.collateral.guard": ["review", "MARKET_UNREAD"],
      "chain.snapshot": unaffected,
      "message.intent.guard": ["review", "SLOT_UNREAD"],
      "prediction.evidence": ["review", "SLOT_UNREAD", "CONDITION_STATE_UNREAD"],
      "trade.execution.notarize": unaffected,
    },
  ],
  [
    "lies about code it has proved",
    lying("eth_getCode", "0x60006000fd"),
    "one",
    {
      "contract.guard": nothing,
      "contract.change": nothing,
      "contract.interface": nothing,
      "token.metadata": nothing,
      "token.launch.guard": nothing,
      "rwa.market.guard": nothing,
      "transaction.intent.guard": nothing,
      "amm.swap.guard": nothing,
      "amm.v4.hook.guard": nothing,
      "lending.collateral.guard": nothing,
      "chain.snapshot": unaffected,
      "message.intent.guard": nothing,
      "prediction.evidence": nothing,
      "trade.execution.notarize": unaffected,
    },
  ],
  ["fails at eth_call", failing(asks("eth_call")), "one", callsUnread],
  // Exactly as if nobody had answered.
  [
    "is contradicted by a second node in every call",
    lying("eth_call", `0x${"07".repeat(32)}`),
    "two",
    callsUnread,
  ],
];

/** All capabilities are asked at once, through one client: what fails for one fails for each of them. */
describe.each(rows)("a node that %s", (_, fault, through, row) => {
  const asked = Object.keys(row) as Asked[];
  let answers: Awaited<ReturnType<typeof fixture.askAll>>;
  beforeAll(async () => {
    const { first, second } = fixture;
    const broken = through === "two" ? second : first;
    const breakNode = () => {
      broken.fault = fault;
    };
    const question = sampleQuestions(fixture.service, fixture.mined);
    const nodes = through === "two" ? [first, second] : [first];
    answers = await fixture.askAll(asked.map(question), breakNode, { nodes });
    broken.fault = undefined;
  }, 60_000);

  test.each(asked.map((capability, at) => [capability, row[capability], at] as const))(
    "%s: %s",
    (_capability, [verdict, ...codes], at) => {
      const answer = answers[at];
      expect(answer?.error ?? answer?.verdict).toBe(verdict);
      expect(answer?.reasonCodes ?? []).toEqual(expect.arrayContaining([...codes]));
    },
  );
});
