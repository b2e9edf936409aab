import { type ReactNode, useEffect, useRef, useState } from "react";

/** Where more is to be found than is seen. */
type More = "start" | "end" | "both" | undefined;

/** What may be wider than the page scrolls by itself, by keyboard too, and fades where it goes on. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  const [more, setMore] = useState<More>();
  useEffect(() => {
    const element = region.current;
    if (!element) return;
    const look = () => setMore(findMore(element));
    const watcher = new ResizeObserver(look);
    watcher.observe(element);
    if (element.firstElementChild) watcher.observe(element.firstElementChild);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      watcher.disconnect();
      element.removeEventListener("scroll", look);
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
  // Both are rounded, so that one pixel is none.
  const isAfter = scrollWidth - clientWidth - scrollLeft > 1;
  return isBefore ? (isAfter ? "both" : "start") : isAfter ? "end" : undefined;
}
