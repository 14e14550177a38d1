import { Link } from "@tanstack/react-router"
import { Page } from "../elements/Page.tsx"
import { inWords } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { RunPages } from "./RunPages.tsx"

const kinds = ["conformance", "journey"] as const
const verdicts = ["fail", "warn", "pass", "inconclusive"] as const

/** All runs, newest first, by kind and verdict. */
export function RunsPage() {
  const [view, change] = useView()
  const kind = kinds.find((each) => each === view["kind"])
  const verdict = verdicts.find((each) => each === view["verdict"])
  const isWhole = kind === undefined && verdict === undefined
  return (
    <Page
      title="Runs"
      lead="Suites and journeys, newest first."
      actions={
        <Link to="/journeys/file" className="button">
          Look at an exported run
        </Link>
      }
    >
      <div className="row">
        <label className="row">
          <span>Kind</span>
          <select
            className="narrow"
            value={kind ?? ""}
            onChange={(event) => change({ kind: event.target.value })}
          >
            <option value="">All</option>
            <option value="conformance">Suites</option>
            <option value="journey">Journeys</option>
          </select>
        </label>
        <label className="row">
          <span>Verdict</span>
          <select
            className="narrow"
            value={verdict ?? ""}
            onChange={(event) => change({ verdict: event.target.value })}
          >
            <option value="">All</option>
            {verdicts.map((each) => (
              <option key={each} value={each}>
                {inWords(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <section className="card" aria-label="Runs">
        <RunPages
          filter={{ ...(kind === undefined ? {} : { kind }), ...(verdict === undefined ? {} : { verdict }) }}
          none={isWhole ? "No run yet. Start a suite or a journey." : "No run is like this."}
        >
          {isWhole ? (
            <Link to="/suites" className="button first">
              Test
            </Link>
          ) : undefined}
        </RunPages>
      </section>
    </Page>
  )
}
