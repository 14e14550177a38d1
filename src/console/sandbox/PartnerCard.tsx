import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, connectionsQuery, faultsQuery, partnersQuery, queries } from "../data/queries.ts"
import { connectSandbox } from "../data/trySandbox.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Failure, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { count } from "../format/words.ts"
import { useView } from "../hooks/useView.ts"
import { FaultPicker } from "./FaultPicker.tsx"
import { RemovePartner } from "./RemovePartner.tsx"
import { Requests } from "./Requests.tsx"

type Partner = Answer<"sandbox.list">[number]

/** Reads the list of partners again. */
export const refreshPartners = () => queries.invalidateQueries({ queryKey: partnersQuery().queryKey })

/** What a partner does by itself once it is registered. */
const activities: Readonly<Record<Partner["activity"], string>> = {
  quiet: "It does nothing by itself.",
  catalogue: "Once registered, it pushes its objects.",
  lively: "Once registered, it pushes its objects, reads ours, and its drivers charge."
}

/** How many faults a card lists; more are behind a summary, so that the next card stays near. */
const mostInSight = 8

const speedInWords = (speed: number): string =>
  speed === 1 ? "Its time runs as fast as ours." : `Its time runs ${speed} times as fast as ours.`

/** A partner: its faults, its requests, and the connection to it. */
export function PartnerCard({ partner }: { readonly partner: Partner }) {
  const { _id: id, createdAt, lastError, ocpiVersion, partnerBaseUrl, theirRole } = partner
  const navigate = useNavigate()
  const [view] = useView()
  const connections = useQuery(connectionsQuery())
  const withIt = connections.data?.filter((connection) => connection.partnerBaseUrl === partnerBaseUrl)
  const known = withIt?.find(({ status }) => status === "registered") ?? withIt?.[0]
  // Until the connections are read nobody knows.
  const isUnconnected = connections.data !== undefined && known?.status !== "registered"
  const [isRemoving, setRemoving] = useState(false)
  const mayConnect = useAllowed("connections:write")
  const connect = useMutation({
    mutationFn: () => connectSandbox(partner, known),
    onSuccess: ({ _id }) => navigate({ to: "/connections/$id", params: { id: _id } }),
    onSettled: () =>
      Promise.all([refreshPartners(), queries.invalidateQueries({ queryKey: connectionsQuery().queryKey })])
  })
  return (
    <article className="card stack" aria-label={`${theirRole} ${ocpiVersion}`}>
      <Head partner={partner}>
        {known === undefined ? null : (
          <Link to="/connections/$id" params={{ id: known._id }} className="button">
            Connection
          </Link>
        )}
        {isUnconnected && mayConnect ? (
          <button
            type="button"
            className="button first"
            disabled={connect.isPending}
            onClick={() => connect.mutate()}
          >
            {connect.isPending ? "Registering…" : known === undefined ? "Connect and register" : "Register"}
          </button>
        ) : null}
        <Toggles id={id} hasFaults={mayConnect} />
        {mayConnect ? (
          <button
            type="button"
            className="button grave"
            disabled={connections.data === undefined}
            onClick={() => setRemoving(true)}
          >
            Remove
          </button>
        ) : null}
      </Head>
      <p className="mono small">{partnerBaseUrl}</p>
      <p className="quiet small">
        Made <Time at={createdAt} />. {activities[partner.activity]} {speedInWords(partner.speed)} Its objects
        come from the seed {partner.seed}: the same seed makes the same ones.
      </p>
      {lastError === undefined ? null : <p className="note bad">{lastError}</p>}
      {connections.data === undefined && connections.isError ? (
        <Failure error={connections.error} retry={() => void connections.refetch()} />
      ) : null}
      {connect.error === null ? null : <Failure error={connect.error} />}
      <Faults partner={partner} isPicking={view["faults"] === id} />
      {isRemoving ? (
        <RemovePartner
          id={id}
          name={`${theirRole} ${ocpiVersion}`}
          connection={known?.label}
          onClose={() => setRemoving(false)}
        />
      ) : null}
      {view["requests"] === id ? <Requests id={id} /> : null}
    </article>
  )
}

const Head = ({
  children,
  partner: { faults, ocpiVersion, theirRole }
}: {
  readonly partner: Partner
  readonly children: ReactNode
}) => (
  <div className="row apart">
    <h2>
      {theirRole} {ocpiVersion}{" "}
      <span className={`badge ${faults.length === 0 ? "good" : "warn"}`}>
        {faults.length === 0 ? "conformant" : count(faults.length, "fault")}
      </span>
    </h2>
    <span className="row">{children}</span>
  </div>
)

/** Open and close the partner's requests, and the choice of its faults; what is open stands in the address. */
function Toggles({ hasFaults, id }: { readonly id: string; readonly hasFaults: boolean }) {
  const [view, change] = useView()
  const hasRequests = view["requests"] === id
  const isPicking = view["faults"] === id
  return (
    <>
      <button
        type="button"
        className="button"
        aria-expanded={hasRequests}
        onClick={() =>
          change({
            requests: hasRequests ? undefined : id,
            direction: undefined,
            module: undefined,
            q: undefined,
            exchange: undefined
          })
        }
      >
        Requests
      </button>
      {hasFaults ? (
        <button
          type="button"
          className="button"
          aria-expanded={isPicking}
          onClick={() => change({ faults: isPicking ? undefined : id, fault: undefined })}
        >
          Faults
        </button>
      ) : null}
    </>
  )
}

/** The faults that are switched on, or all that the partner can have, to choose from. */
function Faults({ isPicking, partner }: { readonly partner: Partner; readonly isPicking: boolean }) {
  const { _id: id, faults, ocpiVersion, theirRole } = partner
  const library = useQuery(faultsQuery())
  const fitting = useMemo(
    () =>
      (library.data ?? []).filter(
        ({ roles, versions }) => roles.includes(theirRole) && versions.includes(ocpiVersion)
      ),
    [library.data, theirRole, ocpiVersion]
  )
  const { error, isPending, mutate, variables } = useMutation({
    mutationFn: (wanted: ReadonlyArray<string>) =>
      client.sandbox.setFaults({ path: { id }, body: { faults: wanted } }),
    // One after the other: the last choice is the one that stays.
    scope: { id: `faults of ${id}` },
    onSuccess: refreshPartners
  })
  // Two keys may come before the page is drawn again: the second adds to what the first asked for.
  const asked = useRef(faults)
  useEffect(() => {
    if (!isPending) asked.current = faults
  }, [faults, isPending])
  const descriptionOf = (fault: string) => library.data?.find((one) => one.id === fault)?.description
  const list = (
    <ul className="bullets small">
      {faults.map((fault) => (
        <li key={fault}>
          {descriptionOf(fault)} <span className="quiet mono">{fault}</span>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      {error === null ? null : <Failure error={error} />}
      {isPicking ? (
        <Shown of={library}>
          {() => (
            <FaultPicker
              library={fitting}
              on={isPending ? variables : faults}
              set={(change) => {
                asked.current = change(asked.current)
                mutate(asked.current)
              }}
            />
          )}
        </Shown>
      ) : faults.length === 0 ? null : faults.length <= mostInSight ? (
        list
      ) : (
        <details>
          <summary>The {faults.length} faults that are switched on</summary>
          {list}
        </details>
      )}
    </>
  )
}
