/** A start that comes to nothing: the refusal, and that nobody charges all the same. */
import type { JourneyStage, Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit, silence } from "../../model/rulings.ts"
import { commandResultsOf, ourSession, syncResultOf } from "../charge/chargeFacts.ts"
import { expectsResult } from "../charge/expectations.ts"

const must = { strength: "must" } as const

/** What the partner has said to the start so far, at once and later. */
const wordsOn = (history: RunHistory) => ({
  answer: syncResultOf(history, "start-session"),
  code: answerOf(history, "start-session")?.response?.ocpiStatusCode,
  result: commandResultsOf(history, "start-session")[0]?.result
})

/** The answer itself said no: by its result, or by a status code of the client's errors. */
const isRefusedAtOnce = (history: RunHistory): boolean => {
  const { answer, code } = wordsOn(history)
  return (answer !== undefined && answer !== "ACCEPTED") || (code != null && code >= 2000 && code < 3000)
}

/** Waits for a no: at once, or as the charge point's result. */
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
      title: "A start that cannot be is refused, at once or by its result",
      ...must,
      reference: "mod_commands, CommandResponse Object",
      setOffBy: () => "start-session",
      judge: (history) => {
        if (isRefusedAtOnce(history)) return undefined
        const { result } = wordsOn(history)
        return result !== undefined && result !== "ACCEPTED"
          ? undefined
          : {
              message: "The partner accepted what cannot be",
              expected: "a refusal, at once or as the result",
              actual: result ?? "no result"
            }
      }
    }
  ]
}

/** The rules for an answer that may be a refusal. */
export const answeredSomehow = [
  {
    id: "start-session.answered",
    title: "The command is answered in the OCPI envelope",
    ...must,
    reference: "mod_commands, Receiver Interface POST",
    judge: (history: RunHistory): Ruling => {
      const exchange = answerOf(history, "start-session")
      if (exchange === undefined) return { notTested: "Nothing was sent" }
      const { response } = exchange
      if (response === null) return { message: silence(exchange), actual: exchange.outcome }
      const code = response.ocpiStatusCode
      return code !== null && code < 3000 && response.httpStatus < 500
        ? undefined
        : {
            message: "The command was not answered as OCPI has it",
            expected: "an OCPI status code of 1xxx or 2xxx",
            actual: `HTTP ${response.httpStatus}, OCPI status code ${code}`
          }
    }
  },
  {
    id: "start-session.shape",
    title: "The answer, where it has data, is a CommandResponse",
    ...must,
    reference: "mod_commands, CommandResponse Object",
    judge: (history: RunHistory): Ruling => {
      const data = dataOf(answerOf(history, "start-session"))
      return data === undefined || data === null
        ? { notTested: "There was no data to look at" }
        : misfit(history.profile, "CommandResponse", data)
    }
  }
]

const afterCommand = {
  title: "A start that came to nothing starts no session, and none late",
  reference: "mod_commands, CommandResultType enum",
  checkId: "JRN-008"
}

/** So many seconds in which no session may become ACTIVE. `about`: why none may; after a command unless said otherwise. */
export const nothingStarts = (
  seconds: number,
  about: Pick<Rule, "title" | "reference" | "checkId"> = afterCommand
): JourneyStage => ({
  id: "nothing-starts",
  name: "Nobody charges",
  actor: "clock",
  module: "sessions",
  description: "Wait whether a session becomes ACTIVE although the start came to nothing.",
  timeoutSeconds: seconds,
  act: {
    act: "wait",
    seconds: ({ inputs }) => (typeof inputs["lateSeconds"] === "number" ? inputs["lateSeconds"] : seconds),
    instruction: () => "Waiting whether a session starts late, although the start came to nothing."
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
        if (wordsOn(history).result === "ACCEPTED")
          return { notTested: "The charge point took the command, so a session is in order" }
        return session?.messages.some(({ after }) => after["status"] === "ACTIVE") === true
          ? {
              message: `Session ${session.id} became ACTIVE although the start came to nothing`,
              expected: "no session",
              actual: String(session.state["status"])
            }
          : undefined
      }
    }
  ]
})
