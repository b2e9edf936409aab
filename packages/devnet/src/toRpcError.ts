import { decodeErrorResult, type Hex } from "viem";

/** The error member of a JSON-RPC 2.0 response. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

interface EdrError {
  code: number;
  message: string;
  data?: { reason?: unknown; data?: Hex } | null;
}

/**
 * Converts EDR's errors into the form that nodes of Base use, so that code which is tested here meets the same errors there:
 * a revert is code 3 with the return data as `data`, an unknown block is EIP-1898's -32001, an unknown method -32601.
 */
export function toRpcError(error: EdrError): RpcError {
  const returned = error.data?.data;
  if (returned !== undefined && isRevert(error.data?.reason)) {
    return { code: 3, message: describeRevert(returned), data: returned };
  }
  if (error.message.startsWith("Received invalid block tag")) {
    return { code: -32001, message: error.message.replace("Received invalid block tag", "block not found:") };
  }
  if (error.code === -32004) return { code: -32601, message: error.message };
  return { code: error.code, message: error.message };
}

function isRevert(reason: unknown): boolean {
  return typeof reason === "object" && reason !== null && "Revert" in reason;
}

function describeRevert(returned: Hex): string {
  try {
    // With no ABI given, viem decodes the two errors that Solidity itself defines.
    const { errorName, args } = decodeErrorResult({ abi: [], data: returned }) as {
      errorName: string;
      args: readonly unknown[];
    };
    return errorName === "Error"
      ? `execution reverted: ${args[0]}`
      : `execution reverted: panic: code 0x${Number(args[0]).toString(16)}`;
  } catch {
    return "execution reverted";
  }
}
