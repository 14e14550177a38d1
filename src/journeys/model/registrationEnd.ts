/** Whether the partner has ended its registration while a run goes on. */
import { wasTaken } from "../../findings/calledPath.ts"
import { inboundOf, type RunHistory } from "./RunHistory.ts"

const changing: ReadonlyArray<string> = ["POST", "PUT", "DELETE"]

/** Why nothing more can be asked of the partner, or awaited of it; undefined: it has not ended the registration. */
export function registrationEnd(history: RunHistory): string | undefined {
  const last = inboundOf(history).findLast(
    (exchange) =>
      exchange.module === "credentials" && changing.includes(exchange.request.method) && wasTaken(exchange)
  )
  return last?.request.method === "DELETE"
    ? `The partner has ended the registration while the run went on: it sent DELETE credentials at ${last.startedAt}`
    : undefined
}
