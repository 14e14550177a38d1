/** What several stages of a remote start share: waiting for results, and telling what almost fit. */
import type { JourneyStage } from "../JourneyTemplate.ts"
import type { Memory } from "../Memory.ts"
import { sessionsOf } from "../partnerPushes.ts"
import { expectsResult } from "./remoteStartExpected.ts"
import {
  commandResultsOf,
  ourSession,
  promisedSeconds,
  referenceOf,
  syncResultOf,
  tokenUidOf
} from "./remoteStartFacts.ts"
import { resultRules } from "./remoteStartRules.ts"

/** Session pushes since the start that are not ours, or not there yet, in words. */
export function sessionNearMisses(memory: Memory, wanted: string): ReadonlyArray<string> {
  const ours = ourSession(memory)
  return sessionsOf(memory).map(({ id, state }) =>
    id === ours?.id
      ? `Session ${id} is ${String(state["status"])}, not yet ${wanted}`
      : `Session ${id} carries neither authorization_reference ${referenceOf(memory)} nor token ${tokenUidOf(memory)}`
  )
}

/** Waiting for the asynchronous result of a command. */
export const awaitResult = (
  id: "start-result" | "stop-result",
  command: "start-session" | "stop-session",
  name: string
): JourneyStage => ({
  id,
  name,
  actor: "partner",
  module: "commands",
  description: `The partner posts what the charge point said to the response_url of ${name.toLowerCase()}.`,
  timeoutSeconds: 60,
  act: {
    act: "await",
    instruction: () =>
      "The partner must POST one CommandResult, a bare object with result, to the response_url that the command named.",
    look: (memory) => ({ found: commandResultsOf(memory, command).length > 0, nearMisses: [] }),
    seconds: (memory) => Math.min(promisedSeconds(memory, command) ?? 60, 600),
    expects: expectsResult(command)
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: resultRules(id, command),
  // A result is posted once and cannot be read.
  setOffBy: () => command,
  stopsIf: (memory) => {
    const [first] = commandResultsOf(memory, command)
    return first === undefined || first.result === "ACCEPTED"
      ? undefined
      : `The charge point did not carry the command out: ${first.result ?? "no result"}`
  }
})

/** The command got no yes: going on makes no sense. */
export const refused = (stageId: "start-session" | "stop-session") => (memory: Memory) => {
  const result = syncResultOf(memory, stageId)
  return result === "ACCEPTED"
    ? undefined
    : `The partner did not accept the command: ${result ?? "no result"}`
}
