/** Finds an EVSE or a session for a command, and the exchanges that carried its results. */
import { Clock, Context, Effect, Layer } from "effect"
import type { CommandName } from "../../../schema/Command.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { dayMillis } from "../../../schema/fields/durations.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { objectIn, objectsIn, sameId, textIn } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { RoutedParty } from "../../ocpi/routing.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { performCall } from "../../party/outbound/performCall.ts"
import { recipientOf } from "../../party/wire/recipientOf.ts"
import { isBehindHub, partiesOfRole, speaksForSeveral } from "../../party/wire/routing.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { CommandPayload, CommandSetting } from "./commandPayload.ts"

/** How many of the newest locations or sessions one is chosen from, where the caller names none. */
const mostLookedAt = 200

/** A result as it is stored: the id of its exchange stands for the exchange. */
interface ResultMark {
  readonly receivedAt: string
  readonly body: unknown
  readonly exchangeId: string
}

/** Targets and results of commands. */
export class CommandTargets extends Context.Tag("services/CommandTargets")<
  CommandTargets,
  {
    /**
     * An EVSE or a session for the command, of those that the partner sent us, or, where it sent none, of those on the first
     * page of its list, which is asked for: preferably an EVSE that is available and has the needed capability, and a session
     * that is active; newer ones first. Placeholders where there is none. `given`: the caller's fields. `among`: what it was chosen
     * from.
     */
    readonly of: (
      party: Party,
      command: CommandName,
      given?: CommandPayload
    ) => Effect.Effect<
      Pick<CommandSetting, "location" | "sessionId"> & { readonly among: ReadonlyArray<CommandPayload> }
    >
    /**
     * The party that a command with that body is for, where the partner's platform has several: the owner of its location or session,
     * of those in `among`, those that the partner sent us and those on the first page of its list, or the party of its reservation, which
     * one of our `earlier` commands made. Undefined: none is known.
     */
    readonly recipient: (
      party: Party,
      body: CommandPayload,
      before: {
        readonly among: ReadonlyArray<CommandPayload>
        readonly earlier: Effect.Effect<ReadonlyArray<Exchange>>
      }
    ) => Effect.Effect<RoutedParty | undefined>
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
      const world = yield* Effect.context<OcpiClient | PartnerCalls | PartyStore>()

      /** Newest first. */
      const newest = Effect.fnUntraced(function* (party: Party, module: string) {
        const { total } = yield* store.objects(party.id, module, "received", { offset: 0, limit: 1 })
        if (total === 0) return []
        const page = { offset: Math.max(0, total - mostLookedAt), limit: mostLookedAt }
        const { items } = yield* store.objects(party.id, module, "received", page)
        return items.map(({ json }) => json).reverse()
      })

      /** Those on the first page of the partner's list; the exchange is recorded like every other. */
      const listed = traced("CommandTargets.listed")(
        function* (party: Party, module: "locations" | "sessions", recipient?: RoutedParty) {
          const since = dateTimeOf((yield* Clock.currentTimeMillis) - dayMillis)
          const { exchange } = yield* performCall(party, {
            module,
            interfaceRole: "SENDER",
            operation: "list",
            method: "GET",
            query: module === "sessions" ? { date_from: since } : {},
            ...(recipient === undefined ? {} : { recipient })
          })
          return objectsIn(objectIn(parseJson(exchange.response?.body ?? ""))["data"])
        },
        Effect.catchTag("NoEndpoint", () => Effect.succeed([])),
        Effect.provide(world)
      )

      const known = traced("CommandTargets.known")(function* (
        party: Party,
        module: "locations" | "sessions"
      ) {
        const sent = yield* newest(party, module)
        return sent.length > 0 ? sent : yield* listed(party, module)
      })

      /** Of a location that the caller names, what the partner sent us about it. */
      const places = (party: Party, given: CommandPayload) =>
        "location_id" in given
          ? Effect.map(store.receivedAs(party.id, "locations", textIn(given["location_id"]) ?? ""), (sent) =>
              sent.map(({ json }) => json).filter(({ id }) => sameId(id, given["location_id"]))
            )
          : known(party, "locations")

      const of = traced("CommandTargets.of")(function* (
        party: Party,
        command: CommandName,
        given: CommandPayload = {}
      ) {
        const wanted = wantedModule[command]
        const sessions = wanted === "sessions" && !("session_id" in given) ? yield* known(party, wanted) : []
        const session = sessions.find(({ status }) => status === "ACTIVE") ?? sessions[0]
        const locations = wanted === "locations" ? yield* places(party, given) : []
        return {
          location: locationOf(locations, command),
          sessionId: textIn(session?.["id"]) ?? "SESSION1",
          among: [...locations, ...sessions]
        }
      })

      const recipient = traced("CommandTargets.recipient")(function* (
        party: Party,
        body: CommandPayload,
        { among, earlier }: Parameters<CommandTargets["Type"]["recipient"]>[2]
      ) {
        if (!speaksForSeveral(party)) return undefined
        const seen = "reservation_id" in body ? yield* earlier : []
        const of: CommandPayload = { ...reservedWith(body, seen), ...body }
        const module = "session_id" in of ? "sessions" : "locations"
        const id = textIn(of["session_id"]) ?? textIn(of["location_id"])
        if (id === undefined) return undefined
        const named = (objects: ReadonlyArray<CommandPayload>) =>
          objects.filter((one) => sameId(one["id"], id))
        const sent = yield* store.receivedAs(party.id, module, id)
        const known = [...named(among), ...sent.map(({ json }) => json)]
        // The list of a platform is that of the party which is asked, and the list of a hub that of all.
        const lists = known.length > 0 ? [] : isBehindHub(party) ? [undefined] : partiesOfRole(party)
        let objects = known
        for (const one of lists) {
          if (objects.length === 0) objects = named(yield* listed(party, module, one))
        }
        return recipientOf(party, { ...commandCall, body: of }, () => [], objects)
      })

      const received = traced("CommandTargets.received")(function* (
        id: PartyId,
        marks: ReadonlyArray<ResultMark>
      ) {
        const exchanges = yield* store.exchangesById(
          id,
          marks.map(({ exchangeId }) => exchangeId)
        )
        const found = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
        return marks.flatMap(({ body, exchangeId, receivedAt }) => {
          const exchange = found.get(exchangeId)
          return exchange === undefined ? [] : [{ receivedAt, body, exchange }]
        })
      })

      return CommandTargets.of({ of, recipient, received })
    })
  )
}

/** A command, as far as its party depends on it. */
const commandCall = { module: "commands", interfaceRole: "RECEIVER", method: "POST" } as const

/** The location of the reservation that the body names, by the newest of these commands that has made it. */
function reservedWith(
  { reservation_id }: CommandPayload,
  earlier: ReadonlyArray<Exchange>
): { readonly location_id?: string } {
  for (const { request } of earlier) {
    const body = objectIn(parseJson(request.body ?? ""))
    const locationId = body["reservation_id"] === reservation_id ? textIn(body["location_id"]) : undefined
    if (locationId !== undefined) return { location_id: locationId }
  }
  return {}
}

/** What a command is about. */
const wantedModule: Partial<Readonly<Record<CommandName, "locations" | "sessions">>> = {
  START_SESSION: "locations",
  RESERVE_NOW: "locations",
  UNLOCK_CONNECTOR: "locations",
  STOP_SESSION: "sessions"
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
