/**
 * What the findings of a run come down to: findings that show the same, and checks that could not be judged because of them, are
 * one cause. Pure.
 */
import type { Assertion, Attribution } from "../../schema/Assertion.ts"
import {
  beginsWithField,
  countPlaces,
  fieldsInside,
  fieldsOfObjects,
  placesInside,
  saidOfMessages
} from "./findingPlaces.ts"
import { saysNothingOwn } from "./saysNothingOwn.ts"

/** A cause with more than one consequence. */
export interface Cause {
  /** What happened, in one sentence. */
  readonly what: string
  readonly attribution: Attribution
  /** The partner's own words about it. */
  readonly partnerSaid?: string
  /** The exchange that shows it. */
  readonly exchangeId?: string
  /** What the partner has to change. */
  readonly hint?: string
  /** Ids of the checks that report it: failed, warned, or ended by an error. */
  readonly found: ReadonlyArray<string>
  /** At how many different places those that failed or warned find something wrong; 0 where none of them did. */
  readonly places: number
  /** Ids of the checks that it keeps from being judged. */
  readonly blocked: ReadonlyArray<string>
}

/**
 * The causes with two consequences or more: those that failed a check first, then by the number of their consequences. A
 * finding that stands alone is no cause, and neither is what nobody did.
 */
export const causesOf = (assertions: ReadonlyArray<Assertion>): ReadonlyArray<Cause> =>
  groupsOf(assertions)
    .filter(({ length }) => length > 1)
    .toSorted((a, b) => weightOf(b) - weightOf(a) || b.length - a.length)
    .map(causeIn)

/** The cause in a sentence: what happened, with the partner's words. */
export const causeInWords = ({ partnerSaid, what }: Cause): string =>
  partnerSaid === undefined ? what : `${what}; ${saysInWords(partnerSaid)}`

/** The partner's words, marked as such. */
export const saysInWords = (partnerSaid: string): string => `the partner says: ${JSON.stringify(partnerSaid)}`

/** Most ids of checks that a sentence names. */
const named = 8

/** What came of the cause: `TOK-101 reports it, 41 places in all; 14 checks could not be judged: TRANS-035, …`. */
export const effectInWords = ({ attribution, blocked, found, places }: Cause): string => {
  const verb = attribution === "ours" ? "ended by it" : found.length === 1 ? "reports it" : "report it"
  const checks = blocked.length === 1 ? "1 check" : `${blocked.length} checks`
  return [
    ...(found.length === 0
      ? []
      : [`${idsInWords(found)} ${verb}${places > 1 ? `, ${places} places in all` : ""}`]),
    ...(blocked.length === 0 ? [] : [`${checks} could not be judged: ${idsInWords(blocked)}`])
  ].join("; ")
}

/** The first of the ids, and how many there are more. */
export const idsInWords = (ids: ReadonlyArray<string>): string =>
  `${ids.slice(0, named).join(", ")}${ids.length > named ? ` and ${ids.length - named} more` : ""}`

/** The assertions that show something, each with those that show the same, in the order of the first of each group. */
function groupsOf(assertions: ReadonlyArray<Assertion>): ReadonlyArray<ReadonlyArray<Assertion>> {
  const byId = new Map(assertions.map((one) => [one.id, one]))
  const toldBy = toldElsewhere(assertions)
  const alike = alikeBefore(assertions.filter((one) => !toldBy.has(one)))
  const groups = new Map<Assertion, Array<Assertion>>()
  const firstWith = new Map<string, Assertion>()
  const join = (one: Assertion, other: Assertion | undefined) => {
    const own = groups.get(one)
    const joined = other === undefined ? undefined : groups.get(other)
    if (own === undefined || joined === undefined || own === joined) return
    joined.push(...own)
    for (const member of own) groups.set(member, joined)
  }
  const shown = assertions.flatMap((one) => {
    const whole = isBad(one) ? (toldBy.get(one) ?? alike.get(one)) : reportingOf(one, byId)
    const key = whole === undefined ? keyOf(one) : undefined
    return whole === undefined && key === undefined ? [] : [{ one, whole, key }]
  })
  for (const { one } of shown) groups.set(one, [one])
  for (const { key, one, whole } of shown) {
    if (key !== undefined && !firstWith.has(key)) firstWith.set(key, one)
    join(one, whole ?? (key === undefined ? undefined : firstWith.get(key)))
    if (isBad(one)) join(one, one.consequenceOf?.flatMap((id) => byId.get(id) ?? []).find(isBad))
  }
  const order = new Map(assertions.map((one, index) => [one, index]))
  const placeOf = (one: Assertion) => order.get(one) ?? 0
  return [...new Set(groups.values())]
    .map((group) => group.toSorted((a, b) => placeOf(a) - placeOf(b)))
    .toSorted(([a], [b]) => placeOf(a!) - placeOf(b!))
}

