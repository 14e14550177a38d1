/** CDRs beside other things: credits, sessions, locations, our tokens, themselves a while later. */
import { isDeepStrictEqual } from "node:util"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectIn, sameId, textIn } from "../../findings/json.ts"
import { decimalOf, isZero, numberOf, plus } from "../../findings/money/decimal.ts"
import { readPrice } from "../../findings/money/price.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import type { Json } from "../answers.ts"
import { type Check, type Finding, undecided } from "../Check.ts"
import type { Evidence } from "../Evidence.ts"
import { foreignToken, isNear, notAvailable, placeOf, resolve, summed } from "./charging.ts"
import { repeated } from "./findings.ts"
import {
  baseOf,
  below,
  cdrs,
  idKey,
  onAll,
  onEach,
  onFlaws,
  type Placed,
  readingOf,
  wholeList,
  wrong
} from "./readObjects.ts"
import { changedSince, quietMinutes } from "./rereading.ts"

const base = baseOf(cdrs)
const object = "mod_cdrs, CDR Object"
const credits = "mod_cdrs, Credit CDRs"
const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)
const withSessions = () => ["cdrs", "sessions"].flatMap(readingOf)

/** What a Credit CDR may have otherwise than the CDR that it takes back. */
const ofCredit = [
  "id",
  "credit",
  "credit_reference_id",
  "total_cost",
  "last_updated",
  "remark",
  "invoice_reference_id"
]

