/** The interface's own tables, by which the document, the catalog and the routes are checked. */
const rowsOf = (table: string): string[][] =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
const wordsOf = (cell = ""): string[] => cell.split(/[\s,]+/).filter(Boolean);

export interface ContractRow {
  readonly id: string;
  readonly version: string;
  readonly status: string;
  readonly reuse: string;
  readonly ttlSeconds: number;
  /** Cache hit, fingerprint hit, cache miss. */
  readonly pricesUsd: readonly number[];
  readonly input: readonly string[];
}

/** id, version, status, reuse, ttl, hit / fingerprint / miss, input fields. */
export const catalogRows: readonly ContractRow[] = rowsOf(`
contract.guard | 1.0.0 | active | shared | 10 | 0.02 / 0.05 / 0.10 | address
transaction.intent.guard | 1.0.0 | active | private | 30 | 0.25 / 0.25 / 0.25 | from, to, data, value
amm.swap.guard | 1.0.0 | active | private | 4 | 0.25 / 0.25 / 0.25 | from, to, data, value
contract.change | 1.0.0 | active | shared | 10 | 0.01 / 0.02 / 0.02 | address
token.metadata | 1.0.0 | active | shared | 10 | 0.01 / 0.02 / 0.03 | address
contract.interface | 1.1.0 | active | shared | 604800 | 0.01 / 0.02 / 0.02 | address
chain.snapshot | 1.0.0 | active | shared | 4 | 0.002 / 0.005 / 0.005 |
token.launch.guard | 1.0.0 | active | shared | 12 | 0.02 / 0.04 / 0.07 | address
evidence.artifact | 1.0.0 | active | private | 60 | 0.01 / 0.01 / 0.03 | artifactId
web.compile | 1.0.0 | active | shared | 3600 | 0.02 / 0.03 / 0.03 | url
obligation.verdict | 1.0.0 | candidate | private | 1 | 0.001 / 0.001 / 0.001 | obligationId
amm.v4.hook.guard | 1.0.0 | candidate | shared | 60 | 0.15 / 0.15 / 0.54 | poolManager, currency0, currency1, fee, tickSpacing, hooks
rwa.market.guard | 1.0.0 | candidate | shared | 60 | 0.15 / 0.15 / 0.50 | address, symbol
lending.collateral.guard | 1.0.0 | candidate | private | 30 | 0.75 / 0.75 / 0.75 | marketId, collateralToken, loanToken, userAddress, borrowAmountWei
trade.execution.notarize | 1.0.0 | candidate | shared | 604800 | 0.01 / 0.01 / 0.05 | txHash
prediction.evidence | 1.0.0 | candidate | shared | 1800 | 0.01 / 0.02 / 0.05 | question, market
message.intent.guard | 1.0.0 | candidate | private | 30 | 0.05 / 0.05 / 0.05 | signer
`).map(([id = "", version = "", status = "", reuse = "", ttl, prices = "", input]) => ({
  id,
  version,
  status,
  reuse,
  ttlSeconds: Number(ttl),
  pricesUsd: prices.split("/").map(Number),
  input: wordsOf(input),
}));

export interface ContractRoute {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
  /** Parameters and body fields, with `!` where one is required. */
  readonly fields: readonly string[];
}

const listRoutes = (table: string): ContractRoute[] =>
  rowsOf(table).map(([route = "", statuses, fields]) => {
    const [method = "", path = ""] = route.split(" ");
    return { method, path, statuses: wordsOf(statuses), fields: wordsOf(fields) };
  });

/** Every route of the interface: statuses, then parameters and body fields. */
export const contractRoutes = listRoutes(`
GET /api/v1/capabilities | 200 |
GET /api/v1/capabilities/stats | 200 429 |
GET /api/v1/quotes | 200 | capability! wallet! address from to artifactId data value
GET /api/v1/capabilities/web.compile/quote | 200 | url! wallet!
GET /api/v1/health | 200 503 |
GET /api/v1/opportunities | 200 | limit
GET /api/v1/bounties | 200 | limit
GET /api/v1/publishers/{wallet} | 200 | wallet!
GET /api/v1/receipts/{invocationId} | 200 404 | invocationId!
GET /api/v1/capabilities/contract.guard/invoke | 200 402 | address! quote PAYMENT-SIGNATURE
POST /api/v1/capabilities/transaction.intent.guard/invoke | 200 402 | from! to! data value quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/contract.change/invoke | 200 402 | address! quote PAYMENT-SIGNATURE
POST /api/v1/capabilities/amm.swap.guard/invoke | 200 400 402 | from! to! data! value quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/token.metadata/invoke | 200 402 | address! quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/contract.interface/invoke | 200 402 | address! quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/chain.snapshot/invoke | 200 402 | quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/evidence.artifact/invoke | 200 402 | artifactId! quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/obligation.verdict/invoke | 200 402 404 | obligationId! quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/web.compile/invoke | 200 402 | url! wallet! quote PAYMENT-SIGNATURE
GET /api/v1/capabilities/tx.preflight/invoke | 200 402 | from! to! data value quote PAYMENT-SIGNATURE
GET /api/v1/claims | 200 429 | limit
POST /api/v1/claims | 201 400 402 | PAYMENT-SIGNATURE
GET /api/v1/claims/{claimId} | 200 404 | claimId!
GET /api/v1/claims/{claimId}/receipt | 200 404 | claimId!
POST /api/v1/claims/{claimId}/challenges | 200 201 400 401 404 429 | claimId! wallet! block implementation bytecodeHash bytecodeBytes
POST /api/v1/obligations/decisions | 200 201 400 403 404 |
GET /api/v1/evidence/{artifactId} | 200 403 404 | artifactId! channel X-Service-Evidence-Installation
POST /api/v1/artifacts/publish | 201 409 422 | capabilityId! wallet! address! bytecodeHash! bytecodeBytes! computedAtBlock!
POST /api/v1/demand-pledges | 201 400 401 429 | wallet! capability!
POST /api/v1/outcomes | 201 | invocationId! wallet! outcome! note
POST /api/mcp | 200 402 | jsonrpc! method! id params
`);

