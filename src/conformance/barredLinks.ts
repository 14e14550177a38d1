/**
 * Links to a next page that lead to another host, where our egress guard lets nothing through. The partner wrote them, so
 * they are its own fault: a finding of the checks about links, and no more than a missing page for all the others.
 */
import { nextOf, shown } from "./answers.ts"
import type { Finding } from "./Check.ts"
import { asAnswered, type Seen } from "./Evidence.ts"

/** Those of the exchanges that were not let out and asked for what a page among them links to on another host. */
export const barredBy = (seen: ReadonlyArray<Seen>): ReadonlyArray<Seen> => {
  const links = seen.flatMap(asAnswered).flatMap((page) => {
    const next = nextOf(page)?.url
    return next === undefined || hostOf(next) === hostOf(page.exchange.request.url) ? [] : [addressOf(next)]
  })
  return seen.filter(
    ({ exchange }) => exchange.outcome === "blocked" && links.includes(addressOf(exchange.request.url))
  )
}

/** What is wrong, for a check about links. */
export const barredLink = ({ exchange }: Seen): Finding => ({
  message: `the link to the next page of ${exchange.module} leads to another host, ${shown(hostOf(exchange.request.url))}, which no partner may send us to: ${exchange.fault?.message ?? exchange.outcome}`,
  expected: "a link to the next page on the partner's own host",
  actual: exchange.request.url,
  hint: "Build the link from the public URL that you gave us for the list, not from an internal address.",
  exchangeId: exchange.id
})

/** Why another check has not seen all pages. */
export const notFollowed = ({ exchange }: Seen): string =>
  `the link to the next page of ${exchange.module} leads to ${shown(hostOf(exchange.request.url))}, where our egress guard lets no request through`

const addressOf = (url: string): string => (URL.canParse(url) ? new URL(url).href : url)
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "")
