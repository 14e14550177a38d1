import { Link } from "@tanstack/react-router"
import type { Connection } from "../data/queries.ts"
import { causeOfError } from "../format/lastError.ts"
import { Badge } from "./Badge.tsx"
import { ListRow } from "./ListRow.tsx"
import { Since, Time } from "./Time.tsx"

/** By the state of a registration: which party must act next, and how. Empty: the connection is registered. */
const acts: Readonly<Record<Connection["registration"]["state"], string>> = {
  unregistered: "You have to act: register, or invite the partner",
  invited: "The partner has to act: register with the Token A that you sent to it",
  registering: "The partner has to answer",
  rotating: "The partner has to answer",
  ending: "The partner has to answer",
  answering: "plugfest acts: it answers the partner",
  renewing: "plugfest acts: it answers the partner",
  registered: ""
}

/** A list row of one connection: state of its registration, time of that state, last error or URL, party that must act. */
export const ConnectionRow = ({
  connection: { _id, createdAt, invitation, label, lastError, partnerBaseUrl, registration, status }
}: {
  readonly connection: Connection
}) => (
  <ListRow
    state={<Badge word={status === "failed" ? status : registration.state} />}
    figure={
      invitation?.state === "expired" && registration.state === "unregistered"
        ? "You have to act: its invitation has expired"
        : acts[registration.state]
    }
    time={
      registration.state === "invited" && invitation !== null ? (
        <>
          invited <Time at={invitation.issuedAt} />
        </>
      ) : registration.since === undefined ? (
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
