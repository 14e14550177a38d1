import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { type Connection, reportQuery, suiteQuery, suitesQuery } from "../data/queries.ts"
import { Empty, Loading, Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { count } from "../format/words.ts"
import type { Deviation } from "./orderOf.ts"
import { StartForm } from "./StartForm.tsx"

/** The suites for the partner's version and role; the chosen one with what it asks, and how to start it. */
export function SuiteChoice({ connection }: { readonly connection: Connection }) {
  const suites = useQuery(suitesQuery())
  const [view, change] = useView()
  const [byHand, setByHand] = useState(false)
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
            <ul className="columns">
              {fit.map(({ checkCount, description, id, mutating, name }) => (
                <li key={id} className={`card stack tight ${id === chosen?.id ? "chosen" : ""}`}>
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
                      onClick={() => {
                        change({ suite: id, module: undefined }, true)
                        setByHand(true)
                      }}
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
            {chosen === undefined ? null : (
              <Start key={chosen.id} connection={connection} id={chosen.id} scrolls={byHand} />
            )}
          </>
        )
      }}
    </Shown>
  )
}

/** Below the suites; whoever has chosen one by hand is led there. */
function Start({
  connection,
  id,
  scrolls
}: {
  readonly connection: Connection
  readonly id: string
  readonly scrolls: boolean
}) {
  const [view] = useView()
  const suite = useQuery(suiteQuery(id))
  const before = useQuery({ ...reportQuery(view["from"] ?? ""), enabled: view["from"] !== undefined })
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (scrolls) place.current?.scrollIntoView({ block: "start" })
  }, [scrolls])
  const isReady = view["from"] === undefined || before.data !== undefined || before.isError
  return (
    <div ref={place} className="start">
      <Shown of={suite}>
        {(data) =>
          isReady ? (
            <StartForm
              connection={connection}
              suite={data}
              given={toAccept(before.data?.order?.accept ?? [], view["accept"])}
            />
          ) : (
            <Loading />
          )
        }
      </Shown>
    </div>
  )
}

/** The failures that an earlier order accepted, and a row to fill in for one more. */
const toAccept = (
  accepted: ReadonlyArray<Deviation>,
  checkId: string | undefined
): ReadonlyArray<Deviation> =>
  checkId === undefined || accepted.some((one) => one.checkId === checkId)
    ? accepted
    : [...accepted, { checkId, reason: "", owner: "", expires: "" }]
