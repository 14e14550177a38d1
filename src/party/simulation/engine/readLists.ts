/** What a party reads at its counterpart unasked: lists, page by page along their links. */
import { Effect } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { type JsonObject, objectIn, objectsIn } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { OcpiClient } from "../../../ocpi/OcpiClient.ts"
import { nextLink } from "../../../ocpi/paging.ts"
import type { Party } from "../../../store/parties/Party.ts"
import type { PartyStore } from "../../../store/parties/PartyStore.ts"
import type { PartnerCalls } from "../../outbound/PartnerCalls.ts"
import { performCall } from "../../outbound/performCall.ts"
import { quirksOf } from "../../wire/PartnerQuirks.ts"

/** The modules that a party of the role reads. */
const wanted: Readonly<Record<Role, ReadonlyArray<string>>> = {
  CPO: ["tokens"],
  EMSP: ["locations", "tariffs"]
}

/** The most pages of a list that are read. */
const mostPages = 50

/** Reads each of those lists, beginning with this query. A list that the counterpart does not offer is skipped. */
export const readLists = (
  party: Party,
  query: Readonly<Record<string, string>>
): Effect.Effect<void, never, OcpiClient | PartnerCalls | PartyStore> =>
  Effect.forEach(wanted[party.role], (module) => readList(party, module, query), { discard: true })

const readList = Effect.fnUntraced(
  function* (party: Party, module: string, query: Readonly<Record<string, string>>) {
    let next: string | undefined
    for (let page = 0; page < mostPages; page++) {
      const { exchange } = yield* performCall(party, {
        module,
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        ...(next === undefined ? { query, fixedLimit: true } : { url: next })
      })
      const isDull = (yield* quirksOf(party))("stops at what is invalid")
      if (isDull && objectsIn(bodyOf(exchange)["data"]).some(isInvalid)) return
      next = nextLink(exchange.response?.headers["link"], exchange.request.url)
      if (next === undefined) return
    }
  },
  Effect.catchTag("NoEndpoint", () => Effect.void)
)

const bodyOf = ({ response }: Exchange) => objectIn(parseJson(response?.body ?? ""))
const isInvalid = ({ last_updated }: JsonObject) => dateTimeMillis(last_updated) === undefined
