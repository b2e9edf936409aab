import { beforeAll, expect, it } from "vitest";
import { createClient } from "./createClient.js";
import { decodeHeader } from "./decodeHeader.js";
import { ProblemError } from "./errors.js";
import { InvalidArgumentError } from "./invalidArgumentError.js";
import type { ConnectedService } from "./testing/connectToService.js";
import { getSharedService } from "./testing/getSharedService.js";

let service: ConnectedService;
beforeAll(async () => {
  service = await getSharedService();
});

/** A client, the names that its payments carried, and answers that are lost on the way. */
function open(lost: number) {
  const names: unknown[] = [];
  let left = lost;
  const fetch: typeof globalThis.fetch = async (url, init) => {
    const header = new Headers(init?.headers).get("payment-signature");
    const response = await globalThis.fetch(url, init);
    if (header === null) return response;
    const { extensions } = decodeHeader(header) as { extensions: Record<string, { info: { id: unknown } }> };
    names.push(extensions["payment-identifier"]?.info.id);
    return left-- > 0 ? new Response("<html>bad gateway</html>", { status: 502 }) : response;
  };
  return { names, client: createClient({ baseUrl: service.url, account: service.wallet("alice"), fetch }) };
}

it("names each call, the same for all attempts of one, and another for the next", async () => {
  const { client, names } = open(2);
  const { answer } = await client.call("chain.snapshot", {});
  expect(names).toHaveLength(3);
  expect(new Set(names).size).toBe(1);
  const receipt = await client.receipt(answer.invocationId);
  expect(receipt.paymentIdentifier).toBe(names[0]);
  await client.call("chain.snapshot", {});
  expect(new Set(names).size).toBe(2);
});

it("does not buy twice under a name that the caller gives", async () => {
  const { client } = open(0);
  const paymentId = `order-${Date.now()}-of-this-test`;
  await client.call("chain.snapshot", {}, { paymentId });
  const failure = await client.call("chain.snapshot", {}, { paymentId }).catch((error) => error);
  expect(failure).toBeInstanceOf(ProblemError);
  expect(failure).toMatchObject({ code: "payment_identifier_used", status: 409 });
  await expect(client.call("chain.snapshot", {}, { paymentId: "short" })).rejects.toThrow(
    InvalidArgumentError,
  );
});
