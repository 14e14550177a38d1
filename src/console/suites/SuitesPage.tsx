import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type Connection, connectionsQuery } from "../data/queries.ts"
import { NoPartner } from "../elements/NoPartner.tsx"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { JourneyChoice } from "./JourneyChoice.tsx"
import { SuiteChoice } from "./SuiteChoice.tsx"

/** Chooses a partner and what to test it with: a suite of checks, or a journey. */
export function SuitesPage() {
  const connections = useQuery(connectionsQuery())
  const [view, change] = useView()
  const kind = view["kind"] === "journeys" ? "journeys" : "suites"
  return (
    <Page title="Test" lead="A suite grades rule by rule. A journey plays a story of several messages.">
      <Shown of={connections}>
        {(list) => {
          const ready = list.filter(({ status }) => status === "registered")
          const chosen = list.find(({ _id }) => _id === view["connection"]) ?? ready[0] ?? list[0]
          return chosen === undefined ? (
            <section className="card">
              <NoPartner>There is no partner to test yet.</NoPartner>
            </section>
          ) : (
            <>
              <div className="row">
                <label className="row">
                  <b>Partner</b>
                  <select
                    className="narrow"
                    value={chosen._id}
                    onChange={(event) =>
                      change({ connection: event.target.value, suite: undefined, journey: undefined })
                    }
                  >
                    {list.map(({ _id, label, ocpiVersion, status, theirRole }) => (
                      <option key={_id} value={_id}>
                        {label} · {theirRole} {ocpiVersion} · {status}
                      </option>
                    ))}
                  </select>
                </label>
                <div className="chips" role="group" aria-label="What to play">
                  {(["suites", "journeys"] as const).map((each) => (
                    <button
                      key={each}
                      type="button"
                      className="chip"
                      aria-pressed={each === kind}
                      onClick={() => change({ kind: each }, true)}
                    >
                      {each === "suites" ? "Suites" : "Journeys"}
                    </button>
                  ))}
                </div>
              </div>
              <NotReady connection={chosen} />
              {kind === "suites" ? (
                <SuiteChoice connection={chosen} />
              ) : (
                <JourneyChoice connection={chosen} />
              )}
            </>
          )
        }}
      </Shown>
    </Page>
  )
}

const NotReady = ({ connection: { _id, status } }: { readonly connection: Connection }) =>
  status === "registered" ? null : (
    <p className="note warn">
      This partner is not registered: most suites and all journeys need it.{" "}
      <Link to="/connections/$id" params={{ id: _id }}>
        Register with it
      </Link>
    </p>
  )
