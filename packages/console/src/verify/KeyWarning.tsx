import "../styles/records.css";
import type { ReactNode } from "react";
import { Facts } from "../ui/Facts.js";
import type { Trust } from "./anchors.js";

/** An alarm, because a change of keys is either announced or an attack. */
export function KeyWarning({ trust: { changed, acceptStated } }: { readonly trust: Trust }) {
  if (changed.length === 0) return null;
  return (
    <div className="alarm" role="alert">
      <p className="alarm-title">The service states other keys than this browser knows</p>
      <Facts
        rows={changed.flatMap(({ name, known, stated }): [string, ReactNode][] => [
          [
            `${name}, known`,
            <span key="known" className="mono">
              {known}
            </span>,
          ],
          [
            `${name}, stated now`,
            <span key="stated" className="mono bad">
              {stated}
            </span>,
          ],
        ])}
      />
      <p>
        Someone may be intercepting your connection, or the service was replaced. Everything is still checked
        against the known keys. Accept the new ones only if the operator announced them to you elsewhere.
      </p>
      <button type="button" className="quiet" onClick={acceptStated}>
        Accept the new keys
      </button>
    </div>
  );
}
