import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

/** The public URL of a recorded service: the address of one that was started without settings. */
const PUBLIC_URL = "http://127.0.0.1:8402";

/** Settings of a service that is recorded, and where it will listen: a free port, because the usual one may be taken. */
export async function chooseExampleAddress(): Promise<{
  readonly env: Record<string, string>;
  readonly origin: string;
}> {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return { env: { PORT: String(port), PUBLIC_URL }, origin: `http://127.0.0.1:${port}` };
}
