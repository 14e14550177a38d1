/** The dialect of a counterpart: what the caller has fixed, what discovery found, what traffic has shown. */
import type { Dialect, DialectPart, SetDialect } from "../../../schema/Connection.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { EndSlash } from "../../ocpi/followUp.ts"
import type { TokenForm } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { Discovery } from "./Discovery.ts"

/** The beginning of the deviation that inbound calls show; a discovery never shows it. */
const inboundForm = "sends the token in "

/** The beginning of a deviation that was found after the handshake; it is kept as long as the registration. */
export const inTraffic = "in traffic, "

/** Has the caller fixed that part? */
export const isOverridden = ({ overridden }: Dialect, part: DialectPart): boolean =>
  overridden?.includes(part) ?? false

/** The beginning of the deviation that a redirect shows which only adds or removes a slash at the end of the URL. */
const slashNote = `${inTraffic}redirects object URLs to those `

/**
 * Do the URLs of objects end in a slash? Those of OCPI do not (transport_and_format, Client Owned Object Push): only where
 * the caller has set it, or the partner has redirected there.
 */
export const objectsEndInSlash = (dialect: Dialect): boolean =>
  dialect.trailingSlash === true &&
  (isOverridden(dialect, "trailingSlash") || dialect.deviations.some((text) => text.startsWith(slashNote)))

/** The dialect after a redirect of an object's URL to the same URL with or without a slash at its end. */
export const dialectAfterRedirect = (dialect: Dialect, endSlash: EndSlash): Dialect => {
  const noted = withDeviation(dialect, `${slashNote}${endSlash} a slash at the end`)
  const trailingSlash = endSlash === "with"
  return isOverridden(dialect, "trailingSlash") || objectsEndInSlash(noted) === trailingSlash
    ? noted
    : { ...noted, trailingSlash }
}

/** The form of the tokens that the party sends: that of the dialect, or else of the version's text. */
export const outboundForm = ({ dialect, version }: Pick<Party, "dialect" | "version">): TokenForm => {
  const { outbound } = dialect.tokenEncoding
  return outbound === "auto" ? profileOf(version).authorization : outbound
}

/** The dialect with the caller's settings. */
export const overriddenBy = (dialect: Dialect, wish: SetDialect): Dialect => {
  const {
    overridden = [],
    pageLimit: pageBefore,
    trailingSlash: slashBefore,
    trustedOrigins: trustedBefore,
    ...rest
  } = dialect
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
  const trailingSlash = wish.trailingSlash === undefined ? slashBefore : (wish.trailingSlash ?? false)
  const pageLimit = wish.pageLimit === undefined ? pageBefore : wish.pageLimit
  const trusted = wish.trustedOrigins === undefined ? trustedBefore : wish.trustedOrigins
  // A deviation of the form was noted against another expectation.
  const expectsAnew =
    inbound !== undefined &&
    !(inbound === dialect.tokenEncoding.inbound && isOverridden(dialect, "tokenEncoding.inbound"))
  return {
    ...rest,
    tokenEncoding: { ...dialect.tokenEncoding, ...wish.tokenEncoding },
    ...(expectsAnew ? { deviations: dialect.deviations.filter((text) => !isOfInboundForm(text)) } : {}),
    ...(trailingSlash === undefined ? {} : { trailingSlash }),
    ...(pageLimit === undefined || pageLimit === null ? {} : { pageLimit }),
    ...(trusted === undefined || trusted === null || trusted.length === 0
      ? {}
      : { trustedOrigins: [...new Set(trusted.map((origin) => origin.toLowerCase()))] }),
    ...(fixed.length === 0 ? {} : { overridden: fixed })
  }
}

/**
 * The dialect after a call with a token in that form; the same object when nothing is new. If the form is still to be
 * detected, it is now, and compared with `usual`, the form of the version's text. If it is known, because the caller has
 * fixed it or earlier calls showed it, the other form is noted as a deviation.
 */
export const dialectAfterCall = (dialect: Dialect, form: TokenForm, usual: TokenForm): Dialect => {
  const { inbound } = dialect.tokenEncoding
  if (inbound === "auto") {
    const taught = { ...dialect, tokenEncoding: { ...dialect.tokenEncoding, inbound: form } }
    return form === usual
      ? taught
      : withDeviation(taught, `${inboundForm}${form} form, the version's text says ${usual}`)
  }
  if (form === inbound) return dialect
  const expectation = isOverridden(dialect, "tokenEncoding.inbound")
    ? `the dialect is set to ${inbound}`
    : `its first call had the ${inbound} form`
  return withDeviation(dialect, `${inTraffic}${inboundForm}${form} form, ${expectation}`)
}

/** The dialect with that deviation; the same object when it was noted before. */
export const withDeviation = (dialect: Dialect, deviation: string): Dialect =>
  dialect.deviations.includes(deviation)
    ? dialect
    : { ...dialect, deviations: [...dialect.deviations, deviation] }

/**
 * The dialect after a discovery: the token form that was accepted, and the deviations; except for what is overridden.
 */
export const dialectAfter = (
  dialect: Dialect,
  discovery: Discovery,
  deviations: ReadonlyArray<string>
): Dialect => {
  return {
    ...dialect,
    trailingSlash: objectsEndInSlash(dialect),
    tokenEncoding: isOverridden(dialect, "tokenEncoding.outbound")
      ? dialect.tokenEncoding
      : { ...dialect.tokenEncoding, outbound: discovery.form },
    deviations: [
      ...new Set([
        ...dialect.deviations.filter((text) => text.startsWith(inboundForm) || text.startsWith(inTraffic)),
        ...deviations
      ])
    ]
  }
}

function isOfInboundForm(deviation: string): boolean {
  return deviation.startsWith(inboundForm) || deviation.startsWith(`${inTraffic}${inboundForm}`)
}
