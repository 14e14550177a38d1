/** Rules for the answers to our requests, and for the results of commands. */
import { isClientErrorCode } from "../../../../../schema/ocpi/envelope.ts"
import type { ModuleId, ObjectName } from "../../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, textIn } from "../../../../findings/json.ts"
import type { Rule, Ruling } from "../../../model/JourneyTemplate.ts"
import { answerOf, dataOf, jsonOf, type RunHistory } from "../../../model/RunHistory.ts"
import { answeredWith, answeredWithList, misfit } from "../../../model/rulings.ts"
import { commandResultsOf, promisedSeconds, syncResultOf } from "../../charge/chargeFacts.ts"
import { differs } from "../../charge/driver.ts"
import { unknownLocation } from "../../charge/place.ts"
import { takenBack } from "../../charge/takenBack.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

const locationsAnswered = answeredWithList(
  "read-locations",
  ({ inputs }) => textIn(inputs["locationId"]) !== undefined
)

/** Rules of stage `read-locations`. */
export const readLocationsRules: ReadonlyArray<Rule> = [
  {
    id: "read-locations.answered",
    title: "GET locations returns a list, or the location that the inputs name",
    ...must,
    reference: "mod_locations, Sender Interface, GET Method",
    judge: (history) => {
      const notTested = unknownLocation(history)
      return notTested === undefined ? locationsAnswered(history) : { notTested }
    }
  }
]

/** Rules of a stage that pushes a token. */
export const pushTokenRules = (stageId: string): ReadonlyArray<Rule> => [
  {
    id: `${stageId}.accepted`,
    title: "The partner accepts the token",
    ...must,
    reference: "mod_tokens, Receiver Interface, PUT Method",
    judge: answeredWith(stageId, [200, 201])
  }
]

/** The objects of a request with an asynchronous result, and the OCPI document that describes them. */
export interface Subject {
  readonly module: ModuleId
  readonly response: ObjectName
  readonly result: ObjectName
  readonly receiver: string
  readonly answer: string
  readonly outcome: string
  readonly flow: string
  readonly check: { readonly checkId?: string }
  /** An example of a result. `now`: ISO 8601 UTC. */
  readonly example: (now: string) => JsonObject
}

/** The objects of mod_commands. */
export const aboutCommands: Subject = {
  module: "commands",
  response: "CommandResponse",
  result: "CommandResult",
  receiver: "mod_commands, Receiver Interface, POST Method",
  answer: "mod_commands, CommandResponse Object",
  outcome: "mod_commands, CommandResult Object",
  flow: "mod_commands, Flow",
  check: { checkId: "JRN-002" },
  example: () => ({ result: "ACCEPTED" })
}

/**
 * The rules for the answer to a command. `setOffBy`: the stage since which an absence of ours can be the reason for a
 * refusal.
 */
export const commandRules = (
  stageId: string,
  setOffBy?: NonNullable<Rule["setOffBy"]>,
  about: Subject = aboutCommands
): ReadonlyArray<Rule> => [
  {
    id: `${stageId}.answered`,
    title: "The partner answers HTTP 200 or 201 with a status_code of success",
    ...must,
    reference: about.receiver,
    ...ofRefusal(stageId, setOffBy),
    judge: (history) => {
      const flaw = answeredWith(stageId, [200, 201])(history)
      const code = answerOf(history, stageId)?.response?.ocpiStatusCode ?? 0
      const reason = isClientErrorCode(code) ? takenBack(history, stageId) : undefined
      return flaw === undefined || reason === undefined ? flaw : nobodysRefusal(`status_code ${code}`, reason)
    }
  },
  {
    id: `${stageId}.accepted`,
    title: "The partner accepts the request",
    ...must,
    reference: about.answer,
    ...about.check,
    ...(setOffBy === undefined ? {} : { setOffBy }),
    judge: (history) =>
      answeredWith(stageId, [200, 201])(history) === undefined
        ? notAccepted("/data/result", syncResultOf(history, stageId), takenBack(history, stageId))
        : { notTested: "The partner did not answer HTTP 200 or 201 with a status_code of success" }
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
        ? { notTested: "The answer had no data" }
        : misfit(history.profile, about.response, data)
    }
  }
]

/** What is wrong with the result of a request that has to be carried out; `reason`: its EVSE was taken back meanwhile, in words. */
function notAccepted(pointer: string, result: string | undefined, reason: string | undefined): Ruling {
  const flaw = differs("The result", pointer, result, "ACCEPTED")
  if (flaw !== undefined && result !== undefined && reason !== undefined)
    return nobodysRefusal(`The result is ${result}`, reason)
  const seen = result === undefined ? "There is no result" : `The result is ${result}`
  return flaw === undefined ? undefined : { ...flaw, message: `${seen}, and ACCEPTED is due` }
}

