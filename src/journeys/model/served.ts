/** Commands that the partner has sent us, as a serving stage sees them. Pure. */

import type { Exchange } from "../../../schema/Exchange.ts"
import { isOf } from "../../../schema/LedgerEvent.ts"
import { objectIn, textIn } from "../../findings/json.ts"
import type { ServeAct, Sighting } from "./Act.ts"
import { jsonOf, type RunHistory, wasTaken } from "./RunHistory.ts"

/** The commands of that name that the partner has sent since the stage first started, oldest first. */
export function commandsIn(history: RunHistory, stageId: string, command: string): ReadonlyArray<Exchange> {
  const from = history.events.findIndex(
    (event) => event.type === "stage.started" && event.stageId === stageId
  )
  return from < 0
    ? []
    : history.events
        .slice(from)
        .filter(isOf("inbound.received"))
        .map(({ exchange }) => exchange)
        .filter(
          ({ module, operation, request }) =>
            module === "commands" && operation === command && request.method === "POST"
        )
}

/** The command that a stage served: the first matching one of its name that we accepted. */
export const servedCommand = (
  history: RunHistory,
  stageId: string,
  { command, isOurs = () => true }: Pick<ServeAct, "command" | "isOurs">
): Exchange | undefined =>
  commandsIn(history, stageId, command).find(
    (exchange) => wasTaken(exchange) && isOurs(history, objectIn(jsonOf(exchange.request)))
  )

/** What a serving stage has seen so far. */
export const sightingOf = (history: RunHistory, stageId: string, act: ServeAct): Sighting => ({
  found: servedCommand(history, stageId, act) !== undefined,
  nearMisses: commandsIn(history, stageId, act.command).map((exchange) =>
    wasTaken(exchange)
      ? `The partner sent ${act.command}, but for another object than this stage awaits`
      : `The partner sent ${act.command}, and we refused it: ${textIn(objectIn(jsonOf(exchange.response))["status_message"]) ?? "no reason"}`
  )
})
