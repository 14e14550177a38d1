/**
 * Single faults for strangers, each with the checks that are there to catch it, and those that it breaks by its nature. What
 * else goes off is a false attribution.
 */
import type { Bend, Where } from "./partner/Bend.ts"
import { fieldsOf, isIn } from "./partner/classes.ts"
import type { Freedoms, StrangerRole, StrangerVersion } from "./partner/Freedoms.ts"
import { isJson, type Json } from "./partner/validity.ts"
import type { Asked, Call, Said } from "./partner/wire.ts"
import { wordsOf } from "./partner/words.ts"

/** One fault. */
export interface Mutation {
  readonly id: string
  /** One of them has to fail or warn. */
  readonly caughtBy: ReadonlyArray<string>
  /** May go off beside it: patterns of check ids. */
  readonly follows: ReadonlyArray<RegExp>
  readonly versions?: string
  readonly roles?: ReadonlyArray<StrangerRole>
  /** Choices without which nobody can see it. */
  readonly needs?: Partial<Freedoms>
  readonly bend: Bend
}

const ofModule = (module: string) => (where: Where) => where.module === module && where.isSender
const isPage = (said: Said) => Array.isArray(said.data)
const lists = ["locations", "sessions", "cdrs", "tariffs", "tokens"]
const isList = (where: Where) => lists.includes(where.module) && where.isSender && where.below.length === 0
const isFunctional = (where: Where) => !["versions", "credentials", "hubclientinfo"].includes(where.module)

const headers = (
  edit: (all: Readonly<Record<string, string>>, where: Where, asked: Asked) => Record<string, string>
): Bend => ({
  says: (said, asked, where) => ({ ...said, headers: edit(said.headers ?? {}, where, asked) })
})
const without = (name: string, at: (where: Where) => boolean = () => true): Bend =>
  headers((all, where) =>
    at(where) ? Object.fromEntries(Object.entries(all).filter(([one]) => one !== name)) : { ...all }
  )
const page = (edit: (said: Said, asked: Asked) => Said): Bend => ({
  says: (said, asked, where) => (isList(where) && isPage(said) ? edit(said, asked) : said)
})
const dropping = (...names: ReadonlyArray<string>): Bend => ({
  reads: (asked, where) => {
    if (!isList(where)) return asked
    const url = new URL(asked.url)
    for (const name of names) url.searchParams.delete(name)
    return { ...asked, url }
  }
})
const admitting = (at: (asked: Asked, where: Where) => boolean): Bend => ({ admits: at })
const hasToken = (asked: Asked) => asked.headers["authorization"] !== undefined
const paging = /^PAGE-/
/** A page that is not as it should be is also no base for what is read from it. */
const read = [paging, /^JRN-009/, /^(LOC|SESS|CDR|TAR|TOK)-0/]

