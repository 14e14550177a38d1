import { useQuery } from "@tanstack/react-query"
import { useParams } from "@tanstack/react-router"
import { type Connection, connectionQuery } from "../data/queries.ts"
import { Badge } from "../elements/Badge.tsx"
import { Page } from "../elements/Page.tsx"
import { Shown } from "../elements/States.tsx"
import { Tabs, tabOf } from "../elements/Tabs.tsx"
import { Handshake } from "../handshake/Handshake.tsx"
import { isUnderWay, mayRegister } from "../handshake/handshakeSteps.ts"
import { Preflight } from "../handshake/Preflight.tsx"
import { ToSend } from "../handshake/ToSend.tsx"
import { useView } from "../hooks/useView.ts"
import { RunPages } from "../runs/RunPages.tsx"
import { CommandForm } from "./CommandForm.tsx"
import { ConnectionActions } from "./ConnectionActions.tsx"
import { ConnectionOverview } from "./ConnectionOverview.tsx"
import { Exchanges } from "./Exchanges.tsx"
import { awaitsPartner } from "./enterPartner.ts"

/** One partner: its registration, endpoints and dialect, what was exchanged, its runs, commands. */
export function ConnectionPage() {
  const { id } = useParams({ strict: false }) as { readonly id: string }
  const connection = useQuery({
    ...connectionQuery(id),
    refetchInterval: ({ state }) =>
      state.data === undefined
        ? false
        : isUnderWay(state.data)
          ? 700
          : mayRegister(state.data)
            ? 3_000
            : 20_000
  })
  if (connection.data === undefined)
    return (
      <Page title="Connection">
        <Shown of={connection}>{() => null}</Shown>
      </Page>
    )
  return <Detail connection={connection.data} />
}

function Detail({ connection }: { readonly connection: Connection }) {
  const { _id: id, endpoints, environment, label, ocpiVersion, ourRole, status, theirRole } = connection
  const [view] = useView()
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
  const tab = tabOf(tabs, view)
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
      actions={<ConnectionActions connection={connection} />}
    >
      <Tabs label="Parts of this connection" tabs={tabs} without={["exchange", "module", "q", "direction"]} />
      {tab === "overview" ? (
        <>
          <ToSend connection={connection} />
          <Handshake connection={connection} />
          {status === "registered" || awaitsPartner(connection) ? null : (
            <Preflight id={id} begin={view["tab"] === "begin"} />
          )}
          <ConnectionOverview connection={connection} />
          {status === "registered" ? <Preflight id={id} begin={false} /> : null}
        </>
      ) : null}
      {tab === "exchanges" ? <Exchanges id={id} /> : null}
      {tab === "runs" ? (
        <section className="card" aria-label="Runs">
          <h2>Runs with this partner</h2>
          <RunPages filter={{ connectionId: id }} none="No run with this partner yet." />
        </section>
      ) : null}
      {tab === "commands" ? <CommandForm connectionId={id} /> : null}
    </Page>
  )
}
