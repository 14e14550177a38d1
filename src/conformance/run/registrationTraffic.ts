/** The exchanges of registrations, begun by either side, found among all exchanges of a party. */
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { isSuccessCode } from "../../findings/answers.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { RegistrationSource } from "../model/Probe.ts"

/** How many pages of a party's exchanges are searched, from the oldest on. */
const mostPages = 20
const page = 500

/** How many calls after the partner's registration are read: the first ones show which token it uses. */
const afterwardsCap = 20

/** The exchanges that the source names; empty if there was no such registration. */
export const registrationTraffic = Effect.fnUntraced(function* (
  store: PartyStore["Type"],
  party: Party,
  source: RegistrationSource
): Effect.fn.Return<ReadonlyArray<Exchange>> {
  let after = 0
  const about: Array<Exchange> = []
  let next: Array<Exchange> = []
  for (let pages = 0; pages < mostPages; pages++) {
    const found = yield* store.exchanges(party.id, after, page)
    for (const { exchange } of found) {
      if (isAsked(exchange)) next = []
      else if (exchange.direction === "inbound" && next.length < afterwardsCap) next.push(exchange)
      if (isAboutRegistration(exchange)) about.push(exchange)
    }
    const last = found.at(-1)
    if (last === undefined || found.length < page) break
    after = last.position
  }
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
