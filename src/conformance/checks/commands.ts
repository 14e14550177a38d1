/** How a CPO takes a command (mod_commands): the answer, and the result that comes to the response_url. */

import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectsIn, sameId } from "../../findings/json.ts"
import { violations } from "../../findings/violations.ts"
import { dateTimeMillis } from "../../ocpi/dateTime.ts"
import { answerLeg, resultLeg } from "../../party/commandLegs.ts"
import { dataOf, isObject, shown } from "../answers.ts"
import { type Check, type Finding, type Judgement, kept, noneOf, undecided } from "../Check.ts"
import { answerOf, callAt, dueSeconds, isAccepted, legsOf, resultStep } from "../commandLegs.ts"
import type { Answered, Evidence, Seen } from "../Evidence.ts"
import { endOf } from "../probes/commandTargets.ts"
import { card, start } from "../probes/remoteStarts.ts"
import { unlock, unlockTarget } from "../probes/unlocking.ts"
import { isResultOf, responseUrlOf, stepOf } from "../probes/waiting.ts"
import { refusedSteps, wrong, wrongSteps } from "../probes/wrongCommands.ts"
import { placeOf } from "./charging.ts"
import { at, notSuccess } from "./findings.ts"

/** What the checks of commands at a CPO have in common. */
export const commandsBase = {
  module: "commands",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_commands, Receiver Interface"
} as const

/** Versions with an answer of its own kind, in which the time for the result is promised. */
export const promising = versionsWhere(({ commandTimeout }) => commandTimeout)

const started = `${start}#start`
const sent = "START_SESSION at a free EVSE that can be started remotely"
const base = { ...commandsBase, sends: sent, needs: () => [started] } as const

const onStart =
  (judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding> | Judgement) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, started)
    if (seen === undefined) return undecided("not_tested", "START_SESSION was not answered")
    const result = judge(seen, evidence)
    return "is" in result ? result : noneOf(result)
  }

const onResult =
  (judge: (call: Seen, answer: Answered, evidence: Evidence) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const call = callAt(evidence, resultStep(started))
    const answer = stepOf(evidence, started)
    return call === undefined || answer === undefined
      ? undecided("unobservable", "no result came to our response_url")
      : noneOf(judge(call, answer, evidence))
  }

/** What is wrong with the answer, by the version's schema. */
const answerFlaws = (seen: Answered, { profile }: Evidence) => {
  const schema = profile.objects.CommandResponse
  const said = answerLeg(dataOf(seen)).said ?? dataOf(seen)
  return (schema === undefined ? [] : violations(schema, said, ["data"])).map((flaw) => ({
    ...flaw,
    exchangeId: seen.exchange.id
  }))
}

const isTimeout = (seen: Answered) => answerOf(seen) === "TIMEOUT"
const ofResult = ({ pointer }: Finding) => pointer === "/data" || pointer === "/data/result"

/** Every command of the scripts whose result was waited for. */
const awaited = [started, `${card}#start`, `${unlock}#first`, `${unlock}#second`]

