/** What a partner that is a hub tells of the parties that are connected to it (mod_hub_client_info, Sender Interface). */
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { count, header, itemsOf, named, succeeded } from "../../../findings/answers.ts"
import { accepted, allOf } from "../../../findings/expectations.ts"
import { at, finding, repeated, unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { inWords } from "../../../findings/words.ts"
import { type Check, either, noneOf, type Precondition } from "../../model/Check.ts"
import { type Answered, asAnswered, type Evidence } from "../../model/Evidence.ts"
import { expects } from "../../model/expects.ts"
import { type Probe, withheld } from "../../model/Probe.ts"
import { firstPage, linked } from "../shared/lists.ts"

const module = "hubclientinfo"
const [list, later, earlier] = [`${module}.list`, `${module}.future`, `${module}.past`] as const
/** Most pages that are read of the list. */
const mostPages = 20

/** A probe of the list that a hub serves; the version details of any other partner have no such interface. */
const listed = (id: string, query: (evidence: Evidence) => Readonly<Record<string, string>>): Probe => ({
  id,
  asks: (evidence) =>
    evidence.party.counterpart.endpoints.some(
      ({ identifier, role }) => identifier === module && role === "SENDER"
    )
      ? [firstPage(module, evidence, query(evidence))]
      : withheld("not_applicable", `the partner has no SENDER endpoint of ${module}, which is a hub's`)
})

const ahead = ({ startedAt }: Evidence) => dateTimeOf(Date.parse(startedAt) + 365 * dayMillis)
/** Before there was OCPI. */
const longAgo = "2000-01-01T00:00:00Z"

/** The list, all of its pages; and what of it is newer and older than everything. */
export const servedClientsProbes: ReadonlyArray<Probe> = [
  {
    ...listed(list, () => ({})),
    next: (seen) => (seen.length < mostPages ? linked(module, seen.flatMap(asAnswered).at(-1)) : undefined)
  },
  listed(later, (evidence) => ({ date_from: ahead(evidence) })),
  listed(earlier, () => ({ date_to: longAgo }))
]

const base = {
  module,
  versions: versionsWhere(({ hub }) => hub !== "none"),
  roles: either,
  mode: "RO",
  strength: "must"
} as const

interface Client {
  readonly seen: Answered
  readonly pointer: string
  readonly json: JsonObject
}

const clientsIn = (evidence: Evidence): ReadonlyArray<Client> =>
  evidence
    .answered(list)
    .filter(succeeded)
    .flatMap((seen) =>
      (itemsOf(seen) ?? []).flatMap((json, index) =>
        isObject(json) ? [{ seen, pointer: `/data/${index}`, json }] : []
      )
    )

const partyOf = ({ json }: Client): string =>
  ["country_code", "party_id", "role"].map((field) => inWords(json[field])).join(" ")

const aList = (seen: Answered) =>
  unless(itemsOf(seen) !== undefined, () =>
    at(seen, "/data", "data is no array", {
      expected: "an array of ClientInfo objects",
      actual: isObject(seen.json) ? seen.json["data"] : undefined
    })
  )

const allValid = (seen: Answered, { profile }: Evidence) => {
  const schema = profile.objects.ClientInfo
  return (itemsOf(seen) ?? []).flatMap((json, index) =>
    (schema === undefined ? [] : violations(schema, json)).map((flaw) => ({
      ...flaw,
      pointer: `/data/${index}${flaw.pointer ?? ""}`,
      exchangeId: seen.exchange.id
    }))
  )
}

/** A finding for each object that the filter of the request excludes. */
const filtered = (isWithin: (stamp: number) => boolean, rule: string) => (seen: Answered) =>
  (itemsOf(seen) ?? []).flatMap((json, index) => {
    const stamp = isObject(json) ? dateTimeMillis(json["last_updated"]) : undefined
    return unless(stamp === undefined || isWithin(stamp), () =>
      at(seen, `/data/${index}/last_updated`, `${named(seen)} brings a ClientInfo that is not ${rule}`, {
        expected: rule,
        actual: isObject(json) ? json["last_updated"] : undefined
      })
    )
  })

/** What is judged by its objects wants a list of them. */
const ofList: ReadonlyArray<Precondition> = [
  { answers: list, what: "GET hubclientinfo", check: "HUB-001" },
  { check: "HUB-001", about: list, rule: aList }
]

/** Judge the list of a partner that is a hub. */
export const servedClientsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "HUB-001",
    title: "GET hubclientinfo: a list of valid ClientInfo objects",
    reference: "mod_hub_client_info, Sender Interface, GET Method; ClientInfo Object",
    sends: "GET hubclientinfo, all of its pages",
    passes:
      "HTTP 200, status_code 1000, data is an array, and each ClientInfo conforms to the version's schema",
    hint: "Give each connected party with party_id, country_code, role, status and last_updated; status is CONNECTED, OFFLINE, PLANNED or SUSPENDED.",
    ...expects([list], accepted, aList, allValid)
  },
  {
    ...base,
    id: "HUB-002",
    title: "ClientInfo: one for each party and role",
    strength: "should",
    reference: "mod_hub_client_info, ClientInfo Object",
    sends: "GET hubclientinfo, all of its pages",
    passes: "no two objects have the same country_code, party_id and role",
    hint: "List a party once in each of its roles, with the status that it has now.",
    requires: () => ofList,
    needs: () => [list],
    judge: (evidence) => {
      const clients = clientsIn(evidence)
      return noneOf(
        repeated(clients, (one) => partyOf(one).toUpperCase()).map((one) =>
          at(one.seen, one.pointer, `${partyOf(one)} is listed twice`, {
            expected: "each party once in a role",
            actual: one.json["status"]
          })
        ),
        `${clients.length} objects`
      )
    }
  },
  {
    ...base,
    id: "HUB-106",
    title: "GET hubclientinfo: each page has X-Total-Count and X-Limit",
    lenient: () => true,
    reference: "mod_hub_client_info, Sender Interface, GET Method; transport_and_format, Pagination",
    sends: "GET hubclientinfo, all of its pages",
    passes: "X-Total-Count is a whole number, X-Limit a positive one",
    hint: "Send X-Total-Count and X-Limit with every page, as with the lists of other modules.",
    requires: () => [{ answers: list, what: "GET hubclientinfo", check: "HUB-001" }],
    ...expects([list], (seen) =>
      (["X-Total-Count", "X-Limit"] as const).flatMap((name) =>
        unless((count(seen, name) ?? -1) >= (name === "X-Limit" ? 1 : 0), () =>
          finding(seen, `${named(seen)}: ${name} is absent or no such number`, {
            expected: name === "X-Limit" ? "a positive whole number" : "a whole number",
            actual: header(seen, name) ?? "absent"
          })
        )
      )
    )
  },
  {
    ...base,
    id: "HUB-107",
    title: "GET hubclientinfo: date_from and date_to are regarded",
    reference: "mod_hub_client_info, Sender Interface, GET Method",
    sends: `GET hubclientinfo with date_from one year ahead, and with date_to=${longAgo}`,
    passes: "no ClientInfo that was last updated before date_from, or at date_to or later",
    hint: "Apply date_from and date_to to last_updated, and answer an empty list when no object is left.",
    requires: () => ofList,
    needs: () => [later, earlier],
    partial: true,
    judge: (evidence) => {
      const start = ahead(evidence)
      const isNew = filtered((stamp) => stamp >= Date.parse(start), `at or after ${start}`)
      const isOld = filtered((stamp) => stamp < Date.parse(longAgo), `before ${longAgo}`)
      return noneOf([
        ...evidence.answered(later).flatMap(allOf(accepted, aList, isNew)),
        ...evidence.answered(earlier).flatMap(allOf(accepted, aList, isOld))
      ])
    }
  }
]
