/** Stores and sends the one CDR of a session. */
import { Option } from "effect"
import type { JsonObject } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { traced } from "../../../telemetry/traced.ts"
import { push } from "../engine/pushes.ts"
import { keepOwn, ownObject } from "./chargePoint.ts"

/** Stores the CDR and POSTs it. An existing one is not sent again. */
export const tellCdr = traced("simulation.tellCdr")(function* (
  party: Party,
  cdr: JsonObject,
  correlationId: string
) {
  const id = String(cdr["id"])
  if (Option.isSome(yield* ownObject(party, "cdrs", id))) return
  yield* keepOwn(party, "cdrs", id, cdr)
  yield* push(
    party,
    { module: "cdrs", operation: "POST cdr", method: "POST", body: cdr },
    { path: [] },
    correlationId
  )
})