const transportRows: ReadonlyArray<Mutation> = [
  {
    id: "envelope.no-timestamp",
    caughtBy: ["TRANS-013"],
    follows: [/^TRANS-016/, /^CRED-/, /^VERS-/],
    bend: { wraps: ({ timestamp: _, ...rest }) => rest }
  },
  {
    id: "envelope.offset-in-timestamp",
    caughtBy: ["TRANS-013"],
    follows: [/^TRANS-01[46]/],
    bend: { wraps: (all) => ({ ...all, timestamp: `${String(all["timestamp"]).slice(0, 19)}+00:00` }) }
  },
  {
    id: "envelope.old-timestamp",
    caughtBy: ["TRANS-014"],
    follows: [],
    bend: { wraps: (all) => ({ ...all, timestamp: "2026-01-01T00:00:00Z" }) }
  },
  {
    id: "transport.no-request-id",
    versions: "2.2+",
    caughtBy: ["TRANS-025"],
    follows: [/^TRANS-027/],
    bend: without("X-Request-ID")
  },
  {
    id: "transport.other-correlation-id",
    versions: "2.2+",
    caughtBy: ["TRANS-026"],
    follows: [/^TRANS-027/],
    bend: headers((all) => ({ ...all, ...("X-Correlation-ID" in all ? { "X-Correlation-ID": "mine" } : {}) }))
  },
  {
    id: "transport.routing-not-swapped",
    versions: "2.2+",
    caughtBy: ["TRANS-029"],
    follows: [/^TRANS-034/],
    bend: headers((all, where, asked) =>
      isFunctional(where) && "OCPI-to-party-id" in all
        ? {
            ...all,
            "OCPI-to-party-id": asked.headers["ocpi-to-party-id"] ?? "",
            "OCPI-from-party-id": asked.headers["ocpi-from-party-id"] ?? ""
          }
        : { ...all }
    )
  },
  {
    id: "transport.routing-in-versions",
    versions: "2.2+",
    caughtBy: ["TRANS-031"],
    follows: [],
    bend: headers((all, where) =>
      where.module === "versions" ? { ...all, "OCPI-from-party-id": "ST0" } : { ...all }
    )
  },
  {
    id: "versions.open",
    caughtBy: ["VERS-004"],
    follows: [/^TRANS-003/],
    bend: admitting(
      (asked, { below, module }) => module === "versions" && below.length === 0 && !hasToken(asked)
    )
  },
  {
    id: "versions.any-token",
    caughtBy: ["VERS-005"],
    follows: [/^TRANS-0(03|06|09|41)/, /^CRED-/],
    bend: admitting(
      (asked, { below, module }) => module === "versions" && below.length === 0 && hasToken(asked)
    )
  },
  {
    id: "details.open",
    caughtBy: ["VERS-014"],
    follows: [],
    bend: admitting((_, { below, module }) => module === "versions" && below[0] === "details")
  },
  {
    id: "lists.open",
    caughtBy: ["TRANS-001"],
    follows: [/^TRANS-003/],
    bend: admitting((asked, where) => isList(where) && !hasToken(asked))
  },
  {
    id: "lists.any-token",
    caughtBy: ["TRANS-002"],
    follows: [/^TRANS-0(03|06)/, /^CRED-/],
    bend: admitting((asked, where) => isList(where) && hasToken(asked))
  },
  {
    id: "details.no-role",
    versions: "2.2+",
    caughtBy: ["VERS-009"],
    follows: [/^VERS-/, /./],
    bend: {
      says: (said, _, { below, module }) =>
        module === "versions" && below[0] === "details" && isJson(said.data)
          ? {
              ...said,
              data: {
                ...said.data,
                endpoints: (said.data["endpoints"] as ReadonlyArray<Json>).map(
                  ({ role: _role, ...rest }) => rest
                )
              }
            }
          : said
    }
  },
  {
    id: "details.other-version",
    caughtBy: ["VERS-007"],
    follows: [/^VERS-/],
    bend: {
      says: (said, asked, { below, module }) =>
        module === "versions" && below[0] === "details" && isJson(said.data) && asked.method === "GET"
          ? { ...said, data: { ...said.data, version: "2.0" } }
          : said
    }
  },
  {
    id: "credentials.masked-token",
    caughtBy: ["CRED-040"],
    follows: [],
    bend: {
      says: (said, asked, { module }) =>
        module === "credentials" && asked.method === "GET" && isJson(said.data)
          ? { ...said, data: { ...said.data, token: "********" } }
          : said
    }
  },
  {
    id: "lists.nothing-for-absent",
    roles: ["CPO"],
    caughtBy: ["TRANS-023"],
    follows: [/^LOC-037/, /^TRANS-024/],
    bend: {
      says: (said, asked, where) =>
        where.isSender && where.module === "locations" && said.http === 404 && asked.method === "GET"
          ? { ...said, http: 200, code: 1000, data: null }
          : said
    }
  }
]

