import "../styles/records.css";
import { type FormEvent, useState } from "react";
import { isAddress } from "../form/isAddress.js";
import { Hash } from "../ui/Hash.js";
import { Moment } from "../ui/Moment.js";
import { type Anchors, isLogKey, keepAnchors, type Trust } from "./anchors.js";

/** The keys that answers and the log are checked with, and a way to give better ones. */
export function TrustedKeys({ trust: { anchors } }: { readonly trust: Trust }) {
  return (
    <details className="keys">
      <summary>Trusted keys{anchors ? ` · ${describeSource(anchors)}` : " · none yet"}</summary>
      {anchors ? (
        <dl className="facts">
          <dt>Signer of answers</dt>
          <dd>
            <Hash value={anchors.signer} label="signer" />
          </dd>
          <dt>Key of the log</dt>
          <dd>
            <Hash value={anchors.logKey} label="log key" />
          </dd>
          <dt>Since</dt>
          <dd>
            <Moment at={anchors.since} />
          </dd>
        </dl>
      ) : (
        <p>
          No key is known, so no signature can be attributed. Connect to the service once, or paste its keys.
        </p>
      )}
      <KeyForm key={anchors?.since} anchors={anchors} />
    </details>
  );
}

const describeSource = ({ source }: Anchors) => (source === "you" ? "given by you" : "from the first visit");

function KeyForm({ anchors }: { readonly anchors: Anchors | undefined }) {
  const [signer, setSigner] = useState(anchors?.signer ?? "");
  const [logKey, setLogKey] = useState<string>(anchors?.logKey ?? "");
  const [problem, setProblem] = useState<string>();
  const keep = (event: FormEvent) => {
    event.preventDefault();
    const address = signer.trim();
    const key = logKey.trim();
    if (!isAddress(address)) return setProblem("The signer must be 0x followed by 40 hex digits.");
    if (!isLogKey(key)) return setProblem("The log key must be 32 bytes in base64, 44 characters.");
    setProblem(undefined);
    keepAnchors({ signer: address, logKey: key, source: "you" });
  };
  return (
    <form onSubmit={keep} className="stack">
      <p className="soft">
        Got them from somewhere you trust more than this page? Paste them; they replace the ones above.
      </p>
      <label>
        Signer
        <input className="mono" value={signer} onChange={(event) => setSigner(event.target.value)} />
      </label>
      <label>
        Log key
        <input className="mono" value={logKey} onChange={(event) => setLogKey(event.target.value)} />
      </label>
      {problem && (
        <p className="bad" role="alert">
          {problem}
        </p>
      )}
      <div>
        <button type="submit" className="quiet">
          Trust these keys
        </button>
      </div>
    </form>
  );
}
