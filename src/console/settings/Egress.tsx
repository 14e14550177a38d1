import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { egressQuery } from "../data/settingsQueries.ts"
import { EgressRemedy } from "../elements/EgressRemedy.tsx"
import { Failure } from "../elements/States.tsx"
import { useView } from "../hooks/useView.ts"

const rules = {
  url: "the form of the URL",
  scheme: "the scheme",
  userinfo: "the user name in the URL",
  port: "the port",
  address: "the address",
  own: "the service itself",
  sandbox: "the sandbox",
  allowed_range: "EGRESS_ALLOW_CIDRS",
  public: "public addresses",
  none: "no rule"
} as const

/** Which rule decides about a URL, before a partner is entered with it. */
export function Egress() {
  const [view, change] = useView()
  const asked = view["url"]
  const [url, setUrl] = useState(asked ?? "")
  const { data, error, isFetching, refetch } = useQuery(egressQuery(asked))
  return (
    <section className="card stack">
      <h2>May the service call this URL?</h2>
      <p className="quiet">
        plugfest calls public addresses by https. Private ones have to be listed in the setting
        EGRESS_ALLOW_CIDRS, and this service and its database are never called.
      </p>
      <form
        className="stack form"
        onSubmit={(event) => {
          event.preventDefault()
          if (url.trim() === asked) void refetch()
          else change({ url: url.trim() })
        }}
      >
        <label className="field">
          <span>URL</span>
          <input
            type="text"
            inputMode="url"
            spellCheck={false}
            required
            maxLength={2048}
            placeholder="https://cpo.example.com/ocpi/versions"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        </label>
        <div>
          <button type="submit" className="button first" disabled={isFetching}>
            Ask
          </button>
        </div>
      </form>
      {error === null ? null : <Failure error={error} />}
      {data === undefined || asked === undefined ? null : (
        <>
          <p className={`note ${data.allowed ? "good" : "bad"}`} aria-live="polite">
            <b>
              {data.allowed ? "Allowed" : "Refused"} by {rules[data.rule]}.
            </b>{" "}
            {data.message}
          </p>
          <EgressRemedy rule={data.rule} url={asked} />
        </>
      )}
    </section>
  )
}
