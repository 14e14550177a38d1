import type { Assertion } from "../../client/plugfest.ts"
import { Chip, Chips } from "../elements/Chips.tsx"
import { SearchField } from "../elements/SearchField.tsx"
import { inWords } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
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
      <Chips label="Outcomes">
        {outcomes
          .filter((outcome) => running || counts[outcome] !== undefined)
          .map((outcome) => (
            <Chip
              key={outcome}
              isOn={wanted.includes(outcome)}
              press={() => change({ outcome: toggleOutcome(view["outcome"], outcome) })}
            >
              {inWords(outcome)} <b className={running ? "live" : undefined}>{counts[outcome] ?? 0}</b>
            </Chip>
          ))}
      </Chips>
      <SearchField of="checks" by="id, title, message" />
      {view["module"] === undefined ? null : (
        <Chip isOn={true} press={() => change({ module: undefined })}>
          {view["module"]} ×
        </Chip>
      )}
    </div>
  )
}
