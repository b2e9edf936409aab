import { z } from "zod";

const PAIR = /^([^\s=;]+)=([^;]*)$/;

/** The headers of requests to a collector, as OpenTelemetry writes them: a list of `name=value`, values percent-encoded (W3C Baggage). */
export const otlpHeaders = z.string().transform((text, check): Record<string, string> => {
  const pairs = text.split(",").map((pair) => PAIR.exec(pair.trim()));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name, value] = pair ?? [];
        if (name === undefined || value === undefined) throw new URIError("no pair");
        return [name, decodeURIComponent(value)];
      }),
    );
  } catch {
    check.addIssue({ code: "custom", message: "must be a list of name=value, comma separated" });
    return z.NEVER;
  }
});
