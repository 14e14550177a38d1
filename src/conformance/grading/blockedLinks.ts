/**
 * URLs in a partner's answers that we do not follow, such as a link to the next page on another host: our egress guard
 * blocks that host, or it must not receive our token. Checks about links report them as a finding; for all other checks the
 * page is merely missing.
 */

import { requestName } from "../../findings/answers.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { finding } from "../../findings/finding.ts"
import { shown } from "../../findings/words.ts"
import { blocked, type Judgement } from "../model/Check.ts"
import type { Observation } from "../model/Evidence.ts"
import { differsIn, isBlockedLink } from "../model/isBlockedLink.ts"

/** The exchanges without an answer because a URL of the partner leads to another host. */
export const blockedLinksIn = (seen: ReadonlyArray<Observation>): ReadonlyArray<Observation> =>
  seen.filter(isBlockedLink)

/** What is wrong, for a check about links. */
export const blockedLinkFinding = ({ exchange, linkedFrom }: Observation): Finding =>
  finding(
    { exchange },
    `the link to the next page of ${exchange.module} leads to ${differsIn(exchange, linkedFrom)}, ${whither(exchange)}, ${exchange.outcome === "blocked" ? "which no partner may send us to" : "which does not answer"}: ${exchange.fault?.message ?? exchange.outcome}`,
    {
      expected: "a link to the next page on the partner's own host",
      actual: exchange.request.url,
      hint: "Build the link from the public URL that you gave us for the list, not from an internal address."
    }
  )

/**
 * Why a check that is not about links has incomplete evidence, and the check that reports the link. A URL that no link leads to may be on
 * another host by the OCPI text: that it gets no token is a limit of ours.
 */
export const linkNotFollowed = ({ exchange, linkedFrom }: Observation): Judgement => {
  const why = exchange.fault?.message ?? exchange.outcome
  const exchangeId = exchange.id
  if (linkedFrom !== undefined && exchange.operation.startsWith("list"))
    return blocked({
      check: "PAGE-006",
      exchangeId,
      what: `the partner's link to the next page of ${exchange.module} leads to ${differsIn(exchange, linkedFrom)}, ${whither(exchange)}, and the page could not be read: ${why}`
    })
  if (linkedFrom !== undefined)
    return blocked({
      ...(exchange.module === "cdrs" ? { check: "CDR-102" } : {}),
      exchangeId,
      what: `the URL in the partner's Location header leads to ${differsIn(exchange, linkedFrom)}, ${whither(exchange)}, and nothing could be read there: ${why}`
    })
  return blocked({ exchangeId, what: `${requestName(exchange)} was not sent: ${why}` }, "ours")
}

/** Where the URL leads: its origin if our token must not go there (the scheme may be the reason), else its host. */
function whither({ fault, request }: Observation["exchange"]): string {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  return shown((fault?.kind === "other_host" ? url?.origin : url?.host) ?? "")
}
