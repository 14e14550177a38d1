import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { type Answer, type Connection, reportQuery, suiteQuery, suitesQuery } from "../data/queries.ts"
import { Empty, Loading, Shown } from "../elements/States.tsx"
import { asPages } from "../format/asPages.ts"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import type { Deviation } from "./orderOf.ts"
import { StartForm } from "./StartForm.tsx"

/** The suites that can be ordered for the partner: by version, role, hub and registration; what the chosen one asks, and its start. */
export function SuiteChoice({ connection }: { readonly connection: Connection }) {
  const suites = useQuery(suitesQuery())
  const [view, change] = useView()
  const [byHand, setByHand] = useState(false)
  return (
    <Shown of={suites}>
      {(all) => {
        const fit = all.filter(
          ({ id, ocpiVersion, theirRole }) =>
            ocpiVersion === connection.ocpiVersion &&
            theirRole === connection.theirRole &&
            id.endsWith("-hub") === (connection.hubClients !== undefined) &&
            !(id.endsWith("-registration") && connection.status === "registered")
        )
        const chosen = fit.find(({ id }) => id === view["suite"])
        const choose = (id: string, name: string) => (
          <button
            type="button"
            className="button small"
            aria-pressed={id === chosen?.id}
            aria-label={`${id === chosen?.id ? "Chosen" : "Choose"} ${name}`}
            onClick={() => {
              change({ suite: id, module: undefined }, { push: true })
              setByHand(true)
            }}
          >
            {id === chosen?.id ? "Chosen" : "Choose"}
          </button>
        )
        return (
          <>
            <ul className="columns">
              {fit
                .filter((suite) => !isOfOneModule(suite))
                .map(({ checkCount, description, id, mutating, name }) => (
                  <li key={id} className={`card stack tight ${id === chosen?.id ? "chosen" : ""}`}>
                    <h2>{name}</h2>
                    <p className="quiet">{asPages(description)}</p>
                    <p className="small">
                      {count(checkCount, "check")} ·{" "}
                      {mutating ? "writes at the partner, and cleans up" : "only reads"}
                    </p>
                    <div>{choose(id, name)}</div>
                  </li>
                ))}
            </ul>
            <section className="stack tight">
              <h2>Every rule of one module</h2>
              <ul className="module-suites">
                {fit.filter(isOfOneModule).map(({ checkCount, id, modules, mutating }) => (
                  <li key={id} className={`card row apart ${id === chosen?.id ? "chosen" : ""}`}>
                    <span>
                      <b>{modules[0]}</b>{" "}
                      <span className="quiet small">
                        {count(checkCount, "check")}, {mutating ? "writes" : "only reads"}
                      </span>
                    </span>
                    {choose(id, modules[0] ?? id)}
                  </li>
                ))}
              </ul>
            </section>
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

/** The suites of a module are named after it; those of few modules have other names. */
const isOfOneModule = ({ id, modules }: Answer<"testing.suites">[number]) =>
  modules.length === 1 && id.endsWith(`-${modules[0]}`)

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
