/** Telling the partner that a registration is over: DELETE credentials, and what its answer means. */
import { Effect } from "effect"
import type { OcpiClient, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { type Party, PartyStore, type PartyToken } from "../../store/parties/PartyStore.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { performCall } from "../outbound/performCall.ts"
import type { Discovery } from "../wire/Discovery.ts"
import { dataOf, lastErrorOf } from "../wire/RegistrationError.ts"

/** Does the partner know that the registration is over, and what is to be said about it. */
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

/** Best effort, with the token that we call the partner with. */
export const tell = (party: Party): Effect.Effect<UnregisterAnswer, never, World> =>
  Effect.gen(function* () {
    // A token that waits for the end of its exchange: whoever was to hear the answer has died.
    const tokens = yield* (yield* PartyStore).tokens(party.id)
    const isCutShort = tokens.some(({ slot }) => slot === "pending")
    if (party.registration !== "registered")
      return { told: false, message: isCutShort ? mayBeLeft : "There was no registration to end" }
    const answer = yield* Effect.either(performCall(party, deleteCredentials))
    if (answer._tag === "Left") return { told: false, message: answer.left.message }
    // Told before, and we stopped before we could note it; or the partner has ended it by itself.
    if (answer.right.exchange.response?.httpStatus === 401)
      return isCutShort ? { told: false, message: mayBeLeft } : goneAlready
    return yield* meaningOf(answer.right)
  })

/** Ends what the partner has just answered to, with the token of its answer; nobody here keeps that token. */
export const undo = (
  party: Party,
  { endpoints, form }: Discovery,
  { name, value }: Omit<PartyToken, "slot">
): Effect.Effect<UnregisterAnswer, never, World> =>
  Effect.gen(function* () {
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
  message: "The partner knows our token no more: there is no registration left to end"
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
