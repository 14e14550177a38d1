/** Before a handshake writes at the partner, it makes sure that its exchange is still open. */
import { Effect, Option } from "effect"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { nowIso } from "../wire/instants.ts"
import { RegistrationError } from "../wire/RegistrationError.ts"

/**
 * Restarts the time limit of the open exchange. Fails with `RegistrationError` if another exchange has replaced it or the party
 * was removed.
 */
export const holdOpen = Effect.fnUntraced(function* (party: Party, openId: string) {
  const store = yield* PartyStore
  const since = yield* nowIso
  let open: Party["open"] = null
  const found = yield* store.update(party.id, (now) => {
    open = now.open?.id === openId ? { ...now.open, since } : null
    return open === null ? now : { ...now, open }
  })
  if (open !== null) return
  const method = party.registration === "registered" ? "PUT" : "POST"
  return yield* new RegistrationError({
    kind: "config",
    message: Option.isNone(found)
      ? `the connection was deleted before our ${method} credentials; it was not sent`
      : `another change of the registration began before our ${method} credentials; it was not sent`
  })
})
