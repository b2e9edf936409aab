import { Link } from "../routing/router.js";

export default function NotFound() {
  return (
    <>
      <h1>There is no such page</h1>
      <p>
        Go to the <Link href="/">start</Link>, where everything is listed, or{" "}
        <Link href="/sign">check a transaction</Link> before you sign it.
      </p>
    </>
  );
}
