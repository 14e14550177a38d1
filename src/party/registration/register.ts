/**
 * The steps of a registration that we begin: discovery, a fresh token that works at once, POST or PUT credentials, and
 * its answer.
 */
import { Effect, Option, Redacted } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { objectIn } from "../../findings/json.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { discover } from "../outbound/discovery.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { performCall } from "../outbound/performCall.ts"
import { noTokenIn, noteParties, ourCredentials, partiesIn, tokenIn } from "../wire/credentialsObject.ts"
import type { Discovery } from "../wire/Discovery.ts"
import { dialectAfter } from "../wire/dialect.ts"
import { nowIso } from "../wire/instants.ts"
import { freshUuid } from "../wire/messageId.ts"
import { quirksOf } from "../wire/PartnerQuirks.ts"
import { dataOf, RegistrationError } from "../wire/RegistrationError.ts"
import { inNewVersion, registrationAfter } from "../wire/registration.ts"
import { partyRootUrl, versionsUrl } from "../wire/roots.ts"
import { unwrapped } from "../wire/shapes.ts"
import { settled } from "../wire/tokenSlots.ts"
import { holdOpen } from "./holdOpen.ts"
import { type InboundCalls, inboundDuring } from "./inboundDuring.ts"
import { undo } from "./unregister.ts"

/** A registration to carry out. */
export interface RegisterOrder {
  /** The id of the party's open exchange. */
  readonly openId: string
  /** The version of the party; for a registered party, the version to change to. */
  readonly version: OcpiVersion
  readonly publicUrl: string
  /** Collects deviations of the partner that we tolerate, also if the registration fails. */
  readonly deviations: Array<string>
}

/** Time limit of POST and PUT credentials: the partner calls us back meanwhile, and may be slow. */
const credentialsMillis = 45_000

/** The names of the new tokens: on a rotation those of the tokens that they replace. */
interface Names {
  readonly ours: PartyToken["name"]
  readonly theirs: PartyToken["name"]
}

/**
 * Registers, or rotates the tokens of a registered party. If the registration is ended meanwhile, it fails, and the
 * registration that the partner has just accepted is ended by DELETE.
 */
export const register = Effect.fnUntraced(function* (
  before: Party,
  order: RegisterOrder
): Effect.fn.Return<void, RegistrationError, PartyStore | OcpiClient | PartnerCalls> {
  const store = yield* PartyStore
  const { deviations, publicUrl, version } = order
  const isRotation = before.registration === "registered"
  if (!isRotation && version !== before.version)
    return yield* new RegistrationError({
      kind: "config",
      message: `the registration is for version ${before.version}; register first, then change to ${version}`
    })
  const party = inNewVersion(before, version)
  const tokens = yield* store.tokens(party.id)
  const slot = (name: PartyToken["slot"]) => tokens.find((token) => token.slot === name)
  const outbound = slot("outbound")
  if (outbound === undefined)
    return yield* new RegistrationError({
      kind: "config",
      message: "there is no token to call the partner with; ask it for a new Token A"
    })
  if (!URL.canParse(party.counterpart.versionsUrl))
    return yield* new RegistrationError({
      kind: "config",
      message: "the partner's versions URL is missing or no URL"
    })
  const correlationId = yield* freshUuid
  const has = yield* quirksOf(party)
  const found = has("registers unseeing")
    ? guessed(party)
    : yield* discover(party, {
        versionsUrl: party.counterpart.versionsUrl,
        name: outbound.name,
        token: outbound.value,
        correlationId,
        deviations,
        anything: has("registers with anybody")
      })
  const fresh = yield* issueToken
  const issued = slot("issued")
  const names: Names = isRotation
    ? { ours: issued?.name ?? "tokenB", theirs: outbound.name }
    : { ours: "tokenB", theirs: "tokenC" }
  yield* holdOpen(party, order.openId)
  // Store it before sending: the partner calls back with it while our request is open.
  if (!has("opens late")) yield* store.putToken(party.id, "pending", { name: names.ours, value: fresh })
  yield* store.update(party.id, (now) => ({
    ...now,
    dialect: dialectAfter(now.dialect, found, deviations)
  }))
  return yield* exchangeCredentials(party, found, {
    openId: order.openId,
    fresh,
    issued,
    names,
    publicUrl,
    correlationId,
    deviations
  })
})

