import type { SeenHead } from "@assay/client";
import { isIncluded } from "@assay/protocol";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { navigate, useLocation } from "../routing/router.js";
import { assay } from "../service/assay.js";
import { Hash } from "../ui/Hash.js";
import { Fetched } from "../ui/Status.js";

/** Fetches the path of one entry and follows it to the root of the head that was just checked. */
export function EntryProof({ head }: { readonly head: SeenHead }) {
  const asked = useLocation().query.get("entry") ?? "";
  const [text, setText] = useState(asked);
  const index = /^\d{1,15}$/.test(asked) && Number(asked) < head.size ? Number(asked) : undefined;
  const ask = (event: FormEvent) => {
    event.preventDefault();
    navigate(`/log?entry=${encodeURIComponent(text.trim())}`);
  };
  return (
    <section className="stack">
      <h2>Prove an entry</h2>
      <form className="lookup" onSubmit={ask}>
        <label>
          Number, from 0 to {head.size - 1}
          <input
            inputMode="numeric"
            className="mono"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <button type="submit">Follow its path</button>
      </form>
      {asked !== "" &&
        (index === undefined ? (
          <p className="bad" role="alert">
            The log has no entry {asked}: it has {head.size}.
          </p>
        ) : (
          <Path index={index} head={head} />
        ))}
    </section>
  );
}

function Path({ index, head: { size, root } }: { readonly index: number; readonly head: SeenHead }) {
  const query = useQuery({
    queryKey: ["log proof", index, size],
    queryFn: () => assay.logProof(index, size),
  });
  return (
    <Fetched query={query} what="the path">
      {(proof) => {
        const isIn = proof.index === index && proof.size === size && isIncluded(proof, root);
        return (
          <p className={isIn ? "good" : "bad"} role="status">
            Entry {index}, <Hash value={proof.leafHash} label="leaf hash" />:{" "}
            {isIn
              ? `${proof.path.length} hashes lead from it to the root above.`
              : "its path does not lead to the root above. The log cannot be trusted."}
          </p>
        );
      }}
    </Fetched>
  );
}
