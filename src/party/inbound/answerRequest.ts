/** Finds the handler of a request (version, module, interface, method) and answers. */

import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { readJson } from "../../findings/readJson.ts"
import { withArticle } from "../../findings/words.ts"
import type { Party } from "../../store/parties/Party.ts"
import { type AcceptedToken, PartyStore, type PartyVersions } from "../../store/parties/PartyStore.ts"
import type { ModuleAnswer, ModuleCall, ModuleServices, Route } from "../modules/Route.ts"
import { matchPattern } from "../modules/Route.ts"
import { routesOf } from "../modules/routes.ts"
import { versionDetails, versionList } from "../modules/versions.ts"
import { ChargingSimulation } from "../simulation/ChargingSimulation.ts"
import { messageIdsOf } from "../wire/messageId.ts"
import type { OcpiRequest } from "../wire/Request.ts"
import { versionsOffered } from "../wire/registration.ts"
import { isForSomebodyElse } from "../wire/routing.ts"
import type { CallerIdentity } from "./authenticate.ts"
import { exchangeIdOf } from "./exchangeIdOf.ts"

/** A caller whose request is not refused outright. */
export type Served = Exclude<CallerIdentity, { readonly kind: "refused" }>

/** The names under which the exchange is recorded. */
export interface Named {
  readonly id: string
  readonly module: string
  readonly operation: string
  readonly requestId: string
  readonly correlationId: string
}

/** An answer, and the names of its exchange. */
interface Answered {
  readonly answer: ModuleAnswer
  readonly exchange: Named
  /** Present: the caller was read from memory, no statement has confirmed it yet, and nothing was changed. */
  readonly asOf?: PartyVersions | undefined
}

/** The handler of a request. */
interface Handler {
  readonly route: Route
  readonly call: ModuleCall
  readonly exchange: Named
}

/**
 * Answers an authenticated or anonymous request. `root`: URL of the party's root, without trailing slash. `now`: in milliseconds.
 * Undefined: the party or its tokens changed after this process last read them; nothing was changed.
 */
export const answerRequest = (
  root: string,
  request: OcpiRequest,
  caller: Served,
  now: number
): Effect.Effect<Answered | undefined, never, ModuleServices> => {
  const found = find(root, request, caller, now)
  if (!("answer" in found)) return answeredBy(found)
  return Effect.succeed({ ...found, asOf: caller.kind === "known" ? caller.asOf : undefined })
}

const answeredBy = Effect.fnUntraced(function* ({ call: asked, exchange, route }: Handler) {
  const { asOf, party } = asked
  let call = asked
  if (asOf !== undefined && route.method !== "GET" && route.confirmsCaller !== true) {
    if (!(yield* (yield* PartyStore).isCurrent(party.id, asOf))) return undefined
    call = { ...asked, asOf: undefined }
  }
  const done = yield* handled(route, call)
  // A sandbox partner starts its activity when a counterpart has just registered.
  if (exchange.module === "credentials" && party.kind === "sandbox")
    yield* Effect.flatMap(ChargingSimulation, (simulation) => simulation.startActivity(party.id))
  return done === undefined ? undefined : { ...done, exchange }
})

/** The handler, or the answer where none is needed. */
function find(
  root: string,
  request: OcpiRequest,
  caller: Served,
  now: number
): Omit<Answered, "asOf"> | Handler {
  const named = { id: exchangeIdOf(request, now), ...messageIdsOf(request.headers) }
  const party = caller.kind === "anonymous" ? undefined : caller.party
  const asOf = caller.kind === "known" ? caller.asOf : undefined
  const [version, module, ...segments] = request.path
  // Some partners call back with their own Token A during our registration, which must not stop because of it.
  if (caller.kind === "returning" && caller.name !== "tokenA")
    return {
      answer: notYours,
      exchange: { ...named, module: module ?? "versions", operation: [request.method, ...segments].join(" ") }
    }
  if (version === undefined || version === "versions" || module === undefined) {
    const isList = version === undefined || (version === "versions" && module === undefined)
    const answer = isList ? versionList(root, party) : versionDetails(root, version, party)
    return {
      answer: answer === undefined ? unknownVersion(version) : onlyGet(request, answer),
      exchange: { ...named, module: "versions", operation: isList ? "list" : "details" }
    }
  }
  const unrouted = { ...named, module, operation: [request.method, ...segments].join(" ") }
  const served = servedIn(version, module, request.method, caller)
  if ("refusal" in served) return { answer: served.refusal, exchange: unrouted }

  const { here, token } = served
  const profile = profileOf(here.version)
  const routes = routesOf(profile, here.role, module)
  if (routes.length === 0)
    return {
      answer: missing(`No module ${module} is offered here: this is ${withArticle(here.role)}`),
      exchange: unrouted
    }
  const found = routeOf(routes, request.method, segments)
  if (found === undefined) return { answer: noRoute(routes, module, request), exchange: unrouted }
  const exchange = { ...named, module, operation: filled(found.route, found.params) }
  if (here.kind === "sandbox" && isForSomebodyElse(here, profile, module, request))
    return { answer: nobodyHere, exchange }
  const { excess, json } =
    request.beyond === undefined
      ? readJson(request.body)
      : { excess: `it has more than ${request.beyond.limitBytes / 1024} KiB` }
  if (excess !== undefined) return { answer: tooMuch(excess), exchange }
  if (request.body !== "" && json === undefined)
    return { answer: isEncoded(request) ? encoded : notJson, exchange }
  const call: ModuleCall = {
    party: here,
    profile,
    token,
    asOf,
    request,
    params: found.params,
    json,
    root,
    exchangeId: named.id,
    correlationId: named.correlationId
  }
  return { route: found.route, call, exchange }
}

