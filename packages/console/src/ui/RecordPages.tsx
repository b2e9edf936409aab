import { Link } from "../routing/router.js";
import { isRecordPage, recordPages } from "./recordPages.js";

/** Leads from one page of records to the others. Part of the page, so that nothing above it moves. */
export function RecordPages({ path }: { readonly path: string }) {
  if (path === "/records" || !isRecordPage(path)) return null;
  return (
    <nav className="record-pages" aria-label="Records">
      {recordPages.map(([href, name]) => (
        <Link
          key={href}
          href={href}
          className="record-page"
          aria-current={path.startsWith(href) ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
