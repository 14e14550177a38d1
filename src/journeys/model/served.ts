/** Commands that the partner has sent us, as a serving stage sees them. Pure. */

import type { Exchange } from "../../../schema/Exchange.ts"
import { wasTaken } from "../../findings/calledPath.ts"
import { keyText, objectIn, textIn } from "../../findings/json.ts"
import type { ServeAct, Sighting } from "./Act.ts"
import { dataOf, inboundOf, jsonOf, type RunHistory } from "./RunHistory.ts"

/** A command of the partner, and whether the stage that serves it had begun by then. */
interface Heard {
  readonly exchange: Exchange
  readonly early: boolean
}

/** The commands of that name that the partner has sent since the run was ordered, oldest first. */
function commandsIn(history: RunHistory, stageId: string, command: string): ReadonlyArray<Heard> {
  const began = history.events.find((event) => event.type === "stage.started" && event.stageId === stageId)
  // Not by the order of the lines: a call is recorded when it is looked for, which may be later than it came.
  const from = began === undefined ? Number.POSITIVE_INFINITY : Date.parse(began.occurredAt)
  return inboundOf(history)
    .filter(
      ({ module, operation, request }) =>
        module === "commands" && operation === command && request.method === "POST"
    )
    .map((exchange) => ({ exchange, early: Date.parse(exchange.startedAt) < from }))
}

type Served = Pick<ServeAct, "command" | "isOurs">

/**
 * Those that the stage looks at. A command that names an object of the run counts from the moment at which the partner
 * knows the object, so also before the stage; one that may be about anything counts from the beginning of the stage.
 */
const lookedAt = (history: RunHistory, stageId: string, { command, isOurs }: Served): ReadonlyArray<Heard> =>
  commandsIn(history, stageId, command).filter(({ early }) => !early || isOurs !== undefined)

/** Before the stage our party answers by its own rules: then the CommandResponse says whether it was accepted. */
const wasAccepted = ({ early, exchange }: Heard): boolean =>
  wasTaken(exchange) && (!early || objectIn(dataOf(exchange))["result"] === "ACCEPTED")

const servedIn = (history: RunHistory, stageId: string, served: Served): Heard | undefined =>
  lookedAt(history, stageId, served).find(
    (heard) =>
      wasAccepted(heard) && (served.isOurs?.(history, objectIn(jsonOf(heard.exchange.request))) ?? true)
  )

/** The command that a stage served: the first matching one of its name that we accepted. */
export const servedCommand = (history: RunHistory, stageId: string, served: Served): Exchange | undefined =>
  servedIn(history, stageId, served)?.exchange

/** The served command whose result the stage has to post: our party has posted that of an earlier one. */
export const commandToConclude = (
  history: RunHistory,
  stageId: string,
  served: Served
): Exchange | undefined => {
  const heard = servedIn(history, stageId, served)
  return heard === undefined || heard.early ? undefined : heard.exchange
}

/** What a serving stage has seen so far. */
export const sightingOf = (history: RunHistory, stageId: string, act: ServeAct): Sighting => ({
  found: servedCommand(history, stageId, act) !== undefined,
  nearMisses: lookedAt(history, stageId, act).map((heard) =>
    wasAccepted(heard)
      ? `The partner sent ${act.command}, but for another object than this stage awaits${objectOf(heard.exchange)}`
      : `The partner sent ${act.command}, and we refused it: ${refusalOf(heard.exchange)}`
  )
})

/** Which object a command names. */
function objectOf({ request }: Exchange): string {
  const body = objectIn(jsonOf(request))
  const name = ["session_id", "reservation_id", "location_id"].find((one) => body[one] !== undefined)
  return name === undefined ? "" : `: ${name} ${keyText(body[name])}`
}

const refusalOf = (exchange: Exchange): string =>
  textIn(objectIn(jsonOf(exchange.response))["status_message"]) ??
  textIn(objectIn(dataOf(exchange))["result"]) ??
  "no reason"
