/** Sends one OCPI command through a registered connection, and reads what came of it. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type {
  CommandAnswer,
  CommandDraft,
  CommandDraftRequest,
  CommandRequest,
  CommandView
} from "../../../schema/Command.ts"
import {
  type Conflict,
  Invalid,
  NotFound,
  type PlanRequired,
  type TooMany,
  Unsupported
} from "../../../schema/Errors.ts"
import { hourMillis } from "../../../schema/fields/durations.ts"
import { CommandId, partyOf } from "../../../schema/Ids.ts"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { newId } from "../../database/newId.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { noteTraffic } from "../../party/outbound/noteTraffic.ts"
import { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { CommandStore } from "../../store/rows/CommandStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import { CommandTargets } from "./CommandTargets.ts"
import { Connections, type Owned } from "./Connections.ts"
import { answerOf, noAnswerMessage, notesOn, standingOf, stateAfter, stateNow } from "./commandAnswer.ts"
import {
  type CommandSetting,
  checkPayload,
  defaultPayload,
  maxPayloadBytes,
  mergedPayload
} from "./commandPayload.ts"
import { commandSchema } from "./commandSchema.ts"
import { notRegistered } from "./notRegistered.ts"

/** Every exchange has ended by then, so a command that is still `sent` has lost its process. */
const exchangeMillis = 120_000

/** Among how many of the newest commands that of a reservation is sought. */
const mostLookedBack = 50

/** Sends and reads commands. */
export class Commands extends Context.Tag("services/Commands")<
  Commands,
  {
    /**
     * Sends one HTTP request, without retries and redirects. Any answer of the partner is a result; no answer is an
     * `Unsupported` whose message begins with `network:`. The command is stored before it is sent, so a later attempt of the
     * same request (IdempotentRequest.ts) sends nothing.
     */
    readonly send: (
      caller: Caller,
      request: CommandRequest
    ) => Effect.Effect<CommandAnswer, Invalid | NotFound | PlanRequired | TooMany | Unsupported | Conflict>
    readonly read: (caller: Caller, id: CommandId) => Effect.Effect<CommandView, NotFound>
    /** The command as `send` would fill it in now. Where the partner has sent us no objects, it is asked for a page of its own. */
    readonly draft: (
      caller: Caller,
      request: CommandDraftRequest
    ) => Effect.Effect<CommandDraft, NotFound | PlanRequired | Unsupported>
  }
