import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { type Connection, connectionQuery, connectionsQuery } from "../data/queries.ts"
import { NoPartner } from "../elements/NoPartner.tsx"
import { Page } from "../elements/Page.tsx"
import { Loading, Shown } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { useView } from "../hooks/useView.ts"
import { isInput } from "./inputsOf.ts"
import { JourneyChoice } from "./JourneyChoice.tsx"
import { SuiteChoice } from "./SuiteChoice.tsx"

const kinds = [
  ["suites", "Suites"],
  ["journeys", "Journeys"]
] as const

/** Chooses a partner and what to test it with: a suite of checks, or a journey. */
export function SuitesPage() {
  const connections = useQuery(connectionsQuery())
  const [view, change] = useView()
  // One that is not among the newest is read by itself.
  const wanted = view["connection"]
  const older = useQuery({
    ...connectionQuery(wanted ?? ""),
    enabled: wanted !== undefined && connections.data?.every(({ _id }) => _id !== wanted) === true
  })
  const kind = tabOf(kinds, view, "kind")
  return (
    <Page title="Test" lead="A suite grades rule by rule. A journey plays a story of several messages.">
      <Shown of={connections}>
        {(list) => {
          const ready = list.filter(({ status }) => status === "registered")
          const named = list.find(({ _id }) => _id === view["connection"]) ?? older.data
          if (named === undefined && older.isLoading) return <Loading />
          const chosen = named ?? ready[0] ?? list[0]
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
                      change({
                        ...Object.fromEntries(
                          Object.keys(view)
                            .filter(isInput)
                            .map((part) => [part, undefined])
                        ),
                        connection: event.target.value,
                        suite: undefined,
                        failed: undefined,
                        from: undefined
                      })
                    }
                  >
                    {[...list, ...(list.includes(chosen) ? [] : [chosen])].map(
                      ({ _id, label, ocpiVersion, status, theirRole }) => (
                        <option key={_id} value={_id}>
                          {label} · {theirRole} {ocpiVersion} · {status}
                        </option>
                      )
                    )}
                  </select>
                </label>
              </div>
              <Tabs label="What to play" part="kind" tabs={kinds} />
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
