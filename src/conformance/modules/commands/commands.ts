/** How a CPO takes a command (mod_commands): the answer, and the result that comes to the response_url. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { mismatches, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, when } from "../../../findings/finding.ts"
import { isObject, objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import { answerLeg } from "../../../party/wire/commandLegs.ts"
import { blocked, type Check, inconclusive, noneOf, notGathered } from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld } from "../../model/Evidence.ts"
import { placeIdsOf } from "../charge/charging.ts"
import {
  answerOf,
  blockedByLegs,
  callAt,
  isAccepted,
  isUnheard,
  resultFlaws,
  resultStep
} from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { commandsBase, onStart, startedBase } from "./commandBase.ts"
import { unlock, unlockTarget } from "./unlockingProbes.ts"
import { othersWanted, startAndStop, wanted } from "./wantedCommands.ts"
import { wrongSteps } from "./wrong/wrongCommandsProbes.ts"

/** Versions with an answer of its own kind, in which the time for the result is promised. */
const promising = versionsWhere(({ commandTimeout }) => commandTimeout)

/** What is wrong with the answer, by the version's schema. */
const answerFlaws = (seen: Answered, { profile }: Evidence) => {
  const schema = profile.objects.CommandResponse
  const said = answerLeg(dataOf(seen)).said ?? dataOf(seen)
  return mismatches(seen, schema, said, ["data"])
}

/** What is wrong with the answer but for its result. */
const timeoutFlaws = (seen: Answered, evidence: Evidence): ReadonlyArray<Finding> => {
  const flaws = answerFlaws(seen, evidence).filter((flaw) => !ofResult(flaw))
  const timeout = objectIn(dataOf(seen))["timeout"]
  const isNone = typeof timeout === "number" && timeout <= 0
  return isNone && !flaws.some(({ pointer }) => pointer === "/data/timeout")
    ? [
        ...flaws,
        at(seen, "/data/timeout", "timeout is not above 0", { expected: "above 0", actual: timeout })
      ]
    : flaws
}

const isTimeout = (seen: Answered) => answerOf(seen) === "TIMEOUT"

const ofResult = ({ pointer }: Finding) => pointer === "/data" || pointer === "/data/result"

/** What is wrong with the answer as such, and with its result; nothing where the command was refused by a status. */
const wordFlaws = (seen: Answered | undefined, evidence: Evidence): ReadonlyArray<Finding> =>
  seen === undefined || !succeeded(seen) || isTimeout(seen)
    ? []
    : answerFlaws(seen, evidence).filter(ofResult)

/** Judge the CommandResponse of a CPO, and UNLOCK_CONNECTOR (mod_commands, CommandResponse and UnlockConnector Objects). */
export const commandsChecks: ReadonlyArray<Check> = [
  {
    ...startedBase,
    id: "CMD-001",
    title: "Commands: answered with a CommandResponse",
    reference: "mod_commands, CommandResponse Object",
    passes: "HTTP 200, status_code 1000, a CommandResponse with a result of the version",
    hint: "Answer at once whether the charge point will be asked; POST its result to the response_url later.",
    judge: onStart((seen, evidence) => {
      const status = success(seen)
      if (status.length > 0) return status
      const bare = answerLeg(dataOf(seen)).notes.map((message) => ({
        ...at(seen, "/data", message, { expected: "an object with result", actual: dataOf(seen) }),
        // 2.1.1 could be read so before it was clarified.
        ...(evidence.profile.commandTimeout ? {} : { strength: "should" as const })
      }))
      return [...bare, ...wordFlaws(seen, evidence)]
    })
  },
  {
    ...startedBase,
    id: "CMD-002",
    versions: promising,
    title: "CommandResponse: timeout is a positive number of seconds",
    reference: "mod_commands, CommandResponse Object",
    sends: "every command of the run",
    passes: "timeout is a whole number of seconds above 0; message is absent or a list of DisplayText",
    hint: "Give timeout: the EMSP tells its driver how long to wait.",
    partial: true,
    needs: () => startAndStop,
    ifGathered: () => [...othersWanted, ...wrongSteps],
    judge: (evidence) => {
      const answers = [...wanted, ...wrongSteps].flatMap((step) => stepOf(evidence, step) ?? [])
      const [first] = answers
      if (first === undefined) return inconclusive("not_tested", "no answer to a command is known")
      const responses = answers.filter((seen) => succeeded(seen) && isObject(dataOf(seen)))
      return responses.length === 0
        ? blocked({
            check: "CMD-001",
            exchangeId: first.exchange.id,
            what: succeeded(first)
              ? `data of the answer to ${named(first)} is no CommandResponse`
              : `${named(first)} was answered ${statusLine(first)}`
          })
        : noneOf(
            responses.flatMap((seen) => timeoutFlaws(seen, evidence)),
            `${responses.length} answers looked at`
          )
    }
  },
  {
    ...startedBase,
    id: "CMD-003",
    versions: promising,
    title: "CommandResponse: result is never TIMEOUT",
    reference: "mod_commands, CommandResponseType enum",
    sends: "every command of the run",
    passes: "no answer has the result TIMEOUT",
    hint: "Report a charge point that does not answer in the CommandResult, not in the CommandResponse.",
    partial: true,
    needs: () => [...startAndStop, ...wrongSteps],
    ifGathered: () => othersWanted,
    judge: (evidence) => {
      const answers = [...wanted, ...wrongSteps].flatMap(evidence.answered)
      const responses = answers.filter((seen) => answerOf(seen) !== undefined)
      const [first] = answers
      if (responses.length === 0 && first !== undefined)
        return blocked({
          check: "CMD-001",
          exchangeId: first.exchange.id,
          what: `no command was answered with a CommandResponse: ${named(first)} was answered ${statusLine(first)}`
        })
      return noneOf(
        responses
          .filter((seen) => isObject(dataOf(seen)) && isTimeout(seen))
          .map((seen) =>
            at(seen, "/data/result", "result of the CommandResponse is TIMEOUT", {
              expected: "another result",
              actual: "TIMEOUT"
            })
          ),
        `${responses.length} answers looked at`
      )
    }
  },
  ...unlocking()
]

