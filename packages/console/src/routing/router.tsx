import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from "react";

/** The address as React sees it: path and query. */
function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  return () => window.removeEventListener("popstate", listener);
}
const read = () => `${window.location.pathname}${window.location.search}`;

export function useLocation(): { readonly path: string; readonly query: URLSearchParams } {
  const [path = "/", query = ""] = useSyncExternalStore(subscribe, read).split("?");
  return { path, query: new URLSearchParams(query) };
}

export function navigate(to: string): void {
  if (to !== read()) window.history.pushState(null, "", to);
  window.dispatchEvent(new PopStateEvent("popstate"));
  window.scrollTo(0, 0);
}

/** Goes to an address that takes the place of this one, so that Back does not return to it. */
export function replaceAddress(to: string): void {
  window.history.replaceState(null, "", to);
  window.dispatchEvent(new PopStateEvent("popstate"));
}

/** A link within the console; with a modifier key or another button it is an ordinary one. */
export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    navigate(href);
  };
  return <a href={href} onClick={follow} {...rest} />;
}
