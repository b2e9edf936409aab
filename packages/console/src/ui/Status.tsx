import { ProblemError, ServiceUnreachableError, UnexpectedResponseError } from "@assay/client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useHealth } from "../service/assay.js";
import { Moment } from "./Moment.js";

/** Holds the place of something that is being fetched, so that nothing jumps when it arrives. */
export function Loading({ what, lines = 3 }: { readonly what: string; readonly lines?: number }) {
  return (
    <div className="loading" role="status">
      <span className="visually-hidden">Loading {what}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
        <div className="skeleton" key={line} aria-hidden="true" />
      ))}
    </div>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="notice">
      <p className="notice-title">{title}</p>
      {children}
    </div>
  );
}

/** An error in the words of the client, and what to do next. */
export function Failure({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: (() => void) | undefined;
}) {
  const isOffline = error instanceof ServiceUnreachableError || !navigator.onLine;
  const title = isOffline
    ? "The service cannot be reached"
    : isAway(error)
      ? "The service is not available just now"
      : error instanceof ProblemError && error.status === 404
        ? "There is nothing here"
        : "That did not work";
  return (
    <div className="notice notice-bad" role="alert">
      <p className="notice-title">{title}</p>
      <p>
        {isAway(error)
          ? "It may be restarting or too busy. Nothing is lost; try again in a moment."
          : describe(error)}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Answered by a proxy before the service, or by the service as it stops. */
const isAway = (error: unknown) =>
  (error instanceof ProblemError || error instanceof UnexpectedResponseError) &&
  [502, 503, 504].includes(error.status) &&
  !(error instanceof ProblemError && error.code in { chain_head_stale: 1, web_page_unavailable: 1 });

/** Wallets explain at length what they refused; the first line is enough. */
const describe = (error: unknown) => (error instanceof Error ? error.message.split("\n")[0] : String(error));

/** The data of a query, or its state. */
export function Fetched<T>({
  query,
  what,
  isOwn = false,
  children,
}: {
  readonly query: UseQueryResult<T>;
  readonly what: string;
  /** Whether it came with the console, so that it is the same while the service is away. */
  readonly isOwn?: boolean;
  readonly children: (data: T) => ReactNode;
}) {
  const isDown = useHealth().error !== null && !isOwn;
  if (query.data !== undefined)
    return (
      <>
        {isDown && (
          // Over the page's end: a service that is away for a moment must not push down what somebody reads.
          <div className="notice notice-bad away" role="alert">
            <p className="notice-title">The service does not answer</p>
            <p>
              This page shows what it returned at <Moment at={new Date(query.dataUpdatedAt).toISOString()} />,
              which may have changed. It updates once the service is back.
            </p>
          </div>
        )}
        {children(query.data)}
      </>
    );
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <Loading what={what} />;
}
