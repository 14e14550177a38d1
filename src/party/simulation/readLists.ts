/** What a party reads at its counterpart of its own accord: lists, page by page, as the links lead. */
import { Effect, Option } from "effect"
import type { Role } from "../../../schema/Connection.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { nextLink } from "../../ocpi/paging.ts"
import { type Party, PartyStore } from "../../store/PartyStore.ts"
import { performCall } from "../performCall.ts"
import { activityModule } from "./catalogue.ts"
import { keepOwn, ownObject } from "./chargePoint.ts"
import type { Engine, Simulated } from "./Engine.ts"

/** What a party of the role wants to know of its counterpart. */
const wanted: Readonly<Record<Role, ReadonlyArray<string>>> = {
  CPO: ["tokens"],
  EMSP: ["locations", "tariffs"]
}

/** More pages of a list are not read. */
const mostPages = 50

/** Reads each of those lists from the query on. A counterpart that does not offer one is left alone. */
export const readLists = (
  party: Party,
  query: Readonly<Record<string, string>>
): Effect.Effect<void, never, Simulated> =>
  Effect.forEach(wanted[party.role], (module) => readList(party, module, query), { discard: true })

function readList(party: Party, module: string, query: Readonly<Record<string, string>>) {
  return Effect.gen(function* () {
    let next: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const { exchange } = yield* performCall(party, {
        module,
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        ...(next === undefined ? { query, fixedLimit: true } : { url: next })
      })
      next = nextLink(exchange.response?.headers["link"], exchange.request.url)
      if (next === undefined) return
    }
  }).pipe(Effect.catchTag("NoEndpoint", () => Effect.void))
}

/** After a registration there is other business first. */
const settleMillis = 2_000
/** Small pages: most lists then have several. */
const pageSize = "3"

export const firstReadKey = (id: PartyId): string => `${id}/first-read`

/** All of those lists, once in a registration. */
export const readAtFirst = (engine: Engine, id: PartyId): Effect.Effect<void, never, Simulated> =>
  Effect.gen(function* () {
    yield* engine.sleep(firstReadKey(id), settleMillis)
    const party = Option.getOrUndefined(yield* Effect.flatMap(PartyStore, (store) => store.find(id)))
    if (party?.registration !== "registered") return
    const { registeredAt } = party
    const read = yield* ownObject(party, activityModule, "read")
    if (Option.isSome(read) && read.value["registeredAt"] === registeredAt) return
    yield* readLists(party, { limit: pageSize })
    yield* keepOwn(party, activityModule, "read", { registeredAt })
  })
