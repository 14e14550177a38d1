/** What is expected of the answers to what we send, and of the results of commands. Sections are named, never quoted. */
import type { ModuleId, ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWith, misfit } from "../../model/rulings.ts"
import { commandResultsOf, promisedSeconds, syncResultOf } from "../charge/chargeFacts.ts"
import { differs } from "../charge/driver.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

export const readLocationsRules: ReadonlyArray<Rule> = [
  {
    id: "read-locations.answered",
    title: "The locations can be read",
    ...must,
    reference: "mod_locations, Sender Interface GET",
    judge: answeredWith("read-locations", [200])
  }
]

export const pushTokenRules = (stageId: string): ReadonlyArray<Rule> => [
  {
    id: `${stageId}.accepted`,
    title: "The pushed token is taken",
    ...must,
    reference: "mod_tokens, Receiver Interface PUT",
    judge: answeredWith(stageId, [200, 201])
  }
]

/** What a request with a later result is about: its objects, and where they are described. */
export interface Subject {
  readonly module: ModuleId
  readonly response: ObjectName
  readonly result: ObjectName
  readonly receiver: string
  readonly answer: string
  readonly outcome: string
  readonly flow: string
  readonly check: { readonly checkId?: string }
  /** A result that would do. `now`: ISO 8601 UTC. */
  readonly example: (now: string) => JsonObject
}

/** START_SESSION and its kind. */
export const aboutCommands: Subject = {
  module: "commands",
  response: "CommandResponse",
  result: "CommandResult",
  receiver: "mod_commands, Receiver Interface POST",
  answer: "mod_commands, CommandResponse Object",
  outcome: "mod_commands, CommandResult Object",
  flow: "mod_commands, Module dependency and flow",
  check: { checkId: "JRN-002" },
  example: () => ({ result: "ACCEPTED" })
}

/**
 * Every command is answered alike, and its result comes alike. `setOffBy`: what a refusal may come from, if we were away
 * since.
 */
export const commandRules = (
  stageId: string,
  setOffBy?: NonNullable<Rule["setOffBy"]>,
  about: Subject = aboutCommands
): ReadonlyArray<Rule> => [
  {
    id: `${stageId}.answered`,
    title: "The request is answered in the OCPI envelope",
    ...must,
    reference: about.receiver,
    ...ofRefusal(stageId, setOffBy),
    judge: answeredWith(stageId, [200])
  },
  {
    id: `${stageId}.accepted`,
    title: "The request is accepted",
    ...must,
    reference: about.answer,
    ...about.check,
    ...(setOffBy === undefined ? {} : { setOffBy }),
    judge: (history) =>
      answerOf(history, stageId)?.response === null
        ? { notTested: "There was no answer" }
        : differs("The result", "/data/result", syncResultOf(history, stageId), "ACCEPTED")
  },
  {
    id: `${stageId}.shape`,
    title: `The answer is a ${about.response}`,
    ...must,
    reference: about.answer,
    ...ofRefusal(stageId, setOffBy),
    judge: (history) => {
      const data = dataOf(answerOf(history, stageId))
      return data === undefined
        ? { notTested: "There was no data to look at" }
        : misfit(history.profile, about.response, data)
    }
  }
]

/** Some say no with an OCPI status code of their own, and without a result; only such an answer is excused. */
const ofRefusal = (stageId: string, setOffBy: Rule["setOffBy"]): Pick<Rule, "setOffBy"> =>
  setOffBy === undefined
    ? {}
    : {
        setOffBy: (history) => {
          const code = answerOf(history, stageId)?.response?.ocpiStatusCode ?? 0
          return code >= 2000 && code < 3000 ? setOffBy(history) : undefined
        }
      }

/** What a result is about, and what sets it off. */
export interface ResultOf {
  readonly about?: Subject
  /** If we were away since, the result may have been lost; the command's own stage when unsaid. */
  readonly setOffBy?: (history: RunHistory) => string
  /** If we were away since, the command may have come too late to be carried out. */
  readonly refusalSetOffBy?: (history: RunHistory) => string
}

/** Of the stage `stageId`, which waits for the result of the command that the stage `command` sent. */
export const resultRules = (
  stageId: string,
  command: string,
  { about = aboutCommands, refusalSetOffBy, setOffBy = () => command }: ResultOf = {}
): ReadonlyArray<Rule> => {
  const ofResult =
    (judge: (result: ReturnType<typeof commandResultsOf>[number], history: RunHistory) => Ruling) =>
    (history: RunHistory): Ruling => {
      const [first] = commandResultsOf(history, command)
      return first === undefined ? { notTested: "No result came" } : judge(first, history)
    }
  return [
    {
      id: `${stageId}.received`,
      title: "The result is posted to the response_url",
      ...must,
      reference: about.flow,
      ...about.check,
      setOffBy,
      judge: (history) =>
        commandResultsOf(history, command).length > 0
          ? undefined
          : {
              message: `No ${about.result} came to the response_url in time`,
              expected: "one POST",
              actual: "none"
            }
    },
    {
      id: `${stageId}.accepted`,
      title: "The charge point carried it out",
      ...must,
      reference: about.outcome,
      ...(refusalSetOffBy === undefined ? {} : { setOffBy: refusalSetOffBy }),
      judge: ofResult(({ result }) => differs("The result", "/result", result, "ACCEPTED"))
    },
    {
      id: `${stageId}.shape`,
      title: `The result is a bare ${about.result}`,
      ...must,
      reference: about.outcome,
      judge: ofResult(({ enveloped, exchange }, { profile }) =>
        enveloped
          ? { message: `The ${about.result} came wrapped in an envelope`, pointer: "/data" }
          : misfit(profile, about.result, jsonOf(exchange.request))
      )
    },
    {
      id: `${stageId}.in-time`,
      title: "The result came within the time that the answer named",
      ...should,
      reference: about.answer,
      setOffBy,
      judge: ofResult(({ exchange }, history) => {
        const promised = promisedSeconds(history, command)
        const asked = answerOf(history, command)?.startedAt
        if (promised === undefined || asked === undefined) return { notTested: "The answer named no time" }
        const took = (Date.parse(exchange.startedAt) - Date.parse(asked)) / 1000
        return took <= promised
          ? undefined
          : { message: "The result came late", expected: `within ${promised} s`, actual: `after ${took} s` }
      })
    },
    {
      id: `${stageId}.once`,
      title: "One result, not several",
      ...should,
      reference: about.flow,
      setOffBy,
      judge: ofResult((_, history) => {
        const count = commandResultsOf(history, command).length
        return count === 1
          ? undefined
          : { message: "The result came more than once", expected: "1", actual: String(count) }
      })
    }
  ]
}
