import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../data/client.ts"
import { type Connection, queries, suitesQuery, versionsOf } from "../data/queries.ts"
import { Page } from "../elements/Page.tsx"
import { Failure } from "../elements/States.tsx"
import { useView } from "../elements/useView.ts"

/** Enters a partner; its page then diagnoses the connection, before anything is changed at the partner. */
export function NewConnectionPage() {
  const navigate = useNavigate()
  const suites = useQuery(suitesQuery())
  const versions = versionsOf(suites.data)
  // What is no secret stands in the URL, so that a prepared form can be sent to somebody.
  const [view, change] = useView()
  const theirRole = view["role"] === "EMSP" ? "EMSP" : "CPO"
  const ocpiVersion = versions.find((version) => version === view["version"]) ?? versions.at(-1)
  const isProduction = view["environment"] === "production"
  const [tokenA, setTokenA] = useState("")
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      client.connections.create({
        body: {
          partnerBaseUrl: (view["url"] ?? "").trim(),
          tokenA,
          theirRole,
          ourRole: theirRole === "CPO" ? "EMSP" : "CPO",
          ocpiVersion: ocpiVersion!,
          environment: isProduction ? "production" : "test",
          ...(view["label"]?.trim() ? { label: view["label"].trim() } : {})
        }
      }),
    onSuccess: async (made: Connection) => {
      await queries.invalidateQueries({ queryKey: ["connections"] })
      await navigate({ to: "/connections/$id", params: { id: made._id }, search: { tab: "begin" } })
    }
  })
  return (
    <Page
      title="New connection"
      lead="Nothing is sent to the partner yet: the next page diagnoses, then you register."
    >
      <form
        className="card stack form"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <label className="field">
          <span>Versions URL of the partner</span>
          <input
            type="url"
            required
            placeholder="https://cpo.example.com/ocpi/versions"
            value={view["url"] ?? ""}
            onChange={(event) => change({ url: event.target.value })}
          />
        </label>
        <div className="columns">
          <label className="field">
            <span>The partner is a</span>
            <select value={theirRole} onChange={(event) => change({ role: event.target.value })}>
              <option value="CPO">CPO (charge points); plugfest plays the EMSP</option>
              <option value="EMSP">EMSP (drivers); plugfest plays the CPO</option>
            </select>
          </label>
          <label className="field">
            <span>OCPI version</span>
            <select value={ocpiVersion ?? ""} onChange={(event) => change({ version: event.target.value })}>
              {versions.map((version) => (
                <option key={version}>{version}</option>
              ))}
            </select>
          </label>
        </div>
        <label className="field">
          <span>Token A</span>
          <input
            type="password"
            autoComplete="off"
            required
            value={tokenA}
            onChange={(event) => setTokenA(event.target.value)}
          />
          <small>
            The credentials token that the partner gave you. It is stored encrypted and never shown again.
          </small>
        </label>
        <label className="field">
          <span>Label</span>
          <input
            type="text"
            maxLength={100}
            placeholder="made of role, host and version"
            value={view["label"] ?? ""}
            onChange={(event) => change({ label: event.target.value })}
          />
        </label>
        <label className="choice">
          <input
            type="checkbox"
            checked={isProduction}
            onChange={(event) => change({ environment: event.target.checked ? "production" : undefined })}
          />
          <span>
            This is a production system
            <small className="quiet"> – plugfest then only reads, and reports what it left out</small>
          </span>
        </label>
        {error === null ? null : <Failure error={error} />}
        <div className="row">
          <button type="submit" className="button first" disabled={isPending || ocpiVersion === undefined}>
            Enter the partner
          </button>
          <Link to="/sandbox" className="button">
            I have no partner: use the sandbox
          </Link>
        </div>
      </form>
    </Page>
  )
}
