/** The partner hands us its credentials by POST or PUT: we discover its endpoints and answer with a new token. */
import { Effect, Option, Redacted } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { type JsonObject, textIn } from "../../findings/json.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { traced } from "../../telemetry/traced.ts"
import { discoverCaller } from "../registration/discoverCaller.ts"
import { noTokenIn, noteParties, ourCredentials, partiesIn, tokenIn } from "../wire/credentialsObject.ts"
import { dialectAfter } from "../wire/dialect.ts"
import { nowIso } from "../wire/instants.ts"
import { quirksOf } from "../wire/PartnerQuirks.ts"
import { lastErrorOf, type RegistrationError } from "../wire/RegistrationError.ts"
import { inNewVersion, registrationAfter } from "../wire/registration.ts"
import { versionsUrl } from "../wire/roots.ts"
import { unwrapped } from "../wire/shapes.ts"
import { settled } from "../wire/tokenSlots.ts"
import { type ModuleCall, notAllowed, Refusal, refusal, success } from "./Route.ts"
import { validBody } from "./requestBody.ts"

/** Time limit of each call back; two or three of them must fit into the partner's own time limit. */
const callBackMillis = 10_000
const impatientMillis = 2_000

/** How many of the partner's newest calls are searched for one on our versions. */
const mostEarlierCalls = 100

/** The names under which we store the two tokens of the exchange. */
interface TokenNames {
  readonly theirs: PartyToken["name"]
  readonly ours: PartyToken["name"]
}

/**
 * Answers POST or PUT credentials with our credentials and a fresh token; the registration changes in one step at the end.
 * After a refusal with 2001, 3001, 3002 or 3003 nothing has changed but the party's `lastError`.
 */
export const admit = traced("party.admit")(function* (call: ModuleCall, names: TokenNames) {
  const store = yield* PartyStore
  const deviations: Array<string> = []
  const { token, body } = yield* credentialsOf(call, deviations)
  const url = String(body["url"])
  const { id } = call.party
  const before = Option.getOrElse(yield* store.find(id), () => call.party)
  // Judged by the method of the request: another request may have registered the partner since.
  const first = call.request.method === "POST"
  const has = yield* quirksOf(call.party)
  if (first) deviations.push(...(yield* missedVersions(call)))
  if (has("stays in its version") && !first && before.version !== call.party.version)
    return yield* refusal(
      ocpiStatus.unsupportedVersion,
      `The registration stays in version ${before.version}`
    )
  const found = yield* Effect.mapError(
    discoverCaller(
      inNewVersion(before, call.party.version),
      {
        versionsUrl: url,
        name: names.theirs,
        token,
        correlationId: call.correlationId,
        timeoutMillis: has("impatient") ? impatientMillis : callBackMillis,
        deviations
      },
      call.token
    ),
    callBackFailed
  )
  const parties = partiesIn(call.profile, call.party, body)
  noteParties(`its ${call.request.method} credentials`, call.party, parties, deviations)
  const registeredAt = yield* nowIso
  const fresh = yield* issueToken
  const theirs = first || !has("keeps its old token") ? { name: names.theirs, value: token } : undefined
  const tokens = settled(before, {
    ...(theirs === undefined ? {} : { theirs }),
    ours: { name: names.ours, value: fresh },
    // Keep the replaced token until the new one is used: our answer may be lost.
    previous: first ? null : { name: call.token.name, value: call.token.value },
    former: first ? call.token : undefined
  })
  let overtaken: OvertakenBy | undefined
  const exchange = { id: call.exchangeId, nowMillis: Date.parse(registeredAt) }
  const change = (party: Party): Party => {
    // Of two concurrent POSTs with one Token A the first to get here wins; a DELETE wins over a PUT.
    const next = registrationAfter(party, first ? "post.answered" : "put.answered", exchange)
    overtaken = next === undefined ? (first ? overtakenBy(party) : "ended") : undefined
    if (next === undefined) return party
    const { invitation } = party
    return {
      ...next,
      version: call.party.version,
      registeredAt: first ? registeredAt : party.registeredAt,
      lastError: null,
      ...(invitation?.state === "open" ? { invitation: { ...invitation, state: "used" as const } } : {}),
      dialect: dialectAfter(inNewVersion(party, call.party.version).dialect, found, deviations),
      counterpart: {
        ...party.counterpart,
        versionsUrl: url,
        detailsUrl: found.detailsUrl,
        endpoints: !first && has("keeps our old endpoints") ? party.counterpart.endpoints : found.endpoints,
        parties
      }
    }
  }
  const after = yield* store.update(id, change, tokens)
  if (Option.isNone(after)) return yield* overtakenRefusal("ended")
  if (overtaken !== undefined) return yield* overtakenRefusal(overtaken)
  return success(ourCredentials(call.profile, call.party, fresh, versionsUrl(call.root)))
})

/** The token and body of the request. Refuses with 2001 what is no Credentials object of the version or has no new token. */
const credentialsOf = Effect.fnUntraced(function* (call: ModuleCall, deviations: Array<string>) {
  const json = unwrapped(`its ${call.request.method} credentials`, call.json, deviations)
  const body: JsonObject = yield* validBody({ ...call, json }, "Credentials")
  const token = tokenIn(body)
  const url = textIn(body["url"])
  if (token === undefined)
    return yield* refusal(ocpiStatus.invalidParameters, `the credentials came ${noTokenIn(body)}`)
  if (url === undefined || !URL.canParse(url))
    return yield* refusal(ocpiStatus.invalidParameters, "an absolute url is required")
  if (Redacted.value(token) === Redacted.value(call.token.value))
    return yield* refusal(
      ocpiStatus.invalidParameters,
      "token must be a new one that you issue for our calls to you, not the one that you call us with"
    )
  return { token, body }
})

/** The deviation of a partner that registers without having fetched our versions; none where it has called too often to tell. */
const missedVersions = Effect.fnUntraced(function* ({ party }: ModuleCall) {
  const store = yield* PartyStore
  const earlier = yield* store.exchangesBefore(party.id, { direction: "inbound", limit: mostEarlierCalls })
  return earlier.length === mostEarlierCalls || earlier.some(({ exchange }) => exchange.module === "versions")
    ? []
    : ["never fetched our versions before it registered"]
})

/** What another request did to the registration while this one was open. */
type OvertakenBy = "registered" | "ended"

/** What overtook a POST of credentials, by what the party is since. */
const overtakenBy = ({ open, registration }: Party): OvertakenBy =>
  registration === "registered" && open?.state !== "ending" ? "registered" : "ended"

const overtakenRefusal = (by: OvertakenBy): Refusal =>
  by === "registered"
    ? notAllowed(
        ocpiStatus.clientError,
        "Registered already, by another request with the same token",
        credentialsMethods("registered")
      )
    : notAllowed(
        ocpiStatus.clientError,
        "The registration was ended while this request was open",
        credentialsMethods("none")
      )

/** The methods of the credentials module that a party may use in this state. */
export const credentialsMethods = (registration: Party["registration"]): string =>
  registration === "registered" ? "GET, PUT, DELETE" : "GET, POST"

function callBackFailed(failure: RegistrationError): Refusal {
  const code =
    failure.statusCode === ocpiStatus.unsupportedVersion ||
    failure.statusCode === ocpiStatus.noMatchingEndpoints
      ? failure.statusCode
      : ocpiStatus.unableToUseApi
  return new Refusal({
    answer: {
      httpStatus: 200,
      statusCode: code,
      message: `Calling back failed, ${lastErrorOf(failure)}`,
      kind: failure.kind
    }
  })
}
