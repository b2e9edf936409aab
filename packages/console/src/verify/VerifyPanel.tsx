import type { Verification } from "@assay/client";
import { useState } from "react";
import { useDescription } from "../service/assay.js";
import { Failure } from "../ui/Status.js";

/** Checks an answer, alone or with its receipt, in this browser. */
export function VerifyPanel({ saved }: { readonly saved: unknown }) {
  const description = useDescription();
  const [verification, setVerification] = useState<Verification>();
  const [error, setError] = useState<unknown>();
  const verify = async () => {
    try {
      // What verifies is as large as the rest of the page, and not everybody asks.
      const { runVerification } = await import("./runVerification.js");
      setVerification(await runVerification(saved, description.data));
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <section className="verify">
      <button type="button" className="quiet" onClick={() => void verify()}>
        Verify in this browser
      </button>
      {error !== undefined && <Failure error={error} />}
      {verification && (
        <>
          <p role="status" className={verification.ok ? "good" : "bad"}>
            {verification.ok ? "Every step passed." : "This answer does not verify."}
          </p>
          <ol>
            {verification.steps.map(({ name, ok, checked, detail }) => (
              <li key={name} className={!ok ? "bad" : checked ? "good" : "soft"}>
                <strong>{name}</strong> {detail}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}