const pagingRows: ReadonlyArray<Mutation> = [
  { id: "paging.no-total", caughtBy: ["PAGE-001"], follows: read, bend: without("X-Total-Count", isList) },
  { id: "paging.no-limit", caughtBy: ["PAGE-002"], follows: read, bend: without("X-Limit", isList) },
  { id: "paging.no-link", caughtBy: ["PAGE-004"], follows: read, bend: without("Link", isList) },
  {
    id: "paging.link-without-filters",
    caughtBy: ["PAGE-007"],
    follows: read,
    bend: headers((all) =>
      all["Link"] === undefined
        ? { ...all }
        : { ...all, Link: all["Link"].replaceAll(/date_(from|to)=[^&>]*&?/g, "") }
    )
  },
  {
    id: "paging.relative-link",
    caughtBy: ["PAGE-006"],
    follows: read,
    bend: headers((all) =>
      all["Link"] === undefined
        ? { ...all }
        : { ...all, Link: all["Link"].replaceAll(/<https?:\/\/[^/]+/g, "<") }
    )
  },
  { id: "paging.limit-ignored", caughtBy: ["PAGE-003"], follows: read, bend: dropping("limit") },
  {
    id: "paging.offset-ignored",
    caughtBy: ["PAGE-012", "PAGE-008", "PAGE-016"],
    follows: read,
    bend: dropping("offset", "cursor")
  },
  {
    id: "paging.date-from-ignored",
    caughtBy: ["PAGE-021", "PAGE-023"],
    follows: [...read, /^TRANS-015/],
    bend: dropping("date_from")
  },
  { id: "paging.date-to-ignored", caughtBy: ["PAGE-022"], follows: read, bend: dropping("date_to") },
  {
    id: "paging.twice",
    caughtBy: ["PAGE-009", "PAGE-003"],
    follows: read,
    bend: page((said) => ({
      ...said,
      data: (said.data as ReadonlyArray<Json>).flatMap((one, index) => (index === 0 ? [one, one] : [one]))
    }))
  },
  {
    id: "paging.null-for-none",
    caughtBy: ["TRANS-015"],
    follows: read,
    bend: page((said) => ((said.data as ReadonlyArray<Json>).length === 0 ? { ...said, data: null } : said))
  }
]

const isReceiver = (where: Where) =>
  ["locations", "sessions", "tariffs", "tokens", "cdrs"].includes(where.module) && !where.isSender
const writing =
  (...methods: ReadonlyArray<string>) =>
  (asked: Asked, where: Where) =>
    isReceiver(where) && methods.includes(asked.method)

const receiverRows: ReadonlyArray<Mutation> = [
  {
    id: "receiver.put-forgotten",
    caughtBy: ["LOC-102", "SESS-102", "TAR-102", "TOK-102"],
    follows: [/^(LOC|SESS|CDR|TAR|TOK)-1/, /^TRANS-0/],
    bend: {
      reads: (asked, where) => (writing("PUT")(asked, where) ? { ...asked, method: "GET" } : asked),
      says: (said, asked, where) =>
        writing("PUT")(asked, where) && said.http !== 401 ? { ...said, http: 200, code: 1000 } : said
    }
  },
  {
    id: "receiver.invalid-taken",
    caughtBy: ["LOC-111", "SESS-109", "TAR-107", "CDR-104", "TOK-108"],
    follows: [/^(LOC|SESS|CDR|TAR|TOK)-1/, /^TRANS-0(19|21|49|5\d|33)/],
    bend: {
      says: (said, asked, where) =>
        writing("PUT", "POST", "PATCH")(asked, where) && said.code === 2001 ? { ...said, code: 1000 } : said
    }
  },
  {
    id: "receiver.truncated-taken",
    caughtBy: ["TRANS-020"],
    follows: [/^TRANS-021/],
    bend: {
      says: (said, asked, where) =>
        writing("PUT", "POST")(asked, where) && said.http === 400 ? { ...said, http: 200 } : said
    }
  },
  {
    id: "receiver.patch-replaces",
    caughtBy: ["LOC-104", "LOC-105", "SESS-103", "TOK-103"],
    follows: [/^(LOC|SESS|TAR|TOK)-1/, /^TRANS-0/],
    bend: {
      reads: (asked, where) => (writing("PATCH")(asked, where) ? { ...asked, method: "GET" } : asked),
      says: (said, asked, where) =>
        writing("PATCH")(asked, where) && said.http === 200 ? { http: 200, code: 1000 } : said
    }
  },
  {
    id: "receiver.delete-forgotten",
    roles: ["EMSP"],
    caughtBy: ["TAR-104"],
    follows: [/^TAR-105/, /^TRANS-022/],
    bend: {
      reads: (asked, where) =>
        where.module === "tariffs" && asked.method === "DELETE" ? { ...asked, method: "GET" } : asked
    }
  },
  {
    id: "cdrs.no-location-header",
    roles: ["EMSP"],
    caughtBy: ["CDR-102"],
    follows: [/^CDR-1/, /^TRANS-0/],
    bend: without("Location")
  }
]

