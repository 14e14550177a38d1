import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, type Connection, suiteQuery, suitesQuery } from "../data/queries.ts"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { count } from "../format/words.ts"

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

/** What a mode means for the partner. */
const modes: Readonly<Record<string, string>> = {
  RO: "only read",
  OBS: "observe what the partner sends",
  MUT: "write, and clean up",
  RISK: "may end the registration"
}

function Start({ connection, id }: { readonly connection: Connection; readonly id: string }) {
  const suite = useQuery(suiteQuery(id))
  return <Shown of={suite}>{(data) => <StartForm connection={connection} suite={data} />}</Shown>
}

function StartForm({
  connection,
  suite
}: {
  readonly connection: Connection
  readonly suite: Answer<"testing.suite">
}) {
  const navigate = useNavigate()
  const [view, change] = useView()
  const [strict, setStrict] = useState(false)
  const [listen, setListen] = useState("")
  const [pattern, setPattern] = useState("")
  const chosen = view["module"]?.split(".") ?? []
  const modules = useMemo(() => [...new Set(suite.checks.map(({ module }) => module))], [suite])
  const asked = suite.checks.filter(({ module }) => chosen.length === 0 || chosen.includes(module))
  const byMode = Object.entries(modes)
    .map(([mode, words]) => [words, asked.filter((check) => check.mode === mode).length] as const)
    .filter(([, many]) => many > 0)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      client.testing.startRun({
        body: {
          connectionId: connection._id,
          suiteId: suite.id,
          profile: strict ? "strict" : "lenient",
          ...(chosen.length === 0 ? {} : { modules: chosen }),
          ...(pattern.trim() === "" ? {} : { checks: pattern.trim().split(/[\s,]+/) }),
          ...(listen === "" ? {} : { listenSeconds: Number(listen) })
        }
      }),
    onSuccess: ({ _id }) => navigate({ to: "/runs/$id", params: { id: _id } })
  })
  return (
    <form
      className="card stack"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <h2>Start: {suite.name}</h2>
      <p>
        {count(asked.length, "check")}: {byMode.map(([words, many]) => `${many} ${words}`).join(", ")}.
      </p>
      <fieldset>
        <legend>Modules</legend>
        <div className="chips">
          {modules.map((module) => (
            <button
              key={module}
              type="button"
              className="chip"
              aria-pressed={chosen.includes(module)}
              onClick={() =>
                change({
                  module: (chosen.includes(module)
                    ? chosen.filter((each) => each !== module)
                    : [...chosen, module]
                  ).join(".")
                })
              }
            >
              {module}
            </button>
          ))}
        </div>
        <small className="quiet">None chosen: all of them.</small>
      </fieldset>
      <div className="columns">
        <label className="field">
          <span>Only these checks</span>
          <input
            type="text"
            placeholder="LOC-0*, PAGE-009"
            value={pattern}
            onChange={(event) => setPattern(event.target.value)}
          />
        </label>
        <label className="field">
          <span>Listen for the partner, in seconds</span>
          <input
            type="number"
            min={0}
            max={600}
            placeholder="as the suite does"
            value={listen}
            onChange={(event) => setListen(event.target.value)}
          />
        </label>
      </div>
      <label className="choice">
        <input type="checkbox" checked={strict} onChange={(event) => setStrict(event.target.checked)} />
        <span>Strict profile: what the lenient one forgives counts</span>
      </label>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="submit" className="button first" disabled={isPending || asked.length === 0}>
          {isPending ? "Starting…" : "Start the run"}
        </button>
      </div>
      <details>
        <summary>What will be asked</summary>
        <table className="rows">
          <thead>
            <tr>
              <th>Check</th>
              <th>Rule</th>
              <th>Strength</th>
            </tr>
          </thead>
          <tbody>
            {asked.map(({ id, reference, strength, title }) => (
              <tr key={id}>
                <td className="mono">{id}</td>
                <td>
                  {title}
                  <br />
                  <span className="quiet small">{reference}</span>
                </td>
                <td>{strength}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </form>
  )
}
