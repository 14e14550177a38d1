import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { PlugfestError } from "../../client/plugfest.ts"
import { connectionQuery } from "../data/queries.ts"
import { entryOf } from "../format/lostRegistration.ts"

/** What to do after a run that could not begin because the partner has lost the registration: unregister, and register anew. */
export function RegistrationLost({ connectionId }: { readonly connectionId: string }) {
  const { data: connection, error } = useQuery(connectionQuery(connectionId))
  const isGone = error instanceof PlugfestError && error.status === 404
  if (connection === undefined && !isGone) return null
  return (
    <section className="card stack tight" aria-label="Register anew">
      <h2>Register anew</h2>
      <p>
        Nothing was graded: the partner has lost the registration, and its token opens nothing any more. Only
        a new registration helps.
      </p>
      {connection === undefined ? (
        <p>
          The connection of this run is unregistered already.{" "}
          <Link to="/connections/new">Enter the partner again</Link> with a new Token A.
        </p>
      ) : (
        <ol className="bullets numbers">
          <li>
            <Link
              to="/connections/$id"
              params={{ id: connectionId }}
              search={connection.hubClients === undefined ? { after: "enter" } : {}}
            >
              Unregister the connection {connection.label}
            </Link>
            . DELETE credentials is sent; plugfest forgets the registration whatever the partner answers.
          </li>
          <li>
            {connection.hubClients === undefined ? (
              <>
                Ask the partner for a new Token A, and{" "}
                <Link to="/connections/new" search={entryOf(connection)}>
                  enter the partner again
                </Link>
                : URL, role, version and label are filled in.
              </>
            ) : (
              "Ask the partner for a new Token A, and enter the partner again by the API or the command line, as a hub."
            )}
          </li>
        </ol>
      )}
    </section>
  )
}
