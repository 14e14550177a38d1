/** Builds the HTTP answer: envelope, message ids, routing headers. */
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { envelope } from "../../ocpi/envelope.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { ModuleAnswer } from "../modules/Route.ts"
import type { OcpiHead, OcpiReply } from "../wire/Request.ts"
import { answerRouting } from "../wire/routing.ts"

/**
 * The reply to a request. `now`: in milliseconds. `from`: the party that answers; absent when the request names none that we
 * know.
 */
export const replyOf = (
  request: OcpiHead,
  answer: ModuleAnswer,
  now: number,
  from?: { readonly party: Party; readonly module: string }
): OcpiReply => ({
  httpStatus: answer.httpStatus,
  headers: headersOf(
    request,
    from && answerRouting(profileOf(from.party.version), from.party, from.module, request.headers),
    answer.headers
  ),
  body: JSON.stringify(
    envelope({
      data: answer.data,
      statusCode: answer.statusCode,
      statusMessage: answer.message ?? (answer.statusCode < 2000 ? "Success" : "Refused"),
      timestamp: dateTimeOf(now)
    })
  )
})

type Headers = OcpiReply["headers"]

/** Those of every answer, and these others; a later one wins. In loops, because every call of a partner is answered. */
function headersOf(request: OcpiHead, ...others: ReadonlyArray<Headers | undefined>): Headers {
  const headers: Record<string, string> = { "content-type": "application/json" }
  for (const id of ["x-request-id", "x-correlation-id"]) {
    const value = request.headers[id]
    if (value !== undefined) headers[id] = value
  }
  for (const more of others) for (const name in more) headers[name.toLowerCase()] = more[name]!
  return headers
}
