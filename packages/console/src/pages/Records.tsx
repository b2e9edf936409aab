import "../styles/records.css";
import { Link } from "../routing/router.js";
import { recordPages } from "../ui/recordPages.js";

/** Everything that is kept and can be read again by anybody. */
export default function Records() {
  return (
    <>
      <h1>Records</h1>
      <p className="lead">
        What was sold, promised and paid. Everybody can read it, and check it without trusting us.
      </p>
      <ul className="record-list">
        {recordPages.map(([href, name, words]) => (
          <li key={href} className="card">
            <h2 className="record-name">
              <Link href={href}>{name}</Link>
            </h2>
            <p className="record-words">{words}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