const isResult = (call: Call, module: string) =>
  call.method === "POST" && module === "commands" && isJson(call.json) && "result" in call.json

const commandRows: ReadonlyArray<Mutation> = [
  {
    id: "commands.no-result",
    roles: ["CPO"],
    caughtBy: ["CMD-004"],
    follows: [/^CMD-/, /^SESS-/, /^CDR-/],
    bend: { sends: (call, module) => (isResult(call, module) ? [] : [call]) }
  },
  {
    id: "commands.result-in-envelope",
    roles: ["CPO"],
    caughtBy: ["CMD-007"],
    follows: [/^CMD-038/],
    bend: {
      sends: (call, module) =>
        isResult(call, module)
          ? [{ ...call, json: { data: call.json, status_code: 1000, timestamp: "2026-06-01T12:00:00Z" } }]
          : [call]
    }
  },
  {
    id: "commands.result-twice",
    roles: ["CPO"],
    caughtBy: ["CMD-009"],
    follows: [/^CMD-040/],
    bend: { sends: (call, module) => (isResult(call, module) ? [call, call] : [call]) }
  },
  {
    id: "commands.unknown-location-accepted",
    roles: ["CPO"],
    caughtBy: ["CMD-011"],
    follows: [/^CMD-004/, /^CMD-0/],
    bend: {
      says: (said, _, where) =>
        where.module === "commands" && said.code === 2003
          ? { ...said, code: 1000, data: { result: "ACCEPTED", timeout: 30 } }
          : said
    }
  },
  {
    id: "pushes.no-request-id",
    versions: "2.2+",
    roles: ["CPO"],
    caughtBy: ["TRANS-028"],
    follows: [],
    bend: {
      sends: (call) => [
        {
          ...call,
          headers: Object.fromEntries(
            Object.entries(call.headers).filter(([name]) => name !== "X-Request-ID")
          )
        }
      ]
    }
  }
]

/** The classes of lists, with the module and the checks of their schema. */
const classes = [
  { name: "Location", module: "locations", role: "CPO", at: [] as ReadonlyArray<string> },
  { name: "EVSE", module: "locations", role: "CPO", at: ["evses"] },
  { name: "Connector", module: "locations", role: "CPO", at: ["evses", "connectors"] },
  { name: "Session", module: "sessions", role: "CPO", at: [] },
  { name: "CDR", module: "cdrs", role: "CPO", at: [] },
  { name: "Tariff", module: "tariffs", role: "CPO", at: [] },
  { name: "PriceComponent", module: "tariffs", role: "CPO", at: ["elements", "price_components"] },
  { name: "Token", module: "tokens", role: "EMSP", at: [] }
] as const

const prefixes: Readonly<Record<string, string>> = {
  locations: "LOC",
  sessions: "SESS",
  cdrs: "CDR",
  tariffs: "TAR",
  tokens: "TOK"
}

/** Edits the first object of a class on each page. */
const editing = (json: unknown, at: ReadonlyArray<string>, edit: (one: Json) => Json): unknown => {
  if (!isJson(json)) return json
  const [name, ...rest] = at
  if (name === undefined) return edit(json)
  const inner = json[name]
  return Array.isArray(inner)
    ? { ...json, [name]: inner.map((one, index) => (index === 0 ? editing(one, rest, edit) : one)) }
    : json
}

