import type { Trust } from "./anchors.js";

/** Loud, because it is either announced or an attack. */
export function KeyWarning({ trust: { changed, acceptStated } }: { readonly trust: Trust }) {
  if (changed.length === 0) return null;
  return (
    <div className="alarm" role="alert">
      <p className="alarm-title">The service states other keys than this browser knows</p>
      {changed.map(({ name, known, stated }) => (
        <dl key={name} className="facts">
          <dt>{name}, known</dt>
          <dd className="mono">{known}</dd>
          <dt>{name}, stated now</dt>
          <dd className="mono bad">{stated}</dd>
        </dl>
      ))}
      <p>
        Somebody may be standing between you and the service, or it was replaced. Everything is still checked
        against the known keys. Accept the new ones only if the operator announced them to you elsewhere.
      </p>
      <button type="button" className="quiet" onClick={acceptStated}>
        Accept the new keys
      </button>
    </div>
  );
}
