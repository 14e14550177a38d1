/** How we speak with a counterpart: what its caller has fixed, what a discovery teaches, what is noted meanwhile. */
import type { Dialect, DialectPart, Endpoint, SetDialect } from "../../schema/Connection.ts"
import type { Discovery } from "./discovery.ts"

/** How the deviation begins that inbound calls teach; a discovery teaches nothing of it. */
export const inboundForm = "sends the token in "

/** How a deviation begins that was met after the handshake; it stands as long as the registration does. */
export const inTraffic = "in traffic, "

/** Has the caller fixed that part? */
export const isOverridden = ({ overridden }: Dialect, part: DialectPart): boolean =>
  overridden?.includes(part) ?? false

/** The dialect with what a caller wants of it. `endpoints`: of the counterpart, as they are known. */
export const overriddenBy = (
  dialect: Dialect,
  wish: SetDialect,
  endpoints: ReadonlyArray<Endpoint>
): Dialect => {
  const { pageLimit: pageBefore, trailingSlash: slashBefore, overridden = [], ...rest } = dialect
  const { inbound, outbound } = wish.tokenEncoding ?? {}
  const wishes: ReadonlyArray<readonly [DialectPart, unknown]> = [
    ["tokenEncoding.inbound", inbound],
    ["tokenEncoding.outbound", outbound],
    ["trailingSlash", wish.trailingSlash],
    ["pageLimit", wish.pageLimit]
  ]
  const fixed = wishes.flatMap(([part, value]) => {
    const isFixed = value === undefined ? overridden.includes(part) : value !== "auto" && value !== null
    return isFixed ? [part] : []
  })
  const trailingSlash =
    wish.trailingSlash === undefined ? slashBefore : (wish.trailingSlash ?? endInSlash(endpoints))
  const pageLimit = wish.pageLimit === undefined ? pageBefore : wish.pageLimit
  return {
    ...rest,
    tokenEncoding: { ...dialect.tokenEncoding, ...wish.tokenEncoding },
    ...(trailingSlash === undefined ? {} : { trailingSlash }),
    ...(pageLimit === undefined || pageLimit === null ? {} : { pageLimit }),
    ...(fixed.length === 0 ? {} : { overridden: fixed })
  }
}

/** The dialect after a discovery: the form that won, what was let pass, how the URLs end; but for what is overridden. */
export const dialectAfter = (
  dialect: Dialect,
  discovery: Discovery,
  deviations: ReadonlyArray<string>
): Dialect => {
  const trailingSlash = endInSlash(discovery.endpoints)
  return {
    ...dialect,
    tokenEncoding: isOverridden(dialect, "tokenEncoding.outbound")
      ? dialect.tokenEncoding
      : { ...dialect.tokenEncoding, outbound: discovery.form },
    ...(isOverridden(dialect, "trailingSlash") || trailingSlash === undefined ? {} : { trailingSlash }),
    deviations: [
      ...new Set([
        ...dialect.deviations.filter((text) => text.startsWith(inboundForm) || text.startsWith(inTraffic)),
        ...deviations
      ])
    ]
  }
}

/** Only where all agree: URLs that are mixed say nothing of the ones that we build. Undefined: there are none. */
function endInSlash(endpoints: ReadonlyArray<Endpoint>): boolean | undefined {
  return endpoints.length === 0
    ? undefined
    : endpoints.every(({ url }) => URL.canParse(url) && new URL(url).pathname.endsWith("/"))
}
