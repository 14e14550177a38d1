/** Credits a CDR of ours (mod_cdrs, Credit CDR) with a second one with the negative total. The first is never changed. */
import { Option } from "effect"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { traced } from "../../../telemetry/traced.ts"
import { freshUuid } from "../../wire/messageId.ts"
import { push } from "../engine/pushes.ts"
import { keepOwn, nextMoment, ownObject } from "./chargePoint.ts"

/**
 * Stores and sends the Credit CDR and returns its id. None: there is no such CDR, it is itself a credit, or the version
 * has no Credit CDRs.
 */
export const creditCdr = traced("simulation.creditCdr")(function* (party: Party, cdrId: string) {
  if (!profileOf(party.version).cdrDetails) return Option.none<string>()
  const found = yield* ownObject(party, "cdrs", cdrId)
  if (Option.isNone(found) || found.value["credit"] === true) return Option.none<string>()
  const id = creditIdOf(found.value)
  if (Option.isSome(yield* ownObject(party, "cdrs", id))) return Option.some(id)
  const credit = creditOf(found.value, yield* nextMoment(found.value))
  yield* keepOwn(party, "cdrs", id, credit)
  const what = { module: "cdrs", operation: "POST cdr", method: "POST", body: credit } as const
  yield* push(party, what, { path: [] }, yield* freshUuid)
  return Option.some(id)
})

/** The Credit CDR: as the CDR that it credits, but for its identity and the total. */
export const creditOf = (cdr: JsonObject, when: string): JsonObject => ({
  ...cdr,
  id: creditIdOf(cdr),
  credit: true,
  credit_reference_id: cdr["id"],
  total_cost: negated(cdr["total_cost"]),
  last_updated: when
})

/** A CDR's id has up to 36 characters, a Credit CDR's three more (mod_cdrs, CDR Object). */
const creditIdOf = (cdr: JsonObject): string => `${cdr["id"]}-C`

/** The negated price, in whichever shape it has. */
const negated = (price: unknown): unknown => {
  if (typeof price === "number") return 0 - price
  if (!isObject(price)) return price
  const fields = Object.entries(price).map(([name, value]) => {
    if (name === "taxes")
      return [name, objectsIn(value).map((tax) => ({ ...tax, amount: negated(tax["amount"]) }))]
    return [name, negated(value)]
  })
  return Object.fromEntries(fields)
}
