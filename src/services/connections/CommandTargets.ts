/** Finds an EVSE or a session for a command, and the exchanges that carried its results. */
import { Context, Effect, Layer } from "effect"
import type { CommandName } from "../../../schema/Command.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { objectsIn, textIn } from "../../findings/json.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { CommandPayload, CommandSetting } from "./commandPayload.ts"

const pageSize = 500
/** How many of the newest locations or sessions are searched. */
const mostLookedAt = 200

/** A result as it is stored: the id of its exchange stands for the exchange. */
export interface ResultMark {
  readonly receivedAt: string
  readonly body: unknown
  readonly exchangeId: string
}

/** Targets and results of commands. */
export class CommandTargets extends Context.Tag("services/CommandTargets")<
  CommandTargets,
  {
    /**
     * An EVSE and a session for the command, of those that the partner sent us: preferably an EVSE that is available and has
     * the needed capability, and a session that is active; newer ones first. Placeholders where there is none.
     */
    readonly of: (
      party: Party,
      command: CommandName
    ) => Effect.Effect<Pick<CommandSetting, "location" | "sessionId">>
    /** The results with their exchanges; results whose exchange was purged are left out. */
    readonly received: (
      id: PartyId,
      marks: ReadonlyArray<ResultMark>
    ) => Effect.Effect<ReadonlyArray<Omit<ResultMark, "exchangeId"> & { readonly exchange: Exchange }>>
  }
>() {
  static readonly layer = Layer.effect(
    CommandTargets,
    Effect.gen(function* () {
      const store = yield* PartyStore

      /** Newest first. */
      const newest = (party: Party, module: string) =>
        Effect.gen(function* () {
          const { total } = yield* store.objects(party.id, module, "received", { offset: 0, limit: 1 })
          if (total === 0) return []
          const page = { offset: Math.max(0, total - mostLookedAt), limit: mostLookedAt }
          const { items } = yield* store.objects(party.id, module, "received", page)
          return items.map(({ json }) => json).reverse()
        })

      const of = traced("CommandTargets.of")(function* (party: Party, command: CommandName) {
        const sessions = yield* newest(party, "sessions")
        const session = sessions.find(({ status }) => status === "ACTIVE") ?? sessions[0]
        return {
          location: locationOf(yield* newest(party, "locations"), command),
          sessionId: textIn(session?.["id"]) ?? "SESSION1"
        }
      })

      const received = traced("CommandTargets.received")(function* (
        id: PartyId,
        marks: ReadonlyArray<ResultMark>
      ) {
        const wanted = new Set(marks.map(({ exchangeId }) => exchangeId))
        const found = new Map<string, Exchange>()
        let after = 0
        while (found.size < wanted.size) {
          const page = yield* store.inboundAfter(id, after, pageSize)
          for (const { exchange } of page) if (wanted.has(exchange.id)) found.set(exchange.id, exchange)
          if (page.length < pageSize) break
          after = page.at(-1)!.position
        }
        return marks.flatMap(({ body, exchangeId, receivedAt }) => {
          const exchange = found.get(exchangeId)
          return exchange === undefined ? [] : [{ receivedAt, body, exchange }]
        })
      })

      return CommandTargets.of({ of, received })
    })
  )
}

/** The Capability that a command needs; the words are the same in every version. */
const neededCapability: Partial<Readonly<Record<CommandName, string>>> = {
  START_SESSION: "REMOTE_START_STOP_CAPABLE",
  RESERVE_NOW: "RESERVABLE",
  UNLOCK_CONNECTOR: "UNLOCK_CAPABLE"
}

function locationOf(
  locations: ReadonlyArray<CommandPayload>,
  command: CommandName
): CommandSetting["location"] {
  const evses = locations.flatMap((location) =>
    objectsIn(location["evses"]).map((evse) => ({ location, evse }))
  )
  const able = evses.filter(({ evse }) => can(evse, neededCapability[command]))
  const chosen = able.find(({ evse }) => evse["status"] === "AVAILABLE") ?? able[0] ?? evses[0]
  const evseUid = textIn(chosen?.evse["uid"])
  const connectorId = textIn(objectsIn(chosen?.evse["connectors"])[0]?.["id"])
  return {
    id: textIn(chosen?.location["id"]) ?? textIn(locations[0]?.["id"]) ?? "LOC1",
    ...(evseUid === undefined ? {} : { evseUid }),
    ...(connectorId === undefined ? {} : { connectorId }),
    needsConnector: chosen !== undefined && can(chosen.evse, "START_SESSION_CONNECTOR_REQUIRED")
  }
}

function can(evse: CommandPayload, capability: string | undefined): boolean {
  const known = evse["capabilities"]
  return capability === undefined || (Array.isArray(known) && known.includes(capability))
}
