/** The sessions that START_SESSION begins and STOP_SESSION ends (mod_commands, mod_sessions). */
import { pathSegments } from "../../../findings/calledPath.ts"
import { finding, when } from "../../../findings/finding.ts"
import { sameId } from "../../../findings/json.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import { type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import {
  blockedByLegs,
  callAt,
  isAccepted,
  isDone,
  legsOf,
  resultIn,
  resultStep
} from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { notStarted, started } from "./commandBase.ts"
import { remoteStartsBase, withAuthorizationDetails } from "./remoteStartSteps.ts"
import { appUser, card, cardToken, start } from "./remoteStartsProbes.ts"
import { reserve, reservingToken } from "./reservations/reservingProbes.ts"

/** Calls for authorization of that token. */
const authorizations = (evidence: Evidence, uid: unknown): ReadonlyArray<Observation> => {
  const gathered = evidence.gathered("commands.calls")
  return gathered === undefined || isWithheld(gathered)
    ? []
    : gathered.seen.filter(({ exchange }) => {
        const path = pathSegments(exchange.request.url)
        return exchange.module === "tokens" && path.at(-1) === "authorize" && sameId(path.at(-2), uid)
      })
}

/** A command that nothing came of shows nothing: without a result of any of the steps, calls alone count. */
const unasked = (
  evidence: Evidence,
  steps: ReadonlyArray<string>,
  calls: ReadonlyArray<Observation>
): Judgement => {
  const [silent] = steps
  const hasResult = steps.some((step) => callAt(evidence, resultStep(step)) !== undefined)
  if (calls.length === 0 && silent !== undefined && !hasResult) return blockedByLegs(evidence, silent)
  return noneOf(
    calls.map(({ exchange }) =>
      finding({ exchange }, "authorize was called for the token of a command", {
        expected: "no authorize call",
        actual: `${exchange.request.method} ${new URL(exchange.request.url).pathname}`
      })
    )
  )
}

/**
 * Judge START_SESSION at an occupied EVSE and for unknown tokens, and calls of authorize after it (mod_commands,
 * StartSession Object).
 */
export const remoteStartsChecks: ReadonlyArray<Check> = [
  {
    ...remoteStartsBase,
    id: "CMD-018",
    consequenceOf: ["CMD-020"],
    title: "START_SESSION: not carried out at an EVSE with a running session",
    strength: "should",
    sends: "START_SESSION at the EVSE of a running session",
    passes: "CommandResponse REJECTED, or CommandResult EVSE_OCCUPIED or REJECTED",
    hint: "Ask the charge point before you report ACCEPTED.",
    needs: () => [`${start}#occupied`, resultStep(`${start}#occupied`)],
    judge: (evidence) => {
      const step = `${start}#occupied`
      const seen = stepOf(evidence, step)
      if (seen === undefined) return inconclusive("not_tested", "no session was running")
      if (isAccepted(evidence, step) && callAt(evidence, resultStep(step)) === undefined)
        return blockedByLegs(evidence, step)
      return noneOf(
        when(isDone(evidence, step), () =>
          finding(seen, "a second session was started at an EVSE that is charging", {
            expected: "CommandResponse REJECTED, or CommandResult EVSE_OCCUPIED",
            actual: legsOf(evidence, step)
          })
        ),
        legsOf(evidence, step)
      )
    }
  },
  {
    ...remoteStartsBase,
    id: "CMD-023",
    versions: withAuthorizationDetails,
    title: "START_SESSION: accepted for a token that was never pushed",
    reference: "mod_commands, StartSession Object",
    sends: "START_SESSION with an app user's token that was never pushed",
    passes: "START_SESSION is not rejected where a command for a token that was pushed is accepted",
    hint: "Do not look the token up: the EMSP has authorized it by sending the command.",
    needs: () => [started, resultStep(started), `${card}#start`, resultStep(`${card}#start`)],
    judge: (evidence) => {
      const seen = stepOf(evidence, started)
      if (seen === undefined) return inconclusive("not_tested", "no answer to START_SESSION is known")
      const isFine = (step: string) =>
        isAccepted(evidence, step) &&
        !["REJECTED", "NOT_SUPPORTED", "FAILED"].includes(resultIn(callAt(evidence, resultStep(step))) ?? "")
      if (isFine(started)) return noneOf([], legsOf(evidence, started))
      if (!isFine(`${card}#start`)) return blockedByLegs(evidence, `${card}#start`)
      return noneOf([
        finding(
          seen,
          "START_SESSION is refused for a token that was never pushed, and accepted for one that was",
          {
            expected: legsOf(evidence, `${card}#start`),
            actual: legsOf(evidence, started)
          }
        )
      ])
    }
  },
  {
    ...remoteStartsBase,
    id: "CMD-024",
    versions: withAuthorizationDetails,
    mode: "OBS",
    title: "Command of an APP_USER: authorize is not called for its token",
    reference: "mod_commands, StartSession Object",
    sends: "no request: the check looks at what the partner called after START_SESSION and RESERVE_NOW",
    passes: "no authorize call for the token of the command",
    hint: "Do not call authorize: the command is the authorization.",
    needs: () => [started, `${reserve}#reserve`, "commands.calls", "commands.reserve-calls"],
    ifGathered: () => [started, `${reserve}#reserve`].map(resultStep),
    judge: (evidence) => {
      const accepted = [
        { step: started, token: appUser },
        { step: `${reserve}#reserve`, token: reservingToken }
      ].filter(({ step }) => isAccepted(evidence, step))
      const calls = accepted.flatMap(({ token }) => authorizations(evidence, token(evidence)["uid"]))
      return accepted.length === 0
        ? notStarted(evidence)
        : unasked(
            evidence,
            accepted.map(({ step }) => step),
            calls
          )
    }
  },
  {
    ...remoteStartsBase,
    id: "CMD-025",
    consequenceOf: ["CMD-024"],
    versions: withAuthorizationDetails,
    mode: "OBS",
    title: "START_SESSION with an RFID token: authorize is not called for it",
    reference: "mod_commands, StartSession Object",
    sends: "no request: the check looks at what the partner called after START_SESSION with a card",
    passes: "no authorize call for that token while the run goes on",
    hint: "Do not call authorize: for 15 minutes the command is the authorization of its token at that location.",
    needs: () => [`${card}#start`, "commands.calls"],
    ifGathered: () => [resultStep(`${card}#start`)],
    judge: (evidence) =>
      isAccepted(evidence, `${card}#start`)
        ? unasked(evidence, [`${card}#start`], authorizations(evidence, cardToken(evidence)["uid"]))
        : blockedByLegs(evidence, `${card}#start`)
  }
]