/** The party in the version that the caller speaks, and the caller's token; or why this caller is not served there. */
function servedIn(
  version: string,
  module: string,
  method: string,
  caller: Served
): { readonly here: Party; readonly token: AcceptedToken } | { readonly refusal: ModuleAnswer } {
  if (caller.kind === "anonymous") return { refusal: noToken }
  if (!versionNumbers.some((known) => known === version)) return { refusal: unknownVersion(version) }
  if (caller.kind === "returning") return { refusal: notYours }
  const { party, token } = caller
  if (token.name === "tokenA" && module !== "credentials") return { refusal: onlyRegistration }
  const spoken = versionsOffered(party).find((one) => one === version)
  // A partner changes the version by PUT credentials in the new one; every other request must use the agreed one.
  const isUpgrade = module === "credentials" && method === "PUT"
  return spoken === undefined || (spoken !== party.version && !isUpgrade)
    ? { refusal: otherVersion(party.version, module) }
    : { here: { ...party, version: spoken }, token }
}

/** No route has both: a method that is not offered at this path, or a path that nothing is served at. */
function noRoute(routes: ReadonlyArray<Route>, module: string, { method, path }: OcpiRequest): ModuleAnswer {
  const segments = path.slice(2)
  const matching = routes.filter(({ pattern }) => matchPattern(pattern, segments) !== undefined)
  const isMethod = matching.length > 0 || !routes.some((route) => route.method === method)
  return isMethod
    ? wrongMethod((matching.length > 0 ? matching : routes).map((route) => route.method))
    : missing(`Nothing is served at this path of module ${module}`)
}

/** The first route of that method whose pattern matches. */
function routeOf(routes: ReadonlyArray<Route>, method: string, segments: ReadonlyArray<string>) {
  for (const route of routes) {
    const params = route.method === method ? matchPattern(route.pattern, segments) : undefined
    if (params !== undefined) return { route, params }
  }
  return undefined
}

/**
 * Optimistic concurrency: on a conflict the request is handled again on the current state. This ends, because each
 * conflict means that another request completed.
 */
const handled = (
  route: Route,
  call: ModuleCall
): Effect.Effect<Omit<Answered, "exchange"> | undefined, never, ModuleServices> =>
  Effect.catchTags(
    Effect.map(route.handle(call), (answer) => ({
      answer,
      asOf: route.confirmsCaller === true ? undefined : call.asOf
    })),
    {
      Refusal: ({ answer }) => Effect.succeed({ answer, asOf: call.asOf }),
      Overtaken: () => Effect.suspend(() => handled(route, call)),
      CallerChanged: () => Effect.succeed(undefined)
    }
  )

function filled({ operation }: Route, params: Readonly<Record<string, string>>): string {
  return operation.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "")
}

const refuse = (httpStatus: number, statusCode: number, message: string): ModuleAnswer => ({
  httpStatus,
  statusCode,
  message,
  ...(httpStatus === 401 ? { headers: { "WWW-Authenticate": "Token" } } : {})
})
const missing = (message: string) => refuse(404, ocpiStatus.clientError, message)
const unknownVersion = (version: string | undefined) => missing(`There is no version ${version ?? ""} here`)
const noToken = refuse(401, ocpiStatus.clientError, "This needs a token that we issued")
const onlyRegistration = refuse(
  401,
  ocpiStatus.clientError,
  "Token A opens versions and credentials only; register first"
)
const notYours = refuse(
  401,
  ocpiStatus.clientError,
  "This is the token that you issued; use the one that we sent you"
)
const nobodyHere = refuse(200, ocpiStatus.invalidParameters, "The party in the OCPI-to headers is not here")
/** A limit of ours, not a mistake of the partner. */
const tooMuch = (excess: string): ModuleAnswer => ({
  ...refuse(413, ocpiStatus.clientError, `The request body is too large for us: ${excess}`),
  kind: "unsupported"
})
const notJson = refuse(400, ocpiStatus.invalidParameters, "The request body is not JSON")
/** A limit of ours too: OCPI says nothing of it, and HTTP allows it (RFC 9110, 15.5.16). */
const encoded: ModuleAnswer = {
  ...refuse(
    415,
    ocpiStatus.clientError,
    "The request has a Content-Encoding, and none is supported here: send the JSON as it is"
  ),
  headers: { "Accept-Encoding": "identity" },
  kind: "unsupported"
}
const isEncoded = ({ headers }: OcpiRequest): boolean =>
  !/^(identity)?$/i.test(headers["content-encoding"]?.trim() ?? "")

function wrongMethod(methods: ReadonlyArray<string>): ModuleAnswer {
  const allow = [...new Set(methods)].join(", ")
  return {
    ...refuse(405, ocpiStatus.clientError, `This method is not offered here; offered: ${allow}`),
    headers: { Allow: allow }
  }
}

function onlyGet(request: OcpiRequest, answer: ModuleAnswer): ModuleAnswer {
  return request.method === "GET" ? answer : wrongMethod(["GET"])
}

function otherVersion(version: string, module: string): ModuleAnswer {
  const message = `This token belongs to version ${version}; use the endpoints of that version`
  return module === "credentials"
    ? refuse(200, ocpiStatus.unsupportedVersion, message)
    : refuse(404, ocpiStatus.clientError, message)
}
