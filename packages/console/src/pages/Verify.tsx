import { useState } from "react";
import { useTrust } from "../verify/anchors.js";
import { KeyWarning } from "../verify/KeyWarning.js";
import { usePreloadedVerifier } from "../verify/loadVerifier.js";
import { SavedInput } from "../verify/SavedInput.js";
import { SavedSummary } from "../verify/SavedSummary.js";
import { TrustedKeys } from "../verify/TrustedKeys.js";
import { type Given, useGiven } from "../verify/useGiven.js";
import { VerifyPanel } from "../verify/VerifyPanel.js";
import "../styles/records.css";
import "../styles/verify.css";

/** Checks a saved answer, receipt or evidence reference. */
export default function Verify() {
  const [given, take] = useGiven();
  const trust = useTrust();
  const isLoaded = usePreloadedVerifier();
  return (
    <div className="page">
      <h1>Verify</h1>
      <p className="lead">
        Check an answer yourself: its hashes, its signature, the chain's state behind it, its place in the
        log, and the rule, run again. Everything happens here: no file leaves this browser. For an answer
        without its receipt, only the receipt is fetched, by its id.
      </p>
      <p className="soft" role="status">
        {isLoaded ? "Ready: from here on no network is needed." : "Loading the verifier…"}
      </p>
      <SavedInput what="a saved answer, receipt or evidence reference" onSaved={take} />
      {given ? (
        <Checked key={given.turn} given={given} />
      ) : (
        <section className="card stack" aria-label="Keys">
          <KeyWarning trust={trust} />
          <TrustedKeys trust={trust} />
        </section>
      )}
      <section>
        <h2>From the command line</h2>
        <p>
          <code>assay call … --save answer.json</code> saves an answer with its receipt,{" "}
          <code>assay verify answer.json</code> makes the same checks without a browser.
        </p>
      </section>
    </div>
  );
}

function Checked({ given: { name, value } }: { readonly given: Given }) {
  const [isRefused, setIsRefused] = useState<boolean>();
  return (
    <div className="stack">
      <SavedSummary name={name} saved={value} isRefused={isRefused} />
      <VerifyPanel
        saved={value}
        isAutomatic
        takesRecordings
        onChecked={(finding) => setIsRefused(finding === "refused")}
      />
    </div>
  );
}
