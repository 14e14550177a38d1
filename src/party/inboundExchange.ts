/** The record of a served request. */
import type { Exchange } from "../../schema/Exchange.ts"
import { parseJson, readEnvelope } from "../ocpi/envelope.ts"
import type { Secrets } from "../ocpi/OcpiClient.ts"
import { scrubExchange } from "../ocpi/Scrubber.ts"
import type { Named } from "./answerRequest.ts"
import type { OcpiReply, OcpiRequest } from "./Parties.ts"

/** Scrubbed: safe to store and to show. */
export const inboundExchange = (
  request: OcpiRequest,
  reply: OcpiReply,
  about: Named & { readonly durationMs: number; readonly secrets: Secrets }
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
      truncated: false
    },
    response: {
      httpStatus: reply.httpStatus,
      ocpiStatusCode: reply.body === null ? null : (readEnvelope(parseJson(reply.body))?.statusCode ?? null),
      headers: Object.fromEntries(
        Object.entries(reply.headers).map(([name, value]) => [name.toLowerCase(), value])
      ),
      body: reply.body,
      truncated: false
    },
    outcome: "completed",
    startedAt: request.receivedAt,
    durationMs: about.durationMs,
    requestId: about.requestId,
    correlationId: about.correlationId
  })
