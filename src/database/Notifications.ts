/**
 * What the processes on one database tell each other: which runs have new lines, which parties were called, which runs
 * somebody wants to stop. Only wake-ups, by LISTEN and NOTIFY: whoever acts on one reads the rows, and looks by itself now and then, because a
 * wake-up may be lost.
 */
import { Clock, Context, Effect, Layer, PubSub } from "effect"
import type { PartyId, RunId } from "../../schema/Ids.ts"
import { Database } from "./Database.ts"
import { listenForever } from "./listener.ts"

/** One subject: ids that others may look at. */
export interface Channel<Id extends string> {
  /** Tells the other processes, within about 20 ms; while the database is away it is not told at all. */
  readonly say: (id: Id) => Effect.Effect<void>
  /** What other processes said, from now on. null: we were deaf for a while, so look at everything. Sliding. */
  readonly heard: PubSub.PubSub<Id | null>
}

/** All that was said meanwhile goes out in one statement: NOTIFY takes turns with the commits of all processes. */
const gatherMillis = 20
/** Postgres takes payloads below 8000 bytes. */
const payloadBytes = 7500
const channelName = "plugfest"
/** Kept for a reader who is behind. */
const remembered = 4096

export class Signals extends Context.Tag("database/Signals")<
  Signals,
  {
    /** Runs that have new lines. */
    readonly run: Channel<RunId>
    /** Parties that were called. */
    readonly party: Channel<PartyId>
    /** Runs that are to stop, said by a process that does not hold them. */
    readonly stop: Channel<RunId>
  }
>() {
  /** `self` tells our own voice from the others', e.g. a random id made at boot. One connection listens. */
  static readonly layer = ({ self }: { readonly self: string }): Layer.Layer<Signals, never, Database> =>
    Layer.scoped(
      Signals,
      Effect.gen(function* () {
        const database = yield* Database
        const hubs = {
          run: yield* PubSub.sliding<RunId | null>(remembered),
          party: yield* PubSub.sliding<PartyId | null>(remembered),
          stop: yield* PubSub.sliding<RunId | null>(remembered)
        }
        let gathered = new Map<string, Set<string>>()
        let wake: (() => void) | undefined

        const say = (topic: keyof typeof hubs) => (id: string) =>
          Effect.sync(() => {
            const ids = gathered.get(topic)
            if (ids === undefined) gathered.set(topic, new Set([id]))
            else ids.add(id)
            wake?.()
            wake = undefined
          })
        const something = Effect.async<void>((resume) => {
          if (gathered.size > 0) resume(Effect.void)
          else wake = () => resume(Effect.void)
        })
        const tell = Effect.suspend(() => {
          const payloads = payloadsOf(self, gathered)
          gathered = new Map()
          return database.attempt({
            name: "signals-tell",
            // `notify` itself takes no parameters.
            text: "SELECT pg_notify($1, payload) FROM unnest($2::text[]) payload",
            values: [channelName, payloads]
          })
        })
        yield* something.pipe(
          Effect.zipRight(Effect.sleep(gatherMillis)),
          Effect.zipRight(Effect.ignore(tell)),
          Effect.forever,
          Effect.withClock(Clock.make()), // between processes time is real, under a test's clock too
          Effect.forkScoped
        )

        const hear = (payload: string | null) => {
          if (payload === null)
            return Effect.all([
              PubSub.publish(hubs.run, null),
              PubSub.publish(hubs.party, null),
              PubSub.publish(hubs.stop, null)
            ])
          const [from, topic, ids] = payload.split(" ")
          // Ids of that topic, said by a process like this one; a newer release may speak of more than we know.
          const hub = (hubs as Readonly<Record<string, PubSub.PubSub<string | null>>>)[topic ?? ""]
          return from === self || hub === undefined || ids === undefined
            ? Effect.void
            : PubSub.publishAll(hub, ids.split(","))
        }
        yield* Effect.forkScoped(listenForever(database.connection, channelName, hear))
        return Signals.of({
          run: { say: say("run"), heard: hubs.run },
          party: { say: say("party"), heard: hubs.party },
          stop: { say: say("stop"), heard: hubs.stop }
        })
      })
    )
}

/** `<self> <topic> <id>,<id>…`: as few payloads as hold them. */
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