const wrongValues = (kind: string, version: StrangerVersion): ReadonlyArray<readonly [string, unknown]> => {
  if (kind === "num" || kind === "int") return [["a text for a number", "12"]]
  if (kind === "bool") return [["a text for a boolean", "true"]]
  if (kind === "dt")
    return [
      ["an offset", "2026-05-01T10:00:00+02:00"],
      ["no date", "yesterday"]
    ]
  if (kind.startsWith("enum:"))
    return wordsOf(kind.slice("enum:".length), version) === undefined ? [] : [["another word", "BANANA"]]
  const length = /^(?:s|ci)(\d+)$/.exec(kind)?.[1]
  return length === undefined
    ? [["a text for an object", "text"]]
    : [
        ["a number for a text", 7],
        ["too long", "A".repeat(Number(length) + 1)]
      ]
}

/** A fault in a field of each class, as the version has it. */
const fieldRows = (version: StrangerVersion): ReadonlyArray<Mutation> =>
  classes.flatMap(({ at, module, name, role }) =>
    (fieldsOf(name, version) ?? [])
      .filter(({ cardinality }) => cardinality === "1" || cardinality === "+")
      .flatMap(({ kind, name: field }): ReadonlyArray<Mutation> => {
        const row = (what: string, edit: (one: Json) => Json): Mutation => ({
          id: `${name}.${field}: ${what}`,
          roles: [role],
          caughtBy: [
            ...Array.from(
              { length: 32 },
              (_, index) => `${prefixes[module]}-0${String(index + 1).padStart(2, "0")}`
            ),
            "TRANS-045",
            "TRANS-046",
            "TRANS-047",
            "TRANS-048"
          ],
          // What refers to it, what is calculated from it, and how the list is cut by it.
          follows: [/^(LOC|SESS|CDR|TAR|TOK)-0/, /^PAGE-/, /^JRN-/, /^TRANS-0(15|4[45678])/, /^CMD-/, /^CP-/],
          bend: {
            says: (said, _, where) =>
              ofModule(module)(where) && Array.isArray(said.data)
                ? {
                    ...said,
                    data: said.data.map((json, index) => (index === 0 ? editing(json, at, edit) : json))
                  }
                : said
          }
        })
        return [
          row("missing", (one) => Object.fromEntries(Object.entries(one).filter(([key]) => key !== field))),
          ...(kind === "latitude" || fieldsOf(kind, version) !== undefined
            ? [row("a text for an object", (one: Json) => ({ ...one, [field]: "text" }))]
            : wrongValues(kind, version).map(([what, value]) =>
                row(what, (one) => ({ ...one, [field]: value }))
              ))
        ]
      })
  )

/** Every fault that a stranger of that version and role can have. */
export const mutationsOf = (version: StrangerVersion, role: StrangerRole): ReadonlyArray<Mutation> =>
  [
    ...transportRows.map((row) => ({ ...row, needs: { bareRouting: false } })),
    ...pagingRows.map((row) => ({
      ...row,
      needs: { objects: 12, pageMax: 5, listOrder: "created" as const }
    })),
    ...receiverRows,
    ...commandRows.map((row) => ({ ...row, needs: { pushes: "put" as const, objects: 5 } })),
    ...fieldRows(version).map((row) => ({ ...row, needs: { objects: 5 } }))
  ].filter(({ roles, versions }) => isIn(version, versions) && (roles === undefined || roles.includes(role)))

/** Of what went off: what is there to catch the fault, and what has nothing to do with it. A run's soft rules do not count. */
export const attributed = <
  A extends { readonly id: string; readonly strength: string; readonly outcome: string }
>(
  { caughtBy, follows }: Mutation,
  off: ReadonlyArray<A>
): { readonly caught: ReadonlyArray<A>; readonly falsely: ReadonlyArray<A> } => ({
  caught: off.filter(({ id }) => caughtBy.includes(id)),
  falsely: off.filter(
    ({ id, outcome, strength }) =>
      !caughtBy.includes(id) &&
      !follows.some((pattern) => pattern.test(id)) &&
      // What is advised and what a stranger is free not to do warns without the fault too.
      !(outcome === "warned" && strength === "should")
  )
})