const exchangeCredentials = Effect.fnUntraced(function* (
  party: Party,
  found: Discovery,
  sending: {
    readonly openId: string
    readonly fresh: Redacted.Redacted<string>
    /** The token with which the partner has called us so far. */
    readonly issued: PartyToken | undefined
    readonly names: Names
    readonly publicUrl: string
    readonly correlationId: string
    readonly deviations: Array<string>
  }
) {
  const store = yield* PartyStore
  const profile = profileOf(party.version)
  const { deviations, fresh, issued, names, publicUrl } = sending
  const method = party.registration === "registered" ? "PUT" : "POST"
  const what = `${method} credentials`
  const heard = yield* inboundDuring(party.id)
  const answer = yield* performCall(
    {
      ...party,
      dialect: dialectAfter(party.dialect, found, deviations),
      counterpart: { ...party.counterpart, endpoints: found.endpoints }
    },
    {
      module: "credentials",
      interfaceRole: "SENDER",
      operation: what,
      method,
      body: ourCredentials(profile, party, fresh, versionsUrl(partyRootUrl(publicUrl, party))),
      correlationId: sending.correlationId,
      timeoutMillis: credentialsMillis
    }
  ).pipe(Effect.orDie) // discovery has found a credentials endpoint
  const calls = yield* heard
  const answered = yield* Effect.mapError(dataOf(what, answer, deviations), (failure) =>
    explained(failure, method, publicUrl, calls)
  )
  deviations.push(...missedCallBacks(calls.versions))
  const data = unwrapped(what, answered, deviations)
  const token = tokenIn(data)
  if (token === undefined)
    return yield* new RegistrationError({
      kind: "protocol",
      message: `${what} answered ${noTokenIn(data)}; the partner may take us for registered, ask it for a new Token A`
    })
  if (Redacted.value(token) === Redacted.value(fresh))
    return yield* new RegistrationError({
      kind: "protocol",
      message: `${what} answered with the token that we sent in it; the partner must answer with one that it issues (Token C), and a new Token A is needed to try again`
    })
  const credentials = objectIn(data)
  // From here on only the partner's new token works: keep it, whatever else is wrong with the answer.
  const parties = partiesIn(profile, party, credentials)
  noteParties(what, party, parties, deviations)
  if (typeof credentials["url"] !== "string") deviations.push(`${what} answered without the partner's url`)
  const registeredAt = yield* nowIso
  const theirs = { name: names.theirs, value: token }
  const tokens = settled(party, {
    ...((yield* quirksOf(party))("keeps its old token") ? {} : { theirs }),
    ours: { name: names.ours, value: fresh },
    previous: null,
    former: issued
  })
  let lost = false
  const nowMillis = Date.parse(registeredAt)
  const change = (now: Party): Party => {
    const next = registrationAfter(now, "exchange.completed", { id: sending.openId, nowMillis })
    lost = next === undefined
    if (next === undefined) return now
    const { invitation } = now
    return {
      ...next,
      version: party.version,
      registeredAt: now.registeredAt ?? registeredAt,
      lastError: undefined,
      ...(invitation?.state === "open" ? { invitation: { ...invitation, state: "withdrawn" } } : {}),
      dialect: dialectAfter(inNewVersion(now, party.version).dialect, found, [
        ...now.dialect.deviations,
        ...deviations
      ]),
      counterpart: {
        ...now.counterpart,
        detailsUrl: found.detailsUrl,
        endpoints: found.endpoints,
        parties: parties ?? now.counterpart.parties
      }
    }
  }
  const after = yield* store.update(party.id, change, tokens)
  if (Option.isSome(after) && !lost) return
  const undone = yield* undo(party, found, theirs)
  return yield* new RegistrationError({
    kind: "config",
    message: `the registration was ended while our ${what} was open, and the partner had accepted that; ${undone.message}`
  })
})

/** Guesses the credentials endpoint from the versions URL, instead of a discovery. */
function guessed({ counterpart, version }: Party): Discovery {
  const root = counterpart.versionsUrl.replace(/\/versions\/?$/, "")
  const credentials = { identifier: "credentials", role: null, url: `${root}/${version}/credentials` }
  return { endpoints: [credentials], form: profileOf(version).authorization, deviations: [] }
}

/** The deviations of a partner that did not fetch our versions, or no version details, during the registration. */
function missedCallBacks(operations: ReadonlyArray<string>): ReadonlyArray<string> {
  if (operations.length === 0) return ["never fetched our versions during the registration"]
  return operations.includes("details")
    ? []
    : ["fetched our versions during the registration, but not the details of any"]
}

function explained(
  failure: RegistrationError,
  method: "POST" | "PUT",
  publicUrl: string,
  { crossed, versions }: InboundCalls
): RegistrationError {
  const calls = versions.length
  const more = (message: string) =>
    new RegistrationError({ ...failure, message: `${failure.message}${message}` })
  if (crossed && failure.httpStatus === 405)
    return new RegistrationError({
      ...failure,
      message: `${method} credentials answered 405, and the partner's own POST came meanwhile and was turned away by us: both began at once. Nothing is lost; let one side alone try again`
    })
  if (failure.statusCode === ocpiStatus.unableToUseApi)
    return more(
      calls === 0
        ? `; no call back with the token of our ${method} has come. Can the partner reach ${publicUrl}, and does it call with the token in the body of our ${method}?`
        : `; ${calls} of its call backs were answered. Can the partner reach ${publicUrl}, and read what it finds there?`
    )
  if (failure.kind === "auth" && failure.httpStatus === 401)
    return more(
      ", or its form: a partner that shows its versions to anyone hides which form of the token it takes; set the dialect's tokenEncoding.outbound"
    )
  if (failure.kind === "network")
    return more(
      method === "POST"
        ? "; if the partner took it, it now refuses Token A: ask it for a new one"
        : "; if the partner took it, it now refuses the old token: register anew"
    )
  // Some that cannot call back say so by no status_code of its own, and have used up Token A.
  if (failure.kind === "protocol" && failure.statusCode !== undefined && method === "POST" && calls === 0)
    return more(
      `; no call back with the token of our POST has come. Can the partner reach ${publicUrl}? If it now refuses Token A, ask it for a new one`
    )
  return failure
}
