import type { SeenHead } from "@assay/client";
import type { LogEntry } from "@assay/protocol";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, navigate, useLocation } from "../routing/router.js";
import { readLogEntries } from "../service/pageData.js";
import { Empty, Failure, Loading } from "../ui/Status.js";
import { EntryProof } from "./EntryProof.js";
import { describeEntry, entryKinds } from "./entryWords.js";

/** The entries of the log, newest first, of one kind or found by what they are about. */
export function EntryList({ head }: { readonly head: SeenHead }) {
  const { query } = useLocation();
  // A link to one entry shows its proof at once.
  const linked = query.get("entry");
  const search = linked ?? query.get("search") ?? "";
  const kind = query.get("kind") ?? "";
  const found = useInfiniteQuery({
    queryKey: ["log entries", head.size, search, kind],
    queryFn: ({ pageParam }) => readLogEntries({ search, kind, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
  });
  const entries = found.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <section className="stack" aria-label="Entries">
      <h2>Entries</h2>
      <Search key={search} search={search} />
      <KindChoice kind={kind} isOff={search !== ""} />
      {found.error ? (
        <Failure error={found.error} retry={() => void found.refetch()} />
      ) : found.isPending ? (
        <Loading what="the entries" lines={8} />
      ) : (
        <>
          {entries.length === 0 && (
            <Empty
              title={
                linked
                  ? `The log has no entry ${linked}`
                  : search
                    ? "Nothing was found"
                    : "No such entry among the newest"
              }
            >
              <p>
                {search
                  ? "Search for the number of an entry, the id of a receipt or of a claim, or an address that a claim or published work is about."
                  : "Older ones may be there."}
              </p>
            </Empty>
          )}
          <ol className="entries">
            {entries.map((entry) => (
              <Entry key={entry.index} entry={entry} head={head} isOpen={linked !== null} />
            ))}
          </ol>
          {found.hasNextPage && (
            <button
              type="button"
              className="quiet"
              disabled={found.isFetchingNextPage}
              onClick={() => void found.fetchNextPage()}
            >
              {found.isFetchingNextPage ? "Asking…" : "Older entries"}
            </button>
          )}
        </>
      )}
    </section>
  );
}

const addressOf = (given: Readonly<Record<string, string>>) => {
  const asked = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ""));
  return asked.size > 0 ? `/log?${asked}` : "/log";
};

function Search({ search }: { readonly search: string }) {
  const [text, setText] = useState(search);
  const go = (event: FormEvent) => {
    event.preventDefault();
    navigate(addressOf({ search: text.trim() }));
  };
  return (
    <form className="lookup" onSubmit={go}>
      <label>
        Number, receipt id, claim id or address
        <input
          type="search"
          className="mono"
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <button type="submit">Search</button>
      {search !== "" && (
        <button type="button" className="quiet" onClick={() => navigate("/log")}>
          Show all
        </button>
      )}
    </form>
  );
}

function KindChoice({ kind, isOff }: { readonly kind: string; readonly isOff: boolean }) {
  return (
    <label className="entry-kinds">
      Show
      <select
        value={kind}
        disabled={isOff}
        onChange={(event) => navigate(addressOf({ kind: event.target.value }))}
      >
        <option value="">everything</option>
        {Object.entries(entryKinds).map(([name, words]) => (
          <option key={name} value={name}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Entry({
  entry,
  head,
  isOpen,
}: {
  readonly entry: LogEntry;
  readonly head: SeenHead;
  readonly isOpen: boolean;
}) {
  const [isAsked, setIsAsked] = useState(isOpen);
  const { title, detail, href, isKept } = describeEntry(entry);
  return (
    <li className={isKept ? "entry-row entry-kept" : "entry-row"}>
      <span className="mono soft entry-number">
        <span className="visually-hidden">Entry </span>
        {entry.index}
      </span>
      <div>
        <p className="entry-title">{href ? <Link href={href}>{title}</Link> : title}</p>
        {detail && !(isKept && !isAsked) && <p className="soft">{detail}</p>}
        <details open={isAsked} onToggle={({ currentTarget }) => setIsAsked(currentTarget.open)}>
          <summary>Prove it</summary>
          {entry.leaf && <pre className="entry-leaf">{entry.leaf}</pre>}
          {isAsked &&
            (entry.index < head.size ? (
              <EntryProof entry={entry} head={head} />
            ) : (
              <p>It is newer than the head above. Ask for the newest head, then prove it.</p>
            ))}
        </details>
      </div>
    </li>
  );
}
