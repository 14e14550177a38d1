/** Results that must not come: a second one for a command, one for a refused command, one again after HTTP 500. */
import { finding } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf, pass } from "../../model/Check.ts"
import type { Observation } from "../../model/Evidence.ts"
import { answerOf, callAt, isRefused, resultStep } from "../shared/commandLegs.ts"
import { isResultOf, stepOf } from "../shared/stepAnswers.ts"
import { startedBase } from "./commandBase.ts"
import { card, start } from "./remoteStartsProbes.ts"
import { othersWanted, startAndStop, wanted, wantedSends } from "./wantedCommands.ts"
import { wrong, wrongSteps } from "./wrong/wrongCommandsProbes.ts"

/** The partner's calls since the run began, read behind the scripts of commands. */
const allCalls = ["commands.calls", "commands.reserve-calls"]

/** Did we take that call? A result that we refused may be sent again; CMD-040 judges what follows HTTP 500. */
const isTaken = ({ exchange: { response } }: Observation) =>
  response !== null && response.httpStatus >= 200 && response.httpStatus < 300

/** Judge results that must not come: a second one, one of a refused command, one that is repeated (mod_commands, Flow). */
export const unwantedResultsChecks: ReadonlyArray<Check> = [
  {
    ...startedBase,
    id: "CMD-009",
    title: "CommandResult: posted once for each command",
    strength: "should",
    reference: "mod_commands, Flow",
    sends: wantedSends,
    passes: "one POST to the response_url, and no other after our answer HTTP 2xx",
    hint: "POST the result once; do not repeat one that was answered.",
    partial: true,
    needs: () => [...startAndStop, `${start}#second result`],
    ifGathered: () => [...othersWanted, ...allCalls],
    judge: (evidence) => {
      const came = wanted.flatMap((step) => {
        const first = callAt(evidence, resultStep(step))
        return first === undefined || !isTaken(first) ? [] : [{ first: first.exchange.id, step }]
      })
      if (came.length === 0)
        return inconclusive(
          "unobservable",
          "no result that we answered with HTTP 2xx came to our response_url"
        )
      const calls = [...evidence.seen(`${start}#second result`), ...allCalls.flatMap(evidence.seen)]
      const again = came.flatMap(({ first, step }) =>
        calls.filter((call) => call.exchange.id !== first && isResultOf(call, evidence, step))
      )
      return noneOf(
        [...new Map(again.map((call) => [call.exchange.id, call])).values()].map((call) =>
          finding(call, "a second result came to the response_url of one command", {
            expected: "one result",
            actual: shown(call.json)
          })
        ),
        `the results of ${came.length} commands looked at`
      )
    }
  },
  {
    ...startedBase,
    id: "CMD-010",
    consequenceOf: ["CMD-023", "CMD-011", "CMD-003"],
    // Which command was accepted is read in a CommandResponse.
    requires: () => [{ check: "CMD-001" }],
    title: "CommandResult: none for a command that was not ACCEPTED",
    reference: "mod_commands, Receiver Interface, Response Data",
    sends: "commands that cannot be carried out, and those that the partner did not accept",
    passes: "no POST to the response_url of a command that was not accepted",
    hint: "Do not POST a result: the charge point was not asked.",
    partial: true,
    needs: () => [...startAndStop, ...wrongSteps, `${wrong}#quiet`],
    ifGathered: () => othersWanted,
    judge: (evidence) => {
      const refused = [...wanted, ...wrongSteps].filter((step) => isRefused(evidence, step))
      if (refused.length === 0)
        return inconclusive("unobservable", "the partner accepted every command of the run")
      const calls = [...wanted.map(resultStep), `${wrong}#quiet`].flatMap(
        (step) => callAt(evidence, step) ?? []
      )
      const strange = calls.flatMap((call) => {
        const step = refused.find((one) => isResultOf(call, evidence, one))
        return step === undefined ? [] : [{ call, step }]
      })
      return noneOf(
        strange.map(({ call, step }) =>
          finding(
            call,
            `a result came for a command that was answered ${answerOf(stepOf(evidence, step)) ?? "with an error"}`,
            { expected: "no result", actual: shown(call.json) }
          )
        ),
        `${refused.length} commands were not accepted`
      )
    }
  },
  {
    ...startedBase,
    id: "CMD-040",
    consequenceOf: ["CMD-009"],
    title: "CommandResult: not posted again after HTTP 500",
    strength: "should",
    reference: "transport_and_format; mod_commands, Flow",
    sends: "START_SESSION with a response_url that answers HTTP 500",
    passes: "the CommandResult is not repeated, and the session goes on",
    hint: "Do not repeat a result that was refused; let the session go on without it.",
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
      if (first === undefined) return inconclusive("unobservable", "no result came to our response_url")
      const again = callAt(evidence, `${card}#retry`)
      return again === undefined
        ? pass("one call, and no other")
        : noneOf([
            finding(again, "the result was sent again after HTTP 500", {
              expected: "one call",
              actual: "two calls"
            })
          ])
    }
  }
]
