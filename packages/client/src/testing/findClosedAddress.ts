import { type AddressInfo, createServer } from "node:net";

/** An address where nobody listens: a port that was free a moment ago. */
export async function findClosedAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return `http://127.0.0.1:${port}`;
}