function unlocking(): ReadonlyArray<Check> {
  const steps = [`${unlock}#first`, `${unlock}#second`]
  const needs = () => steps.flatMap((step) => [step, resultStep(step)])
  return [
    {
      ...commandsBase,
      id: "CMD-038",
      title: "UNLOCK_CONNECTOR: a valid CommandResponse and CommandResult, and no session",
      reference: "mod_commands, UnlockConnector Object",
      sends: "UNLOCK_CONNECTOR at a free EVSE that can be unlocked",
      passes: "a successful CommandResponse, after ACCEPTED a valid CommandResult, and no session",
      hint: "Answer, ask the charge point, and POST its result; begin no session.",
      partial: true,
      needs: () => [...needs(), `${unlock}#sessions`],
      requires: () => [
        {
          check: "CMD-001",
          unless: (evidence) => wordFlaws(stepOf(evidence, steps[0] ?? ""), evidence).length === 0
        },
        { check: "CMD-004", unless: (evidence) => steps.some((step) => isHeard(evidence, step)) },
        { check: "CMD-007", unless: (evidence) => resultFlaws(evidence, steps[0] ?? "").length === 0 }
      ],
      judge: (evidence) => {
        const [first = ""] = steps
        const seen = stepOf(evidence, first)
        if (seen === undefined) return inconclusive("not_tested", "no answer to UNLOCK_CONNECTOR is known")
        const status = success(seen)
        const findings = [
          ...status,
          ...wordFlaws(seen, evidence),
          ...when(isUnheard(evidence, first), () =>
            finding(seen, "no result of UNLOCK_CONNECTOR came", { expected: "a result", actual: "no call" })
          ),
          ...resultFlaws(evidence, first),
          ...sessionsBegun(evidence, seen)
        ]
        const waited = evidence.gathered(resultStep(first))
        if (findings.length > 0) return noneOf(findings)
        // Without a result there is none that is valid.
        if (!isAccepted(evidence, first)) return blockedByLegs(evidence, first)
        return waited !== undefined && isWithheld(waited) ? notGathered(waited) : noneOf([])
      }
    },
    {
      ...commandsBase,
      id: "CMD-039",
      title: "Commands: two commands at a time each get a CommandResult at their own response_url",
      reference: "mod_commands, Flow",
      sends: "two commands, one while the other is open",
      passes: "each response_url gets its own result",
      hint: "Store the response_url with each command.",
      partial: true,
      needs,
      requires: () => [
        { check: "CMD-004", unless: (evidence) => steps.some((step) => isHeard(evidence, step)) }
      ],
      judge: (evidence) => {
        const refused = steps.find((step) => !isAccepted(evidence, step))
        if (refused !== undefined)
          return blockedByLegs(evidence, refused, refused === steps[0] ? { refused: "CMD-038" } : {})
        const unwaited = steps.flatMap((step) => {
          const waited = evidence.gathered(resultStep(step))
          return waited !== undefined && isWithheld(waited) && !isUnheard(evidence, step) ? [waited] : []
        })
        const unheard = steps.filter((step) => isUnheard(evidence, step))
        if (unheard.length === 0 && unwaited[0] !== undefined) return notGathered(unwaited[0])
        return noneOf(
          unheard.map((step) => ({
            message: "one of two commands got no CommandResult at its own response_url",
            expected: "a result at each response_url",
            actual: "no call",
            exchangeId: stepOf(evidence, step)?.exchange.id ?? ""
          }))
        )
      }
    }
  ]
}

/** A result of the command came, or was not due: where none comes at all, CMD-004 reports it. */
const isHeard = (evidence: Evidence, step: string): boolean =>
  !isAccepted(evidence, step) || callAt(evidence, resultStep(step)) !== undefined

/** Sessions at the unlocked EVSE that began after the command, and that no START_SESSION of ours explains. */
function sessionsBegun(evidence: Evidence, command: Answered): ReadonlyArray<Finding> {
  const list = stepOf(evidence, `${unlock}#sessions`)
  const target = unlockTarget(evidence)
  if (list === undefined || target === undefined) return []
  const sent = Date.parse(command.exchange.startedAt)
  // A start in whole seconds may be up to a second before the moment that it stands for.
  const since = (start: unknown) =>
    typeof start === "string" && start.includes(".") ? sent : Math.floor(sent / 1000) * 1000
  return objectsIn(dataOf(list)).flatMap((session, index) => {
    const start = dateTimeMillis(session[evidence.profile.sessionNames.start]) ?? 0
    const isHere = sameId(placeIdsOf(session, evidence.profile, "sessions").evse, target.evse["uid"])
    const isOurs = JSON.stringify(session).includes(evidence.mark)
    return when(isHere && !isOurs && start >= since(session[evidence.profile.sessionNames.start]), () =>
      at(list, `/data/${index}`, "a session began when the connector was unlocked", {
        expected: "no session",
        actual: session["id"]
      })
    )
  })
}
