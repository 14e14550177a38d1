import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { queries } from "../data/queries.ts"
import { keysQuery } from "../data/settingsQueries.ts"
import { Failure } from "../elements/States.tsx"

const scopes = [
  ["read", "Looks at connections, runs, reports and machines; changes nothing."],
  ["run", "Starts, answers and stops suites and journeys, sends commands, and makes sandbox partners."],
  ["connections:write", "Enters partners, registers, rotates tokens, unregisters."],
  ["keys:write", "Makes, rolls and revokes API keys, none with more than it may do itself."],
  ["personal:read", "Sees personal data of drivers in exports, which are masked without it."]
] as const
const longest = 3650

/** Reads the list of keys again. */
export const refreshKeys = () => queries.invalidateQueries({ queryKey: keysQuery().queryKey })

/** Makes a key: what it may do, and until when. `onIssued` is told its secret, which no other answer has. */
export function NewKey({ onIssued }: { readonly onIssued: (key: string) => void }) {
  const [name, setName] = useState("")
  const [days, setDays] = useState("90")
  const [chosen, setChosen] = useState<ReadonlyArray<(typeof scopes)[number][0]>>(["read", "run"])
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      client.settings.createKey({
        body: {
          name: name.trim(),
          scopes: chosen,
          ...(days.trim() === "" ? {} : { expiresInDays: Number(days) })
        }
      }),
    onSuccess: async ({ key }) => {
      setName("")
      onIssued(key)
      await refreshKeys()
    }
  })
  return (
    <form
      className="card stack form"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <h2>New API key</h2>
      <div className="columns">
        <label className="field">
          <span>Name</span>
          <input
            type="text"
            required
            maxLength={100}
            placeholder="ci"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label className="field">
          <span>Expires after days</span>
          <input
            type="number"
            min={1}
            max={longest}
            placeholder="never"
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
          <small>Left empty, the key does not expire.</small>
        </label>
      </div>
      <fieldset>
        <legend>Scopes</legend>
        {scopes.map(([scope, meaning]) => (
          <label key={scope} className="choice">
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              onChange={() =>
                setChosen(
                  chosen.includes(scope) ? chosen.filter((each) => each !== scope) : [...chosen, scope]
                )
              }
            />
            <span>
              <span className="mono">{scope}</span> <span className="quiet small">{meaning}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="submit" className="button first" disabled={isPending || chosen.length === 0}>
          Make the key
        </button>
      </div>
    </form>
  )
}
