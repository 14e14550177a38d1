/** The record of a served request. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { parseJson } from "../../findings/readJson.ts"
import { readEnvelope } from "../../ocpi/envelope.ts"
import { scrubExchange } from "../../ocpi/Scrubber.ts"
import type { Secrets } from "../../redaction/scrub.ts"
import type { OcpiReply, OcpiRequest } from "../wire/Request.ts"
import type { Named } from "./answerRequest.ts"

/** The exchange of a served request, redacted: safe to store and to show. */
export const inboundExchange = (
  request: OcpiRequest,
  reply: OcpiReply,
  about: Named & {
    readonly durationMs: number
    readonly secrets: Secrets
    /** Of the body, where it is known. */
    readonly statusCode?: number | undefined
    /** The injected fault, and our answer without it. */
    readonly injected?: { readonly fault: string; readonly from: OcpiReply }
  }
): Exchange =>
  scrubExchange(about.secrets, {
    id: about.id,
    direction: "inbound",
    module: about.module,
    operation: about.operation,
    request: {
      method: request.method,
      url: request.url,
      headers: request.headers,
      body: request.body === "" ? null : request.body,
      truncated: request.beyond !== undefined,
      ...(request.beyond?.declaredBytes === undefined ? {} : { bodyBytes: request.beyond.declaredBytes })
    },
    response: {
      httpStatus: reply.httpStatus,
      ocpiStatusCode: about.statusCode ?? statusCodeOf(reply),
      headers: reply.headers,
      body: reply.body,
      truncated: false
    },
    outcome: "completed",
    ...(about.injected === undefined
      ? {}
      : {
          ourFault: {
            fault: about.injected.fault,
            instead: {
              httpStatus: about.injected.from.httpStatus,
              ocpiStatusCode: statusCodeOf(about.injected.from)
            }
          }
        }),
    startedAt: request.receivedAt,
    durationMs: about.durationMs,
    requestId: about.requestId,
    correlationId: about.correlationId
  })

const statusCodeOf = ({ body }: OcpiReply): number | null =>
  body === null ? null : (readEnvelope(parseJson(body))?.statusCode ?? null)
