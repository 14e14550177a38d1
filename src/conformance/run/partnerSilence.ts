/** Counts the requests in a row that the partner of a run did not answer: after some of several modules it is taken to be away. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { originOf } from "../../ocpi/audience.ts"
import { audienceOf } from "../../party/outbound/partnerHosts.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { NotGathered } from "../model/Evidence.ts"
import { withheld } from "../model/Probe.ts"
import { nextAfterSilence } from "./afterSilence.ts"

/** The silence of a partner. */
interface PartnerSilence {
  /** Notes an exchange that was made for that party. What other hosts do says nothing about the partner. */
  readonly count: (party: Party, exchange: Exchange) => void
  /** Why nothing more is sent; undefined: the partner answers, as far as is known. */
  readonly reason: () => NotGathered | undefined
}

/**
 * After so many exchanges in a row without an answer nothing more is sent. That one module answers nothing shows of a partner that has
 * answered before only that this module does not; what hangs there is told by `hungRequests`.
 */
const silenceLimit = 6

/** No exchange was made yet. */
export const makePartnerSilence = (): PartnerSilence => {
  /** The modules of the exchanges in a row that were not answered. */
  let silences: ReadonlyArray<string> = []
  let hasAnswered = false
  let last: Exchange | undefined
  return {
    count: (party, exchange) => {
      const { module, request, response } = exchange
      const origin = originOf(request.url)
      if (origin === undefined || !audienceOf(party).includes(origin)) return
      silences = response === null ? [...silences, module] : []
      hasAnswered ||= response !== null
      last = exchange
    },
    reason: () => {
      if (
        last === undefined ||
        silences.length < silenceLimit ||
        (hasAnswered && new Set(silences).size === 1)
      )
        return undefined
      return last.outcome === "blocked"
        ? withheld(
            "not_tested",
            `our egress guard let none of ${silenceLimit} requests in a row through to the partner: the rest was not sent`,
            "ours"
          )
        : withheld(
            "not_tested",
            `the partner did not answer ${silenceLimit} requests in a row: the rest was not sent; ${nextAfterSilence(last)}`,
            "network"
          )
    }
  }
}
