import { useMutation, useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { client } from "../data/client.ts"
import { type Answer, sessionQuery } from "../data/queries.ts"
import { keysQuery } from "../data/settingsQueries.ts"
import { useAllowed } from "../data/useAllowed.ts"
import { CopyBlock } from "../elements/Copy.tsx"
import { Dialog } from "../elements/Dialog.tsx"
import { NotAllowed } from "../elements/NotAllowed.tsx"
import { Failure, Shown } from "../elements/States.tsx"
import { Time, Until } from "../elements/Time.tsx"
import { type FormerFocus, useInSight } from "../hooks/useInSight.ts"
import { NewKey, refreshKeys } from "./NewKey.tsx"

type Key = Answer<"settings.keys">[number]

/** Makes, rolls and revokes API keys. A key is shown once. */
export function ApiKeys() {
  const keys = useQuery(keysQuery())
  const mayWrite = useAllowed("keys:write")
  const [issued, setIssued] = useState<string>()
  const formerFocus = useRef(false)
  const [dialog, setDialog] = useState<{ readonly act: "roll" | "revoke"; readonly apiKey: Key }>()
  return (
    <>
      {issued === undefined ? null : (
        <IssuedKey key={issued} text={issued} formerFocus={formerFocus} onDone={() => setIssued(undefined)} />
      )}
      <section className="card">
        <h2>API keys</h2>
        <Shown of={keys}>
          {(list) => (
            <ul className="key-list">
              {list.map((key) => (
                <li key={key._id}>
                  <div className="stack tight">
                    <span className="row">
                      <b>{key.name}</b>
                      <span className="mono">
                        {key.prefix}…{key.last4}
                      </span>
                      {key.revokedAt === null ? null : <span className="badge">revoked</span>}
                    </span>
                    <span className="quiet small">
                      {key.scopes.join(", ")} · last used <Time at={key.lastUsedAt} /> ·{" "}
                      {key.expiresAt === null ? (
                        "does not expire"
                      ) : (
                        <>
                          {Date.parse(key.expiresAt) < Date.now() ? "expired" : "expires"}{" "}
                          <Until at={key.expiresAt} />
                        </>
                      )}
                    </span>
                  </div>
                  {mayWrite && key.revokedAt === null ? (
                    <span className="row">
                      <button
                        type="button"
                        className="button small"
                        onClick={() => setDialog({ act: "roll", apiKey: key })}
                      >
                        Roll
                      </button>
                      <button
                        type="button"
                        className="button small grave"
                        onClick={() => setDialog({ act: "revoke", apiKey: key })}
                      >
                        Revoke
                      </button>
                    </span>
                  ) : null}
                </li>
              ))}
            </ul>
          )}
        </Shown>
      </section>
      {mayWrite ? (
        <NewKey onIssued={setIssued} />
      ) : (
        <NotAllowed scope="keys:write" to="make, roll or revoke keys" />
      )}
      {dialog === undefined ? null : (
        <KeyDialog {...dialog} onClose={() => setDialog(undefined)} onIssued={setIssued} />
      )}
    </>
  )
}

/** The new key. The form that makes one may be far below. */
function IssuedKey({
  formerFocus,
  onDone,
  text
}: {
  readonly text: string
  readonly formerFocus: FormerFocus
  readonly onDone: () => void
}) {
  const place = useRef<HTMLElement>(null)
  useInSight(place, { formerFocus, isSettled: true })
  return (
    <section className="note good stack tight" aria-live="polite" ref={place} tabIndex={-1}>
      <h2>Copy the key now: it is not shown again</h2>
      <CopyBlock text={text} />
      <div>
        <button type="button" className="button small" onClick={onDone}>
          I have it
        </button>
      </div>
    </section>
  )
}

function KeyDialog({
  act,
  apiKey: { _id: id, name },
  onClose,
  onIssued
}: {
  readonly act: "roll" | "revoke"
  readonly apiKey: Key
  readonly onClose: () => void
  readonly onIssued: (key: string) => void
}) {
  const [days, setDays] = useState("1")
  const session = useQuery(sessionQuery())
  const { error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      if (act === "revoke") {
        await client.settings.revokeKey({ path: { id } })
        return undefined
      }
      const { key } = await client.settings.rollKey({ path: { id }, body: { overlapDays: Number(days) } })
      return key
    },
    onSuccess: async (made) => {
      if (made !== undefined) onIssued(made)
      onClose()
      await refreshKeys()
    }
  })
  return (
    <Dialog title={`${act === "roll" ? "Roll" : "Revoke"} ${name}`} onClose={onClose}>
      {act === "roll" ? (
        <>
          <p>
            To roll a key is to replace it: plugfest makes a new one with the same name and scopes. The old
            one is accepted for some days more, so that you can change over, and ends by itself. With 0 days
            it ends at once.
          </p>
          <label className="field">
            <span>Days for which the old key goes on</span>
            <input
              type="number"
              min={0}
              max={7}
              required
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          </label>
        </>
      ) : (
        <p>
          The key stops working at once, and with it each browser that has signed in with it. This cannot be
          undone.
          {session.data?.keyId === id ? <b> You are signed in with it, and will be signed out.</b> : null}
        </p>
      )}
      {error === null ? null : <Failure error={error} />}
      <div>
        <button
          type="button"
          className={`button ${act === "roll" ? "first" : "grave"}`}
          disabled={isPending}
          onClick={() => mutate()}
        >
          {act === "roll" ? "Make the new key" : "Revoke"}
        </button>
      </div>
    </Dialog>
  )
}
