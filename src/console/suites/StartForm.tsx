import { useMutation, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { client } from "../data/client.ts"
import type { Answer, Connection } from "../data/queries.ts"
import { runsBesideQuery } from "../data/reportQueries.ts"
import { Failure } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"
import { duration } from "../format/time.ts"
import { count } from "../format/words.ts"
import { AcceptedDeviations } from "./AcceptedDeviations.tsx"
import { askedOf, type Deviation, needsIn, needWords, orderOf, toggleNeed } from "./orderOf.ts"

/** What a mode means for the partner. */
const modes: Readonly<Record<string, string>> = {
  RO: "only read",
  OBS: "observe what the partner sends",
  MUT: "write, and clean up",
  RISK: "may end the registration"
}

/** What the chosen suite asks, what is left out or accepted, and the start of the run. */
export function StartForm({
  connection,
  suite
}: {
  readonly connection: Connection
  readonly suite: Answer<"testing.suite">
}) {
  const navigate = useNavigate()
  const [view, change] = useView()
  const [accept, setAccept] = useState<ReadonlyArray<Deviation>>([])
  const chosen = view["module"]?.split(".") ?? []
  const modules = useMemo(() => [...new Set(suite.checks.map(({ module }) => module))], [suite])
  const asked = askedOf(suite.checks, view)
  const byMode = Object.entries(modes)
    .map(([mode, words]) => [words, asked.filter((check) => check.mode === mode).length] as const)
    .filter(([, many]) => many > 0)
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.testing.startRun({ body: orderOf(connection._id, suite.id, view, accept) }),
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
        {count(asked.length, "check")}: {byMode.map(([words, many]) => `${many} ${words}`).join(", ")}.{" "}
        <Earlier connectionId={connection._id} suiteId={suite.id} />
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
            value={view["checks"] ?? ""}
            onChange={({ target }) => change({ checks: target.value })}
          />
        </label>
        <FailedOf connectionId={connection._id} />
        <label className="field">
          <span>Listen for the partner, in seconds</span>
          <input
            type="number"
            min={0}
            max={600}
            placeholder="as the suite does"
            value={view["listen"] ?? ""}
            onChange={({ target }) => change({ listen: target.value })}
          />
        </label>
      </div>
      <fieldset className="stack tight">
        <legend>The verdict is also about</legend>
        {needWords.map(([need, words]) => (
          <label key={need} className="choice">
            <input
              type="checkbox"
              checked={needsIn(view["needs"]).includes(need)}
              onChange={() => change({ needs: toggleNeed(view["needs"], need) })}
            />
            <span>{words}</span>
          </label>
        ))}
        <small className="quiet">
          What cannot be judged for want of one that is left out does not count.
        </small>
      </fieldset>
      <label className="choice">
        <input
          type="checkbox"
          checked={view["profile"] === "strict"}
          onChange={({ target }) => change({ profile: target.checked ? "strict" : undefined })}
        />
        <span>Strict profile: what the lenient one forgives counts</span>
      </label>
      <AcceptedDeviations ids={suite.checks.map(({ id }) => id)} accepted={accept} change={setAccept} />
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="submit" className="button first" disabled={isPending || asked.length === 0}>
          {isPending ? "Starting…" : "Start the run"}
        </button>
      </div>
      <Asked checks={asked} />
    </form>
  )
}

/** How long the last run of this suite with the partner took. */
function Earlier({ connectionId, suiteId }: { readonly connectionId: string; readonly suiteId: string }) {
  const { data } = useQuery(runsBesideQuery("conformance", { connectionId }))
  const last = data?.find(
    (run) => run.suiteId === suiteId && run.finishedAt !== null && run.startedAt !== null
  )
  if (last === undefined) return null
  const millis = Date.parse(last.finishedAt ?? "") - Date.parse(last.startedAt ?? "")
  return (
    <>
      The last run asked {last.progress.of} and took {duration(millis)}.
    </>
  )
}

/** Only what failed in an earlier run with the partner. */
function FailedOf({ connectionId }: { readonly connectionId: string }) {
  const { data = [] } = useQuery(runsBesideQuery("conformance", { connectionId }))
  const [view, change] = useView()
  const failed = data.filter(({ summary }) => summary.failed > 0)
  const chosen = view["failed"]
  return (
    <label className="field">
      <span>Only what failed in</span>
      <select value={chosen ?? ""} onChange={({ target }) => change({ failed: target.value })}>
        <option value="">– no earlier run –</option>
        {chosen === undefined || failed.some(({ _id }) => _id === chosen) ? null : (
          <option value={chosen}>{chosen}</option>
        )}
        {failed.map(({ _id, createdAt, suiteId, summary }) => (
          <option key={_id} value={_id}>
            {new Date(createdAt).toLocaleString()} · {suiteId} · {summary.failed} failed
          </option>
        ))}
      </select>
    </label>
  )
}

const Asked = ({ checks }: { readonly checks: ReturnType<typeof askedOf> }) => (
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
        {checks.map(({ id, passes, reference, sends, strength, title }) => (
          <tr key={id}>
            <td className="mono">{id}</td>
            <td>
              {title}
              <br />
              <span className="quiet small">
                {reference}. {sends} Passes: {passes}
              </span>
            </td>
            <td>{strength}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </details>
)
