/** From a request to an answer: version, module, interface, method, handler. */
import { Effect } from "effect"
import { ocpiStatus } from "../../schema/ocpi/envelope.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { parseJson } from "../ocpi/envelope.ts"
import { newId } from "../store/newId.ts"
import type { Caller } from "./authenticate.ts"
import { freshUuid } from "./messageId.ts"
import type { Answer, ModuleCall, Route } from "./modules/Route.ts"
import { matchPattern } from "./modules/Route.ts"
import { routesOf } from "./modules/routes.ts"
import { versionDetails, versionList } from "./modules/versions.ts"
import type { Exclusively } from "./objectLocks.ts"
import type { OcpiRequest } from "./Parties.ts"

/** A caller who gets an answer of content. */
export type Served = Exclude<Caller, { readonly kind: "refused" }>

/** What the record of the exchange says of it. */
export interface Named {
  readonly id: string
  readonly module: string
  readonly operation: string
  readonly requestId: string
  readonly correlationId: string
}

export const answerRequest = Effect.fn("party.answerRequest")(function* (
  root: string,
  request: OcpiRequest,
  caller: Served,
  exclusively: Exclusively
) {
  const named = {
    id: yield* newId("exchange"),
    requestId: request.headers["x-request-id"] ?? (yield* freshUuid),
    correlationId: request.headers["x-correlation-id"] ?? (yield* freshUuid)
  }
  const party = caller.kind === "known" ? caller.party : undefined
  const [version, module, ...segments] = request.path
  if (version === undefined || version === "versions" || module === undefined) {
    const isList = version === undefined || (version === "versions" && module === undefined)
    const answer = isList ? versionList(root, party) : versionDetails(root, version, party)
    return {
      answer: answer === undefined ? unknownVersion(version) : onlyGet(request, answer),
      exchange: { ...named, module: "versions", operation: isList ? "list" : "details" }
    }
  }
  const unrouted = { ...named, module, operation: [request.method, ...segments].join(" ") }
  if (caller.kind === "anonymous") return { answer: noToken, exchange: unrouted }
  if (!versionNumbers.some((known) => known === version))
    return { answer: unknownVersion(version), exchange: unrouted }
  if (caller.token.name === "tokenA" && module !== "credentials")
    return { answer: onlyRegistration, exchange: unrouted }
  if (version !== caller.party.version)
    return { answer: otherVersion(caller.party.version, module), exchange: unrouted }

  const profile = profileOf(caller.party.version)
  const routes = routesOf(profile, caller.party.role, module)
  if (routes.length === 0)
    return { answer: missing(`A ${caller.party.role} offers no module ${module} here`), exchange: unrouted }
  const matching = routes.flatMap((route) => {
    const params = matchPattern(route.pattern, segments)
    return params === undefined ? [] : [{ route, params }]
  })
  const found = matching.find(({ route }) => route.method === request.method)
  if (found === undefined) {
    const allowed = (matching.length > 0 ? matching.map(({ route }) => route) : routes).map(
      ({ method }) => method
    )
    const isMethod = matching.length > 0 || !routes.some(({ method }) => method === request.method)
    return {
      answer: isMethod ? wrongMethod(allowed) : missing(`Nothing is served at this path of module ${module}`),
      exchange: unrouted
    }
  }
  const exchange = { ...named, module, operation: filled(found.route, found.params) }
  const json = request.body === "" ? undefined : parseJson(request.body)
  if (request.body !== "" && json === undefined) return { answer: notJson, exchange }
  const call: ModuleCall = {
    party: caller.party,
    profile,
    token: caller.token,
    request,
    params: found.params,
    json,
    root,
    exchangeId: named.id,
    correlationId: named.correlationId
  }
  const handling = found.route
    .handle(call)
    .pipe(Effect.catchTag("Refusal", (no) => Effect.succeed(no.answer)))
  // Credentials call the partner back meanwhile, and reading changes nothing: neither takes a lock.
  const isChange = module !== "credentials" && request.method !== "GET"
  const object = [caller.party.id, module, ...segments.slice(0, ownerDepth)].join("/")
  const answer = yield* isChange ? exclusively(object, handling) : handling
  return { answer, exchange }
})

/** Country, party and id: what is deeper is part of that object. */
const ownerDepth = 3

function filled({ operation }: Route, params: Readonly<Record<string, string>>): string {
  return operation.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "")
}

const refuse = (httpStatus: number, statusCode: number, message: string): Answer => ({
  httpStatus,
  statusCode,
  message
})
const missing = (message: string) => refuse(404, ocpiStatus.clientError, message)
const unknownVersion = (version: string | undefined) => missing(`There is no version ${version ?? ""} here`)
const noToken = refuse(401, ocpiStatus.clientError, "This needs a token that we issued")
const onlyRegistration = refuse(
  401,
  ocpiStatus.clientError,
  "Token A opens versions and credentials only; register first"
)
const notJson = refuse(400, ocpiStatus.invalidParameters, "The request body is not JSON")

function wrongMethod(methods: ReadonlyArray<string>): Answer {
  const allow = [...new Set(methods)].join(", ")
  return {
    ...refuse(405, ocpiStatus.clientError, `This method is not offered here; offered: ${allow}`),
    headers: { Allow: allow }
  }
}

function onlyGet(request: OcpiRequest, answer: Answer): Answer {
  return request.method === "GET" ? answer : wrongMethod(["GET"])
}

function otherVersion(version: string, module: string): Answer {
  const message = `This token belongs to version ${version}; use the endpoints of that version`
  return module === "credentials"
    ? refuse(200, ocpiStatus.unsupportedVersion, message)
    : refuse(404, ocpiStatus.clientError, message)
}
