import type { Client } from "@assay/client";
import { ProblemError } from "@assay/client";
import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { shorten } from "../ui/format.js";
import { Failure } from "../ui/Status.js";
import { openWalletMenu, usePayer } from "./Payer.js";

/** An action that the chosen wallet signs. */
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

/** The button of a form that signs: the signer, the progress, the error. */
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
        {payer ? (
          <>
            <button type="submit" disabled={isPending}>
              {isPending ? "Waiting for the wallet and the service…" : label}
            </button>
            <span className="soft">
              Signed by {payer.label}, <span className="mono">{shorten(payer.address)}</span>
            </span>
          </>
        ) : (
          <button type="button" onClick={openWalletMenu}>
            Choose a wallet to sign
          </button>
        )}
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