export const commandsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CMD-001",
    title: "Answers a command",
    reference: "mod_commands, CommandResponse Object",
    passes: "HTTP 200, status_code 1000, a CommandResponse with a result of the version",
    hint: "Answer at once whether the charge point will be asked; what it says comes later, to the response_url.",
    judge: onStart((seen, evidence) => {
      const status = notSuccess(seen)
      if (status.length > 0) return status
      const bare = answerLeg(dataOf(seen)).notes.map((message) => ({
        ...at(seen, "/data", message, { expected: "an object with result", actual: dataOf(seen) }),
        // Before it was clarified, the text of the oldest version could be read so.
        ...(evidence.profile.commandTimeout ? {} : { strength: "should" as const })
      }))
      const flaws = isTimeout(seen) ? [] : answerFlaws(seen, evidence).filter(ofResult)
      return [...bare, ...flaws]
    })
  },
  {
    ...base,
    id: "CMD-002",
    versions: promising,
    title: "Says how long the result may take",
    reference: "mod_commands, CommandResponse Object",
    passes: "timeout is a whole number of seconds above 0; message is absent or a list of DisplayText",
    hint: "timeout is required: the EMSP tells its driver how long to wait.",
    judge: onStart((seen, evidence) => {
      const data = dataOf(seen)
      if (!isObject(data)) return undecided("not_tested", "the answer is no CommandResponse")
      const flaws = answerFlaws(seen, evidence).filter((flaw) => !ofResult(flaw))
      const isNone = typeof data["timeout"] === "number" && data["timeout"] <= 0
      return isNone && !flaws.some(({ pointer }) => pointer === "/data/timeout")
        ? [
            ...flaws,
            at(seen, "/data/timeout", "no time is left for the result", {
              expected: "above 0",
              actual: data["timeout"]
            })
          ]
        : flaws
    })
  },
  {
    ...base,
    id: "CMD-003",
    versions: promising,
    title: "Never answers TIMEOUT",
    reference: "mod_commands, CommandResponseType enum",
    sends: "every command of the run",
    passes: "no answer has the result TIMEOUT",
    hint: "A charge point that does not answer is told by the result, not by the answer.",
    partial: true,
    needs: () => [...awaited, ...wrongSteps],
    judge: (evidence) => {
      const answers = [...awaited, ...wrongSteps].flatMap(evidence.answered)
      return noneOf(
        answers
          .filter((seen) => isObject(dataOf(seen)) && isTimeout(seen))
          .map((seen) =>
            at(seen, "/data/result", "the answer is TIMEOUT", {
              expected: "another result",
              actual: "TIMEOUT"
            })
          ),
        `${answers.length} answers looked at`
      )
    }
  },
  {
    ...base,
    id: "CMD-004",
    title: "Sends the result of a command that it accepted",
    reference: "mod_commands, Flow",
    passes: "a POST to the response_url after the answer ACCEPTED",
    hint: "POST the charge point's answer to the response_url, also when the charge point failed or kept silent.",
    partial: true,
    needs: () => [started, resultStep(started)],
    judge: onStart((seen, evidence) => {
      if (!isAccepted(evidence, started))
        return undecided("not_tested", `START_SESSION was answered ${legsOf(evidence, started)}`)
      return callAt(evidence, resultStep(started)) === undefined
        ? [
            {
              message: "no result came to the response_url of a command that was accepted",
              expected: `a POST within ${dueSeconds(seen)} s`,
              actual: "no call",
              exchangeId: seen.exchange.id
            }
          ]
        : []
    })
  },
  {
    ...base,
    id: "CMD-005",
    title: "Sends the result in time",
    strength: "should",
    reference: "mod_commands, Flow",
    passes: "the result comes within the timeout of the answer, where there is none within 60 s",
    hint: "Promise what the charge point can keep, or send TIMEOUT when it keeps silent.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call, answer) => {
      const late = (Date.parse(call.exchange.startedAt) - endOf(answer)) / 1000
      return late <= dueSeconds(answer)
        ? []
        : [
            {
              message: `the result came ${late.toFixed(1)} s after the answer`,
              expected: `within ${dueSeconds(answer)} s`,
              actual: `${late.toFixed(1)} s`,
              exchangeId: call.exchange.id
            }
          ]
    })
  },
  {
    ...base,
    id: "CMD-006",
    title: "Calls the response_url as it was given",
    reference: "mod_commands, Sender Interface, POST Method",
    sends: "START_SESSION with a response_url that has an id and a query",
    passes: "a POST to exactly that URL",
    hint: "Keep the response_url as it is: do not take it apart, and do not build it from the version details.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call, _, evidence) => {
      const given = new URL(responseUrlOf(evidence, started) ?? "about:blank")
      const called = new URL(call.exchange.request.url)
      const { method } = call.exchange.request
      const finding = (message: string, expected: string, actual: string) => ({
        message,
        expected,
        actual,
        exchangeId: call.exchange.id
      })
      return [
        ...(given.pathname === called.pathname && given.search === called.search
          ? []
          : [
              finding(
                "the response_url was changed",
                `${given.pathname}${given.search}`,
                `${called.pathname}${called.search}`
              )
            ]),
        ...(method === "POST" ? [] : [finding("the result was not posted", "POST", method)])
      ]
    })
  },
  {
    ...base,
    id: "CMD-007",
    title: "Posts a result that is one",
    reference: "mod_commands, CommandResult Object",
    passes: "the body is the version's object with a result of that leg, without an envelope",
    hint: "The body is the bare object: the envelope is for answers only.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call, _, { profile }) => {
      const { notes, said } = resultLeg(call.json)
      const schema = profile.objects.CommandResult
      const isBare = typeof call.json === "string"
      return [
        ...notes.map((message) => ({
          message,
          expected: "an object with result",
          actual: shown(call.json),
          pointer: "",
          exchangeId: call.exchange.id,
          // The envelope is a slip that is understood; in the oldest version so is the bare word.
          ...(isBare && profile.commandTimeout ? {} : { strength: "should" as const })
        })),
        ...(schema === undefined ? [] : violations(schema, said ?? call.json)).map((flaw) => ({
          ...flaw,
          exchangeId: call.exchange.id
        }))
      ]
    })
  },
  {
    ...base,
    id: "CMD-008",
    title: "Authenticates when it sends a result",
    reference: "transport_and_format, Authorization header",
    passes: "the result comes with the token that we issued",
    hint: "The response_url is an endpoint like any other: send our token with it.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call) => {
      const value = call.exchange.request.headers["authorization"] ?? ""
      return value.includes("«tokenA:")
        ? [
            {
              message: "the result came with token A, which is for the registration only",
              expected: "our token of the registration",
              actual: value,
              exchangeId: call.exchange.id
            }
          ]
        : []
    })
  },
  {
    ...base,
    id: "CMD-009",
    title: "Sends each result once",
    strength: "should",
    reference: "mod_commands, Flow",
    passes: "one POST to the response_url",
    hint: "Send the result once; do not repeat what was answered.",
    partial: true,
    needs: () => [started, resultStep(started), `${start}#second result`],
    judge: (evidence) => {
      if (callAt(evidence, resultStep(started)) === undefined)
        return undecided("unobservable", "no result came to our response_url")
      const again = callAt(evidence, `${start}#second result`)
      return noneOf(
        again === undefined
          ? []
          : [
              {
                message: "a second result came to the response_url of one command",
                expected: "one result",
                actual: shown(again.json),
                exchangeId: again.exchange.id
              }
            ]
      )
    }
  },
  {
    ...base,
    id: "CMD-010",
    title: "Sends no result of what it did not accept",
    reference: "mod_commands, Flow",
    sends: "commands that cannot be carried out, and those that the partner did not accept",
    passes: "no POST to the response_url of a command that was not accepted",
    hint: "The charge point was not asked, so there is nothing to tell.",
    partial: true,
    needs: () => [...awaited.flatMap((step) => [step, resultStep(step)]), ...wrongSteps, `${wrong}#quiet`],
    judge: (evidence) => {
      const refused = [
        ...awaited.filter((step) => stepOf(evidence, step) !== undefined && !isAccepted(evidence, step)),
        ...refusedSteps(evidence)
      ]
      if (refused.length === 0)
        return undecided("unobservable", "the partner accepted every command of the run")
      const calls = [...awaited.map(resultStep), `${wrong}#quiet`].flatMap(
        (step) => callAt(evidence, step) ?? []
      )
      const strange = calls.flatMap((call) => {
        const step = refused.find((one) => isResultOf(call, evidence, one))
        return step === undefined ? [] : [{ call, step }]
      })
      return noneOf(
        strange.map(({ call, step }) => ({
          message: `a result came for a command that was answered ${answerOf(stepOf(evidence, step)) ?? "with an error"}`,
          expected: "no result",
          actual: shown(call.json),
          exchangeId: call.exchange.id
        })),
        `${refused.length} commands were not accepted`
      )
    }
  },
  {
    ...base,
    id: "CMD-040",
    title: "Does not send a result again",
    strength: "should",
    reference: "transport_and_format; mod_commands, Flow",
    sends: "START_SESSION with a response_url that answers HTTP 500",
    passes: "the result is not repeated, and the session goes on",
    hint: "A result that was refused is lost: what was begun goes on without it.",
    partial: true,
    needs: () => [
      `${card}#start`,
      resultStep(`${card}#start`),
      `${card}#session`,
      `${card}#sessions`,
      `${card}#retry`
    ],
    judge: (evidence) => {
      const step = `${card}#start`
      const first = callAt(evidence, resultStep(step))
      if (first === undefined) return undecided("unobservable", "no result came to our response_url")
      const again = callAt(evidence, `${card}#retry`)
      return again === undefined
        ? kept("one call, and no other")
        : noneOf([
            {
              message: "the result was sent again after HTTP 500",
              expected: "one call",
              actual: "two calls",
              exchangeId: again.exchange.id
            }
          ])
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
      title: "Unlocks a connector",
      reference: "mod_commands, UnlockConnector Object",
      sends: "UNLOCK_CONNECTOR at a free EVSE that can be unlocked",
      passes: "a valid answer, a valid result, and no session",
      hint: "Answer, ask the charge point, and post what it says. Unlocking begins no session.",
      partial: true,
      needs: () => [...needs(), `${unlock}#sessions`],
      judge: (evidence) => {
        const [first = ""] = steps
        const seen = stepOf(evidence, first)
        if (seen === undefined) return undecided("not_tested", "UNLOCK_CONNECTOR was not answered")
        const status = notSuccess(seen)
        const call = callAt(evidence, resultStep(first))
        const schema = evidence.profile.objects.CommandResult
        return noneOf([
          ...status,
          ...(isAccepted(evidence, first) && call === undefined
            ? [
                {
                  message: "no result of UNLOCK_CONNECTOR came",
                  expected: "a result",
                  actual: "no call",
                  exchangeId: seen.exchange.id
                }
              ]
            : []),
          ...(call === undefined || schema === undefined
            ? []
            : violations(schema, resultLeg(call.json).said ?? call.json).map((flaw) => ({
                ...flaw,
                exchangeId: call.exchange.id
              }))),
          ...sessionsBegun(evidence, seen)
        ])
      }
    },
    {
      ...commandsBase,
      id: "CMD-039",
      title: "Keeps two commands apart",
      reference: "mod_commands, Flow",
      sends: "two commands, one while the other is open",
      passes: "each response_url gets its own result",
      hint: "Keep the response_url with each command.",
      partial: true,
      needs,
      judge: (evidence) => {
        if (!steps.every((step) => isAccepted(evidence, step)))
          return undecided("not_tested", "the two commands were not both accepted")
        return noneOf(
          steps
            .filter((step) => callAt(evidence, resultStep(step)) === undefined)
            .map((step) => ({
              message: "one of two commands got no result of its own",
              expected: "a result at each response_url",
              actual: "no call",
              exchangeId: stepOf(evidence, step)?.exchange.id ?? ""
            }))
        )
      }
    }
  ]
}

/** Sessions at the unlocked EVSE that began after the command, and that no START_SESSION of ours explains. */
function sessionsBegun(evidence: Evidence, command: Answered): ReadonlyArray<Finding> {
  const list = stepOf(evidence, `${unlock}#sessions`)
  const target = unlockTarget(evidence)
  if (list === undefined || target === undefined) return []
  return objectsIn(dataOf(list)).flatMap((session, index) => {
    const start = dateTimeMillis(session[evidence.profile.sessionNames.start]) ?? 0
    const isHere = sameId(placeOf(session, evidence.profile, "sessions").evse, target.evse["uid"])
    const isOurs = JSON.stringify(session).includes(evidence.mark)
    return isHere && !isOurs && start >= Date.parse(command.exchange.startedAt)
      ? [
          at(list, `/data/${index}`, "a session began when the connector was unlocked", {
            expected: "no session",
            actual: session["id"]
          })
        ]
      : []
  })
}
