/**
 * Credentials (the credentials module), receiving side: the partner registers with us, rotates, and leaves. It is called
 * back while its request is open, so nothing is locked meanwhile; the change is made in one step at the end.
 */
import { Effect, Option, type Redacted } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import { PartyStore, type PartyToken } from "../../store/PartyStore.ts"
import { dialectAfter, ourCredentials, partiesIn, tokenIn } from "../credentialsObject.ts"
import { discover } from "../discovery.ts"
import { nowIso } from "../instants.ts"
import { textIn } from "../json.ts"
import { versionsUrl } from "../roots.ts"
import { lastErrorOf, type Trouble } from "../Trouble.ts"
import { forgetTokens } from "../tokenSlots.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { type Refusal, refusal, success } from "./Route.ts"
import { validBody } from "./requestBody.ts"

/** Each call back to the partner; two or three of them must fit into its own time limit. */
const callBackMillis = 10_000

const route = { module: "credentials", pattern: [] } as const

export const credentialsRoutes: ReadonlyArray<Route> = [
  { ...route, method: "GET", operation: "GET credentials", handle: read },
  { ...route, method: "POST", operation: "POST credentials", handle: register },
  { ...route, method: "PUT", operation: "PUT credentials", handle: rotate },
  { ...route, method: "DELETE", operation: "DELETE credentials", handle: unregister }
]

function read(call: ModuleCall) {
  return Effect.succeed(success(credentialsFor(call, call.token.value)))
}

function register(call: ModuleCall) {
  return Effect.gen(function* () {
    if (isRegistered(call)) return yield* wrongState("Registered already; PUT credentials to change them")
    return yield* exchangeTokens(call, { theirs: "tokenB", ours: "tokenC" })
  })
}

function rotate(call: ModuleCall) {
  return Effect.gen(function* () {
    if (!isRegistered(call)) return yield* wrongState("Not registered; POST credentials first")
    const store = yield* PartyStore
    const tokens = yield* store.tokens(call.party.id)
    const nameOf = (slot: PartyToken["slot"]) => tokens.find((token) => token.slot === slot)?.name
    return yield* exchangeTokens(call, {
      theirs: nameOf("outbound") ?? "tokenB",
      ours: nameOf("issued") ?? "tokenC"
    })
  })
}

function unregister(call: ModuleCall) {
  return Effect.gen(function* () {
    if (!isRegistered(call)) return yield* wrongState("Not registered; there is nothing to delete")
    yield* forgetTokens(call.party.id)
    return success()
  })
}

/** Token A opens the way in and nothing else; with it, nobody is registered yet. */
const isRegistered = (call: ModuleCall) =>
  call.party.registration === "registered" && call.token.name !== "tokenA"

const wrongState = (message: string) => refusal(ocpiStatus.clientError, message, 405)

const credentialsFor = (call: ModuleCall, token: Redacted.Redacted<string>) =>
  ourCredentials(call.profile, call.party, token, versionsUrl(call.root))

function exchangeTokens(
  call: ModuleCall,
  names: { readonly theirs: PartyToken["name"]; readonly ours: PartyToken["name"] }
) {
  return Effect.gen(function* () {
    const store = yield* PartyStore
    const body = yield* validBody(call, "Credentials")
    const token = tokenIn(body)
    const url = textIn(body["url"])
    if (token === undefined || url === undefined || !URL.canParse(url))
      return yield* refusal(ocpiStatus.invalidParameters, "token and an absolute url are required")
    const { id } = call.party
    const found = yield* Effect.mapError(
      discover(call.party, {
        versionsUrl: url,
        name: names.theirs,
        token,
        correlationId: call.correlationId,
        timeoutMillis: callBackMillis
      }),
      callBackFailed
    )
    const first = call.party.registration === "none"
    const registeredAt = yield* nowIso
    let lost = false
    yield* store.update(id, (party) => {
      // Of two registrations with one Token A, the first to get here wins.
      lost = first && party.registration === "registered"
      if (lost) return party
      return {
        ...party,
        registration: "registered",
        registeredAt: first ? registeredAt : party.registeredAt,
        dialect: dialectAfter(party.dialect, found, found.deviations),
        counterpart: {
          ...party.counterpart,
          versionsUrl: url,
          endpoints: found.endpoints,
          parties: partiesIn(call.profile, party, body)
        }
      }
    })
    if (lost) return yield* wrongState("Registered already, by another request with the same token")
    const fresh = yield* issueToken
    yield* store.putToken(id, "outbound", { name: names.theirs, value: token })
    // Until the new token is used for the first time, the answer that carries it may have been lost.
    yield* store.putToken(id, "previous", first ? null : { name: call.token.name, value: call.token.value })
    yield* store.putToken(id, "issued", { name: names.ours, value: fresh })
    const now = Option.getOrElse(yield* store.find(id), () => call.party)
    return success(ourCredentials(call.profile, now, fresh, versionsUrl(call.root)))
  })
}

function callBackFailed(trouble: Trouble): Refusal {
  const code =
    trouble.statusCode === ocpiStatus.unsupportedVersion ||
    trouble.statusCode === ocpiStatus.noMatchingEndpoints
      ? trouble.statusCode
      : ocpiStatus.unableToUseApi
  return refusal(code, `Calling back failed, ${lastErrorOf(trouble)}`)
}
