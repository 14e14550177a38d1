/** Identifies the caller by the Authorization header, with the token in either form. */
import { Clock, Effect, Option, Redacted } from "effect"
import type { Dialect } from "../../../schema/Connection.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { inboundAuthorization, type TokenForm, writtenToken } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"
import { type AcceptedToken, PartyStore, type PartyVersions } from "../../store/parties/PartyStore.ts"
import type { Keyring, NamedToken } from "../../store/parties/TokenSlot.ts"
import { dialectAfterCall, isOverridden, withDeviation } from "../wire/dialect.ts"
import type { OcpiHead, OcpiRequest, Root } from "../wire/Request.ts"
import { retireToken } from "../wire/tokenSlots.ts"

/**
 * Who calls: nobody in particular (`anonymous`), somebody without a valid token (`refused`), a partner with an accepted
 * token (`known`), or one that calls with a token of its own (`returning`).
 */
export type CallerIdentity =
  | { readonly kind: "anonymous" }
  | {
      readonly kind: "refused"
      /** For a retired token: its party, and the token as it was sent. */
      readonly retired?: { readonly party: Party; readonly token: NamedToken }
    }
  | {
      readonly kind: "known"
      readonly party: Party
      readonly token: AcceptedToken
      /** The party's tokens. */
      readonly keyring: Keyring
      /** Present: from this process's memory; to be confirmed before anything follows from it. */
      readonly asOf?: PartyVersions
      /** The form that the caller used. */
      readonly form: TokenForm
    }
  /** A partner that calls with a token that it issued itself: identified by it, but with no access to modules. */
  | {
      readonly kind: "returning"
      readonly party: Party
      readonly name: NamedToken["name"]
    }

/** The parties of a root: a sandbox partner accepts its own tokens only; our root accepts those of connections only. */
const isAt = (root: Root) => (party: Party) =>
  root.kind === "connection" ? party.kind === "connection" : party.id === root.partyId

/** A caller with an accepted token, if this process's memory has it; to be confirmed. */
export const callerInMemory = (
  store: Pick<PartyStore["Type"], "heldByToken">,
  root: Root,
  request: OcpiHead
): KnownCaller | undefined => {
  const written = writtenToken(request.headers["authorization"])
  const held = written === undefined ? undefined : store.heldByToken(written, isAt(root))
  return held === undefined ? undefined : { kind: "known", ...held }
}

/**
 * At the connections' root a request without a token, or with another scheme than `Token`, is anonymous and may read
 * version information. At a sandbox partner's root, as at any partner, every request needs a token.
 */
export const authenticate = Effect.fnUntraced(function* (root: Root, request: OcpiHead) {
  const store = yield* PartyStore
  const sent = inboundAuthorization(request.headers["authorization"])
  const withoutToken: CallerIdentity = { kind: root.kind === "connection" ? "anonymous" : "refused" }
  if (sent === undefined) {
    // `Token` with nothing after it counts as an unknown token.
    return /^token$/i.test(request.headers["authorization"]?.trim() ?? "")
      ? ({ kind: "refused" } as const)
      : withoutToken
  }
  if (sent.scheme.toLowerCase() !== "token") return withoutToken
  const values = sent.candidates.map(({ value }) => value)
  const isHere = isAt(root)
  const accepted = Option.getOrUndefined(yield* store.findByToken("accept", values, isHere))
  if (accepted !== undefined) {
    const { candidate, keyring, party, token } = accepted
    if (token.slot === "issued" && token.name === "tokenA" && (yield* hasExpired(party)))
      return { kind: "refused" } as const
    const form = sent.candidates[candidate]?.form ?? "raw"
    return { kind: "known", party, token, keyring, form } as const
  }
  const recognised = Option.getOrUndefined(yield* store.findByToken("recognise", values, isHere))
  if (recognised === undefined) return { kind: "refused" } as const
  const { candidate, name, party, slot } = recognised
  if (slot === "returned") return { kind: "returning", party, name } as const
  const value = Redacted.make(values[candidate] ?? "") // the store found this candidate
  return { kind: "refused", retired: { party, token: { name, value } } } as const
})

/** The owner sees it in `lastError`; the partner learns only that its token is not known. */
const hasExpired = Effect.fnUntraced(function* (party: Party) {
  const expiresAt = party.invitation?.expiresAt
  if (expiresAt === undefined || (yield* Clock.currentTimeMillis) < Date.parse(expiresAt)) return false
  const store = yield* PartyStore
  const lastError = `auth: the partner came with the Token A of an invitation that expired at ${expiresAt}; issue a new one`
  yield* store.update(party.id, (now) => ({ ...now, lastError }))
  return true
})

/** A caller with an accepted token. */
type KnownCaller = Extract<CallerIdentity, { readonly kind: "known" }>

/**
 * What a request of a known caller reveals: that it has received its new token, and the form of the token that it uses (both
 * are served).
 */
function reveals({ form, keyring, party, token }: KnownCaller, spoken: string | undefined) {
  const previous =
    token.slot === "issued" ? keyring.tokens.find(({ slot }) => slot === "previous") : undefined
  const { dialect: known } = party
  const isOfAnyCall = known.tokenEncoding.inbound === "auto" || isOverridden(known, "tokenEncoding.inbound")
  const taught = (dialect: Dialect) => dialectAfterCall(dialect, form, profileOf(party.version).authorization)
  // In another version the partner may be changing to it, with the token form of that version.
  const teaches = (isOfAnyCall || spoken === party.version) && taught(known) !== known
  return { previous, taught: teaches ? taught : undefined }
}

/** Would `noteUse` change anything? */
export const isNews = (caller: KnownCaller, [spoken]: OcpiRequest["path"]): boolean => {
  const { previous, taught } = reveals(caller, spoken)
  return previous !== undefined || taught !== undefined
}

/** Notes what a request reveals. */
export const noteUse = Effect.fnUntraced(function* (
  caller: Extract<CallerIdentity, { readonly kind: "known" | "returning" }>,
  [spoken]: OcpiRequest["path"]
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
  const { party } = caller
  const { previous, taught } = reveals(caller, spoken)
  if (previous !== undefined) {
    yield* store.putToken(party.id, "previous", null)
    yield* retireToken(party.id, previous)
  }
  if (taught !== undefined) yield* store.update(party.id, (now) => ({ ...now, dialect: taught(now.dialect) }))
})
