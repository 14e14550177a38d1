/** The exchanges of registrations, begun by either side, found among all exchanges of a party. */
import { Effect } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { PartyId } from "../../../../schema/Ids.ts"
import { isSuccessCode } from "../../../findings/answers.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { RegistrationSource } from "../../model/Probe.ts"

/**
 * How many of a party's exchanges are searched at each end, the oldest and the newest: most register once, or again to be tested. A
 * registration in between is not found.
 */
const mostAtEnd = 5000
const page = 500

/** How many calls after the partner's registration are read: the first ones show which token it uses. */
const afterwardsCap = 20

/** The exchanges that the source names; empty if there was no such registration. */
export const registrationTraffic = Effect.fnUntraced(function* (
  store: PartyStore["Type"],
  party: Party,
  source: RegistrationSource
): Effect.fn.Return<ReadonlyArray<Exchange>> {
  const { about, afterwards: next = [] } = yield* trafficOf(store, party.id)
  const sorted = about.toSorted(byStart)
  if (source === "registration") return withMeanwhile(sorted, about.findLast(handsOver))
  const asked = about.findLast(isAsked)
  if (asked === undefined) return []
  if (source === "registration.looked-back")
    return withMeanwhile(sorted, asked).filter((one) => one === asked || one.direction === "outbound")
  const before = sorted.filter(
    (one) => isAsked(one) || (one.direction === "inbound" && one.module === "versions")
  )
  return [...before.filter((one) => !next.includes(one)), ...next].toSorted(byStart)
})

/** What some exchanges in a row say of registrations. */
interface Traffic {
  /** Oldest first. */
  readonly about: ReadonlyArray<Exchange>
  /** The first calls of the partner, its registrations excepted. */
  readonly first: ReadonlyArray<Exchange>
  /** The first calls after the partner's last registration; undefined: it has asked for none. */
  readonly afterwards: ReadonlyArray<Exchange> | undefined
}

const trafficIn = (exchanges: ReadonlyArray<Exchange>): Traffic => {
  const asked = exchanges.findLastIndex(isAsked)
  const firstOf = (some: ReadonlyArray<Exchange>) =>
    some.filter((one) => one.direction === "inbound" && !isAsked(one)).slice(0, afterwardsCap)
  return {
    about: exchanges.filter(isAboutRegistration),
    first: firstOf(exchanges),
    afterwards: asked < 0 ? undefined : firstOf(exchanges.slice(asked + 1))
  }
}

const joined = (before: Traffic, after: Traffic): Traffic => ({
  about: [...before.about, ...after.about],
  first: [...before.first, ...after.first].slice(0, afterwardsCap),
  afterwards:
    after.afterwards ?? (before.afterwards && [...before.afterwards, ...after.first].slice(0, afterwardsCap))
})

/** Of all exchanges of a party, or, when it has more than 10,000, of those at both ends. */
const trafficOf = Effect.fnUntraced(function* (
  store: PartyStore["Type"],
  id: PartyId
): Effect.fn.Return<Traffic> {
  let newest = trafficIn([])
  let from = Number.MAX_SAFE_INTEGER
  for (let read = 0; read < mostAtEnd; read += page) {
    const found = yield* store.exchangesBefore(id, { limit: page, upTo: from - 1 })
    newest = joined(trafficIn(found.map(({ exchange }) => exchange).reverse()), newest)
    from = found.at(-1)?.position ?? from
    if (found.length < page) return newest
  }
  let oldest = trafficIn([])
  let until = 0
  for (let read = 0; read < mostAtEnd; read += page) {
    const found = yield* store.exchanges(id, until, page)
    const before = found.filter(({ position }) => position < from)
    oldest = joined(oldest, trafficIn(before.map(({ exchange }) => exchange)))
    if (before.length < page) return joined(oldest, newest)
    until = before.at(-1)!.position
  }
  // What came in between is not known, so the newest calls are not the next ones.
  return joined(oldest, { ...newest, first: [] })
})

/** Is it a POST or PUT credentials that the partner sent? */
const isAsked = ({ direction, module, request }: Exchange) =>
  direction === "inbound" && module === "credentials" && isChange(request.method)

const isChange = (method: string) => method === "POST" || method === "PUT"

const isAboutRegistration = ({ module }: Exchange) => module === "credentials" || module === "versions"

const handsOver = ({ module, request, response }: Exchange) =>
  module === "credentials" &&
  isChange(request.method) &&
  response !== null &&
  response.httpStatus < 300 &&
  isSuccessCode(response.ocpiStatusCode)

const byStart = (a: Exchange, b: Exchange) => Date.parse(a.startedAt) - Date.parse(b.startedAt)

/** The request, then every exchange that began while it was open. */
function withMeanwhile(
  sorted: ReadonlyArray<Exchange>,
  opener: Exchange | undefined
): ReadonlyArray<Exchange> {
  if (opener === undefined) return []
  const from = Date.parse(opener.startedAt)
  const until = from + opener.durationMs
  const isMeanwhile = ({ startedAt }: Exchange) =>
    Date.parse(startedAt) >= from && Date.parse(startedAt) <= until
  return [opener, ...sorted.filter((one) => one !== opener && isMeanwhile(one))]
}
