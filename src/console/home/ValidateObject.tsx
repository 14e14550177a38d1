import { useMutation, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, suitesQuery, versionsOf } from "../data/queries.ts"
import { Failure } from "../elements/States.tsx"
import { Body } from "../exchanges/ExchangeView.tsx"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"

type Report = Answer<"testing.validate">
const objects = [
  ...["Location", "EVSE", "Connector", "Session", "CDR", "Tariff", "Token"],
  ...["Credentials", "CommandResponse", "CommandResult", "VersionDetails"]
] as const satisfies ReadonlyArray<Report["object"]>

/** Whoever asks for the form pastes next. */
const focus = (area: HTMLTextAreaElement | null) => area?.focus()

/** Validates one pasted object, which may hold personal data: it is the one thing of the form that is not in the URL. */
export function ValidateObject() {
  const suites = useQuery(suitesQuery())
  const versions = versionsOf(suites.data)
  const [view, change] = useView()
  const version = versions.find((each) => each === view["version"]) ?? versions.at(-1)
  const object = objects.find((each) => each === view["object"]) ?? "Location"
  const [text, setText] = useState("")
  const check = useMutation({
    mutationFn: (json: unknown) => client.testing.validate({ body: { ocpiVersion: version!, object, json } })
  })
  const [notJson, setNotJson] = useState<string>()
  return (
    <section className="card stack" aria-label="The object to validate">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          try {
            setNotJson(undefined)
            check.mutate(JSON.parse(text))
          } catch (error) {
            check.reset()
            setNotJson(`This is not JSON: ${error instanceof Error ? error.message : error}`)
          }
        }}
      >
        <div className="columns">
          <label className="field">
            <span>Object</span>
            <select value={object} onChange={({ target }) => change({ object: target.value })}>
              {objects.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
          <label className="field">
            <span>OCPI version</span>
            <select value={version ?? ""} onChange={({ target }) => change({ version: target.value })}>
              {versions.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        </div>
        <label className="field">
          <span>JSON</span>
          <textarea
            ref={focus}
            spellCheck={false}
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div>
          <button type="submit" className="button" disabled={check.isPending || version === undefined}>
            Validate
          </button>
        </div>
      </form>
      {notJson === undefined ? null : <p className="note bad">{notJson}</p>}
      {check.isError ? <Failure error={check.error} /> : null}
      {check.data === undefined ? null : <Violations report={check.data} text={text} />}
    </section>
  )
}

function Violations({ report, text }: { readonly report: Report; readonly text: string }) {
  const [view, change] = useView()
  const { object, ocpiVersion, section, unknownFields, valid, violationCount, violations } = report
  const chosen = violations.find(({ pointer }) => (pointer === "" ? "/" : pointer) === view["place"])
  return (
    <div className="stack" aria-live="polite">
      <p className={`note ${valid ? "good" : "bad"}`}>
        {valid
          ? `A valid ${object} of OCPI ${ocpiVersion}.`
          : `${count(violationCount, "violation")} of ${section}, OCPI ${ocpiVersion}.`}
        {unknownFields.length === 0 ? "" : ` Fields that OCPI does not have: ${unknownFields.join(", ")}.`}
      </p>
      {violations.length === 0 ? null : (
        <div className="columns">
          <ol className="stack tight">
            {violations.map(({ actual, expected, message, pointer, rule }) => (
              <li key={`${pointer} ${rule} ${message}`} className="note">
                <button
                  type="button"
                  className="button small plain mono"
                  onClick={() => change({ place: pointer === "" ? "/" : pointer })}
                >
                  {pointer === "" ? "the whole object" : pointer}
                </button>
                <p>{message}</p>
                {expected === null ? null : <p className="small quiet">Expected: {expected}</p>}
                {actual === null ? null : <p className="small quiet">Seen: {actual}</p>}
              </li>
            ))}
          </ol>
          <Body text={text} pointer={chosen?.pointer ?? violations[0]?.pointer} />
        </div>
      )}
    </div>
  )
}
