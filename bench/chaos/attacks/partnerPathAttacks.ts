/** Attacks on every path that a partner may call, with texts that may be expensive to parse, as a registered partner. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { Route } from "../../../src/party/modules/Route.ts"
import { routesOf } from "../../../src/party/modules/routes.ts"
import { books } from "../../../test/support/ocpi/books.ts"
import type { Arena } from "./Arena.ts"
import type { Attack } from "./attacking.ts"
import { furnished, type Member, objects, ownExample, registered } from "./members.ts"
import { few, placed, placesIn, queries, type Shape, segments, values } from "./pathological.ts"

/** Largest body that is accepted from a partner, without what surrounds a value. */
const bodyBytes = 1024 * 1024 - 200

interface Call {
  readonly name: string
  readonly kind: string
  readonly method: string
  readonly url: string
  readonly body?: () => string
  readonly known?: true
}

/** Names of attacks that succeeded in the past; they always run. */
const known = /2\.2\.1 EMSP PUT locations\S+ \(Location\) body\.evses = a list of empty objects$/

/** The attacks. `only`: in this version; default: in each that the service lists. */
export async function partnerPathAttacks(arena: Arena, only?: OcpiVersion): Promise<ReadonlyArray<Attack>> {
  const listed: ReadonlyArray<{ version: OcpiVersion; url: string }> = (
    await arena.service().call("GET", "/ocpi/versions")
  ).body.data
  const versions = listed.filter(({ version }) => only === undefined || version === only)
  const all: Array<Attack> = []
  for (const { url, version } of versions) {
    for (const theirRole of ["CPO", "EMSP"] as const) {
      const member = await registered(arena, version, theirRole, url)
      const calls = member.endpoints.flatMap(({ identifier, url }) =>
        routesOf(profileOf(version), member.ourRole, identifier).flatMap((route) =>
          callsOf(member, route, url)
        )
      )
      await furnished(arena, member)
      all.push(...[...discoveryOf(member, url), ...resultsTo(member), ...calls].map(attackOf(arena, member)))
    }
  }
  return all
}

const attackOf =
  (arena: Arena, { authorization }: Member) =>
  ({ body, kind, method, name, url }: Call): Attack => ({
    name,
    kind,
    ...(known.test(name) ? { known: true } : {}),
    send: (signal) =>
      fetch(url.replace(/^https?:\/\/[^/]+/, arena.service().url), {
        method,
        signal,
        headers: { authorization, connection: "close", "content-type": "application/json" },
        ...(body === undefined ? {} : { body: body() })
      })
  })

/** Calls to versions and details, without a body and with any query. */
const discoveryOf = ({ ourRole, version }: Member, detailsUrl: string): ReadonlyArray<Call> =>
  [detailsUrl.replace(/[^/]+\/?$/, "versions"), detailsUrl].flatMap((url) =>
    queries("offset").map(([what, query]) => ({
      name: `${version} ${ourRole} GET ${new URL(url).pathname} ?${what}`,
      kind: `${ourRole}:GET:discovery ?${what}`,
      method: "GET",
      url: `${url}?${query}`
    }))
  )

/** Calls that post the result of our command. */
function resultsTo(member: Member): ReadonlyArray<Call> {
  const { ourRole, resultUrl, version } = member
  if (resultUrl === undefined) return []
  const call = { method: "POST", url: resultUrl }
  return bodiesOf(
    member,
    `${version} ${ourRole} POST response_url`,
    `${ourRole}:POST:response_url`,
    "CommandResult",
    call
  )
}

const profileResults = ["ChargingProfileResult", "ActiveChargingProfileResult", "ClearProfileResult"]

