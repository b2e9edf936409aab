import { isIP, connect as netConnect, type Socket } from "node:net";
import { connect as tlsConnect } from "node:tls";
import { AssayError } from "@assay/protocol";
import type { PageTarget } from "./parsePageTarget.js";
import { isSameAddress } from "./publicAddress.js";

/** Opens a TCP connection to an IP address. */
export type ConnectSocket = (place: { host: string; port: number }) => Socket;

export interface ConnectionOptions {
  readonly connectMs: number;
  readonly signal: AbortSignal;
  readonly connect?: ConnectSocket | undefined;
  /** Replaces the certificate authorities that Node trusts; PEM. */
  readonly authorities?: string | undefined;
}

/**
 * Connects to exactly this address, which was checked before; the host's name is used for TLS only. Nothing is
 * written to a socket whose remote address differs.
 */
export async function openConnection(
  target: PageTarget,
  place: { readonly address: string; readonly port: number },
  options: ConnectionOptions,
): Promise<Socket> {
  const { connect = netConnect, signal } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(options.connectMs)]);
  limit.throwIfAborted();
  const socket = withErrorListener(connect({ host: place.address, port: place.port }));
  try {
    await untilReady(socket, "connect", limit);
    if (!isSameAddress(socket.remoteAddress ?? "", place.address))
      throw new AssayError(
        "web_target_forbidden",
        "The connection went to another address than the one that was checked.",
      );
    if (!target.isSecure) return socket;
    const secured = withErrorListener(
      tlsConnect({
        socket,
        host: target.host,
        // RFC 6066, section 3: an IP address is not a server name. The certificate is then checked against `host`.
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

/** An error while no other listener is attached would end the process. */
function withErrorListener(socket: Socket): Socket {
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