/** Findings with the same key show the same; undefined: the assertion shows nothing of the kind. */
function keyOf(one: Assertion): string | undefined {
  const { actual, attribution, blockedBy, exchangeIds, outcome, partnerSaid, pointer, reason } = one
  if (blockedBy !== undefined)
    return JSON.stringify([blockedBy.check ?? answerIn(blockedBy.what), attribution, partnerSaid])
  if (outcome === "error") return JSON.stringify(["error", reason ?? one.message])
  if (!isBad(one)) return undefined
  return JSON.stringify(
    partnerSaid === undefined || saysNothingOwn(partnerSaid, actual)
      ? [exchangeIds?.[0] ?? one.id, pointer, actual]
      : ["says", actual, partnerSaid]
  )
}

type ById = ReadonlyMap<string, Assertion>

/**
 * The check that reports what the assertion is blocked by, directly or through another one that is blocked itself, or that failed by
 * the same answer.
 */
const reportingOf = (one: Assertion, byId: ById): Assertion | undefined =>
  one.blockedBy === undefined ? undefined : (blockingOf(one, byId) ?? tellingOf(one, byId))

function blockingOf(one: Assertion, byId: ById): Assertion | undefined {
  const met = new Set([one])
  let next = one.blockedBy?.check === undefined ? undefined : byId.get(one.blockedBy.check)
  while (next !== undefined && !met.has(next)) {
    if (isBad(next)) return next
    met.add(next)
    next = next.blockedBy?.check === undefined ? undefined : byId.get(next.blockedBy.check)
  }
  return undefined
}

/**
 * The check that failed by the same answer: with the same HTTP status, and the same words of the partner. Words that servers have
 * for every such answer do not show that: there it is the check that failed by the same exchange, or by an answer to the same request.
 */
function tellingOf(one: Assertion, byId: ById): Assertion | undefined {
  const { blockedBy: { exchangeId, what = "" } = {}, partnerSaid } = one
  if (partnerSaid === undefined) return undefined
  const isSame = ({ actual, exchangeIds, findings, message }: Assertion): boolean =>
    !saysNothingOwn(partnerSaid, actual) ||
    (exchangeId !== undefined && exchangeIds?.[0] === exchangeId) ||
    [message, findings?.[0]?.message].includes(what)
  return [...byId.values()].find(
    (other) =>
      isBad(other) &&
      other.partnerSaid === partnerSaid &&
      other.actual?.startsWith("HTTP ") === true &&
      what.endsWith(other.actual) &&
      isSame(other)
  )
}

/**
 * Of an assertion with words that show no cause, or about an answer that refuses without any: the first one that shows the same of the
 * same rule, or of the same exchange.
 */
function alikeBefore(assertions: ReadonlyArray<Assertion>): ReadonlyMap<Assertion, Assertion> {
  const bad = assertions.filter(
    ({ actual, outcome, partnerSaid, ...one }) =>
      isBad({ outcome }) &&
      (partnerSaid === undefined ? isRefusal(actual) && hasNoPlace(one) : saysNothingOwn(partnerSaid, actual))
  )
  return new Map(
    bad.flatMap((one, index) => {
      const first = bad
        .slice(0, index)
        .find(
          (other) =>
            other.partnerSaid === one.partnerSaid &&
            other.actual === one.actual &&
            (other.reference === one.reference ||
              (one.exchangeIds?.[0] !== undefined && other.exchangeIds?.[0] === one.exchangeIds[0]))
        )
      return first === undefined ? [] : [[one, first] as const]
    })
  )
}

