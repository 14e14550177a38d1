/** Sends DELETE credentials to the partner, and interprets its answer. */
import { Effect } from "effect"
import type { OcpiClient, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { performCall } from "../outbound/performCall.ts"
import type { Discovery } from "../wire/Discovery.ts"
import { dataOf, lastErrorOf } from "../wire/RegistrationError.ts"

/** `told`: the partner knows that the registration is over. `message`: a sentence for the caller. */
export interface UnregisterAnswer {
  readonly told: boolean
  readonly message: string
}

type World = OcpiClient | PartnerCalls | PartyStore

const deleteCredentials = {
  module: "credentials",
  interfaceRole: "SENDER",
  operation: "DELETE credentials",
  method: "DELETE"
} as const

/** Sends DELETE credentials if the party is registered. Best effort: never fails. */
export const sendDelete = Effect.fnUntraced(function* (
  party: Party
): Effect.fn.Return<UnregisterAnswer, never, World> {
  // A pending token is left over from an exchange that was cut short.
  const tokens = yield* (yield* PartyStore).tokens(party.id)
  const isCutShort = tokens.some(({ slot }) => slot === "pending")
  if (party.registration !== "registered")
    return { told: false, message: isCutShort ? mayBeLeft : "There was no registration to end" }
  const answer = yield* Effect.either(performCall(party, deleteCredentials))
  if (answer._tag === "Left") return { told: false, message: answer.left.message }
  // 401: an earlier DELETE of ours succeeded without being recorded, or the partner has ended the registration itself.
  if (answer.right.exchange.response?.httpStatus === 401)
    return isCutShort ? { told: false, message: mayBeLeft } : goneAlready
  return yield* meaningOf(answer.right)
})

/** Ends the registration that the partner has just accepted, with the token of its answer, which we have not stored. */
export const undo = Effect.fnUntraced(function* (
  party: Party,
  { endpoints, form }: Discovery,
  { name, value }: Omit<PartyToken, "slot">
): Effect.fn.Return<UnregisterAnswer, never, World> {
  const answer = yield* performCall(
    { ...party, counterpart: { ...party.counterpart, endpoints } },
    { ...deleteCredentials, authorization: { name, token: value, form } }
  ).pipe(Effect.orDie) // its credentials endpoint has just answered
  if (answer.exchange.response?.httpStatus === 401) return goneAlready
  const { message, told } = yield* meaningOf(answer)
  return told
    ? { told, message: "we undid it: the partner confirmed the end of the registration" }
    : { told, message: `we could not undo it, ${message}; ask the partner to remove the registration` }
})

const goneAlready: UnregisterAnswer = {
  told: true,
  message: "The partner no longer accepts our token: there is no registration left to end"
}

const mayBeLeft =
  "An earlier handshake was cut short after it may have sent its credentials: the partner may keep a registration whose token we never got. Ask the partner to remove it"

const meaningOf = (answer: PartnerAnswer): Effect.Effect<UnregisterAnswer> =>
  dataOf("DELETE credentials", answer, []).pipe(
    Effect.match({
      onFailure: (failure) => ({ told: false, message: lastErrorOf(failure) }),
      onSuccess: () => ({ told: true, message: "The partner confirmed the end of the registration" })
    })
  )
