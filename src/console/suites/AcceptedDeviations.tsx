import { useId } from "react"
import { TextInput } from "../elements/TextInput.tsx"
import type { Deviation } from "./orderOf.ts"

const fields = [
  ["reason", "Why it is accepted", "text"],
  ["owner", "Who answers for it", "text"],
  ["expires", "Until", "date"]
] as const

/** Failures that the owner agrees to: each counts as a warning until its day, and the report says when it passes again. */
export function AcceptedDeviations({
  accepted,
  change,
  ids
}: {
  /** Ids of the suite's checks. */
  readonly ids: ReadonlyArray<string>
  readonly accepted: ReadonlyArray<Deviation>
  readonly change: (accepted: ReadonlyArray<Deviation>) => void
}) {
  const list = useId()
  const set = (index: number, patch: Partial<Deviation>) =>
    change(accepted.map((one, at) => (at === index ? { ...one, ...patch } : one)))
  return (
    <details open={accepted.length > 0}>
      <summary>Accepted deviations{accepted.length === 0 ? "" : `: ${accepted.length}`}</summary>
      <div className="stack">
        <p className="quiet small">
          The failure of a check that stands here counts as a warning until its day is over.
        </p>
        <datalist id={list}>
          {ids.map((id) => (
            <option key={id} value={id} />
          ))}
        </datalist>
        {accepted.map((one, index) => (
          // Rows have no other name than their place.
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <fieldset key={index} className="deviation">
            <legend className="unseen">Accepted deviation {index + 1}</legend>
            <label className="field">
              <span>Check</span>
              <TextInput
                type="text"
                required
                list={list}
                value={one.checkId}
                change={(checkId) => set(index, { checkId })}
              />
            </label>
            {fields.map(([name, label, type]) => (
              <label key={name} className="field">
                <span>{label}</span>
                <TextInput
                  type={type}
                  required
                  value={one[name]}
                  change={(text) => set(index, { [name]: text })}
                />
              </label>
            ))}
            <button
              type="button"
              className="button small"
              onClick={() => change(accepted.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </fieldset>
        ))}
        <div>
          <button
            type="button"
            className="button small"
            onClick={() => change([...accepted, { checkId: "", reason: "", owner: "", expires: "" }])}
          >
            Accept a deviation
          </button>
        </div>
      </div>
    </details>
  )
}
