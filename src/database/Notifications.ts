/**
 * Notifications between the processes on one database, by LISTEN and NOTIFY. They carry ids only and can be lost: a subscriber
 * reads the rows, and polls them at a slow pace as well.
 */
import { Clock, Context, Effect, Layer, PubSub, type Queue, type Scope } from "effect"
import type { PartyId, RunId } from "../../schema/Ids.ts"
import { Database } from "./Database.ts"
import { listenForever } from "./listener.ts"

/** One topic: ids of rows that changed. */
export interface Channel<Id extends string> {
  /** Notifies the other processes, within about 20 ms; never fails, and is lost while the database is away. */
  readonly publish: (id: Id) => Effect.Effect<void>
  /**
   * What other processes publish from now on. null: the connection was lost, and notifications with it, so look at every row.
   * A subscriber that is 4096 ids behind loses the oldest.
   */
  readonly subscribe: Effect.Effect<Queue.Dequeue<Id | null>, never, Scope.Scope>
}

/** All ids of this time go out in one statement: Postgres serialises the commits of all transactions with a NOTIFY. */
const gatherMillis = 20
/** Postgres takes payloads below 8000 bytes. */
const payloadBytes = 7500
const channelName = "plugfest"
/** Ids kept for a subscriber that is behind. */
const capacity = 4096

/** How long an answer of `alone` counts. A process that has just come polls, until it is known. */
const aloneMillis = 500

/** The id of this process, and whether other processes share its database. */
export interface NotificationsOptions<R> {
  /** An id of this process, e.g. random, by which it ignores its own notifications. */
  readonly self: string
  /**
   * Is this process alone on its database? Then only those notifications are sent which a process that has just started must
   * get. Default: never alone.
   */
  readonly alone?: Effect.Effect<boolean, never, R>
}

/** The topics of this service. */
export class Notifications extends Context.Tag("database/Notifications")<
  Notifications,
  {
    /** Runs that have new lines. */
    readonly run: Channel<RunId>
    /** Parties that were called. */
    readonly party: Channel<PartyId>
    /** Runs that are to stop, published by a process that does not hold them. */
    readonly stop: Channel<RunId>
  }
>() {
  /** One connection listens. */
  static readonly layer = <R = never>({
    alone,
    self
  }: NotificationsOptions<R>): Layer.Layer<Notifications, never, Database | Exclude<R, Scope.Scope>> =>
    Layer.scoped(
      Notifications,
      Effect.gen(function* () {
        const database = yield* Database
        const hubs = {
          run: yield* PubSub.sliding<RunId | null>(capacity),
          party: yield* PubSub.sliding<PartyId | null>(capacity),
          stop: yield* PubSub.sliding<RunId | null>(capacity)
        }
        let gathered = new Map<string, Set<string>>()
        let wake: (() => void) | undefined

        const clock = Clock.make() // between processes time is real, under a test's clock too
        const isAlone = yield* Effect.map(Effect.context<R>(), (context) =>
          Effect.provide(alone ?? Effect.succeed(false), context).pipe(
            Effect.catchAllCause(() => Effect.succeed(false))
          )
        )
        let aloneUntil = 0

        const publish = (topic: keyof typeof hubs) => (id: string) =>
          Effect.sync(() => {
            if (topic !== "stop" && clock.unsafeCurrentTimeMillis() < aloneUntil) return
            const ids = gathered.get(topic)
            if (ids === undefined) gathered.set(topic, new Set([id]))
            else ids.add(id)
            wake?.()
            wake = undefined
          })
        const someGathered = Effect.async<void>((resume) => {
          if (gathered.size > 0) resume(Effect.void)
          else wake = () => resume(Effect.void)
        })
        const send = Effect.gen(function* () {
          if (yield* isAlone) {
            aloneUntil = clock.unsafeCurrentTimeMillis() + aloneMillis
            gathered.delete("run")
            gathered.delete("party")
          }
          const payloads = payloadsOf(self, gathered)
          gathered = new Map()
          if (payloads.length === 0) return
          yield* database.attempt({
            name: "notifications-send",
            // `notify` itself takes no parameters.
            text: "SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload",
            values: [channelName, payloads]
          })
        })
        yield* someGathered.pipe(
          Effect.zipRight(Effect.sleep(gatherMillis)),
          Effect.zipRight(Effect.ignore(send)),
          Effect.forever,
          Effect.withClock(clock),
          Effect.forkScoped
        )

        const receive = (payload: string | null) => {
          if (payload === null)
            return Effect.all([
              PubSub.publish(hubs.run, null),
              PubSub.publish(hubs.party, null),
              PubSub.publish(hubs.stop, null)
            ])
          const [from, topic, ids] = payload.split(" ")
          // A newer release may publish topics that this one does not know.
          const hub = (hubs as Readonly<Record<string, PubSub.PubSub<string | null>>>)[topic ?? ""]
          return from === self || hub === undefined || ids === undefined
            ? Effect.void
            : PubSub.publishAll(hub, ids.split(","))
        }
        yield* Effect.forkScoped(listenForever(database.connection, channelName, receive))
        return Notifications.of({
          run: { publish: publish("run"), subscribe: PubSub.subscribe(hubs.run) },
          party: { publish: publish("party"), subscribe: PubSub.subscribe(hubs.party) },
          stop: { publish: publish("stop"), subscribe: PubSub.subscribe(hubs.stop) }
        })
      })
    )
}

/** `<self> <topic> <id>,<id>…`, in as few payloads as they fit. */
function payloadsOf(self: string, gathered: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> {
  const payloads: Array<string> = []
  for (const [topic, ids] of gathered) {
    const head = `${self} ${topic} `
    let text = ""
    for (const id of ids) {
      if (text !== "" && head.length + text.length + id.length >= payloadBytes) {
        payloads.push(head + text)
        text = ""
      }
      text += text === "" ? id : `,${id}`
    }
    payloads.push(head + text)
  }
  return payloads
}
