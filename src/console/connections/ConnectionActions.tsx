import { useMutation } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, type Connection, exchangesKey, queries } from "../data/queries.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"
import { Time } from "../elements/Time.tsx"

/** By this key others see that a handshake is under way. */
export const handshakeKey = (id: string) => ["handshake", id]

const refresh = (id: string) => {
  void queries.invalidateQueries({ queryKey: ["connections"] })
  void queries.invalidateQueries({ queryKey: exchangesKey(id) })
}

/** What can be done with a connection: register, rotate, invite, unregister; each says what comes of it before it is done. */
export function ConnectionActions({ connection: { _id: id, status } }: { readonly connection: Connection }) {
  const [dialog, setDialog] = useState<"rotate" | "remove" | "invite">()
  const { error, isPending, mutate } = useMutation({
    mutationKey: handshakeKey(id),
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
    mutationKey: handshakeKey(id),
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
      await queries.invalidateQueries({ queryKey: ["connections"] })
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
