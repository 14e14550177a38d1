import { useQuery } from "@tanstack/react-query"
import { type Connection, suiteQuery, suitesQuery } from "../data/queries.ts"
import { Empty, Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { count } from "../format/words.ts"
import { StartForm } from "./StartForm.tsx"

/** The suites for the partner's version and role; the chosen one with what it asks, and how to start it. */
export function SuiteChoice({ connection }: { readonly connection: Connection }) {
  const suites = useQuery(suitesQuery())
  const [view, change] = useView()
  return (
    <Shown of={suites}>
      {(all) => {
        const fit = all.filter(
          ({ ocpiVersion, theirRole }) =>
            ocpiVersion === connection.ocpiVersion && theirRole === connection.theirRole
        )
        const chosen = fit.find(({ id }) => id === view["suite"])
        return (
          <>
            {chosen === undefined ? null : <Start key={chosen.id} connection={connection} id={chosen.id} />}
            <ul className="columns">
              {fit.map(({ checkCount, description, id, mutating, name }) => (
                <li key={id} className="card stack tight">
                  <h2>{name}</h2>
                  <p className="quiet">{description}</p>
                  <p className="small">
                    {count(checkCount, "check")} ·{" "}
                    {mutating ? "writes at the partner, and cleans up" : "only reads"}
                  </p>
                  <div>
                    <button
                      type="button"
                      className="button"
                      aria-pressed={id === chosen?.id}
                      onClick={() => change({ suite: id, module: undefined }, true)}
                    >
                      {id === chosen?.id ? "Chosen" : "Choose"}
                    </button>
                  </div>
                </li>
              ))}
            </ul>
            {fit.length === 0 ? (
              <Empty>
                <p>No suite is for this version and role.</p>
              </Empty>
            ) : null}
          </>
        )
      }}
    </Shown>
  )
}

function Start({ connection, id }: { readonly connection: Connection; readonly id: string }) {
  const suite = useQuery(suiteQuery(id))
  return <Shown of={suite}>{(data) => <StartForm connection={connection} suite={data} />}</Shown>
}
