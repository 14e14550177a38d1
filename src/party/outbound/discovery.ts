/**
 * Discovery: asks the counterpart for its versions and for the details of ours; both ways of registering begin with it.
 */

import { Effect, type Redacted } from "effect"
import type { Endpoint } from "../../../schema/Connection.ts"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn, sameId, textIn } from "../../findings/json.ts"
import { shown, withArticle } from "../../findings/words.ts"
import type { OcpiClient, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import type { TokenForm } from "../../ocpi/tokens.ts"
import { cleanerOf } from "../../redaction/scrubValue.ts"
import { hostTells } from "../../redaction/secretUrls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import type { Discovery } from "../wire/Discovery.ts"
import { dataOf, partnerSays, RegistrationError } from "../wire/RegistrationError.ts"
import { listed, unwrapped } from "../wire/shapes.ts"
import type { PartnerCalls } from "./PartnerCalls.ts"
import { otherHosts } from "./partnerHosts.ts"
import { performCall } from "./performCall.ts"
import { atVersionsUrl, dataInWords, versionEntries } from "./versionsList.ts"

/** Where to discover, and with which token. */
export interface DiscoveryRequest {
  readonly versionsUrl: string
  readonly name: PartyToken["name"]
  readonly token: Redacted.Redacted<string>
  readonly correlationId: string
  /** Collects the accepted deviations, also when the discovery fails. */
  readonly deviations?: Array<string>
  /** Accept the details even if they list only the credentials endpoint. */
  readonly anything?: boolean
  /** Limit of each call in milliseconds; short, because the calls count against the whole registration. */
  readonly timeoutMillis?: number
}

/**
 * GET versions and GET version details. Fails with `RegistrationError`; statusCode 3002: the partner lacks our version,
 * 3003: endpoints are missing.
 */
export const discover = Effect.fnUntraced(function* (
  party: Party,
  request: DiscoveryRequest
): Effect.fn.Return<Discovery, RegistrationError, PartnerCalls | OcpiClient | PartyStore> {
  const deviations = request.deviations ?? []
  const proven = yield* inSomeForm(party, request.name, deviations, {
    what: "GET versions",
    ask: (form) => get(party, request, { operation: "list", url: request.versionsUrl, form })
  })
  const base = proven.answer.exchange.request.url
  const answered = yield* Effect.mapError(
    dataOf("GET versions", proven.answer, deviations),
    atVersionsUrl(base)
  )
  const isEntry = (object: JsonObject) => textIn(object["version"]) !== undefined && "url" in object
  const list = listed("GET versions", answered, isEntry, deviations)
  const detailsUrl = yield* detailsUrlIn(yield* versionEntries(list, base), party, base, deviations)
  // Some versions lists are public; then only the details show whether the form of the token is right.
  const { answer: details, form } = yield* inSomeForm(party, request.name, deviations, {
    what: "GET version details",
    ask: (form) => get(party, request, { operation: "details", url: detailsUrl, form }),
    known: proven.form
  })
  const data = unwrapped(
    "GET version details",
    yield* dataOf("GET version details", details, deviations),
    deviations
  )
  if (!isObject(data) || !Array.isArray(data["endpoints"])) {
    const seen =
      isObject(data) && "endpoints" in data
        ? `endpoints ${shown(data["endpoints"])}, which is no list`
        : dataInWords(data)
    return yield* new RegistrationError({
      kind: "protocol",
      message: `GET version details answered with ${seen}; data must be an object with version and a list of endpoints`
    })
  }
  if (data["version"] !== party.version)
    deviations.push(`version details name version ${JSON.stringify(data["version"])}`)
  const entries = objectsIn(data["endpoints"])
  if (entries.length > mostEndpoints)
    deviations.push(`version details list ${entries.length} endpoints; the first ${mostEndpoints} are used`)
  const endpoints = entries
    .slice(0, mostEndpoints)
    .flatMap((entry) => endpointIn(entry, party, detailsUrl, deviations))
  yield* refuseTokenInHost(party, [
    ["versions", base],
    ["version details", detailsUrl],
    ...endpoints.map(({ identifier, url }) => [identifier, url] as const)
  ])
  noteCredentials(endpoints, deviations)
  deviations.push(...otherHosts(base, detailsUrl, endpoints))
  deviations.splice(mostDeviations)
  if (request.anything !== true) yield* requireUsualEndpoints(endpoints, party)
  return { detailsUrl, endpoints, form, deviations }
})

/** A request that can be sent with the token in either form. */
interface Attempt<R> {
  readonly what: string
  readonly ask: (form: TokenForm) => Effect.Effect<PartnerAnswer, never, R>
  /** The form in which an earlier request was answered. */
  readonly known?: TokenForm
}

/**
 * `auto`: tries the form that the version's text requires, and after a 401 the other one once. Never more often, because
 * partners may lock out callers.
 */
const inSomeForm = Effect.fnUntraced(function* <R>(
  party: Party,
  name: PartyToken["name"],
  deviations: Array<string>,
  { ask, known, what }: Attempt<R>
) {
  const { authorization } = profileOf(party.version)
  const preference = party.dialect.tokenEncoding.outbound
  const first = known ?? (preference === "auto" ? authorization : preference)
  const answer = yield* ask(first)
  if (answer.exchange.response?.httpStatus !== 401) return { answer, form: first }
  const refused = ({ exchange }: PartnerAnswer, forms: string, next: string) =>
    new RegistrationError({
      kind: "auth",
      message: `${what} answered 401 to ${forms}; check ${labelOf(name)}${next}${partnerSays(exchange.response?.body ?? null)}`,
      httpStatus: 401
    })
  // Once a form was found by trying, the other one is not tried again.
  const isSettled = preference !== "auto" || (known !== undefined && known !== authorization)
  if (isSettled)
    return yield* refused(answer, `the token in ${first} form`, " or the dialect's tokenEncoding")
  const second: TokenForm = first === "raw" ? "base64" : "raw"
  const again = yield* ask(second)
  if (again.exchange.response?.httpStatus === 401) return yield* refused(again, "both token forms", "")
  // Only an answer shows which form the partner takes.
  if (again.exchange.response === null) return { answer: again, form: first }
  deviations.push(`expects the token in ${second} form, the version's text says ${first}`)
  return { answer: again, form: second }
})

/**
 * Refuses a URL with a token in its host name. In a path or query a token can be redacted and put back for the call; a
 * host name is sent in the clear.
 */
const refuseTokenInHost = Effect.fnUntraced(function* (
  party: Party,
  urls: ReadonlyArray<readonly [what: string, url: string]>
) {
  const secrets = yield* (yield* PartyStore).secrets(party.id)
  const telling = urls.find(([, url]) => hostTells(secrets, url))
  if (telling === undefined) return
  return yield* new RegistrationError({
    kind: "protocol",
    message: `the host name of the partner's ${cleanerOf(secrets).text(telling[0])} URL holds a token of this connection, and host names are sent in the clear; use another host name, or another token`
  })
})

/** The credentials endpoint has no meaningful role, so it may be listed for both; but both must have the same URL. */
function noteCredentials(endpoints: ReadonlyArray<Endpoint>, deviations: Array<string>): void {
  const urls = endpoints.filter(({ identifier }) => identifier === "credentials").map(({ url }) => url)
  if (urls.length > 1)
    deviations.push(
      new Set(urls).size > 1
        ? `version details list ${urls.length} credentials endpoints with different URLs; the first is used`
        : `version details list the credentials endpoint ${urls.length} times`
    )
}

function get(
  party: Party,
  request: DiscoveryRequest,
  { form, operation, url }: { readonly operation: string; readonly url: string; readonly form: TokenForm }
): Effect.Effect<PartnerAnswer, never, PartnerCalls | OcpiClient | PartyStore> {
  return performCall(party, {
    module: "versions",
    interfaceRole: "SENDER",
    operation,
    method: "GET",
    url,
    correlationId: request.correlationId,
    authorization: { name: request.name, token: request.token, form, at: [request.versionsUrl, url] },
    ...(request.timeoutMillis === undefined ? {} : { timeoutMillis: request.timeoutMillis })
  }).pipe(Effect.orDie) // a call with a URL needs no endpoint
}

const labelOf = (name: PartyToken["name"]) => `Token ${name.slice(-1)}`

function offered(entries: ReadonlyArray<JsonObject>): string {
  const named = entries.slice(0, mostNamed).map(({ version }) => String(version).slice(0, 20))
  return `${named.join(", ")}${entries.length > mostNamed ? ` and ${entries.length - mostNamed} more` : ""}`
}

function detailsUrlIn(
  entries: ReadonlyArray<JsonObject>,
  party: Party,
  base: string,
  deviations: Array<string>
) {
  const entry = entries.find(({ version }) => version === party.version)
  if (entry === undefined)
    return Effect.fail(
      new RegistrationError({
        kind: "unsupported",
        message: `the partner does not offer version ${party.version}; it offers ${offered(entries)}. Agree on one that both sides offer`,
        statusCode: ocpiStatus.unsupportedVersion
      })
    )
  const url = absolute(entry["url"], base)
  if (url === undefined)
    return Effect.fail(
      new RegistrationError({
        kind: "protocol",
        message: `GET versions lists ${party.version} without a usable url`
      })
    )
  if (url !== entry["url"] && !URL.canParse(String(entry["url"])))
    deviations.push("the versions list has relative URLs")
  return Effect.succeed(url)
}

/**
 * OCPI's URLs have at most 255 characters; a longer one is accepted, and noted elsewhere, up to what HTTP servers accept.
 */
const longestUrl = 8192
/** The most entries of version details that are read, and the most deviations that are reported of them. */
const mostEndpoints = 200
const mostDeviations = 50
/** The most versions that a message names. */
const mostNamed = 20

function absolute(url: unknown, base: string): string | undefined {
  const text = textIn(url)
  if (text === undefined || text.length > longestUrl) return undefined
  if (URL.canParse(text)) return text
  return URL.canParse(text, base) ? new URL(text, base).href : undefined
}

function endpointIn(
  entry: JsonObject,
  party: Party,
  base: string,
  deviations: Array<string>
): ReadonlyArray<Endpoint> {
  const profile = profileOf(party.version)
  const identifier = textIn(entry["identifier"])
  const url = absolute(entry["url"], base)
  if (identifier === undefined || url === undefined) {
    deviations.push("version details list an endpoint without identifier or url")
    return []
  }
  if (!URL.canParse(String(entry["url"]))) deviations.push(`the URL of endpoint ${identifier} is relative`)
  if (!profile.endpointRoles) return [{ identifier, role: null, url }]
  const role = entry["role"]
  if (role === "SENDER" || role === "RECEIVER") return [{ identifier, role, url }]
  if (identifier === "credentials") return [{ identifier, role: null, url }]
  deviations.push(`endpoint ${identifier} has no role`)
  const usual = profile.interfaces[party.counterpart.role].find(([module]) => module === identifier)
  return [{ identifier, role: usual?.[1] ?? null, url }]
}

/** Fails unless the credentials endpoint and at least one usual module of that role are listed. */
function requireUsualEndpoints(
  endpoints: ReadonlyArray<Endpoint>,
  party: Party
): Effect.Effect<void, RegistrationError> {
  const profile = profileOf(party.version)
  const missing = (what: string) =>
    Effect.fail(
      new RegistrationError({
        kind: "unsupported",
        message: `the partner's version details list ${what}`,
        statusCode: ocpiStatus.noMatchingEndpoints
      })
    )
  if (!endpoints.some(({ identifier }) => identifier === "credentials"))
    return missing("no credentials endpoint")
  const usual = profile.interfaces[party.counterpart.role].filter(([module]) => module !== "credentials")
  const offered = usual.some(([module, role]) =>
    endpoints.some(
      (known) => sameId(known.identifier, module) && (known.role === null || known.role === role)
    )
  )
  return offered ? Effect.void : missing(`no endpoint that ${withArticle(party.counterpart.role)} offers`)
}
