import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, useNavigate, useParams } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../data/client.ts"
import {
  type Answer,
  type Connection,
  connectionQuery,
  exchangesQuery,
  queries,
  runsQuery
} from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { CopyBlock } from "../elements/Copy.tsx"
import { Dialog } from "../elements/Dialog.tsx"
import { Page } from "../elements/Page.tsx"
import { RunTable } from "../elements/RunTable.tsx"
import { Empty, Failure, Shown } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"
import { useView } from "../elements/useView.ts"
import { CommandForm } from "./CommandForm.tsx"
import { Exchanges } from "./Exchanges.tsx"
import { Preflight } from "./Preflight.tsx"

/** One partner: its registration, endpoints and dialect, what was exchanged, its runs, commands. */
export function ConnectionPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const connection = useQuery(connectionQuery(id))
  if (connection.data === undefined)
    return (
      <Page title="Connection">
        <Shown of={connection}>{() => null}</Shown>
      </Page>
    )
  return <Detail connection={connection.data} />
}

const refresh = (id: string) => {
  void queries.invalidateQueries({ queryKey: ["connections"] })
  void queries.invalidateQueries({ queryKey: exchangesQuery(id).queryKey })
}

function Detail({ connection }: { readonly connection: Connection }) {
  const {
    _id: id,
    endpoints,
    environment,
    label,
    lastError,
    ocpiVersion,
    ourRole,
    status,
    theirRole
  } = connection
  const [view, change] = useView()
  const canCommand =
    ourRole === "EMSP" &&
    status === "registered" &&
    endpoints.some(({ identifier }) => identifier === "commands")
  const tabs = [
    ["overview", "Overview"],
    ["exchanges", "Exchanges"],
    ["runs", "Runs"],
    ...(canCommand ? [["commands", "Commands"] as const] : [])
  ] as const
  const tab = tabs.find(([name]) => name === view["tab"])?.[0] ?? "overview"
  return (
    <Page
      title={label}
      lead={
        <span className="row" aria-live="polite">
          <Badge word={status} />
          <span>
            {theirRole} {ocpiVersion}, plugfest plays the {ourRole}
          </span>
          {environment === "production" ? <span className="badge warn">production: only reads</span> : null}
        </span>
      }
      actions={<Actions connection={connection} />}
    >
      {lastError === undefined ? null : (
        <div className="note bad stack tight">
          <p>
            <b>The last handshake failed.</b> {lastError}
          </p>
          <p>
            The preflight below says in which step, and what to do. The exchanges show what was sent and
            answered.
          </p>
        </div>
      )}
      <nav className="chips" aria-label="Parts of this connection">
        {tabs.map(([name, title]) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={name === tab}
            onClick={() => change({ tab: name, exchange: undefined }, true)}
          >
            {title}
          </button>
        ))}
      </nav>
      {tab === "overview" ? (
        <>
          {status === "registered" ? null : <Preflight id={id} begin={view["tab"] === "begin"} />}
          <Overview connection={connection} />
          {status === "registered" ? <Preflight id={id} begin={false} /> : null}
        </>
      ) : null}
      {tab === "exchanges" ? <Exchanges id={id} /> : null}
      {tab === "runs" ? <Runs id={id} /> : null}
      {tab === "commands" ? <CommandForm connectionId={id} /> : null}
    </Page>
  )
}

function Actions({ connection: { _id: id, status } }: { readonly connection: Connection }) {
  const [dialog, setDialog] = useState<"rotate" | "remove" | "invite">()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.handshake({ path: { id } }),
    onSettled: () => refresh(id)
  })
  return (
    <>
      {status === "registered" ? (
        <>
          <Link to="/suites" search={{ connection: id }} className="button first">
            Test
          </Link>
          <button type="button" className="button" onClick={() => setDialog("rotate")}>
            Rotate tokens
          </button>
        </>
      ) : (
        <>
          <button type="button" className="button first" disabled={isPending} onClick={() => mutate()}>
            {isPending ? "Registering…" : status === "failed" ? "Register again" : "Register"}
          </button>
          <button type="button" className="button" onClick={() => setDialog("invite")}>
            Invite the partner
          </button>
        </>
      )}
      <button type="button" className="button grave" onClick={() => setDialog("remove")}>
        {status === "registered" ? "Unregister" : "Forget"}
      </button>
      {error === null ? null : <Failure error={error} />}
      {dialog === "rotate" ? <Rotate id={id} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "remove" ? <Remove id={id} status={status} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "invite" ? <Invite id={id} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function Rotate({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.handshake({ path: { id } }),
    onSuccess: onClose,
    onSettled: () => refresh(id)
  })
  return (
    <Dialog title="Rotate the tokens" onClose={onClose}>
      <p>
        Sends PUT credentials: the partner and plugfest give each other new tokens, and the tokens of today
        stop working. The endpoints are read again.
      </p>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="button" className="button first" disabled={isPending} onClick={() => mutate()}>
          Rotate the tokens
        </button>
      </div>
    </Dialog>
  )
}

function Remove({
  id,
  onClose,
  status
}: {
  readonly id: string
  readonly status: Connection["status"]
  readonly onClose: () => void
}) {
  const navigate = useNavigate()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.remove({ path: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: connectionsKey })
      await navigate({ to: "/connections" })
    }
  })
  return (
    <Dialog
      title={status === "registered" ? "Unregister and forget the partner" : "Forget the partner"}
      onClose={onClose}
    >
      <ul className="bullets">
        <li>
          {status === "registered"
            ? "DELETE credentials is sent to the partner, which then forgets plugfest."
            : "Nothing is sent: the partner does not know plugfest."}
        </li>
        <li>The tokens are deleted here. To test this partner again you need a new Token A.</li>
        <li>Reports and ledgers stay.</li>
      </ul>
      {error === null ? null : <Failure error={error} />}
      <div>
        <button type="button" className="button grave" disabled={isPending} onClick={() => mutate()}>
          {status === "registered" ? "Unregister" : "Forget"}
        </button>
      </div>
    </Dialog>
  )
}
const connectionsKey = ["connections"]