/** The calls of a route, with each command or result that its path can name. */
function callsOf(member: Member, route: Route, url: string): ReadonlyArray<Call> {
  const { method, module, operation, pattern } = route
  // It would end the registration that the other attacks need.
  if (operation === "DELETE credentials") return []
  const { ourRole, version } = member
  const named =
    operation === "{command}"
      ? profileOf(version).commands.map((command) => ({ command, object: command }))
      : operation === "profile result {result}"
        ? profileResults.map((result) => ({ result, object: result }))
        : [{ object: objects[operation], command: "UNLOCK_CONNECTOR" }]
  return named.flatMap(({ object, ...names }) => {
    if (object === undefined && method !== "GET" && method !== "DELETE")
      throw new Error(
        `${method} ${module} ${operation}: the table \`objects\` of members.ts does not say which object its body is; add it`
      )
    const params: Readonly<Record<string, string>> = {
      ...idsOf(version, operation),
      ...names,
      country: member.country,
      party: member.party
    }
    const fill = (segment: (name: string) => string) =>
      [url, ...pattern.map((part) => part.replace(/^\{(\w+)\}$/, (_, name) => segment(name)))].join("/")
    const path = fill((name) => params[name] ?? "none")
    const what = `${version} ${ourRole} ${method} ${[module, ...pattern].join("/")}${object === undefined ? "" : ` (${object})`}`
    const kind = `${ourRole}:${method}:${module}/${object ?? operation.replaceAll(" ", "_")}`
    const bodies = object === undefined ? [] : bodiesOf(member, what, kind, object, { method, url: path })
    const asked = queries(module === "chargingprofiles" ? "duration" : "offset").map(([name, query]) => ({
      name: `${what} ?${name}`,
      kind: `${kind} ?${name}`,
      method,
      url: `${path}?${query}`
    }))
    const longPaths = segments.map(([name, segment]) => ({
      name: `${what} with ${name}`,
      kind: `${kind} with ${name}`,
      method,
      url: fill(() => segment)
    }))
    return [...bodies, ...(method === "GET" ? asked : []), ...(pattern.length > 0 ? longPaths : [])]
  })
}

/** The ids in the examples. */
function idsOf(version: OcpiVersion, operation: string): Readonly<Record<string, string>> {
  const of = (object: string, field: string) =>
    object in books[version].tables ? String(books[version].example(object, true)[field]) : "none"
  const object = objects[operation] ?? ""
  return {
    id: object === "EVSE" || object === "Connector" ? of("Location", "id") : of(object, "id"),
    evse: of("EVSE", "uid"),
    connector: of("Connector", "id"),
    uid: of("Token", "uid"),
    key: "none"
  }
}

/** Shapes for places of which there are hundreds. */
const fewest = few.filter(({ name }) => ["a list of empty objects", "a long text"].includes(name))

/** Bodies: a hostile value as the whole, at each place of a valid one, and the largest valid one. */
function bodiesOf(
  member: Member,
  what: string,
  kind: string,
  object: string,
  call: { readonly method: string; readonly url: string }
): ReadonlyArray<Call> {
  if (!(object in books[member.version].tables)) return []
  const base = ownExample(member, object)
  const bytes = bodyBytes - JSON.stringify(base).length
  const places = placesIn(base)
  const of = (place: ReadonlyArray<string | number>, { name, of }: Shape): Call => ({
    ...call,
    name: `${what} ${["body", ...place].join(".")} = ${name}`,
    kind: `${kind} ${place[0] ?? ""} ${name}`,
    body: () => placed(base, place, of(bytes))
  })
  const lists = places.filter((place) => Array.isArray(at(base, place)))
  return [
    ...values.map((shape) => of([], shape)),
    ...places.flatMap((place) => (place.length > 1 ? fewest : few).map((shape) => of(place, shape))),
    ...lists.map((place) => of(place, filled(at(base, place)[0])))
  ]
}

const at = (base: unknown, place: ReadonlyArray<string | number>): any =>
  place.reduce((value: any, step) => value[step], base)

/** As many copies of that item as fit, each with an id of its own if it has one. */
const filled = (item: any): Shape => ({
  name: "as many of its items as fit",
  of: (bytes) => {
    const items: Array<string> = []
    for (let size = 0; size < bytes - 3000; size += items.at(-1)!.length + 1) {
      const id = `${items.length}`
      const own = item?.uid !== undefined ? { uid: id } : item?.id !== undefined ? { id } : {}
      items.push(JSON.stringify(typeof item === "object" ? { ...item, ...own } : item))
    }
    return `[${items.join(",")}]`
  }
})
