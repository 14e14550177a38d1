/**
 * Tells the operator of OCPI calls that were refused for their token. Nobody else can be told: such a call belongs to no connection,
 * and a row for each would let strangers fill the database. So few lines of the log, however many calls and addresses there are.
 */
import { Clock, Effect } from "effect"
import { minuteMillis } from "../../../schema/fields/durations.ts"
import { inboundAuthorization } from "../../ocpi/tokens.ts"
import type { Incoming } from "../request/requestBody.ts"
import { ocpiLabelsOf } from "../request/telemetry/ocpiLabels.ts"

/** Lines a minute, of all addresses together. */
const mostLines = 10
/** Most addresses that are remembered; the one whose last refused call is the oldest is forgotten first. */
const mostAddresses = 1000

/** The refused calls of one address. */
interface Refused {
  /** When the log last had a line about the address, in milliseconds since 1970. */
  readonly toldAt: number
  /** How many calls were refused since that line. */
  readonly untold: number
}

/** Notes one refused call: an address gets a line at its first call, and then one a minute at most. */
export const makeRefusedTokens = () => {
  const addresses = new Map<string, Refused>()
  let minute = 0
  let lines = 0

  const mayTell = (now: number): boolean => {
    const at = Math.floor(now / minuteMillis)
    if (at !== minute) lines = 0
    minute = at
    lines += 1
    return lines <= mostLines
  }

  return ({ headers, method = "GET", socket, url = "/" }: Incoming): Effect.Effect<void> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const address = socket.remoteAddress ?? ""
      const known = addresses.get(address) ?? { toldAt: -minuteMillis, untold: 0 }
      const calls = known.untold + 1
      const isDue = now - known.toldAt >= minuteMillis && mayTell(now)
      addresses.delete(address)
      addresses.set(address, isDue ? { toldAt: now, untold: 0 } : { toldAt: known.toldAt, untold: calls })
      const oldest = addresses.keys().next().value
      if (addresses.size > mostAddresses && oldest !== undefined) addresses.delete(oldest)
      if (!isDue) return Effect.void
      return Effect.annotateLogs(Effect.logInfo(message), {
        address,
        calls,
        method,
        ...ocpiLabelsOf(url.split("?", 1)[0]!),
        authorization: formOf(headers.authorization)
      })
    })
}

const message =
  "OCPI calls were refused (401): plugfest did not issue their token, or does not accept it any more. The partner has to send the token that it got from plugfest when it registered, or the Token A of an invitation"

/** The form of an Authorization header, without anything of what it holds. */
export const formOf = (header: string | undefined): string => {
  if (header === undefined) return "none"
  const read = inboundAuthorization(header)
  if (read === undefined)
    return /^token$/i.test(header) ? "Token without a value" : `no scheme, ${header.length} characters`
  const scheme = /^(token|bearer|basic|digest)$/i.exec(read.scheme)?.[0] ?? "another scheme"
  const [raw, decoded] = read.candidates
  const encoded = decoded === undefined ? "" : `, Base64 of ${decoded.value.length}`
  return `${scheme}, ${raw?.value.length ?? 0} characters${encoded}`
}
