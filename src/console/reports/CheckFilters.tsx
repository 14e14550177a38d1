import type { Assertion } from "../../client/plugfest.ts"
import { TextInput } from "../elements/TextInput.tsx"
import { useView } from "../elements/useView.ts"
import { inWords } from "../format/words.ts"
import { countOutcomes, outcomes, toggleOutcome } from "./groupChecks.ts"

/**
 * Chips that filter by outcome, and the search; both stand in the URL. `running`: each outcome has its chip from the start, so that
 * none moves when another one is met.
 */
export function CheckFilters({
  checks,
  running
}: {
  readonly checks: ReadonlyArray<Assertion>
  readonly running: boolean
}) {
  const [view, change] = useView()
  const counts = countOutcomes(checks)
  const wanted = view["outcome"]?.split(".") ?? []
  return (
    <div className="row">
      <div className="chips" role="group" aria-label="Outcomes">
        {outcomes
          .filter((outcome) => running || counts[outcome] !== undefined)
          .map((outcome) => (
            <button
              key={outcome}
              type="button"
              className="chip"
              aria-pressed={wanted.includes(outcome)}
              onClick={() => change({ outcome: toggleOutcome(view["outcome"], outcome) })}
            >
              {inWords(outcome)} <b className={running ? "live" : undefined}>{counts[outcome] ?? 0}</b>
            </button>
          ))}
      </div>
      <TextInput
        type="search"
        className="search"
        aria-label="Search checks"
        placeholder="Search id, title, message"
        value={view["q"] ?? ""}
        change={(q) => change({ q })}
      />
      {view["module"] === undefined ? null : (
        <button
          type="button"
          className="chip"
          aria-pressed="true"
          onClick={() => change({ module: undefined })}
        >
          {view["module"]} ×
        </button>
      )}
    </div>
  )
}