export const cdrLinksChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CDR-018",
    versions: detailed,
    title: "A Credit CDR names the CDR that it takes back",
    reference: credits,
    passes: "credit and credit_reference_id come together",
    hint: "Set credit to true and credit_reference_id to the id of the first CDR, or leave both out.",
    judge: onFlaws(cdrs, below("credit_reference_id"), (item) =>
      textIn(item.json["credit_reference_id"]) === undefined || item.json["credit"] === true
        ? []
        : [
            wrong(item, "credit", "it names a CDR that it takes back, and is no credit", {
              expected: true.toString(),
              actual: item.json["credit"]
            })
          ]
    )
  },
  {
    ...base,
    id: "CDR-019",
    versions: detailed,
    title: "A Credit CDR is the negative of the CDR that it takes back",
    reference: credits,
    passes: "another id, the exact negative of total_cost, everything else the same",
    hint: "Copy the first CDR, give it a new id, set credit, and negate total_cost only.",
    judge: onAll(cdrs, (items, evidence) => {
      const all = items.filter(({ json }) => json["credit"] === true)
      const whole = wholeList(evidence, "cdrs") !== undefined
      return all.length === 0
        ? undecided("unobservable", "no CDR is a Credit CDR")
        : all.flatMap((item) => notNegative(item, items, whole, evidence))
    })
  },
  {
    ...base,
    id: "CDR-020",
    versions: detailed,
    title: "Names its session",
    reference: object,
    passes: "session_id is there, except where a reservation was not used",
    hint: "A CDR without session_id cannot be matched with what was shown while charging.",
    judge: onEach(cdrs, "was charged at", (item) => {
      const unused = summed(item.json, "RESERVATION_TIME").some && !summed(item.json, "ENERGY").some
      if (unused) return undefined
      return textIn(item.json["session_id"]) !== undefined
        ? []
        : [
            wrong(item, "session_id", "the CDR does not say which session it is for", {
              expected: "the id of a session",
              actual: item.json["session_id"]
            })
          ]
    })
  },
  {
    ...base,
    id: "CDR-021",
    versions: detailed,
    title: "Agrees with its session",
    strength: "should",
    reference: `${object}; mod_sessions, Session Object`,
    sends: "GET cdrs and sessions to the last page",
    passes: "a listed COMPLETED session with the same token, EVSE, energy, and times within 60 s",
    hint: "Make the CDR from the session's final state.",
    needs: withSessions,
    judge: onAll(cdrs, (items, evidence) => {
      const sessions = wholeList(evidence, "sessions")
      if (sessions === undefined) return undecided("not_tested", "sessions were not read to their end")
      const named = items.filter(
        ({ json }) => textIn(json["session_id"]) !== undefined && json["credit"] !== true
      )
      return named.length === 0
        ? undecided("unobservable", "no CDR names a session")
        : named.flatMap((item) => unlikeSession(item, sessionOf(item, sessions), evidence))
    })
  },
  {
    ...base,
    id: "CDR-022",
    title: "Shows us the CDRs of our tokens only",
    strength: "should",
    reference: `${object}; the text leaves open whose CDRs an EMSP gets`,
    passes: "each CDR names a token of ours",
    hint: "CDRs of other EMSPs tell where their customers were: filter the list by the EMSP that asks.",
    judge: onEach(cdrs, "can be looked at", foreignToken)
  },
  {
    ...base,
    id: "CDR-024",
    versions: versionsWhere(({ place }) => place === "ids"),
    title: "Was made at a connector that is listed so",
    strength: "should",
    reference: "mod_cdrs, CdrLocation class; mod_locations, Connector object",
    sends: "GET cdrs and locations to the last page",
    passes: "the ids lead to a connector with the same standard, format and power type",
    hint: "A CDR keeps the place as it was: when the connector was replaced since, this is no mistake.",
    needs: () => ["cdrs", "locations"].flatMap(readingOf),
    judge: onAll(cdrs, (items, evidence) => {
      const locations = wholeList(evidence, "locations")
      return locations === undefined
        ? undecided("not_tested", "locations were not read to their end")
        : items.flatMap((item) => unlikeConnector(item, locations, evidence))
    })
  },
  {
    ...base,
    id: "CDR-027",
    versions: detailed,
    title: "Repeats the authorization reference of its session",
    reference: object,
    sends: "GET cdrs and sessions to the last page",
    passes: "authorization_reference is that of the session",
    hint: "Keep the reference that the authorization or the command brought, and put it into both.",
    needs: withSessions,
    judge: besideSession(
      "authorization_reference",
      ({ json }) => textIn(json["authorization_reference"]) !== undefined
    )
  },
  {
    ...base,
    id: "CDR-028",
    title: "Never changes a CDR",
    reference: "mod_cdrs, Introduction",
    sends: "GET cdrs twice",
    passes: `a CDR of at least ${quietMinutes} minutes ago is the same in both answers`,
    hint: "Take a wrong CDR back by a Credit CDR, and send a new one.",
    needs: () => [...base.needs(), "cdrs.again"],
    judge: (evidence) => changedSince(evidence, cdrs, () => true, "CDR")
  },
  {
    ...base,
    id: "CDR-029",
    title: "Bills a session once",
    strength: "should",
    reference: credits,
    passes: "at most one CDR of a session is neither a credit nor taken back by one",
    hint: "Take the first CDR back by a Credit CDR before the corrected one is sent.",
    judge: onAll(cdrs, (items, { profile }) => {
      const takenBack = new Set(items.map(({ json }) => idKey(json["credit_reference_id"], profile)))
      const standing = items.filter(
        ({ json }) => json["credit"] !== true && !takenBack.has(idKey(json["id"], profile))
      )
      const named = standing.filter((item) => chargeOf(item, profile) !== undefined)
      if (named.length === 0) return undecided("unobservable", "no CDR says which session it is for")
      return repeated(named, (item) =>
        idKey([item.json["country_code"], item.json["party_id"], chargeOf(item, profile)], profile)
      ).map((item) =>
        wrong(item, profile.cdrDetails ? "session_id" : "id", "the session is billed twice", {
          expected: "one CDR",
          actual: chargeOf(item, profile)
        })
      )
    })
  },
  {
    ...base,
    id: "CDR-038",
    versions: detailed,
    title: "Says how it was authorized, as its session does",
    reference: "mod_cdrs, CDR Object, AuthMethod enum",
    sends: "GET cdrs and sessions to the last page",
    passes: "auth_method is that of the completed session: the last one used",
    hint: "Where the method changed during the session, the last one counts.",
    needs: withSessions,
    judge: besideSession("auth_method", () => true)
  }
]

/** What a CDR is for: its session, or, where the version has no id for it, who charged where and when. */
function chargeOf({ json }: Placed, profile: VersionProfile): unknown {
  if (profile.cdrDetails) return textIn(json["session_id"])
  return [json["auth_id"], json[profile.cdrNames.start], placeOf(json, profile, "cdrs").evse]
}

function sessionOf({ json }: Placed, sessions: ReadonlyArray<Placed>): Placed | undefined {
  return sessions.find(
    (session) =>
      sameId(session.json["id"], json["session_id"]) &&
      sameId(session.json["party_id"], json["party_id"]) &&
      sameId(session.json["country_code"], json["country_code"])
  )
}

/** Judges CDRs whose session is listed and completed: a field is the same in both. `about` picks by the session. */
function besideSession(field: string, about: (session: Placed) => boolean): Check["judge"] {
  return onAll(cdrs, (items, evidence) => {
    const sessions = wholeList(evidence, "sessions")
    if (sessions === undefined) return undecided("not_tested", "sessions were not read to their end")
    const pairs = items.flatMap((item) => {
      const session = sessionOf(item, sessions)
      return session !== undefined && session.json["status"] === "COMPLETED" && about(session)
        ? [{ item, session }]
        : []
    })
    if (pairs.length === 0)
      return undecided("unobservable", `no listed session of a CDR has a ${field} to compare`)
    return pairs.flatMap(({ item, session }) =>
      same(item.json[field], session.json[field])
        ? []
        : [
            wrong(item, field, `the ${field} is not that of the session`, {
              expected: String(session.json[field]),
              actual: item.json[field]
            })
          ]
    )
  })
}

