/** Stages that send a command and wait for its result. */
import type { ExchangeAct, Unmet } from "../../../model/Act.ts"
import type { JourneyStage } from "../../../model/JourneyTemplate.ts"
import type { NoPlace } from "../../../model/Place.ts"
import type { RunHistory } from "../../../model/RunHistory.ts"
import { commandResultsOf, promisedSeconds, syncResultOf } from "../../charge/chargeFacts.ts"
import { expectsResult } from "../../charge/expectedMessages.ts"
import { chosenPlace, type Needed } from "../../charge/place.ts"
import { readsPlaceAgain, takenBack } from "../../charge/takenBack.ts"
import { aboutCommands, type ResultOf, resultRules } from "./commandRules.ts"

/**
 * The act of a stage that sends a command. `body` gets the response_url and returns the body, or why it cannot be sent.
 */
export const commandAct = (
  command: string,
  body: (history: RunHistory, responseUrl: string, now: string) => Readonly<Record<string, unknown>> | Unmet
): ExchangeAct => ({
  act: "exchange",
  sends: `POST commands/${command}`,
  command,
  call: (history, responseUrl, now) => {
    const built = body(history, responseUrl, now)
    return typeof built["unmet"] === "string"
      ? (built as Unmet)
      : {
          module: "commands",
          interfaceRole: "RECEIVER",
          operation: command,
          method: "POST",
          path: [command],
          body: built
        }
  }
})

/** Why a command about an EVSE is not sent, where there is no EVSE for it. */
export const unplaced = ({ none, ours }: NoPlace): Unmet => ({
  unmet: none,
  ...(ours === true ? { ours: true } : {})
})

/** Of the stage with the first command about a free EVSE: from then on the run has that EVSE to itself. */
export const claimsEvse = (needed: Needed): Pick<JourneyStage, "claims"> => ({
  claims: (history, byOthers) => chosenPlace(history, needed, byOthers)
})

/**
 * Stage `id`, which waits for the result of the command that the stage `command` sent. `name`: e.g. `The start's result`.
 */
export const awaitResult = (
  id: string,
  command: string,
  name: string,
  { about = aboutCommands, setOffBy = () => command, ...more }: ResultOf = {}
): JourneyStage => ({
  id,
  name,
  actor: "partner",
  module: about.module,
  description: `The partner posts the charge point's result to our response_url.`,
  timeoutSeconds: 60,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: () =>
      `The partner must POST one ${about.result}, a bare object with result, to the response_url that the request named.`,
    look: (history) => ({ found: commandResultsOf(history, command).length > 0, nearMisses: [] }),
    seconds: (history) => Math.min(promisedSeconds(history, command) ?? 60, 600),
    expects: expectsResult(command, about.example)
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: resultRules(id, command, { about, setOffBy, ...more }),
  // A result is posted once and cannot be read later.
  setOffBy,
  readsAgain: (history) => readsPlaceAgain(history, command),
  stopsIf: (history) => {
    const [first] = commandResultsOf(history, command)
    return first === undefined || first.result === "ACCEPTED"
      ? undefined
      : `The charge point did not carry the command out: ${withReason(first.result, history, command)}`
  }
})

/** Why the run ends if the command was not accepted; undefined: it was. */
export const refused = (stageId: string) => (history: RunHistory) => {
  const result = syncResultOf(history, stageId)
  return result === "ACCEPTED"
    ? undefined
    : `The partner did not accept the command: ${withReason(result, history, stageId)}`
}

const withReason = (result: string | undefined, history: RunHistory, stageId: string): string => {
  const reason = takenBack(history, stageId)
  return reason === undefined ? (result ?? "no result") : `${result ?? "no result"}, and ${reason}`
}
