import type { IncomingMessage } from "node:http";
import { createTestClient, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../createClient.js";
import type { ConnectedService } from "../testing/connectToService.js";
import { getSharedService } from "../testing/getSharedService.js";
import { runAssay } from "../testing/runAssay.js";
import { type Stub, startStub } from "../testing/startStub.js";

let service: ConnectedService;
let away: Stub;
let webhook: Stub;
/** Quotes that the service does not answer. */
let faults = 0;
const quotes: string[] = [];
const quotedAtMs: number[] = [];
/** Until when the first answer held by its own words; where blocks of other tests left it little time, two seconds from then. */
let firstEndsAtMs: number | undefined;
const calls: unknown[] = [];

const read = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
};

beforeAll(async () => {
  service = await getSharedService();
  away = await startStub(async (request, response) => {
    if (request.url?.includes("/quotes")) {
      quotes.push(request.url);
      quotedAtMs.push(Date.now());
      if (quotes.length > 1 && faults-- > 0) {
        request.socket.destroy();
        return;
      }
    }
    const payment = request.headers["payment-signature"];
    const answer = await fetch(service.url + request.url, {
      headers: typeof payment === "string" ? { "payment-signature": payment } : {},
    });
    const body = Buffer.from(await answer.arrayBuffer());
    if (payment !== undefined && answer.ok)
      firstEndsAtMs ??= Math.max(
        Number(quotedAtMs[0]) + JSON.parse(body.toString()).nextCall.validForSeconds * 1_000,
        Date.now() + 2_000,
      );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
  });
  webhook = await startStub(async (request, response) => {
    calls.push(JSON.parse((await read(request)).toString()));
    response.end();
  });
});
afterAll(() => Promise.all([away, webhook].map((one) => one?.stop())));

it("watch tells what changes by line, webhook and exit code, and outlives a service that is away", async () => {
  const { signingAddress } = await createClient({ baseUrl: service.url }).describe();
  const address = privateKeyToAddress(generatePrivateKey());
  const chain = createTestClient({ mode: "hardhat", transport: http(service.rpcUrl) });
  faults = 1;
  const watching = runAssay([
    ...[
      "--url",
      away.url,
      "--audience",
      service.url,
      "--data-dir",
      service.dataDir,
      "--wallet",
      "bob",
      "--json",
    ],
    ...["watch", address, "--until-change", "--webhook", webhook.url],
    ...["--signer", signingAddress, "--max-total-usd", "3"],
  ]);
  // The first answer was given before anybody asks for a second one, which is shortly before the first ends. No block is mined
  // here: payments of other tests would end early on a chain that is ahead of the clock.
  let isOver = false;
  watching.finally(() => {
    isOver = true;
  });
  while (quotes.length < 2 && !isOver) await new Promise((done) => setTimeout(done, 50));
  await chain.setCode({ address, bytecode: "0x6001600101" });
  const { code, out, err } = await watching;
  expect({ code, err }).toMatchObject({
    code: 7,
    err: expect.stringMatching(/^assay: .*Asks again in 2 s\.\n/),
  });
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.at(0)).toMatchObject({ address, changed: [] });
  expect(lines.at(-1).changed).toEqual(expect.arrayContaining(["reasonCodes"]));
  expect(calls).toEqual([lines.at(-1)]);
  expect(quotedAtMs[1]).toBeLessThan(firstEndsAtMs ?? 0);
}, 60_000);
