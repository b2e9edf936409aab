import type { Client } from "@assay/client";
import { ProblemError } from "@assay/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { shorten } from "../ui/format.js";
import { Failure } from "../ui/Status.js";
import { usePayer } from "./Payer.js";

/** Something that the chosen wallet signs. */
export function useSigned<Input, Output>(
  act: (client: Client, input: Input) => Promise<Output>,
): UseMutationResult<Output, Error, Input> {
  const { payer } = usePayer();
  return useMutation({
    networkMode: "always",
    mutationFn: (input: Input) => {
      if (!payer) throw new Error("Choose a wallet first.");
      return act(payer.client, input);
    },
  });
}

/** The button of a form that signs: who signs, what is happening, what went wrong. */
export function SignedSubmit({
  label,
  mutation,
}: {
  readonly label: string;
  readonly mutation: Pick<UseMutationResult<unknown, Error>, "isPending" | "error">;
}) {
  const { payer } = usePayer();
  const { isPending, error } = mutation;
  return (
    <div className="stack">
      <div className="submit">
        <button type="submit" disabled={!payer || isPending}>
          {isPending ? "Waiting for the wallet and the service…" : label}
        </button>
        <span className="soft">
          {payer
            ? `Signed by ${payer.label}, ${shorten(payer.address)}`
            : "Choose a wallet at the top of the page first."}
        </span>
      </div>
      {error && <Failure error={error} />}
      {error instanceof ProblemError && error.fields.length > 0 && (
        <ul className="bad">
          {error.fields.map(({ field, rule }) => (
            <li key={field}>
              <span className="mono">{field}</span> {rule}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
