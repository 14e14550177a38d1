/** Where plain HTTP is nobody's fault: on the way nothing can be read by others. */
import { deniedAddress, literalAddress } from "../../../ocpi/addresses.ts"

/** A URL of plain HTTP at our own sandbox, at a loopback or at a private address. */
export function isLocalHttp(url: string, trustedPrefixes: ReadonlyArray<string>): boolean {
  if (!URL.canParse(url) || !/^http:/i.test(url)) return false
  if (trustedPrefixes.some((prefix) => url.startsWith(prefix))) return true
  const { hostname } = new URL(url)
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    !hostname.includes(".") ||
    (literalAddress(hostname) !== undefined && deniedAddress(hostname, []) !== undefined)
  )
}