>() {
  static readonly layer = Layer.effect(
    Commands,
    Effect.gen(function* () {
      const connections = yield* Connections
      const store = yield* CommandStore
      const parties = yield* PartyStore
      const calls = yield* PartnerCalls
      const client = yield* OcpiClient
      const targets = yield* CommandTargets
      const plans = yield* Plans
      const limits = yield* RateLimits
      const detached = yield* DetachedWork

      const send = traced("Commands.send")(function* (caller: Caller, request: CommandRequest) {
        const before = yield* alreadyMade("command", (id) => store.find(caller.ownerId, id))
        if (Option.isSome(before)) return yield* resultOf(before.value.commandId, before.value.exchange)
        const owned = yield* connections.owned(caller, request.connectionId)
        yield* plans.require(caller, "commands", owned.target)
        yield* limits.command(caller, request.connectionId)
        yield* checkTarget(owned, request, parties.tokens(owned.party.id))
        const commandId = CommandId.make(yield* idOf("command"))
        return yield* detached.run(carryOut(caller, owned, request, commandId))
      })

      const carryOut = Effect.fnUntraced(function* (
        caller: Caller,
        owned: Owned,
        request: CommandRequest,
        commandId: CommandId
      ) {
        const { party } = owned
        const profile = profileOf(party.version)
        const sentAt = yield* Clock.currentTimeMillis
        const createdAt = new Date(sentAt).toISOString()
        const responseUrl = yield* calls.expectResult(party, request.command, commandId)
        const { among, ...known } = yield* targets.of(party, request.command, request.payload)
        const base =
          request.validate === false && request.payload !== undefined
            ? {}
            : defaultPayload(request.command, settingOf(party, sentAt, known))
        const body = mergedPayload(base, request.payload, responseUrl)
        if (Buffer.byteLength(JSON.stringify(body)) > maxPayloadBytes) {
          return yield* new Invalid({
            message: `payload: expected at most ${maxPayloadBytes} bytes as JSON`
          })
        }
        const wrong = request.validate === false ? undefined : checkPayload(profile, request.command, body)
        if (wrong !== undefined) return yield* wrong

        const earlier = Effect.map(
          store.list(caller.ownerId, request.connectionId, { limit: mostLookedBack }),
          (rows) => rows.flatMap(({ exchange }) => exchange ?? [])
        )
        const recipient = yield* targets.recipient(party, body, { among, earlier })
        const asking = {
          module: "commands",
          interfaceRole: "RECEIVER",
          operation: request.command,
          method: "POST",
          path: [request.command],
          body,
          ...(recipient === undefined ? {} : { recipient }),
          exchangeId: yield* newId("exchange")
        } as const
        const call = yield* calls
          .prepare(party, asking)
          .pipe(Effect.mapError(({ message }) => new Unsupported({ message: `unsupported: ${message}` })))
        yield* store.insert({
          commandId,
          ownerId: caller.ownerId,
          connectionId: request.connectionId,
          command: request.command,
          state: "sent",
          exchange: client.intent(call, createdAt),
          deadline: null,
          createdAt
        })
        const answer = yield* client.exchange(call)
        const { exchange } = answer
        const { resultSeconds, state } = stateAfter(exchange, profile)
        const now = yield* Clock.currentTimeMillis
        const deadline = resultSeconds === null ? null : new Date(now + resultSeconds * 1000).toISOString()
        yield* parties.record(party.id, exchange)
        const kept = yield* store.update(caller.ownerId, commandId, { state, exchange, deadline })
        yield* Effect.provideService(noteTraffic(party, asking, answer), PartyStore, parties)
        // Answer with the stored exchange, in which every token of the connection is replaced.
        return yield* resultOf(
          commandId,
          Option.match(kept, { onNone: () => null, onSome: (row) => row.exchange })
        )
      })

      const draft = traced("Commands.draft")(function* (caller: Caller, request: CommandDraftRequest) {
        const { command } = request
        const owned = yield* connections.owned(caller, request.connectionId)
        yield* plans.require(caller, "commands", owned.target)
        yield* checkTarget(owned, request, parties.tokens(owned.party.id))
        const { party } = owned
        const { among: _, ...known } = yield* targets.of(party, command)
        const now = yield* Clock.currentTimeMillis
        return {
          command,
          payload: defaultPayload(command, settingOf(party, now, known)),
          schema: commandSchema(profileOf(party.version), command)
        } satisfies CommandDraft
      })

      const read = traced("Commands.read")(function* (caller: Caller, id: CommandId) {
        const row = yield* Effect.flatten(store.find(caller.ownerId, id)).pipe(
          Effect.mapError(
            () => new NotFound({ message: "There is no such command among those of this key's owner" })
          )
        )
        const party = partyOf(row.connectionId)
        const received = yield* targets.received(party, yield* calls.results(party, id))
        // A deleted connection has no party, hence no version to check the results against.
        const profile = Option.map(yield* parties.find(party), ({ version }) => profileOf(version))
        const standing = standingOf(received, row.deadline)
        const results = standing.map((result) => ({
          ...result,
          notes: Option.match(profile, { onNone: () => [], onSome: (known) => notesOn(result, known) })
        }))
        const notes =
          row.exchange === null || row.state === "sent" || Option.isNone(profile)
            ? []
            : stateAfter(row.exchange, profile.value).notes
        const state = stateNow(row, standing, yield* Clock.currentTimeMillis, exchangeMillis)
        const { command, connectionId, createdAt, deadline, exchange } = row
        return {
          commandId: id,
          connectionId,
          command,
          state,
          exchange,
          results,
          deadline,
          createdAt,
          notes
        }
      })

      return Commands.of({ send, read, draft })
    })
  )
}

function settingOf(
  party: Party,
  now: number,
  known: Pick<CommandSetting, "location" | "sessionId">
): CommandSetting {
  return {
    profile: profileOf(party.version),
    party,
    now: dateTimeOf(now),
    inAnHour: dateTimeOf(now + hourMillis),
    ...known
  }
}

function resultOf(
  commandId: CommandId,
  exchange: CommandView["exchange"]
): Effect.Effect<CommandAnswer, Unsupported> {
  const answer = exchange === null ? undefined : answerOf(exchange)
  if (answer !== undefined) return Effect.succeed({ ...answer, commandId })
  const message =
    exchange === null || exchange.outcome === "unknown"
      ? `network: the answer was lost on our side; the outcome is kept as unknown at /testing/commands/${commandId}`
      : noAnswerMessage(exchange, commandId)
  return new Unsupported({ message })
}

/** `tokens`: of the party; read only where the connection is not registered. */
function checkTarget(
  { party, row, view }: Owned,
  { command }: CommandRequest,
  tokens: Effect.Effect<ReadonlyArray<PartyToken>>
): Effect.Effect<void, Unsupported> {
  const no = (message: string) => new Unsupported({ message })
  const profile = profileOf(party.version)
  if (row.ourRole !== "EMSP") {
    return no(`Commands go from an EMSP to a CPO; on this connection we are ${row.ourRole}`)
  }
  if (view.hubClients !== undefined) {
    return no("We are a hub in this connection, and have no drivers: make a connection without hub")
  }
  if (row.environment === "production") {
    return no("The connection is marked production, which is read-only: commands are withheld")
  }
  if (!profile.commands.includes(command)) {
    return no(`unsupported: OCPI ${profile.version} has no ${command}; it has ${profile.commands.join(", ")}`)
  }
  if (view.status !== "registered") {
    return Effect.flatMap(tokens, (known) => no(notRegistered(view, known)))
  }
  const offered = view.endpoints.some(
    ({ identifier, role }) => identifier === "commands" && (role === null || role === "RECEIVER")
  )
  return offered ? Effect.void : no("unsupported: the partner offers no commands module as RECEIVER")
}
