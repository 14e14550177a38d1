import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../data/client.ts"
import { type Connection, queries } from "../data/queries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Failure } from "../elements/States.tsx"
import { entryOf } from "../format/lostRegistration.ts"
import { handshakeKey, refreshConnection } from "../handshake/handshakes.ts"
import { Invitation } from "../handshake/Invitation.tsx"
import { RegisterAgain } from "../handshake/RegisterAgain.tsx"
import { useView } from "../hooks/useView.ts"
import { awaitsPartner } from "./enterPartner.ts"

/** What can be done with a connection: register, rotate, invite, unregister; each says what comes of it before it is done. */
export function ConnectionActions({ connection }: { readonly connection: Connection }) {
  const { _id: id, status } = connection
  const isAwaited = awaitsPartner(connection)
  const [dialog, setDialog] = useState<"again" | "rotate" | "remove" | "invite">()
  const mayWrite = useAllowed("connections:write")
  const mayRun = useAllowed("run")
  const { error, isPending, mutate } = useMutation({
    mutationKey: handshakeKey(id),
    mutationFn: () => client.connections.handshake({ path: { id } }),
    onSettled: () => refreshConnection(id)
  })
  return (
    <>
      {status === "registered" ? (
        <>
          {mayRun ? (
            <Link to="/suites" search={{ connection: id }} className="button first">
              Test
            </Link>
          ) : null}
          {mayWrite ? (
            <button type="button" className="button" onClick={() => setDialog("rotate")}>
              Rotate tokens
            </button>
          ) : null}
        </>
      ) : !mayWrite ? null : (
        <>
          <button
            type="button"
            className="button first"
            disabled={isPending}
            onClick={() => (status === "failed" || isAwaited ? setDialog("again") : mutate())}
          >
            {isPending
              ? "Registering…"
              : status === "failed"
                ? "Register again"
                : isAwaited
                  ? "Register with a Token A"
                  : "Register"}
          </button>
          <button type="button" className="button" onClick={() => setDialog("invite")}>
            Invite the partner
          </button>
        </>
      )}
      {mayWrite ? (
        <button type="button" className="button grave" onClick={() => setDialog("remove")}>
          {status === "registered" ? "Unregister" : "Forget"}
        </button>
      ) : (
        <NotAllowed scope="connections:write" to="register, rotate tokens or unregister" />
      )}
      {error === null ? null : <Failure error={error} />}
      {dialog === "again" ? (
        <RegisterAgain id={id} isFirst={isAwaited} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === "rotate" ? <Rotate id={id} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "remove" ? <Remove connection={connection} onClose={() => setDialog(undefined)} /> : null}
      {dialog === "invite" ? <Invite id={id} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function Rotate({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { error, isPending, mutate } = useMutation({
    mutationKey: handshakeKey(id),
    mutationFn: () => client.connections.handshake({ path: { id } }),
    onSuccess: onClose,
    onSettled: () => refreshConnection(id)
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

function Remove({ connection, onClose }: { readonly connection: Connection; readonly onClose: () => void }) {
  const { _id: id, status } = connection
  const navigate = useNavigate()
  const [view] = useView()
  const { error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.remove({ path: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["connections"] })
      // A report has led here because the partner has lost the registration: it is entered again with what is known of it.
      await navigate(
        view["after"] === "enter"
          ? { to: "/connections/new", search: entryOf(connection) }
          : { to: "/connections" }
      )
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

function Invite({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: () => client.connections.invite({ path: { id } }),
    onSettled: () => refreshConnection(id)
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
        <Invitation invitation={data} />
      )}
    </Dialog>
  )
}
