/** What a call of the partner to one of our endpoints is about, by its URL, and whether we took it: pure questions about an exchange. */
import type { Exchange } from "../../schema/Exchange.ts"
import { ocpiStatus } from "../../schema/ocpi/envelope.ts"
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { versionNumbers } from "../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, textIn } from "./json.ts"
import { parseJson } from "./readJson.ts"

/** The parts of a call that name its object. */
type Called = Pick<Exchange, "module" | "request">

/** Every URL that we hand out leads through this segment; what stands before it is our own address. */
const ourRoot = "ocpi"
/** Segments below the endpoint of a client owned object: country code, party id and id (transport_and_format, Push). */
const ownedLength = 3

/** The decoded segments of a URL's path, without empty ones; a segment that cannot be decoded stays as it is. */
export const pathSegments = (url: string): ReadonlyArray<string> => {
  const base = "http://here"
  const { pathname } = URL.canParse(url, base) ? new URL(url, base) : { pathname: url }
  return pathname
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded)
}

/**
 * Does the partner tell of an object of its own accord? The results of commands are due whether a party pushes or not, and what it
 * asks of us (POST authorize) or wants us to do (PUT charging_preferences) tells of no object.
 */
export const isPush = ({ module, request }: Called): boolean =>
  pushedModules.includes(module) &&
  ["PUT", "PATCH", "POST"].includes(request.method) &&
  !asked.includes(`${module} ${pathSegments(request.url).at(-1)}`)

const pushedModules: ReadonlyArray<string> = ["locations", "sessions", "cdrs", "tariffs", "tokens"]
const asked: ReadonlyArray<string> = ["tokens authorize", "sessions charging_preferences"]

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The decoded segments below the endpoint of the call's module: the module is the first segment of that name after our
 * root, because ids may have its name too. Of a URL that does not name the module, the last three.
 */
export const belowEndpoint = ({ module, request }: Called): ReadonlyArray<string> => {
  const segments = pathSegments(request.url)
  const at = segments.indexOf(module, segments.indexOf(ourRoot) + 1)
  return at === -1 ? segments.slice(-ownedLength) : segments.slice(at + 1)
}

interface Pushed extends Called {
  readonly body: JsonObject
}

/**
 * The id of the object that each push is about, in the same order: by its body; else by the body of another push to the
 * same URL; else by the URL itself. So two pushes have one id only if their bodies or their URLs say so. An id that bodies have
 * at the URLs of several objects, each with an id of its own, is none.
 */
export const pushedIds = (all: ReadonlyArray<Pushed>): ReadonlyArray<string> => {
  const pushes = withoutSharedIds(all)
  const byPath = new Map<string, string>()
  const pathOf = ({ request }: Called) => pathSegments(request.url).join("/").toUpperCase()
  for (const push of pushes) {
    const id = textIn(push.body["id"])
    // A URL without an object in it, such as the endpoint itself, names none.
    if (id !== undefined && belowEndpoint(push).length > 0 && !byPath.has(pathOf(push)))
      byPath.set(pathOf(push), id)
  }
  return pushes.map((push) => {
    const below = belowEndpoint(push)
    return (
      textIn(push.body["id"]) ??
      byPath.get(pathOf(push)) ??
      below[ownedLength - 1] ??
      below.at(-1) ??
      pathOf(push)
    )
  })
}

function withoutSharedIds(pushes: ReadonlyArray<Pushed>): ReadonlyArray<Pushed> {
  const owners = new Map<string, Set<string>>()
  const shared = (push: Pushed): Set<string> | undefined => {
    const below = belowEndpoint(push)
    const [mine, theirs] = [below.at(-1), textIn(push.body["id"])].map((id) => id?.toUpperCase())
    if (below.length < ownedLength || mine === undefined || theirs === undefined || mine === theirs)
      return undefined
    const known = owners.get(theirs) ?? new Set<string>()
    owners.set(theirs, known.add(mine))
    return known
  }
  const sets = pushes.map(shared)
  return pushes.map((push, index) =>
    (sets[index]?.size ?? 0) > 1 ? { ...push, body: { ...push.body, id: undefined } } : push
  )
}

/** An endpoint that was moved has this segment before its module. */
const movedSegment = "moved"

/** Names a call that was `uninvited`, in words that are the same for all objects of one module; undefined for all other calls. */
export const uninvitedName = (exchange: Exchange, profile: VersionProfile): string | undefined => {
  if (uninvited(exchange, profile) === undefined) return undefined
  const { method, url } = exchange.request
  const names: ReadonlyArray<string> = profile.modules
  const module = pathSegments(url).find((segment) => names.includes(segment))
  return `${method} ${module === undefined ? "" : `${module} `}at a URL that we did not offer`
}

/**
 * Did the partner call a URL that leads to none of the endpoints that we offered it, and that OCPI does not build from one?
 * The version of `profile` is that of the connection. Then this says which, in a sentence; undefined for all other calls.
 * A call of another version's endpoint is none of these: we list that version as well.
 */
export const uninvited = (exchange: Exchange, profile: VersionProfile): string | undefined => {
  const { direction, operation, ourFault, request, response } = exchange
  if (direction !== "inbound" || response?.httpStatus !== 404 || ourFault !== undefined) return undefined
  const segments = pathSegments(request.url)
  const path = segments.slice(segments.indexOf(ourRoot) + 1)
  const [version, ...rest] = path[1] === movedSegment ? path.toSpliced(1, 1) : path
  if (version !== profile.version && versionNumbers.some((known) => known === version)) return undefined
  // What none of our routes took is recorded under its method and its path; what has one segment, as details of a version.
  const isUnserved =
    rest.length === 0
      ? version !== undefined && version !== profile.version
      : operation === [request.method, ...rest.slice(1)].join(" ")
  return isUnserved ? `${request.method} came to /${segments.join("/")}, where we offered nothing` : undefined
}

/**
 * Did we accept it? A refused message is evidence of a near miss at most. A message whose answer we spoilt by an injected
 * fault counts as accepted: the partner is not to blame.
 */
export const wasTaken = (exchange: Exchange): boolean => {
  const code = (exchange.ourFault?.instead ?? exchange.response)?.ocpiStatusCode
  return code !== undefined && code !== null && code >= 1000 && code < 2000
}

/**
 * The call of the partner and why we refused it, in a sentence; undefined: we took it, or it had no token of ours, or the fault is
 * ours.
 */
export const refusedCall = (exchange: Exchange): string | undefined => {
  const { ourFault, request, response } = exchange
  if (response === null || ourFault !== undefined || response.httpStatus === 401) return undefined
  if (response.httpStatus >= 500 || wasTaken(exchange)) return undefined
  const why = textIn(objectIn(parseJson(response.body ?? ""))["status_message"])
  return `${request.method} came to /${pathSegments(request.url).join("/")}, and we refused it: ${why ?? `HTTP ${response.httpStatus}`}`
}

/** A change below a location that we have only read: we answer that we were never sent it, and yet it tells what is new. */
export const isOfUnsent = ({ module, request, response }: Exchange): boolean =>
  module === "locations" &&
  response?.httpStatus === 404 &&
  (request.method === "PATCH" ||
    (request.method === "PUT" && response.ocpiStatusCode === ocpiStatus.unknownLocation))
