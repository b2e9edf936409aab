import { type Logger, pino } from "pino";

/**
 * JSON lines on stderr; stdout is for people. Errors are reduced to what explains them: driver
 * errors hold whole clients, and a log must never hold a password, a key or a signature.
 */
export function createLogger(level: string): Logger {
  return pino(
    { level, base: null, serializers: { err: describeError } },
    pino.destination({ fd: 2, sync: false }),
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    ...(typeof code === "string" && { code }),
    stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
