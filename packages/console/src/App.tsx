import { findCapability } from "@assay/client";
import { Suspense, useEffect, useRef } from "react";
import { PageBoundary } from "./routing/PageBoundary.js";
import { useLocation } from "./routing/router.js";
import { findPage, findRoute, forgetPage } from "./routing/routes.js";
import { useRefetchAfterRestart } from "./service/useRefetchAfterRestart.js";
import { RecordPages } from "./ui/RecordPages.js";
import { Shell } from "./ui/Shell.js";
import { Loading } from "./ui/Status.js";

/** The page that the address names, inside the frame all pages share. */
export function App() {
  const { path } = useLocation();
  useRefetchAfterRestart();
  const route = findRoute(path);
  const name = route?.page ?? "NotFound";
  const Page = findPage(name);
  const main = useRef<HTMLElement>(null);
  const [named] = Object.values(route?.params ?? {});
  const question = name === "Capability" ? findCapability(named ?? "")?.title : undefined;
  const title = (question ? [question, "Assay"] : [named, route?.title ?? "Not found", "Assay"])
    .filter(Boolean)
    .join(" · ");
  const isFirst = useRef(true);
  useEffect(() => {
    document.title = title;
    // A screen reader announces the new page as it announces a loaded one.
    // The frame stays in sight: where the page begins is the address's own matter.
    if (!isFirst.current) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [title]);
  return (
    <Shell path={path}>
      <main ref={main} id="main" tabIndex={-1}>
        <RecordPages key={`records of ${path}`} path={path} />
        <PageBoundary key={path} onRetry={() => forgetPage(name)}>
          <Suspense fallback={<Loading what="the page" />}>
            <Page params={route?.params ?? {}} />
          </Suspense>
        </PageBoundary>
      </main>
    </Shell>
  );
}
