import { type ReactNode, useEffect, useRef, useState } from "react";

/** On which sides the content goes on. */
type More = "start" | "end" | "both" | undefined;

/** Content that may be wider than the page scrolls on its own, by keyboard too, and fades where it goes on. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  const [more, setMore] = useState<More>();
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const update = () => setMore(findMore(element));
    const watcher = new ResizeObserver(update);
    watcher.observe(element);
    if (element.firstElementChild) watcher.observe(element.firstElementChild);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section ref={region} className="scroll" aria-label={label} tabIndex={0} data-more={more}>
      {children}
    </section>
  );
}

function findMore({ scrollLeft, scrollWidth, clientWidth }: HTMLElement): More {
  const isBefore = scrollLeft > 1;
  // Both are rounded, so a difference of one pixel means nothing.
  const isAfter = scrollWidth - clientWidth - scrollLeft > 1;
  return isBefore ? (isAfter ? "both" : "start") : isAfter ? "end" : undefined;
}
