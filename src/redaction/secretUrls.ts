/**
 * URLs of a partner that contain one of its tokens. They are stored and shown with a placeholder; the token is put back just
 * before a request to the partner itself is sent.
 */
import { Redacted } from "effect"
import { placeholder, type Secrets } from "./scrub.ts"
import { cleanerOf } from "./scrubValue.ts"

/** Whether the host name contains a secret. Host names are sent unencrypted, and a placeholder would change the host. */
export const hostTells = (secrets: Secrets, url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { hostname } = new URL(url)
  // `URL` lower-cases host names.
  const lower = secrets.map(({ name, value }) => ({
    name,
    value: Redacted.make(Redacted.value(value).toLowerCase())
  }))
  return cleanerOf(lower).text(hostname) !== hostname
}

const marked = /(base64\()?(?:«|%C2%AB)(token[A-Z])(?::|%3A)([0-9a-f]{4})(?:»|%C2%BB)(\))?/gi

/**
 * The URL to call: placeholders of known secrets are replaced by the secrets, URL-encoded. `owned`: URLs of the partner;
 * for any other host the placeholders stay.
 */
export const revealed = (secrets: Secrets, url: string, owned: ReadonlyArray<string>): string => {
  if (!/«|%C2%AB/i.test(url) || !URL.canParse(url)) return url
  const { host } = new URL(url)
  if (!owned.some((one) => URL.canParse(one) && new URL(one).host === host)) return url
  return url.replace(marked, (mark, base: string | undefined, name: string, digits: string) => {
    const known = secrets.find(
      (secret) => placeholder(secret.name, Redacted.value(secret.value)) === `«${name}:${digits}»`
    )
    if (known === undefined) return mark
    const plain = Redacted.value(known.value)
    return encodeURIComponent(base === undefined ? plain : Buffer.from(plain, "utf8").toString("base64"))
  })
}
