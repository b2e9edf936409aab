/** A day of UTC, from its ISO 8601 date. */
export function Day({ day }: { readonly day: string }) {
  const text = new Date(day).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
  return (
    <time dateTime={day} title={day}>
      {text}
    </time>
  );
}

/** A point in time as people here write it; the exact one is its title. */
export function Moment({ at }: { readonly at: string }) {
  const text = new Date(at).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "long" });
  return (
    <time dateTime={at} title={at}>
      {text}
    </time>
  );
}
