/** What an exchange says about a command: the result for the caller, and the state that follows. Pure. */
import type { AsyncResult, CommandState } from "../../../schema/Command.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject } from "../../findings/json.ts"
import { violations } from "../../findings/violations.ts"
import { answerLeg, resultLeg } from "../../party/wire/commandLegs.ts"
import type { CommandRow } from "../../store/rows/CommandStore.ts"
import type { CommandPayload } from "./commandPayload.ts"

/** How long the partner may take for the asynchronous result when it does not say, though its version has it say so. */
const defaultResultSeconds = 30
/** The same in a version whose answers have no room for it. */
const unstatedResultSeconds = 60

/** The partner's own answer. Without an OCPI envelope: code 0 and the text as `raw`. */
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
 * The state after the exchange, how many seconds the asynchronous result may take (null: none is awaited), and what was
 * odd about the answer.
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
  if (said?.["result"] !== "ACCEPTED")
    return { state: "rejected", resultSeconds: null, notes: [...notes, ...flaws] }
  const timeout = profile.commandTimeout ? said["timeout"] : undefined
  const seconds = typeof timeout === "number" && timeout > 0 ? Math.min(timeout, 86_400) : usual
  return { state: "accepted", resultSeconds: seconds, notes: [...notes, ...flaws] }
}

/** What was odd about a result: its form, a word that the version has not, or when it came. */
export const notesOn = (result: AsyncResult, profile: VersionProfile): ReadonlyArray<string> => {
  const { notes, said } = resultLeg(result.body)
  const flaws = said === undefined ? ["the result is no object"] : flawsOf(profile, "CommandResult", said)
  const again =
    result.standing === "duplicate" && said?.["result"] !== canceled ? ["there was a result before"] : []
  return [...notes, ...flaws, ...again]
}

/** A CPO takes a reservation back by a second result, which is no mistake. */
const canceled = "CANCELED_RESERVATION"

function flawsOf(
  profile: VersionProfile,
  name: "CommandResponse" | "CommandResult",
  said: CommandPayload
): ReadonlyArray<string> {
  const schema = profile.objects[name]
  return schema === undefined ? [] : violations(schema, said).map(({ message }) => `${name}: ${message}`)
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
