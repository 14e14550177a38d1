/** Partners that call us while a run goes on. */
import { Clock, Effect, Schedule } from "effect"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { ownPath } from "../../../src/party/simulation/chargePoint/chargePoint.ts"
import { push } from "../../../src/party/simulation/engine/pushes.ts"
import { readLists } from "../../../src/party/simulation/engine/readLists.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import type { Happening } from "../../support/parties/quickWorld.ts"

const every =
  (seconds: number, does: Happening): Happening =>
  (pair) =>
    Effect.repeat(Effect.delay(does(pair), `${seconds} seconds`), Schedule.forever)

/** Now and then a new state of one object: of a location of a CPO's, of a token of an EMSP's. */
export const pushesOn: Happening = every(10, ({ partner }) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const [module, operation] =
      partner.role === "CPO" ? ["locations", "PUT location"] : ["tokens", "PUT token"]
    const [first] = (yield* store.objects(partner.id, module!, "own", { offset: 0, limit: 1 })).items
    const body = { ...first?.json, last_updated: dateTimeOf(yield* Clock.currentTimeMillis) }
    const path = [...ownPath(partner), first?.key ?? ""]
    yield* push(
      partner,
      { module: module!, operation: operation!, method: "PUT", body },
      { path },
      "correlation-1"
    )
  })
)

/** Now and then all that it wants to know of us. */
export const readsOn: Happening = every(10, ({ partner }) =>
  Effect.gen(function* () {
    const now = yield* (yield* PartyStore).find(partner.id)
    if (now._tag === "Some" && now.value.registration === "registered") yield* readLists(now.value, {})
  })
)