/** Routes that the interface does not name: the log, the documents, metrics. */
export const ownRoutes = listRoutes(`
GET /api/v1/sign-in | 200 400 | wallet!
POST /api/v1/sign-in | 200 400 401 | message! signature!
GET /api/v1/wallets/{wallet} | 200 400 401 | wallet! authorization
GET /api/v1/log/checkpoint | 200 |
GET /api/v1/log/proof/{index} | 200 404 | index! size
GET /api/v1/log/consistency | 200 404 | first! second!
GET /.well-known/assay.json | 200 |
GET /.well-known/x402 | 200 |
GET /.well-known/agent-registration.json | 200 |
GET /openapi.json | 200 |
GET /llms.txt | 200 |
GET /metrics | 200 404 | authorization
GET /api/v1/live | 200 |
`);

export const signedPaths = [
  "/api/v1/claims/{claimId}/challenges",
  "/api/v1/obligations/decisions",
  "/api/v1/artifacts/publish",
  "/api/v1/demand-pledges",
  "/api/v1/outcomes",
] as const;

export const signedHeaders = [
  "x-agent-wallet",
  "x-agent-signature",
  "x-agent-timestamp",
  "x-agent-nonce",
] as const;

/** Method, path, field, keyword of its schema, value. */
export const limits = rowsOf(`
POST /api/v1/capabilities/transaction.intent.guard/invoke | data | maxLength | 262146
POST /api/v1/capabilities/amm.swap.guard/invoke | data | maxLength | 262146
POST /api/v1/capabilities/transaction.intent.guard/invoke | data | default | 0x
POST /api/v1/capabilities/transaction.intent.guard/invoke | value | default | 0
POST /api/v1/capabilities/transaction.intent.guard/invoke | from | pattern | ^0x[a-fA-F0-9]{40}$
GET /api/v1/bounties | limit | minimum | 1
GET /api/v1/bounties | limit | maximum | 100
GET /api/v1/bounties | limit | default | 20
GET /api/v1/opportunities | limit | maximum | 100
GET /api/v1/opportunities | limit | default | 20
GET /api/v1/claims | limit | default | 20
POST /api/v1/capabilities/amm.swap.guard/invoke | data | pattern | ^0x([a-fA-F0-9]{2})+$
GET /api/v1/capabilities/web.compile/invoke | url | format | uri
POST /api/v1/demand-pledges | capability | minLength | 2
POST /api/v1/demand-pledges | capability | maxLength | 64
POST /api/v1/outcomes | note | maxLength | 500
GET /api/v1/evidence/{artifactId} | channel | maxLength | 64
GET /api/v1/evidence/{artifactId} | X-Service-Evidence-Installation | minLength | 16
GET /api/v1/evidence/{artifactId} | X-Service-Evidence-Installation | maxLength | 128
GET /api/v1/evidence/{artifactId} | artifactId | pattern | ^sha256:[a-f0-9]{64}$
GET /api/v1/claims/{claimId} | claimId | pattern | ^0x[0-9a-f]{64}$
GET /api/v1/capabilities/obligation.verdict/invoke | obligationId | pattern | ^0x[0-9a-f]{64}$
GET /api/v1/capabilities/web.compile/invoke | url | maxLength | 2048
GET /api/v1/capabilities/web.compile/quote | url | maxLength | 2048
POST /api/v1/outcomes | x-agent-nonce | pattern | ^[a-zA-Z0-9_-]{8,128}$
`).map(([route = "", field = "", keyword = "", value = ""]) => ({ route, field, keyword, value }));

/** Fixed prices that no column of the catalog names. */
export const fixedPrices = [{ route: "POST /api/v1/claims", amount: "0.25" }] as const;
export const DOCUMENT_VERSION = "5.0.0";
/** Deprecated names of capabilities, each with the capability that it calls. */
export const formerNames: ReadonlyMap<string, string> = new Map([
  ["tx.preflight", "transaction.intent.guard"],
]);
export const DEPRECATED = ["GET /api/v1/capabilities/tx.preflight/invoke"];
