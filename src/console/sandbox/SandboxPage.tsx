import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { client } from "../data/client.ts"
import {
  type Answer,
  connectionsQuery,
  faultsQuery,
  partnersQuery,
  queries,
  suitesQuery,
  versionsOf
} from "../data/queries.ts"
import { connectSandbox } from "../data/trySandbox.ts"
import { Page } from "../elements/Page.tsx"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../elements/useView.ts"
import { count } from "../format/words.ts"
import { FaultPicker } from "./FaultPicker.tsx"
import { Requests } from "./Requests.tsx"

type Partner = Answer<"sandbox.list">[number]
const refresh = () => queries.invalidateQueries({ queryKey: partnersQuery().queryKey })

/** Partners that plugfest makes, conformant or with faults. */
export function SandboxPage() {
  const partners = useQuery(partnersQuery())
  const [tokens, setTokens] = useState<ReadonlyMap<string, string>>(new Map())
  return (
    <Page
      title="Sandbox"
      lead="Partners that plugfest makes: conformant, or with the faults that you switch on."
    >
      <NewPartner
        onMade={({ _id, tokenA }) => {
          if (tokenA !== null) setTokens(new Map(tokens).set(_id, tokenA))
        }}
      />
      <section className="stack" aria-label="Partners">
        <Shown of={partners}>
          {(list) =>
            list.length === 0 ? (
              <div className="card">
                <Empty>
                  <p>No partner of yours is in the sandbox.</p>
                </Empty>
              </div>
            ) : (
              list.map((partner) => (
                <PartnerCard
                  key={partner._id}
                  partner={{ ...partner, tokenA: tokens.get(partner._id) ?? null }}
                />
              ))
            )
          }
        </Shown>
      </section>
    </Page>
  )
}

/** Token A stands in the answer that makes a partner and in no other, so the page keeps it until it is left. */
function NewPartner({ onMade }: { readonly onMade: (partner: Answer<"sandbox.create">) => void }) {
  const suites = useQuery(suitesQuery())
  const versions = versionsOf(suites.data)
  const [role, setRole] = useState<Partner["theirRole"]>("CPO")
  const [version, setVersion] = useState<Partner["ocpiVersion"]>()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () =>
      client.sandbox.create({ body: { theirRole: role, ocpiVersion: version ?? versions.at(-1)! } }),
    onSuccess: async (made) => {
      onMade(made)
      await refresh()
    }
  })
  return (
    <form
      className="card row"
      onSubmit={(event) => {
        event.preventDefault()
        mutate()
      }}
    >
      <label className="row">
        <b>Role</b>
        <select
          className="narrow"
          value={role}
          onChange={(event) => setRole(event.target.value as typeof role)}
        >
          <option>CPO</option>
          <option>EMSP</option>
        </select>
      </label>
      <label className="row">
        <b>OCPI version</b>
        <select
          className="narrow"
          value={version ?? versions.at(-1) ?? ""}
          onChange={(event) => setVersion(event.target.value as Partner["ocpiVersion"])}
        >
          {versions.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </label>
      <button type="submit" className="button first" disabled={isPending || versions.length === 0}>
        Make a partner
      </button>
      {error === null ? null : <Failure error={error} />}
    </form>
  )
}

function PartnerCard({ partner }: { readonly partner: Partner }) {
  const { _id: id, createdAt, faults, lastError, ocpiVersion, partnerBaseUrl, theirRole } = partner
  const navigate = useNavigate()
  const [view, change] = useView()
  const connections = useQuery(connectionsQuery())
  const known = connections.data?.find((connection) => connection.partnerBaseUrl === partnerBaseUrl)
  const library = useQuery(faultsQuery())
  const [isPicking, setPicking] = useState(false)
  const fitting = useMemo(
    () =>
      (library.data ?? []).filter(
        ({ roles, versions }) => roles.includes(theirRole) && versions.includes(ocpiVersion)
      ),
    [library.data, theirRole, ocpiVersion]
  )
  const connect = useMutation({
    mutationFn: () => connectSandbox(partner),
    onSuccess: ({ _id }) => navigate({ to: "/connections/$id", params: { id: _id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionsQuery().queryKey })
  })
  const setFaults = useMutation({
    mutationFn: (wanted: ReadonlyArray<string>) =>
      client.sandbox.setFaults({ path: { id }, body: { faults: wanted } }),
    onSuccess: refresh
  })
  const remove = useMutation({
    mutationFn: () => client.sandbox.remove({ path: { id } }),
    onSuccess: refresh
  })
  const error = connect.error ?? setFaults.error ?? remove.error
  return (
    <article className="card stack" aria-label={`${theirRole} ${ocpiVersion}`}>
      <div className="row apart">
        <h2>
          {theirRole} {ocpiVersion}{" "}
          <span className={`badge ${faults.length === 0 ? "good" : "warn"}`}>
            {faults.length === 0 ? "conformant" : count(faults.length, "fault")}
          </span>
        </h2>
        <span className="row">
          {known === undefined ? (
            <button
              type="button"
              className="button first"
              disabled={connect.isPending || partner.tokenA === null || connections.data === undefined}
              title={
                partner.tokenA === null
                  ? "Its Token A was shown when it was made, to whoever made it: make another partner"
                  : undefined
              }
              onClick={() => connect.mutate()}
            >
              {connect.isPending ? "Registering…" : "Connect and register"}
            </button>
          ) : (
            <Link to="/connections/$id" params={{ id: known._id }} className="button">
              Connection
            </Link>
          )}
          <button
            type="button"
            className="button"
            aria-expanded={view["requests"] === id}
            onClick={() =>
              change({
                requests: view["requests"] === id ? undefined : id,
                direction: undefined,
                exchange: undefined
              })
            }
          >
            Requests
          </button>
          <button
            type="button"
            className="button"
            aria-expanded={isPicking}
            onClick={() => setPicking(!isPicking)}
          >
            Faults
          </button>
          <button
            type="button"
            className="button grave"
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            Remove
          </button>
        </span>
      </div>
      <p className="mono small">{partnerBaseUrl}</p>
      <p className="quiet small">
        Made <Time at={createdAt} />, seed {partner.seed}, {partner.activity}, {partner.speed} times as fast
        as real
      </p>
      {lastError === undefined ? null : <p className="note bad">{lastError}</p>}
      {error === null ? null : <Failure error={error} />}
      {isPicking ? (
        <FaultPicker
          library={fitting}
          on={faults}
          isPending={setFaults.isPending}
          set={(wanted) => setFaults.mutate(wanted)}
        />
      ) : faults.length === 0 ? null : (
        <p className="mono small">{faults.join(", ")}</p>
      )}
      {view["requests"] === id ? <Requests id={id} /> : null}
    </article>
  )
}
