/** The results that a CPO sends for commands (mod_commands, Sender Interface). */

import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { resultLeg } from "../../../party/wire/commandLegs.ts"
import { blocked, type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence, Observation } from "../../model/Evidence.ts"
import {
  awayAfter,
  callAt,
  dueSeconds,
  isAccepted,
  isTurnedAway,
  isUnread,
  resultStep,
  strangeToken
} from "../shared/commandLegs.ts"
import { responseUrlOf, stepOf } from "../shared/stepAnswers.ts"
import { notStarted, onStart, started, startedBase } from "./commandBase.ts"
import { endOf } from "./commandTargets.ts"
import { othersWanted, startAndStop, wanted, wantedSends } from "./wantedCommands.ts"
import { wrongSteps } from "./wrong/wrongCommandsProbes.ts"

/** The commands that cannot be carried out, too, and their results: a charge point may say so by its result alone. */
const others = [...othersWanted, ...wrongSteps, ...wrongSteps.map(resultStep)]

/**
 * Judges each CommandResult that came to the response_url of a command, also of one that cannot be carried out. `readsBody`: it
 * judges the body, which we read only of a caller that we know.
 */
const onResults = (
  judge: (call: Observation, answer: Answered, evidence: Evidence, step: string) => ReadonlyArray<Finding>,
  { readsBody = false }: { readonly readsBody?: boolean } = {}
): Pick<Check, "needs" | "ifGathered" | "judge" | "partial" | "sends"> => ({
  sends: wantedSends,
  needs: () => startAndStop,
  ifGathered: () => others,
  partial: true,
  judge: (evidence) => {
    const all = [...wanted, ...wrongSteps].flatMap((step) => {
      const call = callAt(evidence, resultStep(step))
      const answer = stepOf(evidence, step)
      return call === undefined || answer === undefined ? [] : [{ answer, call, step }]
    })
    const came = readsBody ? all.filter(({ call }) => !isUnread(call)) : all
    const [first] = all
    if (first !== undefined && came.length === 0)
      return blocked({
        check: "CMD-008",
        exchangeId: first.call.exchange.id,
        what: "the results came with a token that is not ours, and were turned away unread"
      })
    return came.length === 0
      ? inconclusive("unobservable", "no result came to our response_url")
      : noneOf(
          came.flatMap(({ answer, call, step }) => judge(call, answer, evidence, step)),
          `${came.length} results looked at`
        )
  }
})

/**
 * Judge the CommandResult that a CPO posts to the response_url (mod_commands, Sender Interface, POST Method;
 * CommandResult Object).
 */
export const commandResultsChecks: ReadonlyArray<Check> = [
  {
    ...startedBase,
    id: "CMD-004",
    ofSilence: "command result",
    title: "CommandResult: posted for each command that was ACCEPTED",
    reference: "mod_commands, Receiver Interface, Response Data",
    passes: "a POST to the response_url after the CommandResponse ACCEPTED",
    hint: "POST the charge point's answer to the response_url, also when the charge point failed or did not answer.",
    partial: true,
    needs: () => [started, resultStep(started)],
    judge: onStart((seen, evidence) => {
      if (!isAccepted(evidence, started)) return notStarted(evidence)
      const isUnheard = callAt(evidence, resultStep(started)) === undefined
      const away = isUnheard ? awayAfter(evidence, started) : undefined
      if (away !== undefined) return blocked(away, "network")
      return when(isUnheard, () =>
        finding(seen, "no result came to the response_url of a command that was accepted", {
          expected: `a POST within ${dueSeconds(seen)} s`,
          actual: "no call"
        })
      )
    })
  },
  {
    ...startedBase,
    id: "CMD-005",
    title: "CommandResult: posted within the timeout",
    strength: "should",
    reference: "mod_commands, Flow",
    passes:
      "the CommandResult comes within the timeout of the CommandResponse, or within 60 s where there is none",
    hint: "Give a timeout that the charge point can keep, or send TIMEOUT when it does not answer.",
    ...onResults((call, answer) => {
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
    ...startedBase,
    id: "CMD-006",
    title: "CommandResult: posted to exactly the response_url",
    reference: "mod_commands, Sender Interface, POST Method",
    passes: "a POST to exactly that URL, with the id in its path and the query that it may have",
    hint: "POST to the response_url exactly as given: do not rebuild it from its parts or from the version details.",
    ...onResults((call, _, evidence, step) => {
      const given = new URL(responseUrlOf(evidence, step) ?? "about:blank")
      const called = new URL(call.exchange.request.url)
      const { method } = call.exchange.request
      return [
        ...unless(given.pathname === called.pathname && given.search === called.search, () =>
          finding(call, "the CommandResult was sent to another URL than the response_url", {
            expected: `${given.pathname}${given.search}`,
            actual: `${called.pathname}${called.search}`
          })
        ),
        ...unless(method === "POST", () =>
          finding(call, "the CommandResult was not sent by POST", { expected: "POST", actual: method })
        )
      ]
    })
  },
  {
    ...startedBase,
    id: "CMD-007",
    title: "CommandResult: the body conforms to the version's schema, without an envelope",
    reference: "mod_commands, CommandResult Object",
    passes: "the body is the version's object with a result of CommandResultType, without an envelope",
    hint: "Send the object alone: the envelope is for responses only.",
    ...onResults(
      (call, _, { profile }) => {
        const { notes, said } = resultLeg(call.json)
        const schema = profile.objects.CommandResult
        const isBare = typeof call.json === "string"
        return [
          ...notes.map((message) =>
            finding(call, message, {
              expected: "an object with result",
              actual: shown(call.json),
              pointer: "",
              // In the oldest version the bare word is understood.
              ...(isBare && !profile.commandTimeout ? { strength: "should" as const } : {})
            })
          ),
          ...mismatches(call, schema, said ?? call.json)
        ]
      },
      { readsBody: true }
    )
  },
  {
    ...startedBase,
    id: "CMD-008",
    title: "CommandResult: posted with the token that we issued",
    reference: "transport_and_format, Authorization header",
    passes:
      "the Authorization header has the token that we issued; a call without a token does not count as a CommandResult",
    hint: "Send our token with the POST to the response_url, as with every other request.",
    ...onResults((call) => when(isTurnedAway(call), () => strangeToken(call, "the result")))
  }
]
