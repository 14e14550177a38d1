import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../data/client.ts"
import { Dialog } from "../elements/Dialog.tsx"
import { Failure } from "../elements/States.tsx"
import { handshakeKey, refreshConnection } from "./handshakes.ts"

/** Repeats a registration that failed, with the same Token A or with another one. */
export function RegisterAgain({
  id,
  isFirst,
  onClose
}: {
  readonly id: string
  /** Whether the partner was invited and has not registered: a Token A of it must be entered. */
  readonly isFirst: boolean
  readonly onClose: () => void
}) {
  const title = isFirst ? "Register with a Token A" : "Register again"
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
    <Dialog title={title} onClose={onClose}>
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
            required={isFirst}
            maxLength={256}
            placeholder={isFirst ? undefined : "the one that was entered before"}
            value={tokenA}
            onChange={(event) => setTokenA(event.target.value)}
          />
          <small>
            {isFirst
              ? "The partner was invited and is to register with plugfest. Enter the Token A that it gave you, where it has given you one after all."
              : "Enter it where it was mistyped, or where the partner has issued another one. Left empty, the one that plugfest has is sent again."}
          </small>
        </label>
        {error === null ? null : <Failure error={error} />}
        <div>
          <button type="submit" className="button first" disabled={isPending}>
            {isPending ? "Registering…" : title}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
