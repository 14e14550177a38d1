/** The audience of a token: the origins (scheme, host and port) that it may be sent to. */
import { Redacted } from "effect"

/** Origins as `URL.origin` writes them: `https://ocpi.partner.example`, `http://127.0.0.1:8081`. */
export type Audience = ReadonlyArray<string>

/** The origin of a URL; undefined when it is no http or https URL. */
export const originOf = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, protocol } = new URL(url)
  return protocol === "http:" || protocol === "https:" ? origin : undefined
}

/**
 * The origins of these URLs, each once. If the first URL is https, only https origins count: a token agreed on over https
 * is never sent over http.
 */
export const audienceOfUrls = (urls: ReadonlyArray<string>): Audience => {
  const origins = urls.flatMap((url) => originOf(url) ?? [])
  const isEncrypted = origins[0]?.startsWith("https:") === true
  return [...new Set(isEncrypted ? origins.filter((origin) => origin.startsWith("https:")) : origins)]
}

/** Why a token must not be sent to that URL; undefined when it may. */
export const notFor = (audience: Audience, url: URL): string | undefined => {
  if (audience.includes(url.origin)) return undefined
  const known = audience.map((origin) => new URL(origin))
  const isDowngrade = url.protocol === "http:" && known.some(({ hostname }) => hostname === url.hostname)
  const isOtherScheme = known.some(({ host }) => host === url.host)
  const why = isDowngrade
    ? `${url.origin} is not what the handshake agreed on (${audience.join(", ")}) but plain HTTP on its host`
    : isOtherScheme
      ? `${url.origin} has another scheme than the URLs of the handshake (${audience.join(", ")})`
      : `${url.origin} is none of the hosts that the handshake agreed on (${audience.join(", ") || "none yet"})`
  return `${why}: our token is not sent there, and the URL was not followed; if the partner runs it, list it in trustedOrigins of the connection's dialect`
}

/** Does the text contain any of the secrets, as it is or in Base64? */
export const tells = (text: string, secrets: ReadonlyArray<Redacted.Redacted<string>>): boolean =>
  secrets.some((secret) => {
    const value = Redacted.value(secret)
    return value !== "" && (text.includes(value) || text.includes(Buffer.from(value).toString("base64")))
  })
