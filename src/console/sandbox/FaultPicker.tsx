import { useState } from "react"
import type { Answer } from "../data/queries.ts"
import { TextInput } from "../elements/TextInput.tsx"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"

const most = 60

/**
 * Switches faults on and off; each is in force from the partner's next answer. `on`: those that are, or are about to be, as far as
 * the page is drawn; `set` gives those that were asked for last.
 */
export function FaultPicker({
  library,
  on,
  set
}: {
  readonly library: Answer<"sandbox.faults">
  readonly on: ReadonlyArray<string>
  readonly set: (change: (asked: ReadonlyArray<string>) => ReadonlyArray<string>) => void
}) {
  const [view, change] = useView()
  const text = view["fault"] ?? ""
  const words = text.toLowerCase().split(/\s+/)
  // A fault that is switched keeps its place, and with it the focus.
  const [first] = useState(() => new Set(on))
  const found = library
    .filter(({ caughtBy, description, id }) =>
      words.every((word) => `${id} ${description} ${caughtBy.join(" ")}`.toLowerCase().includes(word))
    )
    .toSorted((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)))
  return (
    <div className="stack tight">
      <div className="row">
        <TextInput
          type="search"
          className="search"
          aria-label="Search faults"
          placeholder={`Search ${count(library.length, "fault")} by module, words or check`}
          value={text}
          change={(fault) => change({ fault })}
        />
        {on.length === 0 ? null : (
          <button type="button" className="button" onClick={() => set(() => [])}>
            Switch all off
          </button>
        )}
      </div>
      <ul className="fault-list">
        {found.slice(0, most).map(({ caughtBy, description, id }) => (
          <li key={id}>
            <label className="choice">
              <input
                type="checkbox"
                checked={on.includes(id)}
                onChange={() =>
                  set((asked) => (asked.includes(id) ? asked.filter((each) => each !== id) : [...asked, id]))
                }
              />
              <span>
                {description}
                <br />
                <span className="quiet small">
                  <span className="mono">{id}</span>, found by {caughtBy.join(", ")}
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > most ? (
        <p className="quiet small">And {found.length - most} more: search for them.</p>
      ) : null}
    </div>
  )
}
