/**
 * One field of what a stranger sends, or answers by one object, is bent, each in turn and in several ways, in all exchanges of the
 * kind. What breaks the tables of the class, by the stranger's own reading of them, is told by a check of the suite; and one check
 * tells it, but for `toldTogether`.
 */
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { type Gathered, isWithheld, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { type StrangerRole, strangerRoles, strangerVersions } from "../../strangers/partner/Freedoms.ts"
import { flawOf, isJson, type Json } from "../../strangers/partner/objects/validity.ts"
import { isPlayed, isSampled } from "../../support/sampled.ts"
import { bends, bentAt, fieldsOf, listedClasses, type Path, pathsIn } from "./support/bending.ts"
import { playedRun } from "./support/playedRun.ts"

/** Checks of the form of values whatever the object; the report joins them with the check of the object. */
const ofEveryObject = /^TRANS-04[5-8]$/

/**
 * Checks that compare what is bent with another exchange, which is not: a list, the object that was sent, a command. What is
 * no flaw of its own is another fact for each of them.
 */
const comparing =
  /^(CDR-03[567]|CMD-02[0-2]|CRED-0(39|43)|JRN-\d+|LOC-04[47]|SESS-0(10|29|31)|(LOC|SESS|TAR|TOK)-1\d\d)$/

/** Checks that one flaw breaks together, each with a fact of its own, and at which fields. */
const toldTogether: ReadonlyArray<readonly [checks: string, fields: RegExp]> = [
  // Two fields are missing.
  ["CMD-001 CMD-002", /^data$/],
  ["CMD-002 CMD-013", /^data$/],
  ["CMD-002 CMD-028", /^data$/],
  ["CMD-002 CMD-033 CMD-034", /^data$/],
  ["CMD-002 CMD-034", /^data$/],
  ["CMD-002 CMD-038", /^data$/],
  // Answers to requests of one kind about two things: of what is there, and of what is not.
  ["CMD-033 CMD-034", /^data/],
  ["CP-003 CP-004", /^data/],
  ["CP-003 CP-006", /^data/],
  ["CP-006 CP-007", /^result$/],
  // The location says otherwise than the list, or than the push, and that it is reserved is not seen in it.
  ["LOC-034 CMD-031", /status$/],
  ["SESS-024 CMD-030", /^status$/],
  // A status that is none is not the one that was to be pushed, or is to be read.
  ["LOC-035 LOC-044", /^data(\.status)?$/],
  ["LOC-042 LOC-044", /status$/],
  ["LOC-042 JRN-004", /(status|uid)$/],
  // Under another id it is another object to whoever looks for it, and under none it is not found.
  ["CDR-034 CDR-037", /^id$/],
  ["CDR-034 CDR-037 JRN-009", /^id$/],
  ["SESS-024 SESS-031 JRN-009", /^id$/],
  ["LOC-042 LOC-047", /(^|\.)(id|uid)$/],
  // A list that may not be empty is, and the list of CDRs has it.
  ["CDR-034 CDR-037", /^tariffs\.elements$/],
  // What is left of a price differs from that of the session.
  ["CDR-034 JRN-005", /^total_cost/],
  // The URL of the registration is another one than GET of the credentials says.
  ["CRED-039 CRED-042", /^url$/],
  // That an EVSE needs a connector, and that a connector needs an EVSE.
  ["CMD-101 CMD-105", /^evse_uid$/]
]

/** In 2.1.1 it is not said whether a PATCH of a session appends its periods, so that none are due in what a receiver gives back. */
const isUndecided = (version: OcpiVersion, place: Place, object: string, fields: string): boolean =>
  version === "2.1.1" && place === "data" && object === "Session" && /charging_periods/.test(fields)

/** In what the class stands: the body of a request, or `data` of an answer. */
type Place = "body" | "data"

const classesOfModules: Readonly<Record<string, string>> = { ...listedClasses, hubclientinfo: "ClientInfo" }

/** The class of what the stranger says in that exchange; undefined: a list, an answer to a list, or nothing. */
function saidIn({
  direction,
  module,
  operation,
  request: { method }
}: Exchange): readonly [string, Place] | undefined {
  const isAsked = direction === "inbound"
  const [name = ""] = operation.split(", ")
  if (module === "versions") return undefined
  if (module === "credentials") {
    if (!isAsked) return method === "GET" ? ["Credentials", "data"] : undefined
    return method === "POST" || method === "PUT" ? ["Credentials", "body"] : undefined
  }
  if (module === "commands") {
    if (!isAsked) return ["CommandResponse", "data"]
    return [name.startsWith("command result") ? "CommandResult" : name.replace("POST ", ""), "body"]
  }
  if (module === "chargingprofiles") {
    if (!isAsked) return ["ProfileResponse", "data"]
    if (name.includes("result")) return ["ProfileResult", "body"]
    return method === "PUT"
      ? [name.includes("active") ? "ActiveChargingProfile" : "SetChargingProfile", "body"]
      : undefined
  }
  if (module === "tokens" && method === "POST")
    return isAsked ? ["LocationReferences", "body"] : ["AuthorizationInfo", "data"]
  if (name.includes("preferences")) return isAsked ? ["ChargingPreferences", "body"] : undefined
  const object = /evse/.test(name) ? "EVSE" : /connector/.test(name) ? "Connector" : classesOfModules[module]
  if (object === undefined) return undefined
  if (isAsked) return ["PATCH", "POST", "PUT"].includes(method) ? [object, "body"] : undefined
  // The same in other letters is another question about it.
  return method === "GET" && /^GET (?!.*letters)/.test(name) ? [object, "data"] : undefined
}

/** Exchanges of one kind in which the stranger says something of a class. */
interface Kind {
  readonly name: string
  readonly object: string
  readonly place: Place
  readonly isPart: boolean
  readonly seen: Map<string, Observation>
}

const saidOf = (place: Place, { json }: Pick<Observation, "json">): unknown =>
  place === "body" ? json : isJson(json) ? json["data"] : undefined

/** What the run gathered of such exchanges that went well, by their kinds. */
function kindsIn(results: ReadonlyMap<string, Gathered>): ReadonlyArray<Kind> {
  const kinds = new Map<string, Kind>()
  for (const gathered of results.values())
    for (const one of isWithheld(gathered) ? [] : gathered.seen) {
      const { exchange } = one
      const said = saidIn(exchange)
      if (said === undefined || one.isUnusual === true || exchange.response?.ocpiStatusCode !== 1000) continue
      const [object, place] = said
      if (!isJson(saidOf(place, one))) continue
      const { method } = exchange.request
      const [operation = ""] = exchange.operation.split(", ")
      const name = `${exchange.direction} ${method} ${exchange.module}: ${operation}, ${object}`
      const kind = kinds.get(name) ?? { name, object, place, isPart: method === "PATCH", seen: new Map() }
      kind.seen.set(exchange.id, one)
      kinds.set(name, kind)
    }
  return [...kinds.values()]
}

/** The exchange as it would be with that JSON. */
const withJson = (one: Observation, place: Place, json: Json): Observation => {
  const { exchange } = one
  const body = JSON.stringify(json)
  const { request, response } = exchange
  return {
    ...one,
    json,
    exchange:
      place === "body"
        ? { ...exchange, request: { ...request, body } }
        : { ...exchange, response: response === null ? null : { ...response, body } }
  }
}

const played = strangerVersions
  .flatMap((version) => strangerRoles.map((role) => ({ version, role })))
  .filter((_, index, { length }) => isPlayed(index, length))

/** Where only a part is played, one of so many bends. */
const bendsAPart = 24

describe("one bent field of what a partner sends and answers", () => {
  it.each(played)(
    "is told by one check: $role in $version",
    { timeout: 1_800_000 },
    async ({ role, version }) => {
      const { bent, found } = await told(role, version)
      assert.isAbove(bent, 50)
      assert.deepStrictEqual(found, [], found.join("\n"))
    }
  )
})

/** The probes and steps that gathered the exchanges, for readers. */
const probesOf = (results: ReadonlyMap<string, Gathered>, kind: ReadonlyMap<string, Observation>): string =>
  [...results]
    .filter(([, one]) => !isWithheld(one) && one.seen.some(({ exchange }) => kind.has(exchange.id)))
    .map(([probe]) => probe)
    .join(", ")

/** How many bends were tried, and which of them nobody tells, or more than one check. */
async function told(role: StrangerRole, version: OcpiVersion) {
  const { judging, results } = await playedRun(role, version, {
    optionals: "all",
    nulls: false,
    unknownFields: false,
    pushes: "put"
  })
  const found: Array<string> = []
  let bent = 0
  for (const { isPart, name, object, place, seen } of kindsIn(results)) {
    const judged = judging(seen)
    const off = (change: (json: Json) => Json): ReadonlyMap<string, string | undefined> => {
      const told = judged((one) => (isJson(one.json) ? withJson(one, place, change(one.json)) : one))
      return new Map([...told].filter(([id]) => !ofEveryObject.test(id)))
    }
    const before = off((json) => json)
    const flaws = [...seen.values()].flatMap(
      (one) => flawOf(object, saidOf(place, one), version, isPart) ?? []
    )
    assert.deepStrictEqual(flaws, [], name)
    const largest = [...seen.values()].reduce((one, other) =>
      JSON.stringify(other.json).length > JSON.stringify(one.json).length ? other : one
    )
    const json = largest.json as Json
    const at: Path = place === "body" ? [] : ["data"]
    const paths = [
      ...(place === "body" ? [] : [at]),
      ...pathsIn(saidOf(place, largest)).map((path) => [...at, ...path])
    ]
    for (const path of paths)
      for (const [way, bend] of Object.entries(bends)) {
        const after = bentAt(json, path, bend)
        // The token of credentials is judged by what the store knows of it.
        const isToken = object === "Credentials" && path.at(-1) === "token"
        if (isToken || JSON.stringify(after) === JSON.stringify(json)) continue
        bent += 1
        if (isSampled && !isPlayed(bent, bendsAPart)) continue
        const flaw = flawOf(object, saidOf(place, { json: after }), version, isPart)
        const now = off((one) => bentAt(one, path, bend))
        const tellers = [...now.keys()].filter((id) => before.get(id) !== now.get(id))
        const fields = fieldsOf(path)
        const own = tellers.filter((id) => !comparing.test(id))
        // What a receiver gives back after several writes is looked at after each of them.
        const isReadBack = role === "EMSP" && place === "data" && tellers.every((id) => comparing.test(id))
        const isOne =
          isReadBack ||
          (flaw === undefined ? own : tellers).length < 2 ||
          toldTogether.some(([ids, where]) => ids === tellers.join(" ") && where.test(fields))
        if (flaw !== undefined && tellers.length === 0 && !isUndecided(version, place, object, fields))
          found.push(`${name} (${probesOf(results, seen)}): ${fields} ${way}: nobody tells that ${flaw}`)
        else if (!isOne)
          found.push(
            `${name}: ${fields} ${way}: ${tellers.map((id) => `${id} (${now.get(id)})`).join(" ")}${flaw === undefined ? "" : `; ${flaw}`}`
          )
      }
  }
  return { bent, found }
}
