/**
 * What a journey remembers: its plan and its ledger, nothing else. Facts are questions asked of it, so a replay on
 * another day, in another process, answers them alike.
 */
import type { Exchange, ExchangeRequest, ExchangeResponse } from "../../schema/Exchange.ts"
import type { RunId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { parseJson, readEnvelope } from "../ocpi/envelope.ts"

export interface Memory {
  readonly runId: RunId
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly profile: VersionProfile
  /** What we play, as it was when the run was ordered. */
  readonly us: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  readonly events: ReadonlyArray<LedgerEvent>
}

/** Why an exchange was made: for the stage itself, to read back an unknown write, or to tidy up. */
export type Purpose = "stage" | "verification" | "clean-up"

export const purposeOf = (event: LedgerEvent): Purpose => {
  const purpose = event.data?.["purpose"]
  return purpose === "verification" || purpose === "clean-up" ? purpose : "stage"
}

/** The request of a stage as it was intended, of its latest attempt. */
export const intentOf = (memory: Memory, stageId: string): Exchange | undefined =>
  memory.events.findLast(
    (event) => event.type === "exchange.intended" && event.stageId === stageId && purposeOf(event) === "stage"
  )?.exchange

/** The exchange of a stage's latest attempt, as completed. */
export const answerOf = (memory: Memory, stageId: string): Exchange | undefined => {
  const intent = intentOf(memory, stageId)
  return intent === undefined ? undefined : completionOf(memory, intent.id)?.exchange
}

/** The line that closes an exchange. */
export const completionOf = (memory: Memory, exchangeId: string): LedgerEvent | undefined =>
  memory.events.findLast((event) => event.type === "exchange.completed" && event.exchange?.id === exchangeId)

/** Calls of the partner since the run was ordered, oldest first. */
export const inboundOf = (memory: Memory): ReadonlyArray<Exchange> =>
  memory.events.flatMap((event) =>
    event.type === "inbound.received" && event.exchange !== undefined ? [event.exchange] : []
  )

/** Did we take it? What our side refused is no evidence of anything but a near miss. */
export const wasTaken = (exchange: Exchange): boolean => {
  const code = exchange.response?.ocpiStatusCode
  return code !== undefined && code !== null && code >= 1000 && code < 2000
}

/** The body as JSON; undefined when there is none, it is no JSON, or it was cut. */
export const jsonOf = (message: ExchangeRequest | ExchangeResponse | null | undefined): unknown =>
  message === null || message === undefined || message.body === null || message.truncated
    ? undefined
    : parseJson(message.body)

/** `data` of the answer's envelope. */
export const dataOf = (exchange: Exchange | undefined): unknown =>
  readEnvelope(jsonOf(exchange?.response))?.data
