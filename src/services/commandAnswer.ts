/** What an exchange says about a command: the result for the caller, and the state that follows. Pure. */
import type { AsyncResult, CommandState } from "../../schema/Command.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import type { CommandRow } from "../store/CommandStore.ts"
import type { Json } from "./commandPayload.ts"

/** How long the partner may take for the asynchronous result when it does not say. */
export const defaultResultSeconds = 30

/** The partner's own answer. Without an OCPI envelope: code 0 and the text as `raw`. */
export const answerOf = (
  exchange: Exchange
): { readonly httpStatus: number; readonly ocpiStatusCode: number; readonly response: Json } | undefined => {
  const { response } = exchange
  if (exchange.outcome !== "completed" || response === null) return undefined
  const body = objectIn(response.body)
  return response.ocpiStatusCode === null || body === undefined
    ? { httpStatus: response.httpStatus, ocpiStatusCode: 0, response: { raw: response.body ?? "" } }
    : { httpStatus: response.httpStatus, ocpiStatusCode: response.ocpiStatusCode, response: body }
}

/** The state after the exchange, and how many seconds the asynchronous result may take (null: none is awaited). */
export const stateAfter = (
  exchange: Exchange
): { readonly state: CommandState; readonly resultSeconds: number | null } => {
  const answer = answerOf(exchange)
  if (answer === undefined) {
    const reached = exchange.outcome !== "refused" && exchange.outcome !== "blocked"
    return { state: reached ? "unknown" : "rejected", resultSeconds: reached ? defaultResultSeconds : null }
  }
  const data = answer.response["data"]
  const { result, timeout } = (typeof data === "object" && data !== null ? data : {}) as Json
  if (result !== "ACCEPTED") return { state: "rejected", resultSeconds: null }
  const seconds =
    typeof timeout === "number" && timeout > 0 ? Math.min(timeout, 86_400) : defaultResultSeconds
  return { state: "accepted", resultSeconds: seconds }
}

/** Why there is no answer, for a 422. */
export const noAnswerMessage = (exchange: Exchange, commandId: string): string => {
  const sent = exchange.outcome === "timed_out" || exchange.outcome === "reset"
  const what = exchange.fault?.message ?? `the exchange ended as ${exchange.outcome}`
  const next = sent
    ? `the command may have been carried out; its outcome is kept as unknown at /testing/commands/${commandId}`
    : "nothing was sent"
  return `network: ${what}; ${next}`
}

interface Received {
  readonly receivedAt: string
  readonly body: unknown
  readonly exchange: Exchange
}

/** The first result in time decides; what comes after the deadline or after another one is kept and marked. */
export const standingOf = (
  received: ReadonlyArray<Received>,
  deadline: string | null
): ReadonlyArray<AsyncResult> =>
  received.map((result, index) => ({
    ...result,
    standing: index > 0 ? "duplicate" : deadline !== null && result.receivedAt > deadline ? "late" : "first"
  }))

/** A command's state now. `staleAfterMillis`: a command that is still `sent` after it lost its process on the way. */
export const stateNow = (
  row: CommandRow,
  results: ReadonlyArray<AsyncResult>,
  nowMillis: number,
  staleAfterMillis: number
): CommandState => {
  const first = results.find(({ standing }) => standing === "first")
  if (first !== undefined)
    return (first.body as Json | null)?.["result"] === "ACCEPTED" ? "confirmed" : "rejected"
  if (row.state === "sent" && nowMillis - Date.parse(row.createdAt) > staleAfterMillis) return "unknown"
  if (row.state === "accepted" && row.deadline !== null && nowMillis > Date.parse(row.deadline))
    return "expired"
  return row.state
}

function objectIn(text: string | null): Json | undefined {
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined
  } catch {
    return undefined
  }
}
