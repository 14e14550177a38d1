import { Link } from "@tanstack/react-router"
import type { Connection } from "../data/queries.ts"
import { causeOfError } from "../format/lastError.ts"
import { Badge } from "./Badge.tsx"
import { ListRow } from "./ListRow.tsx"
import { Time } from "./Time.tsx"

/** A row of a connection: the state of its registration, and its last error, or else its URL. */
export const ConnectionRow = ({
  connection: { _id, createdAt, label, lastError, partnerBaseUrl, status }
}: {
  readonly connection: Connection
}) => (
  <ListRow
    state={<Badge word={status} />}
    time={
      <>
        entered <Time at={createdAt} />
      </>
    }
  >
    <Link to="/connections/$id" params={{ id: _id }}>
      {label}
    </Link>
    <span className="quiet">{lastError === undefined ? partnerBaseUrl : causeOfError(lastError)}</span>
  </ListRow>
)
