/** Stages of a start that must fail: its refusal, and the check that no session starts all the same. */
import { isClientErrorCode } from "../../../../schema/ocpi/envelope.ts"
import { inWords } from "../../../findings/words.ts"
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit, noAnswerReason } from "../../model/rulings.ts"
import { commandResultsOf, ourSession, syncResultOf } from "../charge/chargeFacts.ts"
import { expectsResult } from "../charge/expectedMessages.ts"

const must = { strength: "must" } as const

/** The partner's answer to the start, and its result. */
const wordsOn = (history: RunHistory) => ({
  answer: syncResultOf(history, "start-session"),
  code: answerOf(history, "start-session")?.response?.ocpiStatusCode,
  result: commandResultsOf(history, "start-session")[0]?.result
})

/** Did the answer itself refuse the start, by its result or by a status code 2xxx? */
const isRefusedAtOnce = (history: RunHistory): boolean => {
  const { answer, code } = wordsOn(history)
  return (answer !== undefined && answer !== "ACCEPTED") || (code != null && isClientErrorCode(code))
}

/** Has the charge point carried out the start? */
const isCarriedOut = (history: RunHistory): boolean => wordsOn(history).result === "ACCEPTED"

/** Seconds in which a session begins whose start was carried out. */
const startedSeconds = 10

/** Stage `refusal`: waits for a refusal, in the answer or as the charge point's result. */
export const refusal: JourneyStage = {
  id: "refusal",
  name: "The start is refused",
  actor: "partner",
  module: "commands",
  description:
    "The partner refuses the command in its answer, or accepts it and posts a result that refuses it.",
  timeoutSeconds: 60,
  act: {
    act: "await",
    instruction: () =>
      "Having accepted the command, the partner must POST a CommandResult that says that it was not carried out.",
    look: (history) => ({
      found: isRefusedAtOnce(history) || wordsOn(history).result !== undefined,
      nearMisses: []
    }),
    expects: (history, now) => {
      const expected = expectsResult("start-session")(history, now)
      return expected === undefined ? undefined : { ...expected, body: { result: "REJECTED" } }
    }
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  setOffBy: () => "start-session",
  expect: [
    {
      id: "refusal.refused",
      title: "The partner refuses an impossible start, in its answer or by its result",
      ...must,
      reference: "mod_commands, CommandResponse Object",
      setOffBy: () => "start-session",
      judge: (history) => {
        if (isRefusedAtOnce(history)) return undefined
        const { result } = wordsOn(history)
        return result !== undefined && result !== "ACCEPTED"
          ? undefined
          : {
              message: "The partner accepted an impossible start",
              expected: "a refusal, in the answer or as the result",
              actual: result ?? "no result"
            }
      }
    }
  ]
}

/** What keeps the answer to the start from being read as an acceptance or a refusal. */
function unusable(history: RunHistory): Ruling {
  const exchange = answerOf(history, "start-session")
  if (exchange === undefined) return { notTested: "Nothing was sent" }
  const { response } = exchange
  if (response === null) return { message: noAnswerReason(exchange), actual: exchange.outcome }
  const code = response.ocpiStatusCode
  return code !== null && code < 3000 && response.httpStatus < 500
    ? undefined
    : {
        message: "The answer to the command has no valid OCPI status code",
        expected: "an OCPI status code of 1xxx or 2xxx",
        actual: `HTTP ${response.httpStatus}, OCPI status code ${code}`
      }
}

/** Ends the run only where the answer cannot be read: one that misses a field still says whether it refuses. */
export const stopsUnanswered = (history: RunHistory): string | undefined => {
  const ruling = unusable(history)
  return ruling !== undefined && "message" in ruling ? ruling.message : undefined
}

/** The rules for an answer that may refuse the command. */
export const answeredSomehow: ReadonlyArray<Rule> = [
  {
    id: "start-session.answered",
    title: "The partner answers the command, or refuses it by a status_code 2xxx",
    ...must,
    reference: "mod_commands, Receiver Interface, POST Method",
    judge: unusable
  },
  {
    id: "start-session.shape",
    title: "The data of the answer, if any, are a CommandResponse",
    ...must,
    reference: "mod_commands, CommandResponse Object",
    judge: (history) => {
      const data = dataOf(answerOf(history, "start-session"))
      return data === undefined || data === null
        ? { notTested: "The answer had no data" }
        : misfit(history.profile, "CommandResponse", data)
    }
  }
]

/** What may not be followed by a session. */
interface Failed extends Pick<Rule, "title" | "reference" | "checkId"> {
  /** In words: `the start had failed`. */
  readonly although: string
  /** Why nothing can be said of what follows; undefined: it can. */
  readonly unless?: (history: RunHistory) => string | undefined
}

const afterCommand: Failed = {
  although: "the start had failed",
  title: "After a failed start no session becomes ACTIVE, not even late",
  reference: "mod_commands, CommandResultType enum",
  checkId: "JRN-008"
}

/**
 * A stage of so many seconds in which no session may become ACTIVE. `about`: the rule behind it; default: that of a
 * failed command.
 */
export const nothingStarts = (
  seconds: number,
  { although, unless, ...about }: Failed = afterCommand
): JourneyStage => ({
  id: "nothing-starts",
  name: "No session starts",
  actor: "clock",
  module: "sessions",
  description: `Wait, and check that no session becomes ACTIVE, as ${although}.`,
  timeoutSeconds: seconds,
  act: {
    act: "wait",
    seconds: (history) => {
      const { lateSeconds } = history.inputs
      const asked = typeof lateSeconds === "number" ? lateSeconds : seconds
      // Nothing is judged by the wait then, and a session that starts meanwhile is stopped at the end.
      return isCarriedOut(history) ? Math.min(asked, startedSeconds) : asked
    },
    instruction: () => `Waiting to see that no session starts late, as ${although}.`
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "nothing-starts.no-session",
      ...about,
      ...must,
      judge: (history) => {
        const session = ourSession(history)
        const why = unless?.(history)
        if (why !== undefined) return { notTested: why }
        if (isCarriedOut(history))
          return { notTested: "The charge point carried out the command, so a session may start" }
        return session?.messages.some(({ after }) => after["status"] === "ACTIVE") === true
          ? {
              message: `Session ${session.id} became ACTIVE although ${although}`,
              expected: "no session",
              actual: inWords(session.state["status"])
            }
          : undefined
      }
    }
  ]
})
