import type { ReactNode } from "react";

/** What may be wider than the page scrolls by itself, by keyboard too. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section className="scroll" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