function Invite({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.invite({ path: { id } }),
    onSettled: () => refresh(id)
  })
  return (
    <Dialog title="Invite the partner to register" onClose={onClose}>
      {data === undefined ? (
        <>
          <p>
            The other direction: plugfest issues a Token A of its own, and the partner registers with it. An
            invitation from before is withdrawn.
          </p>
          {error === null ? null : <Failure error={error} />}
          <div>
            <button type="button" className="button first" disabled={isPending} onClick={() => mutate()}>
              Issue a Token A
            </button>
          </div>
        </>
      ) : (
        <Issued invitation={data} />
      )}
    </Dialog>
  )
}

const Issued = ({ invitation }: { readonly invitation: Answer<"connections.invite"> }) => (
  <>
    <p>Give both to the partner. The token is shown this once.</p>
    <h3>Versions URL</h3>
    <CopyBlock text={invitation.versionsUrl} />
    <h3>Token A</h3>
    <CopyBlock text={invitation.token} />
    <p className="quiet">
      Valid until <Time at={invitation.expiresAt} />.
    </p>
  </>
)

function Overview({ connection }: { readonly connection: Connection }) {
  const { dialect, endpoints, invitation, partner, partnerBaseUrl, registeredAt } = connection
  return (
    <>
      <div className="columns">
        <section className="card">
          <h2>Partner</h2>
          <dl className="facts">
            <dt>Versions URL</dt>
            <dd className="mono">{partnerBaseUrl}</dd>
            {(partner ?? []).map(({ countryCode, name, partyId, role }) => (
              <div key={`${role} ${countryCode} ${partyId}`} className="contents">
                <dt>{role}</dt>
                <dd>
                  {name} ({countryCode} {partyId})
                </dd>
              </div>
            ))}
            <dt>Registered</dt>
            <dd>{registeredAt === null ? "not yet" : <Time at={registeredAt} />}</dd>
            {invitation === null ? null : (
              <>
                <dt>Invitation</dt>
                <dd>
                  {invitation.state}, until <Time at={invitation.expiresAt} />
                </dd>
              </>
            )}
          </dl>
        </section>
        <section className="card">
          <h2>Dialect</h2>
          <dl className="facts">
            <dt>Token from partner</dt>
            <dd>{dialect.tokenEncoding.inbound}</dd>
            <dt>Token to partner</dt>
            <dd>{dialect.tokenEncoding.outbound}</dd>
            {dialect.pageLimit === undefined ? null : (
              <>
                <dt>Page limit</dt>
                <dd>{dialect.pageLimit}</dd>
              </>
            )}
          </dl>
          {dialect.deviations.length === 0 ? (
            <p className="quiet">No deviation from OCPI was detected.</p>
          ) : (
            <ul className="bullets">
              {dialect.deviations.map((deviation) => (
                <li key={deviation}>{deviation}</li>
              ))}
            </ul>
          )}
        </section>
      </div>
      <section className="card">
        <h2>Endpoints</h2>
        {endpoints.length === 0 ? (
          <p className="quiet">Known once the partner has been registered with.</p>
        ) : (
          <table className="rows">
            <thead>
              <tr>
                <th>Module</th>
                <th>Role</th>
                <th>URL</th>
              </tr>
            </thead>
            <tbody>
              {endpoints.map(({ identifier, role, url }) => (
                <tr key={`${identifier} ${role}`}>
                  <td className="whole">{identifier}</td>
                  <td className="whole">{role === null ? "–" : role.toLowerCase()}</td>
                  <td className="mono">{url}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </section>
    </>
  )
}

function Runs({ id }: { readonly id: string }) {
  const runs = useQuery(runsQuery(id))
  return (
    <section className="card">
      <h2>Runs with this partner</h2>
      <Shown of={runs}>
        {(list) =>
          list.length === 0 ? (
            <Empty>
              <p>No run with this partner yet.</p>
            </Empty>
          ) : (
            <RunTable runs={list} />
          )
        }
      </Shown>
    </section>
  )
}
