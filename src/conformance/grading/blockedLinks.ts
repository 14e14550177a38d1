/**
 * URLs of the partner's own that we do not follow: links to a next page and the like that lead to another host, where our
 * egress guard lets nothing through or our token is not told. The partner wrote them, so they are its own fault: a finding
 * of the checks about links, and no more than a missing page for all the others.
 */

import { nextOf } from "../../findings/answers.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { finding } from "../../findings/finding.ts"
import { shown } from "../../findings/words.ts"
import { originOf } from "../../ocpi/audience.ts"
import { asAnswered, type Observation } from "../model/Evidence.ts"

/** Those of the exchanges that were not let out, and asked for what the partner names on another host. */
export const blockedLinksIn = (seen: ReadonlyArray<Observation>): ReadonlyArray<Observation> => {
  const links = seen.flatMap(asAnswered).flatMap((page) => {
    const next = nextOf(page)?.url
    return next === undefined || originOf(next) === originOf(page.exchange.request.url)
      ? []
      : [addressOf(next)]
  })
  return seen.filter(
    ({ exchange: { fault, outcome, request } }) =>
      outcome === "blocked" && (fault?.kind === "other_host" || links.includes(addressOf(request.url)))
  )
}

/** What is wrong, for a check about links. */
export const blockedLinkFinding = ({ exchange }: Observation): Finding =>
  finding(
    { exchange },
    `the link to the next page of ${exchange.module} leads to another host, ${whither(exchange)}, which no partner may send us to: ${exchange.fault?.message ?? exchange.outcome}`,
    {
      expected: "a link to the next page on the partner's own host",
      actual: exchange.request.url,
      hint: "Build the link from the public URL that you gave us for the list, not from an internal address."
    }
  )

/** Why another check has not seen all. */
export const linkNotFollowed = ({ exchange }: Observation): string =>
  exchange.fault?.kind === "other_host"
    ? `config: the URL of ${exchange.module} ${exchange.operation} was not followed: ${exchange.fault.message}`
    : `the link to the next page of ${exchange.module} leads to ${whither(exchange)}, where our egress guard lets no request through`

const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)

/** The host alone where that says it all; of a step down to plain HTTP the scheme is what matters. */
function whither({ fault, request }: Observation["exchange"]): string {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  return shown((fault?.kind === "other_host" ? url?.origin : url?.host) ?? "")
}
