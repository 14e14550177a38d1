/** Reads the answer and the results of a command: the state that follows, and remarks. Pure. */
import type { AsyncResult, CommandState } from "../../../schema/Command.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject } from "../../findings/json.ts"
import { violations } from "../../findings/violations/violations.ts"
import { answerLeg, resultLeg } from "../../party/wire/commandLegs.ts"
import type { CommandRow } from "../../store/rows/CommandStore.ts"
import type { CommandPayload } from "./commandPayload.ts"

/** Seconds for the asynchronous result when the answer lacks the `timeout` that its version requires. */
const defaultResultSeconds = 30
/** The same in a version whose answers have no `timeout`. */
const unstatedResultSeconds = 60

/** The partner's answer; undefined when none came. Without an OCPI envelope: code 0 and the body as `raw`. */
export const answerOf = (
  exchange: Exchange
):
  | { readonly httpStatus: number; readonly ocpiStatusCode: number; readonly response: CommandPayload }
  | undefined => {
  const { response } = exchange
  if (exchange.outcome !== "completed" || response === null) return undefined
  const body = objectIn(response.body)
  return response.ocpiStatusCode === null || body === undefined
    ? { httpStatus: response.httpStatus, ocpiStatusCode: 0, response: { raw: response.body ?? "" } }
    : { httpStatus: response.httpStatus, ocpiStatusCode: response.ocpiStatusCode, response: body }
}

/**
 * The state after the exchange, the seconds that the asynchronous result may take (null: none is awaited), and remarks on
 * the answer.
 */
export const stateAfter = (
  exchange: Exchange,
  profile: VersionProfile
): {
  readonly state: CommandState
  readonly resultSeconds: number | null
  readonly notes: ReadonlyArray<string>
} => {
  const usual = profile.commandTimeout ? defaultResultSeconds : unstatedResultSeconds
  const { response } = exchange
  if (exchange.outcome !== "completed" || response === null) {
    const reached = exchange.outcome !== "refused" && exchange.outcome !== "blocked"
    return { state: reached ? "unknown" : "rejected", resultSeconds: reached ? usual : null, notes: [] }
  }
  const json = parsed(response.body)
  const { notes, said } = answerLeg(isObject(json) && "data" in json ? json["data"] : json)
  const flaws = said === undefined ? [] : flawsOf(profile, "CommandResponse", said)
  if (said?.["result"] === undefined && !isRefusal(response)) {
    const why = response.truncated
      ? "its body is larger than what is kept of it"
      : `it is HTTP ${response.httpStatus} without an OCPI status_code of an error`
    const none = `the answer has no result: ${why}; whether the command was carried out is not known`
    return { state: "unknown", resultSeconds: usual, notes: [none, ...notes, ...flaws] }
  }
  if (said?.["result"] !== "ACCEPTED")
    return { state: "rejected", resultSeconds: null, notes: [...notes, ...flaws] }
  const timeout = profile.commandTimeout ? said["timeout"] : undefined
  const seconds = typeof timeout === "number" && timeout > 0 ? Math.min(timeout, 86_400) : usual
  return { state: "accepted", resultSeconds: seconds, notes: [...notes, ...flaws] }
}

/** Does the answer say, without a result, that the command is not carried out? A gateway (HTTP 5xx) cannot know that. */
function isRefusal({ httpStatus, ocpiStatusCode }: NonNullable<Exchange["response"]>): boolean {
  return (ocpiStatusCode ?? 0) >= 2000 || (httpStatus >= 300 && httpStatus < 500)
}

/** Remarks on a result: violations of the schema, and that it is a duplicate. */
export const notesOn = (result: AsyncResult, profile: VersionProfile): ReadonlyArray<string> => {
  const { notes, said } = resultLeg(result.body)
  const flaws = said === undefined ? ["the result is no object"] : flawsOf(profile, "CommandResult", said)
  const again =
    result.standing === "duplicate" && said?.["result"] !== canceled ? ["there was a result before"] : []
  return [...notes, ...flaws, ...again]
}

/** A CPO cancels a reservation by a second result, which is allowed. */
const canceled = "CANCELED_RESERVATION"

function flawsOf(
  profile: VersionProfile,
  name: "CommandResponse" | "CommandResult",
  said: CommandPayload
): ReadonlyArray<string> {
  const schema = profile.objects[name]
  return schema === undefined ? [] : violations(schema, said).map(({ message }) => `${name}: ${message}`)
}

/** The message of a 422 when no answer came: why, and whether the command was sent. */
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

/** Marks results: the first in time decides the state; later ones are `late` or `duplicate`. */
export const standingOf = (
  received: ReadonlyArray<Received>,
  deadline: string | null
): ReadonlyArray<AsyncResult> =>
  received.map((result, index) => ({
    ...result,
    standing: index > 0 ? "duplicate" : deadline !== null && result.receivedAt > deadline ? "late" : "first"
  }))

/** A command's state now. A command that is still `sent` after `staleAfterMillis` lost its process and is `unknown`. */
export const stateNow = (
  row: CommandRow,
  results: ReadonlyArray<AsyncResult>,
  nowMillis: number,
  staleAfterMillis: number
): CommandState => {
  const first = results.find(({ standing }) => standing === "first")
  if (first !== undefined)
    return resultLeg(first.body).said?.["result"] === "ACCEPTED" ? "confirmed" : "rejected"
  if (row.state === "sent" && nowMillis - Date.parse(row.createdAt) > staleAfterMillis) return "unknown"
  if (row.state === "accepted" && row.deadline !== null && nowMillis > Date.parse(row.deadline))
    return "expired"
  return row.state
}

function objectIn(text: string | null): CommandPayload | undefined {
  const value = parsed(text)
  return isObject(value) ? value : undefined
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}
