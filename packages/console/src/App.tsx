import { lazy, Suspense, useEffect, useRef } from "react";
import { useLocation } from "./routing/router.js";
import { findRoute } from "./routing/routes.js";
import { Shell } from "./ui/Shell.js";
import { Loading } from "./ui/Status.js";

const NotFound = lazy(() => import("./pages/NotFound.js"));

/** The page that the address names, inside the frame all pages share. */
export function App() {
  const { path } = useLocation();
  const route = findRoute(path);
  const Page = route?.page ?? NotFound;
  const main = useRef<HTMLElement>(null);
  const [named] = Object.values(route?.params ?? {});
  const title = [named, route?.title ?? "Not found", "Assay"].filter(Boolean).join(" · ");
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = title;
    // A screen reader hears of the new page as it would of a loaded one.
    if (!isFirst.current) main.current?.focus();
    isFirst.current = false;
  }, [title]);
  return (
    <Shell path={path}>
      <main ref={main} id="main" tabIndex={-1}>
        <Suspense fallback={<Loading what="the page" />}>
          <Page key={path} params={route?.params ?? {}} />
        </Suspense>
      </main>
    </Shell>
  );
}
