/** A message that a stage awaited and that did not come: what was asked for, and what came in its place. Pure. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { pathSegments, uninvited, wasTaken } from "../../findings/calledPath.ts"
import type { JourneyStage } from "../model/JourneyTemplate.ts"
import { inboundOf, lastOfWaits, type RunHistory } from "../model/RunHistory.ts"

/** The calls of the partner in the stage that belong to the run, or went where we offer nothing, oldest first. */
const callsIn = ({ id }: JourneyStage, { events, profile }: RunHistory): ReadonlyArray<Exchange> =>
  events
    .filter(isEventOf("inbound.received"))
    .filter(({ stageId }) => stageId === id)
    .filter(
      ({ data, exchange }) => data?.relation !== "foreign" || uninvited(exchange, profile) !== undefined
    )
    .map(({ exchange }) => exchange)

/** The last of these calls of the stage's module; else the last one that went where we offer nothing. */
export function callIn(stage: JourneyStage, history: RunHistory): Exchange | undefined {
  const { module } = stage
  const calls = callsIn(stage, history)
  return (
    calls.findLast(({ request }) => module !== null && pathSegments(request.url).includes(module)) ??
    calls.findLast((call) => module === null || uninvited(call, history.profile) !== undefined)
  )
}

/** What a message of the partner is asked for with, when its wait is over without it. */
export interface Missed {
  readonly instruction: string
  /** As a shell command, where the message is known beforehand. */
  readonly curl: string | undefined
  /** The last call of the stage's module that we refused for what it says; a call about what was refused before it is refused, too. */
  readonly refused: Exchange | undefined
}

/** Undefined: the stage awaits nothing of the partner, or it came. */
export function missedIn(stage: JourneyStage, history: RunHistory): Missed | undefined {
  if (lastOfWaits(history, stage.id)?.type !== "wait.expired") return undefined
  const asked = history.events
    .filter(isEventOf("wait.started"))
    .findLast(({ stageId }) => stageId === stage.id)?.data
  return asked?.party !== "partner"
    ? undefined
    : {
        instruction: asked.instruction,
        curl: asked.expects?.curl,
        refused: callsIn(stage, history).findLast(
          (call) => call.module === stage.module && isRefused(call) && !isNotFound(call)
        )
      }
}

const isRefused = (call: Exchange): boolean => call.ourFault === undefined && !wasTaken(call)
const isNotFound = ({ response }: Exchange): boolean => response?.httpStatus === 404

/** A call as near misses name it: `PUT came to /ocpi/2.2.1/sessions/NL/SBX/1`. */
const cameTo = ({ request }: Exchange): string =>
  `${request.method} came to /${pathSegments(request.url).join("/")}`

/** What to change where a message is missing: what we refused in its place, and what it has to be. */
export const hintOfMissed = (missed: Missed | undefined): string | undefined => {
  const { method } = missed?.refused?.request ?? {}
  return method === undefined
    ? missed?.instruction
    : `Mend the ${method} that we refused; our answer says why. ${missed?.instruction}`
}

/** Is it about a call that was not found because we had refused the object before? Then the first refusal says it all. */
export function saysTheSameAgain(miss: string, history: RunHistory): boolean {
  const refused = inboundOf(history).filter(isRefused)
  return refused.some(
    (call) =>
      isNotFound(call) &&
      miss.startsWith(cameTo(call)) &&
      refused.some(
        (other) =>
          !isNotFound(other) &&
          pathSegments(other.request.url).join("/") === pathSegments(call.request.url).join("/")
      )
  )
}
