/**
 * Counts the requests in a row that the partner of a run did not answer. After some of one kind no more of that kind are sent:
 * the partner may answer all others. After more of them, of several modules, it is taken to be away.
 */
import type { Exchange } from "../../../schema/Exchange.ts"
import { originOf } from "../../ocpi/audience.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { audienceOf } from "../../party/outbound/partnerHosts.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { NotGathered } from "../model/Evidence.ts"
import { withheld } from "../model/Probe.ts"

/** The silence of a partner. */
interface PartnerSilence {
  /** Notes an exchange that was made for that party. What other hosts do says nothing about the partner. */
  readonly count: (party: Party, exchange: Exchange) => void
  /** Why such a request is not sent; undefined: the partner answers, as far as is known. */
  readonly reason: (call: Pick<OcpiCall, "method" | "module">) => NotGathered | undefined
}

/** After so many exchanges in a row without an answer nothing more is sent, if they were not all of one module. */
const silenceLimit = 6
/** After so many of one kind in a row no more of them are sent, if others were answered. */
const kindLimit = 3

/** No exchange was made yet. */
export const makePartnerSilence = (): PartnerSilence => {
  /** The modules of the exchanges in a row that were not answered. */
  let silences: ReadonlyArray<string> = []
  /** The same of each kind: how many, and whether our egress guard let the last one through. */
  const ofKind = new Map<string, { readonly silences: number; readonly isBlocked: boolean }>()
  let hasAnswered = false
  let isLastBlocked = false
  return {
    count: (party, { module, outcome, request, response }) => {
      const origin = originOf(request.url)
      if (origin === undefined || !audienceOf(party).includes(origin)) return
      const kind = kindOf({ module, method: request.method })
      const isSilent = response === null
      const isBlocked = outcome === "blocked"
      silences = isSilent ? [...silences, module] : []
      ofKind.set(kind, { silences: isSilent ? (ofKind.get(kind)?.silences ?? 0) + 1 : 0, isBlocked })
      hasAnswered ||= !isSilent
      isLastBlocked = isBlocked
    },
    reason: (call) => {
      const isAway = silences.length >= silenceLimit && (!hasAnswered || new Set(silences).size > 1)
      if (isAway) return away(isLastBlocked)
      const kind = kindOf(call)
      const known = ofKind.get(kind)
      return hasAnswered && known !== undefined && known.silences >= kindLimit
        ? closed(kind, known.isBlocked)
        : undefined
    }
  }
}

const kindOf = ({ method, module }: { readonly method: string; readonly module: string }) =>
  `${method} ${module}`

/** That the partner is away, or that our egress guard lets nothing through to it. */
const away = (isBlocked: boolean): NotGathered =>
  isBlocked
    ? withheld(
        "not_tested",
        `our egress guard let none of ${silenceLimit} requests in a row through to the partner: the rest was not sent`,
        "ours"
      )
    : withheld(
        "not_tested",
        `the partner did not answer ${silenceLimit} requests in a row: the rest was not sent`,
        "network"
      )

/** The same of one kind of request. */
const closed = (kind: string, isBlocked: boolean): NotGathered => ({
  ...(isBlocked
    ? withheld(
        "not_tested",
        `our egress guard let others through to the partner, but not ${kindLimit} requests of ${kind} in a row: no more of these were sent`,
        "ours"
      )
    : withheld(
        "not_tested",
        `the partner answered others, but not ${kindLimit} requests of ${kind} in a row: no more of these were sent`,
        "partner"
      )),
  ofKind: true
})