/** The ruling on a refusal that breaks no rule: the EVSE was free when the run chose it, and was not when the command came. */
const nobodysRefusal = (seen: string, reason: string): Ruling => ({
  unobservable: `${seen}, and ${reason}: that breaks no rule; run again when an EVSE is free`,
  attribution: "operator"
})

/** Some partners refuse by an OCPI status code, without a result; only such an answer is excused. */
const ofRefusal = (stageId: string, setOffBy: Rule["setOffBy"]): Pick<Rule, "setOffBy"> =>
  setOffBy === undefined
    ? {}
    : {
        setOffBy: (history) => {
          const code = answerOf(history, stageId)?.response?.ocpiStatusCode ?? 0
          return isClientErrorCode(code) ? setOffBy(history) : undefined
        }
      }

/** The context of a result: its objects, and the stages whose requests trigger it. */
export interface ResultOf {
  readonly about?: Subject
  /** If we were away since that stage, the result may be lost; default: the command's own stage. */
  readonly setOffBy?: (history: RunHistory) => string
  /** If we were away since that stage, the command may have come too late. */
  readonly refusalSetOffBy?: (history: RunHistory) => string
}

/** The rules of the stage `stageId`, which waits for the result of the command that the stage `command` sent. */
export const resultRules = (
  stageId: string,
  command: string,
  { about = aboutCommands, refusalSetOffBy, setOffBy = () => command }: ResultOf = {}
): ReadonlyArray<Rule> => {
  const ofResult =
    (judge: (result: ReturnType<typeof commandResultsOf>[number], history: RunHistory) => Ruling) =>
    (history: RunHistory): Ruling => {
      const [first] = commandResultsOf(history, command)
      return first === undefined ? { notTested: "The partner posted no result" } : judge(first, history)
    }
  return [
    {
      id: `${stageId}.received`,
      title: "The partner posts the result to the response_url",
      ...must,
      reference: about.flow,
      ...about.check,
      setOffBy,
      judge: (history) =>
        commandResultsOf(history, command).length > 0
          ? undefined
          : {
              // The words are the same for every kind of result: a partner that posts none is told so once.
              message: "The partner posted no result to the response_url in time",
              expected: `one POST of a ${about.result}`,
              actual: "none"
            }
    },
    {
      id: `${stageId}.accepted`,
      title: "The charge point carries out the command",
      ...must,
      reference: about.outcome,
      ...(refusalSetOffBy === undefined ? {} : { setOffBy: refusalSetOffBy }),
      judge: ofResult(({ enveloped, exchange, result }, history) =>
        !enveloped && misfit(history.profile, about.result, jsonOf(exchange.request))?.pointer === "/result"
          ? { notTested: "The result is no value that OCPI has" }
          : notAccepted("/result", result, takenBack(history, command))
      )
    },
    {
      id: `${stageId}.shape`,
      title: `The result is a bare ${about.result}`,
      ...must,
      reference: about.outcome,
      judge: ofResult(({ enveloped, exchange }, { profile }) =>
        enveloped
          ? {
              message: "The partner wrapped the result in a response envelope; send the bare object",
              pointer: "/data"
            }
          : misfit(profile, about.result, jsonOf(exchange.request))
      )
    },
    {
      id: `${stageId}.in-time`,
      title: "The result comes within the timeout of the command's answer",
      ...should,
      reference: about.answer,
      setOffBy,
      judge: ofResult(({ exchange }, history) => {
        if (!history.profile.commandTimeout)
          return { notApplicable: "The answer to a command of this version has no timeout" }
        const promised = promisedSeconds(history, command)
        const asked = answerOf(history, command)?.startedAt
        if (promised === undefined || asked === undefined)
          return { notTested: "The answer to the command had no timeout" }
        const took = (Date.parse(exchange.startedAt) - Date.parse(asked)) / 1000
        return took <= promised
          ? undefined
          : {
              message: "The result came after the timeout",
              expected: `within ${promised} s`,
              actual: `after ${took} s`
            }
      })
    },
    {
      id: `${stageId}.once`,
      title: "The partner posts exactly one result",
      ...should,
      reference: about.flow,
      setOffBy,
      judge: ofResult((_, history) => {
        const count = commandResultsOf(history, command).length
        return count === 1
          ? undefined
          : { message: "The partner posted the result more than once", expected: "1", actual: `${count}` }
      })
    }
  ]
}
