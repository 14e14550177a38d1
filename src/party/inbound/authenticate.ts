/** Whose request it is: the Authorization header, in either form of the token. */
import { Clock, Effect, Option, Redacted } from "effect"
import type { Dialect } from "../../../schema/Connection.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { inboundAuthorization, type TokenForm } from "../../ocpi/tokens.ts"
import {
  type AcceptedToken,
  type NamedToken,
  type Party,
  PartyStore,
  type PartyToken
} from "../../store/parties/PartyStore.ts"
import { dialectAfterCall, isOverridden, withDeviation } from "../wire/dialect.ts"
import type { OcpiHead, OcpiRequest, Root } from "../wire/Request.ts"
import { retireToken } from "../wire/tokenSlots.ts"

export type CallerIdentity =
  | { readonly kind: "anonymous" }
  | {
      readonly kind: "refused"
      /** Of a retired token: whose it was, and the token as it was sent. */
      readonly retired?: { readonly party: Party; readonly token: NamedToken }
    }
  | {
      readonly kind: "known"
      readonly party: Party
      readonly token: AcceptedToken
      /** The form that the caller used. */
      readonly form: TokenForm
    }
  /** Who comes with the token that it issued itself: it is known by it, and no module is open to it. */
  | {
      readonly kind: "returning"
      readonly party: Party
      readonly name: NamedToken["name"]
    }

/**
 * On the root of the connections a missing token, or another scheme than `Token`, makes an anonymous caller, who may
 * look around. On the root of a sandbox partner, as at any partner, everyone needs a token.
 */
export const authenticate = Effect.fn("party.authenticate")(function* (root: Root, request: OcpiHead) {
  const store = yield* PartyStore
  const sent = inboundAuthorization(request.headers["authorization"])
  const stranger: CallerIdentity = { kind: root.kind === "connection" ? "anonymous" : "refused" }
  if (sent === undefined) {
    // `Token` with nothing after it is a token that is not known.
    return /^token$/i.test(request.headers["authorization"]?.trim() ?? "")
      ? ({ kind: "refused" } as const)
      : stranger
  }
  if (sent.scheme.toLowerCase() !== "token") return stranger
  const values = sent.candidates.map(({ value }) => value)
  // A sandbox partner knows the tokens that it issued; our own root knows those of connections.
  const isHere = (party: Party) =>
    root.kind === "connection" ? party.kind === "connection" : party.id === root.partyId
  const accepted = Option.getOrUndefined(yield* store.findByToken("accept", values, isHere))
  if (accepted !== undefined) {
    const { candidate, party, token } = accepted
    if (token.slot === "issued" && token.name === "tokenA" && (yield* hasExpired(party)))
      return { kind: "refused" } as const
    const form = sent.candidates[candidate]?.form ?? "raw"
    return { kind: "known", party, token, form } as const
  }
  const recognised = Option.getOrUndefined(yield* store.findByToken("recognise", values, isHere))
  if (recognised === undefined) return { kind: "refused" } as const
  const { candidate, name, party, slot } = recognised
  if (slot === "returned") return { kind: "returning", party, name } as const
  const value = Redacted.make(values[candidate] ?? "") // it was one of them that was found
  return { kind: "refused", retired: { party, token: { name, value } } } as const
})

/** The owner is told: the partner only sees that its token is not known. */
function hasExpired(party: Party) {
  return Effect.gen(function* () {
    const expiresAt = party.invitation?.expiresAt
    if (expiresAt === undefined || (yield* Clock.currentTimeMillis) < Date.parse(expiresAt)) return false
    const store = yield* PartyStore
    const lastError = `auth: the partner came with the Token A of an invitation that expired at ${expiresAt}; issue a new one`
    yield* store.update(party.id, (now) => ({ ...now, lastError }))
    return true
  })
}

/** What a request teaches: the form of the token that the partner uses (it is served in either), and that it has received its new token. */
export const noteUse = Effect.fn("party.noteUse")(function* (
  caller: Extract<CallerIdentity, { readonly kind: "known" | "returning" }>,
  [spoken]: OcpiRequest["path"],
  tokens: ReadonlyArray<PartyToken>
) {
  const store = yield* PartyStore
  if (caller.kind === "returning") {
    const deviation =
      caller.name === "tokenA"
        ? "fetches our versions with the Token A that it issued itself, not with the Token B that we sent"
        : "calls us with the token that it issued itself, not with the one that it has from us"
    yield* store.update(caller.party.id, (now) => ({
      ...now,
      dialect: withDeviation(now.dialect, deviation)
    }))
    return
  }
  const { form, party, token } = caller
  const previous = tokens.find(({ slot }) => slot === "previous")
  if (token.slot === "issued" && previous !== undefined) {
    yield* store.putToken(party.id, "previous", null)
    yield* retireToken(party.id, previous)
  }
  const { dialect: known } = party
  const isOfAnyCall = known.tokenEncoding.inbound === "auto" || isOverridden(known, "tokenEncoding.inbound")
  // Outside its version a partner may be on the way to another one, in the form of that one already.
  if (!isOfAnyCall && spoken !== party.version) return
  const taught = (dialect: Dialect) => dialectAfterCall(dialect, form, profileOf(party.version).authorization)
  if (taught(known) === known) return
  yield* store.update(party.id, (now) => ({ ...now, dialect: taught(now.dialect) }))
})