/** Is it an answer that refuses: an HTTP error, or a status_code of an error? */
const isRefusal = (actual = "") => /^HTTP ([45]|\d{3}, status_code [2-4])/.test(actual)

const hasNoPlace = ({ pointer = "" }: Pick<Assertion, "pointer">) => pointer === ""

/**
 * The assertions of which half of the places or more are among those of another one, which has more or comes first: a check of one
 * module, and one of the types of all fields, see the same field; a rule about the value of a field, and one that compares it. The same
 * of the fields of an object, wherever it is shown. And those whose fields are all wrong for another one, too: in a list, and in what
 * is pushed; or of which the same is said as of other messages.
 */
function toldElsewhere(assertions: ReadonlyArray<Assertion>): ReadonlyMap<Assertion, Assertion> {
  const bad = assertions
    .filter(isBad)
    .map((one) => ({
      one,
      fields: fieldsInside(one),
      ofObjects: fieldsOfObjects(one),
      places: placesInside(one),
      said: saidOfMessages(one)
    }))
    .filter(({ places, said }) => places.size + said.size > 0)
    .toSorted((a, b) => b.places.size - a.places.size)
  return new Map(
    bad.flatMap(({ fields, ofObjects, one, places, said }, index) => {
      const before = bad.slice(0, index)
      const whole =
        before.find(
          (other) => isHalfWithin(places, other.places) || isHalfWithin(ofObjects, other.ofObjects)
        ) ??
        bad.find(
          (other) => other.one !== one && (isWithin(fields, other.fields) || isWithin(said, other.said))
        )
      return whole === undefined ? [] : [[one, whole.one] as const]
    })
  )
}

const isWithin = (parts: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  parts.size > 0 && [...parts].every((part) => all.has(part))

/** Is at least half of the smaller one in the other one? */
function isHalfWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  const shared = [...some].filter((part) => all.has(part)).length
  return shared > 0 && shared * 2 >= Math.min(some.size, all.size)
}

const isBad = ({ outcome }: Pick<Assertion, "outcome">) => outcome === "failed" || outcome === "warned"

/** What came, without the request that it came to: the same for each request to a host that nobody reaches. */
export const answerIn = (what: string) => what.slice(Math.max(0, what.indexOf(" was ")))

const weights: Readonly<Partial<Record<Assertion["outcome"], number>>> = { failed: 3, warned: 2, error: 1 }
const weightOf = (group: ReadonlyArray<Assertion>) =>
  Math.max(...group.map(({ outcome }) => weights[outcome] ?? 0))

function causeIn(group: ReadonlyArray<Assertion>): Cause {
  const found = group.filter(({ blockedBy }) => blockedBy === undefined)
  // What most checks are blocked by is the plain case; a finding beside it may be about a request that was wrong on purpose.
  const dependants = ({ id }: Assertion) => group.filter(({ blockedBy }) => blockedBy?.check === id).length
  const [first = group[0]!] = found.toSorted(
    (a, b) => Number(b.outcome === "failed") - Number(a.outcome === "failed") || dependants(b) - dependants(a)
  )
  const { attribution, blockedBy, exchangeIds, hint, partnerSaid } = first
  const exchangeId = blockedBy?.exchangeId ?? exchangeIds?.[0]
  return {
    what: blockedBy?.what ?? headlineOf(first),
    attribution: attribution ?? (first.outcome === "error" ? "ours" : "partner"),
    ...(partnerSaid === undefined ? {} : { partnerSaid }),
    ...(exchangeId === undefined ? {} : { exchangeId }),
    ...(hint === undefined ? {} : { hint }),
    found: found.map(({ id }) => id),
    places: countPlaces(found.filter(isBad)),
    blocked: group.flatMap(({ blockedBy, id }) => (blockedBy === undefined ? [] : [id]))
  }
}

/**
 * What the assertion shows, with its subject. Under the name of its check a finding may begin with a field of the judged object, as
 * `kwh is missing`; a cause stands alone, and names the module, or in a run without modules the rule, before it.
 */
function headlineOf({ findings, message, module, pointer, reason, title }: Assertion): string {
  const [kind] = findings ?? []
  const said = kind?.message ?? message ?? reason ?? title
  return beginsWithField(said, kind?.places[0]?.pointer ?? pointer) ? `${module ?? title}: ${said}` : said
}
