/** What a party knows that a command can be aimed at, and the exchanges that carried a command's results. */
import { Context, Effect, Layer } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import type { PartyId } from "../../schema/Ids.ts"
import { type Party, type PartyObject, PartyStore } from "../store/PartyStore.ts"
import type { CommandSetting, Json } from "./commandPayload.ts"

const pageSize = 500

export interface ResultMark {
  readonly receivedAt: string
  readonly body: unknown
  readonly exchangeId: string
}

export class CommandTargets extends Context.Tag("services/CommandTargets")<
  CommandTargets,
  {
    /** The newest location and session that the partner sent us, or placeholders. */
    readonly of: (party: Party) => Effect.Effect<Pick<CommandSetting, "location" | "sessionId">>
    /** The results with their exchanges; one whose exchange is gone is left out. */
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

      const newest = (party: Party, module: string) =>
        Effect.gen(function* () {
          const { total } = yield* store.objects(party.id, module, "received", { offset: 0, limit: 1 })
          if (total === 0) return undefined
          const last = yield* store.objects(party.id, module, "received", { offset: total - 1, limit: 1 })
          return last.items[0]
        })

      const of = Effect.fn("CommandTargets.of")(function* (party: Party) {
        const location = yield* newest(party, "locations")
        const session = yield* newest(party, "sessions")
        return { location: locationOf(location), sessionId: text(session?.json["id"]) ?? "SESSION1" }
      })

      const received = Effect.fn("CommandTargets.received")(function* (
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

function locationOf(object: PartyObject | undefined): CommandSetting["location"] {
  const evse = first(object?.json["evses"])
  const evseUid = text(evse?.["uid"])
  const connectorId = text(first(evse?.["connectors"])?.["id"])
  return {
    id: text(object?.json["id"]) ?? "LOC1",
    ...(evseUid === undefined ? {} : { evseUid }),
    ...(connectorId === undefined ? {} : { connectorId })
  }
}

function first(list: unknown): Json | undefined {
  const item: unknown = Array.isArray(list) ? list[0] : undefined
  return typeof item === "object" && item !== null ? (item as Json) : undefined
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined
}
