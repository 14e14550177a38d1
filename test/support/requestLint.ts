/**
 * Is a request that we send to a partner valid by the text of its version? The rules stand here a second time, as a table of
 * their own: they share no code with what makes the requests, but the schemas of the objects.
 */
import { Redacted } from "effect"
import type { Role } from "../../schema/ocpi/Role.ts"
import { unknownFields } from "../../schema/ocpi/unknownFields.ts"
import type { ObjectName, VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { isObject, objectIn } from "../../src/findings/json.ts"
import { ruledViolations } from "../../src/findings/violations/violations.ts"
import type { OcpiCall } from "../../src/ocpi/OcpiClient.ts"
import type { Party } from "../../src/store/parties/Party.ts"

/** A request as it was about to be sent. */
export interface SentRequest {
  readonly call: OcpiCall
  /** Our side of the connection, at that moment. */
  readonly party: Party
  /** The tokens that the partner takes from us at that moment. */
  readonly tokens: ReadonlyArray<string>
}

/** A part of a request, and what is wrong with it. */
export interface Lint {
  readonly part: "target" | "query" | "headers" | "token" | "body"
  readonly what: string
}

interface Shape {
  readonly method: string
  /** Segments below the endpoint; `{…}` stands for any one. */
  readonly path: ReadonlyArray<string>
  /** Names of the query's parameters; those that end in `!` are required. */
  readonly query?: ReadonlyArray<string>
  /** Schema of the body; `part` of it in a PATCH. Absent: no body. */
  readonly body?: ObjectName | undefined
  readonly isPart?: true
  readonly isBodyOptional?: true
}

const paging = ["date_from", "date_to", "offset", "limit"]
const owned = ["{country_code}", "{party_id}", "{id}"]

const objects = (
  methods: ReadonlyArray<string>,
  path: ReadonlyArray<string>,
  body: ObjectName,
  query: ReadonlyArray<string> = []
): ReadonlyArray<Shape> =>
  methods.map((method) => ({
    method,
    path,
    query,
    ...(method === "GET" || method === "DELETE" ? {} : { body }),
    ...(method === "PATCH" ? { isPart: true as const } : {})
  }))

/** The requests that a partner of that role serves (the modules' interfaces, their methods and request parameters). */
const shapesOf = (
  profile: VersionProfile,
  role: Role,
  segments: ReadonlyArray<string>
): Readonly<Record<string, ReadonlyArray<Shape>>> => {
  const typed = profile.tokenTypeInUrl ? ["type"] : []
  const result = { method: "POST", path: ["{command}", "{key}"], body: "CommandResult" } as const
  const credentials: ReadonlyArray<Shape> = [
    { method: "GET", path: [] },
    { method: "POST", path: [], body: "Credentials" },
    { method: "PUT", path: [], body: "Credentials" },
    { method: "DELETE", path: [] }
  ]
  const list: ReadonlyArray<Shape> = [{ method: "GET", path: [], query: paging }]
  // Of other parties than ours, as a hub knows them.
  const hubclientinfo = [...list, ...objects(["GET", "PUT"], ["{client}", "{client_party}"], "ClientInfo")]
  return role === "CPO"
    ? {
        credentials,
        locations: [
          ...list,
          ...[1, 2, 3].map((depth) => ({ method: "GET", path: Array.from({ length: depth }, () => "{id}") }))
        ],
        sessions: [
          { method: "GET", path: [], query: ["date_from!", ...paging.slice(1)] },
          { method: "PUT", path: ["{id}", "charging_preferences"], body: "ChargingPreferences" }
        ],
        cdrs: list,
        tariffs: list,
        tokens: objects(["GET", "PUT", "PATCH"], owned, "Token", typed),
        commands: profile.commands.map((name) => ({
          method: "POST",
          path: [name],
          // The names of the commands are those of their schemas.
          body: name as ObjectName
        })),
        chargingprofiles: [
          { method: "GET", path: ["{id}"], query: ["duration!", "response_url!"] },
          { method: "PUT", path: ["{id}"], body: "SetChargingProfile" },
          { method: "DELETE", path: ["{id}"], query: ["response_url!"] }
        ],
        hubclientinfo,
        payments: (
          [
            ["terminals", "Terminal"],
            ["financial-advice-confirmations", "FinancialAdviceConfirmation"]
          ] as const
        ).flatMap(([name, body]) => [
          { method: "POST", path: [name], body },
          { method: "GET", path: [name, "{id}"] }
        ])
      }
    : {
        credentials,
        locations: (["Location", "EVSE", "Connector"] as const).flatMap((body, depth) =>
          objects(["GET", "PUT", "PATCH"], [...owned, ...["{evse}", "{connector}"].slice(0, depth)], body)
        ),
        sessions: objects(["GET", "PUT", "PATCH"], owned, "Session"),
        tariffs: objects(
          ["GET", "PUT", "DELETE", ...(profile.tariffPatch ? ["PATCH"] : [])],
          owned,
          "Tariff"
        ),
        cdrs: [
          { method: "POST", path: [], body: "CDR" },
          // The URL of a CDR is the receiver's own.
          { method: "GET", path: segments.map(() => "{own}") }
        ],
        tokens: [
          ...list,
          {
            method: "POST",
            path: ["{id}", "authorize"],
            query: ["type"],
            body: "LocationReferences",
            isBodyOptional: true
          }
        ],
        commands: [result],
        chargingprofiles: [
          { method: "PUT", path: ["{id}"], body: "ActiveChargingProfile" },
          ...(["ActiveChargingProfileResult", "ChargingProfileResult", "ClearProfileResult"] as const).map(
            (body) => ({ method: "POST", path: [body, "{key}"], body })
          )
        ],
        hubclientinfo
      }
}

/** `…/ocpi/<version>/<module>/…`, as every sandbox partner has its URLs. */
const placeOf = ({ call, party }: SentRequest) => {
  const url = new URL(call.url)
  const path = url.pathname.replace(/^(\/sandbox\/[^/]+)?\/ocpi\//, "").split("/")
  const version = versionNumbers.find((one) => one === path[0])
  return {
    query: url.searchParams,
    version,
    profile: profileOf(version ?? party.version),
    module: version === undefined ? "versions" : (path[1] ?? "versions"),
    isVersions: path.length === 1 && (version !== undefined || path[0] === "versions"),
    segments: path.slice(2).map(decodeURIComponent)
  }
}

/** Everything that is wrong with the request. */
export const lintsOf = (sent: SentRequest): ReadonlyArray<Lint> => {
  const place = placeOf(sent)
  const { call, party } = sent
  const { isVersions, module, profile, segments } = place
  const around = [...tokenLints(sent), ...headerLints(sent, module, profile)]
  if (module === "versions")
    return [
      ...around,
      ...(isVersions ? [] : [{ part: "target" as const, what: `nothing is at ${call.url}` }]),
      ...(call.method === "GET" ? [] : [{ part: "target" as const, what: `${call.method} of versions` }])
    ]
  const shapes = shapesOf(profile, party.counterpart.role, segments)[module] ?? []
  const here = shapes.filter(({ path }) => fits(path, segments))
  const shape = here.find(({ method }) => method === call.method)
  if (shape === undefined)
    return [
      ...around,
      here.length > 0 || shapes.length === 0
        ? { part: "target", what: `${call.method} ${module} is no request of ${profile.version}` }
        : {
            part: "target",
            what: `${call.method} ${module}/${segments.join("/")} is no URL of ${profile.version}`
          },
      ...(call.rawBody !== undefined && !isJson(call.rawBody) ? [notJson] : [])
    ]
  return [
    ...around,
    ...pathLints(sent, shape, segments),
    ...queryLints(sent, shape, place),
    ...bodyLints(sent, shape, profile)
  ]
}

const notJson: Lint = { part: "body", what: "the body is no JSON" }

const fits = (path: ReadonlyArray<string>, segments: ReadonlyArray<string>) =>
  path.length === segments.length &&
  path.every((one, index) => one === segments[index] || (one.startsWith("{") && segments[index] !== ""))

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function tokenLints({ call, party, tokens }: SentRequest): ReadonlyArray<Lint> {
  const { authorization } = call
  const lint = (what: string) => [{ part: "token" as const, what }]
  if (authorization === undefined) return lint("there is no Authorization header")
  const { outbound } = party.dialect.tokenEncoding
  const { version } = placeOf({ call, party, tokens })
  // The list of versions belongs to none: it is asked in the form of the version that is being registered.
  const rules = version ?? versionNumbers.find((one) => one === call.ocpiVersion) ?? party.version
  const form = outbound !== "auto" && rules === party.version ? outbound : profileOf(rules).authorization
  if (authorization.form !== form && (version === undefined || version === party.version))
    return lint(`the token is sent in the form ${authorization.form}, not ${form}`)
  return tokens.includes(Redacted.value(authorization.token)) ? [] : lint("it is no token of ours")
}

function headerLints(
  { call, party }: SentRequest,
  module: string,
  profile: VersionProfile
): ReadonlyArray<Lint> {
  const headers = new Map(
    Object.entries(call.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
  )
  const lint = (what: string) => [{ part: "headers" as const, what }]
  const routing = ["ocpi-from-country-code", "ocpi-from-party-id", "ocpi-to-country-code", "ocpi-to-party-id"]
  const type = headers.get("content-type")
  const isRouted = profile.routingHeaders && !["versions", "credentials", "hubclientinfo"].includes(module)
  const own = `${headers.get("ocpi-from-country-code")}-${headers.get("ocpi-from-party-id")}`
  const other = `${headers.get("ocpi-to-country-code")}-${headers.get("ocpi-to-party-id")}`
  const partners = (party.counterpart.parties ?? []).map(
    ({ countryCode, partyId }) => `${countryCode}-${partyId}`
  )
  const is = (a: string, b: string) => a.toUpperCase() === b.toUpperCase()
  return [
    ...(call.requestId === "" || call.correlationId === "" ? lint("a message id is missing") : []),
    ...(type === undefined || /^application\/json\b/.test(type) ? [] : lint(`Content-Type is ${type}`)),
    ...(isRouted
      ? [
          ...([party.identity, ...ownersOf(party)].some((one) => is(own, `${one.countryCode}-${one.partyId}`))
            ? []
            : lint(`from is ${own}`)),
          ...(partners.length === 0 || partners.some((one) => is(one, other)) ? [] : lint(`to is ${other}`))
        ]
      : routing.filter((name) => headers.has(name)).flatMap((name) => lint(`${name} at ${module}`)))
  ]
}

/** Whose objects we send: our own, or those of the parties behind us where we are a hub. */
const ownersOf = ({ hub, identity }: SentRequest["party"]) => hub?.clients ?? [identity]

function pathLints(
  { call, party }: SentRequest,
  { path }: Shape,
  segments: ReadonlyArray<string>
): ReadonlyArray<Lint> {
  const body = objectIn(call.body)
  const owners = ownersOf(party)
  const lint = (what: string) => [{ part: "target" as const, what }]
  return path.flatMap((name, index) => {
    const segment = segments[index] ?? ""
    if (name === "{country_code}" && owners.every(({ countryCode }) => segment !== countryCode))
      return lint(`${name} is ${segment}`)
    if (name === "{party_id}" && owners.every(({ partyId }) => segment !== partyId))
      return lint(`${name} is ${segment}`)
    if (name.startsWith("{") && name !== "{own}" && segment.length > 36 && call.module !== "commands")
      return lint(`${segment} has more than 36 characters`)
    const isWhole = call.method === "PUT" && index === path.length - 1 && path.includes("{country_code}")
    const field = name === "{evse}" || call.module === "tokens" ? "uid" : "id"
    return isWhole && field in body && String(body[field]).toUpperCase() !== segment.toUpperCase()
      ? lint(`the URL ends in ${segment}, and ${field} is ${body[field]}`)
      : []
  })
}

function queryLints(
  { call }: SentRequest,
  shape: Shape,
  { profile, query }: ReturnType<typeof placeOf>
): ReadonlyArray<Lint> {
  const known = (shape.query ?? []).map((name) => name.replace("!", ""))
  const lint = (what: string) => [{ part: "query" as const, what }]
  const type = objectIn(call.body)["type"]
  const isTyped = call.module === "tokens" && call.method === "PUT" && known.includes("type")
  return [
    ...[...query.keys()]
      .filter((name) => !known.includes(name))
      .flatMap((name) => lint(`${name} is unknown`)),
    ...(shape.query ?? [])
      .filter((name) => name.endsWith("!") && !query.has(name.slice(0, -1)))
      // The pages after the first are asked at the partner's own URLs.
      .filter(() => !query.has("offset") || call.operation !== "list, next page")
      .flatMap((name) => lint(`${name.slice(0, -1)} is missing`)),
    ...["date_from", "date_to"].flatMap((name) => {
      const value = query.get(name)
      return value === null || (profile.dateTime.test(value) && !Number.isNaN(Date.parse(value)))
        ? []
        : lint(`${name} is ${value}`)
    }),
    ...(["offset", "limit"] as const).flatMap((name) => {
      const value = query.get(name)
      const isWhole = value !== null && /^\d+$/.test(value)
      return value === null || isWhole ? [] : lint(`${name} is ${value}`)
    }),
    ...(isTyped && type !== undefined && type !== (query.get("type") ?? "RFID")
      ? lint(`the body is of type ${type}, the URL of ${query.get("type") ?? "RFID"}`)
      : [])
  ]
}

function bodyLints({ call, party }: SentRequest, shape: Shape, profile: VersionProfile): ReadonlyArray<Lint> {
  const lint = (what: string) => [{ part: "body" as const, what }]
  if (call.rawBody !== undefined && !isJson(call.rawBody)) return [notJson]
  const body: unknown = call.rawBody === undefined ? call.body : JSON.parse(call.rawBody)
  if (shape.body === undefined) return body === undefined ? [] : lint(`${call.method} has a body`)
  if (body === undefined) return shape.isBodyOptional === true ? [] : lint("there is no body")
  if (!isObject(body)) return lint("the body is no object")
  const schema = profile.objects[shape.body]
  if (schema === undefined) return lint(`${profile.version} has no ${shape.body}`)
  // As it is on the wire: without what is undefined, and with tokens shown.
  const shown: unknown = JSON.parse(
    JSON.stringify(body, (_, value) => (Redacted.isRedacted(value) ? Redacted.value(value) : value))
  )
  const broken = ruledViolations(schema, shown).filter(
    ({ pointer, rule }) =>
      shape.isPart !== true ||
      (rule !== "between_fields" && !(rule === "required" && pointer.split("/").length === 2))
  )
  const owner = [
    ["country_code", ownersOf(party).map(({ countryCode }) => countryCode)],
    ["party_id", ownersOf(party).map(({ partyId }) => partyId)]
  ] as const
  return [
    ...broken.flatMap(({ message }) => lint(message)),
    ...(isObject(shown) && shape.path.includes("{country_code}") && profile.ownerFields
      ? owner
          .filter(([name, values]) => name in shown && !values.includes(String(shown[name])))
          .flatMap(([name]) => lint(`${name} is ${shown[name]}`))
      : []),
    ...(shape.isPart === true &&
    profile.patchNeedsLastUpdated &&
    isObject(shown) &&
    !("last_updated" in shown)
      ? lint("a PATCH without last_updated")
      : []),
    ...unknownFields(schema, shown).flatMap((pointer) => lint(`${pointer} is no field of ${profile.version}`))
  ]
}

/**
 * Where what is wrong and what is said to be wrong differ, each once: parts that are wrong by mistake, and parts that are valid
 * although they are said to be wrong.
 */
export const disagreements = (all: ReadonlyArray<SentRequest>): ReadonlyArray<string> => [
  ...new Set(
    all.flatMap((sent) => {
      const { call } = sent
      const name = `${call.method} ${call.module} ${call.operation}`
      const lints = lintsOf(sent)
      const meant = Object.keys(call.wrongOnPurpose ?? {})
      return [
        ...lints
          .filter(({ part }) => !meant.includes(part))
          .map(({ part, what }) => `${name}: ${part}: ${what}`),
        ...meant
          .filter((part) => !lints.some((lint) => lint.part === part))
          .map((part) => `${name}: ${part} is said to be wrong, and is valid`)
      ]
    })
  )
]
