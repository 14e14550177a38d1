/** Commands that the partner has sent us: what a stage that serves has seen. Pure. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { objectIn, textIn } from "../../findings/json.ts"
import type { ServeAct, Sighting } from "./Act.ts"
import { jsonOf, type Memory, wasTaken } from "./Memory.ts"

/** Commands of that name that the partner has sent since the stage was first started, oldest first. */
export function commandsIn(memory: Memory, stageId: string, command: string): ReadonlyArray<Exchange> {
  const from = memory.events.findIndex((event) => event.type === "stage.started" && event.stageId === stageId)
  return from < 0
    ? []
    : memory.events
        .slice(from)
        .flatMap(({ exchange, type }) =>
          type === "inbound.received" &&
          exchange?.module === "commands" &&
          exchange.operation === command &&
          exchange.request.method === "POST"
            ? [exchange]
            : []
        )
}

/** The command that a stage served: the first of its name that we took and that is the one. */
export const servedCommand = (
  memory: Memory,
  stageId: string,
  { command, isOurs = () => true }: Pick<ServeAct, "command" | "isOurs">
): Exchange | undefined =>
  commandsIn(memory, stageId, command).find(
    (exchange) => wasTaken(exchange) && isOurs(memory, objectIn(jsonOf(exchange.request)))
  )

/** What a stage that serves has seen. */
export const sightingOf = (memory: Memory, stageId: string, act: ServeAct): Sighting => ({
  found: servedCommand(memory, stageId, act) !== undefined,
  nearMisses: commandsIn(memory, stageId, act.command).map((exchange) =>
    wasTaken(exchange)
      ? `${act.command} came, but not for what this stage is about`
      : `${act.command} came, and we refused it: ${textIn(objectIn(jsonOf(exchange.response))["status_message"]) ?? "no reason"}`
  )
})
