/** The results that a CPO sends for commands (mod_commands, Sender Interface). */

import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { resultLeg } from "../../../party/wire/commandLegs.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence, Observation } from "../../model/Evidence.ts"
import { callAt, dueSeconds, isAccepted, legsOf, resultStep } from "../shared/commandLegs.ts"
import { responseUrlOf, stepOf } from "../shared/waiting.ts"
import { base, onStart, started } from "./commandBase.ts"
import { endOf } from "./commandTargets.ts"

const onResult =
  (judge: (call: Observation, answer: Answered, evidence: Evidence) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const call = callAt(evidence, resultStep(started))
    const answer = stepOf(evidence, started)
    return call === undefined || answer === undefined
      ? inconclusive("unobservable", "no result came to our response_url")
      : noneOf(judge(call, answer, evidence))
  }

export const commandResultsChecks: ReadonlyArray<Check> = [
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
        return inconclusive("not_tested", `START_SESSION was answered ${legsOf(evidence, started)}`)
      return when(callAt(evidence, resultStep(started)) === undefined, () =>
        finding(seen, "no result came to the response_url of a command that was accepted", {
          expected: `a POST within ${dueSeconds(seen)} s`,
          actual: "no call"
        })
      )
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
      return unless(late <= dueSeconds(answer), () =>
        finding(call, `the result came ${late.toFixed(1)} s after the answer`, {
          expected: `within ${dueSeconds(answer)} s`,
          actual: `${late.toFixed(1)} s`
        })
      )
    })
  },
  {
    ...base,
    id: "CMD-006",
    title: "CommandResult: posted to the response_url as it was given",
    reference: "mod_commands, Sender Interface, POST Method",
    sends: "START_SESSION with a response_url that has an id and a query",
    passes: "a POST to exactly that URL",
    hint: "Keep the response_url as it is: do not take it apart, and do not build it from the version details.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call, _, evidence) => {
      const given = new URL(responseUrlOf(evidence, started) ?? "about:blank")
      const called = new URL(call.exchange.request.url)
      const { method } = call.exchange.request
      return [
        ...unless(given.pathname === called.pathname && given.search === called.search, () =>
          finding(call, "the response_url was changed", {
            expected: `${given.pathname}${given.search}`,
            actual: `${called.pathname}${called.search}`
          })
        ),
        ...unless(method === "POST", () =>
          finding(call, "the result was not posted", { expected: "POST", actual: method })
        )
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
        ...notes.map((message) =>
          finding(call, message, {
            expected: "an object with result",
            actual: shown(call.json),
            pointer: "",
            // The envelope is a slip that is understood; in the oldest version so is the bare word.
            ...(isBare && profile.commandTimeout ? {} : { strength: "should" as const })
          })
        ),
        ...mismatches(call, schema, said ?? call.json)
      ]
    })
  },
  {
    ...base,
    id: "CMD-008",
    title: "Authenticates when it sends a result",
    reference: "transport_and_format, Authorization header",
    passes: "the result comes with the token that we issued; one that comes without any token is none",
    hint: "The response_url is an endpoint like any other: send our token with it.",
    needs: () => [started, resultStep(started)],
    judge: onResult((call) => {
      const value = call.exchange.request.headers["authorization"] ?? ""
      return when(call.exchange.response?.httpStatus === 401, () =>
        finding(call, "the result came with another token than the one that we issued for such calls", {
          expected: "our token of the registration",
          actual: value
        })
      )
    })
  }
]