const same = (a: unknown, b: unknown) => a === b || sameId(a, b)

function unlikeSession(
  item: Placed,
  session: Placed | undefined,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  if (session === undefined)
    return [
      wrong(item, "session_id", "the session is not in the list of sessions", {
        expected: "a listed session",
        actual: item.json["session_id"]
      })
    ]
  const { json } = session
  const finding = (field: string, what: string, theirs: unknown) =>
    wrong(item, field, `${what} is not that of the session`, {
      expected: String(theirs),
      actual: item.json[field]
    })
  const uid = (of: Json) => objectIn(of["cdr_token"])["uid"]
  const [total, kwh] = [decimalOf(item.json["total_energy"]), decimalOf(json["kwh"])]
  const own = placeOf(item.json, profile, "cdrs")
  const theirs = placeOf(json, profile, "sessions")
  const names = [
    [profile.cdrNames.start, profile.sessionNames.start],
    [profile.cdrNames.end, profile.sessionNames.end]
  ] as const
  return [
    ...(json["status"] === "COMPLETED"
      ? []
      : [
          wrong(item, "session_id", "the session is not COMPLETED", {
            expected: "COMPLETED",
            actual: json["status"]
          })
        ]),
    ...(same(uid(item.json), uid(json)) ? [] : [finding("cdr_token", "the token", uid(json))]),
    ...(same(own.evse, theirs.evse) || theirs.evse === notAvailable
      ? []
      : [finding("cdr_location", "the EVSE", theirs.evse)]),
    ...(total === undefined || kwh === undefined || isNear(total, kwh, 0.01)
      ? []
      : [finding("total_energy", "the energy", json["kwh"])]),
    ...names.flatMap(([mine, field]) => {
      const [at, there] = [dateTimeMillis(item.json[mine]), dateTimeMillis(json[field])]
      return at === undefined || there === undefined || Math.abs(at - there) <= 60_000
        ? []
        : [finding(mine, "the time", json[field])]
    })
  ]
}

function unlikeConnector(
  item: Placed,
  locations: ReadonlyArray<Placed>,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const found = resolve(locations, placeOf(item.json, profile, "cdrs"))
  if ("missing" in found)
    return [
      wrong(item, "cdr_location", `${found.missing} is not in the list of locations`, {
        expected: "a location, EVSE and connector of the list",
        actual: found.missing
      })
    ]
  const copied = objectIn(item.json["cdr_location"])
  return (["standard", "format", "power_type"] as const).flatMap((name) => {
    const listed = found.connector?.[name]
    return listed === undefined || listed === copied[`connector_${name}`]
      ? []
      : [
          wrong(item, `cdr_location/connector_${name}`, `the connector is listed with another ${name}`, {
            expected: String(listed),
            actual: copied[`connector_${name}`]
          })
        ]
  })
}

function notNegative(
  item: Placed,
  items: ReadonlyArray<Placed>,
  whole: boolean,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const reference = item.json["credit_reference_id"]
  if (textIn(reference) === undefined) return []
  if (sameId(reference, item.json["id"]))
    return [
      wrong(item, "id", "the Credit CDR has the id of the one that it takes back", {
        expected: "an id of its own",
        actual: reference
      })
    ]
  const first = items.find(({ json }) => sameId(json["id"], reference))
  if (first === undefined)
    return whole
      ? [
          wrong(item, "credit_reference_id", "the CDR that it takes back is not listed", {
            expected: "the id of a CDR",
            actual: reference
          })
        ]
      : []
  const [credit, cost] = [item, first].map(({ json }) => readPrice(profile, json["total_cost"]))
  const off = credit === undefined || cost === undefined ? undefined : plus(credit.net, cost.net)
  const changed = Object.keys(first.json).find(
    (field) => !ofCredit.includes(field) && !isDeepStrictEqual(first.json[field], item.json[field])
  )
  return [
    ...(off === undefined || isZero(off)
      ? []
      : [
          wrong(item, "total_cost", "total_cost is not the negative of the first one", {
            expected: cost === undefined ? "" : String(0 - numberOf(cost.net)),
            actual: item.json["total_cost"]
          })
        ]),
    ...(changed === undefined
      ? []
      : [
          wrong(item, changed, "the Credit CDR differs from the CDR that it takes back", {
            expected: JSON.stringify(first.json[changed]),
            actual: item.json[changed]
          })
        ])
  ]
}
