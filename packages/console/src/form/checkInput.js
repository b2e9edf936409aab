import { getCapability } from "@assay/client";
import { listFieldErrors } from "@assay/protocol";
/** Checks what was typed with the service's own schema, so that errors are named as the service names them. */
export function checkInput(id, values) {
  const given = Object.fromEntries(
    Object.entries(values).flatMap(([name, text]) => (text.trim() === "" ? [] : [[name, text.trim()]])),
  );
  const parsed = getCapability(id).input.safeParse(given);
  return parsed.success
    ? {
        ok: true,
        input: given,
        normalized: parsed.data,
        errors: [],
      }
    : { ok: false, errors: listFieldErrors(parsed.error, given) };
}
//# sourceMappingURL=checkInput.js.map
