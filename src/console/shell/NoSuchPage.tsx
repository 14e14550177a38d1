import { Link } from "@tanstack/react-router"
import { Page } from "../elements/Page.tsx"
import { Empty } from "../elements/States.tsx"

/** In place of a page, where the path leads to none. */
export const NoSuchPage = () => (
  <Page title="There is no such page">
    <section className="card">
      <Empty>
        <p>The address may be cut off, or of another release of the console.</p>
        <Link to="/" className="button">
          Home
        </Link>
      </Empty>
    </section>
  </Page>
)
