import { Link } from "@tanstack/react-router"
import type { Connection } from "../data/queries.ts"
import { causeOfError } from "../format/lastError.ts"
import { Badge } from "./Badge.tsx"
import { ListRow } from "./ListRow.tsx"
import { Since, Time } from "./Time.tsx"

/** Who has to do what for a registration to go on; nothing where it is there. */
const acts: Readonly<Record<Connection["registration"]["state"], string>> = {
  unregistered: "You have to act: register, or invite the partner",
  invited: "The partner has to act: register with the Token A of its invitation",
  registering: "The partner has to answer",
  rotating: "The partner has to answer",
  ending: "The partner has to answer",
  answering: "plugfest acts: it answers the partner",
  renewing: "plugfest acts: it answers the partner",
  registered: ""
}

/** A row of a connection: the state of its registration and since when, its last error, and who has to act. */
export const ConnectionRow = ({
  connection: { _id, createdAt, label, lastError, partnerBaseUrl, registration, status }
}: {
  readonly connection: Connection
}) => (
  <ListRow
    state={<Badge word={status === "failed" ? status : registration.state} />}
    figure={acts[registration.state]}
    time={
      registration.since === undefined ? (
        <>
          entered <Time at={createdAt} />
        </>
      ) : (
        <Since at={registration.since} />
      )
    }
  >
    <Link to="/connections/$id" params={{ id: _id }}>
      {label}
    </Link>
    <span className="quiet">{lastError === undefined ? partnerBaseUrl : causeOfError(lastError)}</span>
  </ListRow>
)
