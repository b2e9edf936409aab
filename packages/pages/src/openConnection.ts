import { isIP, connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { AssayError } from "@assay/protocol";
import type { PageTarget } from "./parsePageTarget.js";
import { isSameAddress } from "./publicAddress.js";

/** Opens a TCP connection to an address that needs no resolving. */
export type ConnectSocket = (place: { host: string; port: number }) => Socket;

export interface ConnectionOptions {
  readonly connectMs: number;
  readonly signal: AbortSignal;
  readonly connect?: ConnectSocket | undefined;
  /** Instead of the authorities Node trusts; in PEM. */
  readonly authorities?: string | undefined;
}

/**
 * A connection to exactly this address, which was checked before; the host's name serves only TLS. Nothing is
 * written to a socket whose other end is another address.
 */
export async function openConnection(
  target: PageTarget,
  place: { readonly address: string; readonly port: number },
  options: ConnectionOptions,
): Promise<Socket> {
  const { connect = netConnect, signal } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.connectMs)]);
  limit.throwIfAborted();
  const socket = watched(connect({ host: place.address, port: place.port }));
  try {
    await untilReady(socket, "connect", limit);
    if (!isSameAddress(socket.remoteAddress ?? "", place.address))
      throw new AssayError("web_target_forbidden", "The connection led to another address than was checked.");
    if (!target.isSecure) return socket;
    const secured = watched(
      tlsConnect({
        socket,
        host: target.host,
        // An address is no server name (RFC 6066); the certificate is then checked against `host`.
        ...(isIP(target.host) === 0 && { servername: target.host }),
        ALPNProtocols: ["http/1.1"],
        ...(options.authorities !== undefined && { ca: options.authorities }),
      }),
    );
    await untilReady(secured, "secureConnect", limit);
    return secured;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/** A socket may fail between two who listen to it, which would end the process. */
function watched(socket: Socket): Socket {
  return socket.on("error", () => undefined);
}

function untilReady(socket: Socket, event: "connect" | "secureConnect", limit: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => socket.destroy(limit.reason);
    limit.addEventListener("abort", stop, { once: true });
    socket.once(event, () => {
      limit.removeEventListener("abort", stop);
      resolve();
    });
    socket.once("error", reject);
    socket.once("close", () => {
      limit.removeEventListener("abort", stop);
      reject(new Error("the connection was closed"));
    });
  });
}
