import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"
import { handshakeKey, refreshConnection } from "./handshakes.ts"

/** Repeats a registration that failed, with the same Token A or with another one. */
export function RegisterAgain({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const [tokenA, setTokenA] = useState("")
  const { error, isPending, mutate } = useMutation({
    mutationKey: handshakeKey(id),
    mutationFn: () =>
      client.connections.handshake({
        path: { id },
        body: tokenA.trim() === "" ? {} : { tokenA: tokenA.trim() }
      }),
    // The page shows the handshake and why it failed; here stays what the service refused.
    onSuccess: onClose,
    onSettled: () => refreshConnection(id)
  })
  return (
    <Dialog title="Register again" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          mutate()
        }}
      >
        <label className="field">
          <span>Token A</span>
          <input
            type="password"
            autoComplete="off"
            maxLength={256}
            placeholder="the one that was entered before"
            value={tokenA}
            onChange={(event) => setTokenA(event.target.value)}
          />
          <small>
            Enter it where it was mistyped, or where the partner has issued another one. Left empty, the one
            that plugfest has is sent again.
          </small>
        </label>
        {error === null ? null : <Failure error={error} />}
        <div>
          <button type="submit" className="button first" disabled={isPending}>
            {isPending ? "Registering…" : "Register again"}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
