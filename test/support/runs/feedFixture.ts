/** A feed on a ledger, beside another process on the same store. */
import type { Readable } from "node:stream"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, PubSub, Ref, type Scope } from "effect"
import { createParser } from "eventsource-parser"
import type { RunId } from "../../../schema/Ids.ts"
import { Feed, type FeedOptions } from "../../../src/ledger/feed/feed.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"
import { PlacementMemory } from "../../../src/placement/PlacementMemory.ts"
import { draft } from "./sampleRun.ts"

export interface Fixture {
  readonly feed: Feed["Type"]
  readonly ledger: Ledger["Type"]
  /** Another process on the same store: its commits wake nobody here. */
  readonly elsewhere: Ledger["Type"]
  /** Says that another process has written, as its signal would. */
  readonly wake: (runId: RunId | null) => Effect.Effect<unknown>
  /** Pages that the feed has asked its ledger for; each took a while. */
  readonly pagesRead: Ref.Ref<number>
}

/** Two processes on one store. */
export type TwoLedgers = Effect.Effect<
  { readonly here: Ledger["Type"]; readonly elsewhere: Ledger["Type"] },
  never,
  Scope.Scope
>

/** Two processes on one store in memory. */
export const inMemory: TwoLedgers = Effect.suspend(() => {
  const store = memoryStore()
  const open = Effect.map(Layer.build(LedgerMemory.layer({ store })), (context) =>
    Context.get(context, Ledger)
  )
  return Effect.all({ here: open, elsewhere: open })
})

const fixture = (two: TwoLedgers, options: FeedOptions): Effect.Effect<Fixture, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { elsewhere, here } = yield* two
    const wakes = yield* PubSub.unbounded<RunId | null>()
    const pagesRead = yield* Ref.make(0)
    const ledger: Ledger["Type"] = {
      ...here,
      wakes: PubSub.subscribe(wakes),
      page: (...wanted) =>
        Ref.update(pagesRead, (n) => n + 1).pipe(
          Effect.zipRight(here.page(...wanted)),
          Effect.zipLeft(Effect.sleep("1 millis"))
        )
    }
    const feed = yield* feedOn(ledger, options)
    return { feed, ledger, elsewhere, wake: (runId) => PubSub.publish(wakes, runId), pagesRead }
  })

/** The feed of a process with this ledger. */
export const feedOn = (ledger: Ledger["Type"], options?: FeedOptions) =>
  Feed.layer(options).pipe(
    Layer.provide(RunLogsLive.layer({ leaseSeconds: 15 })),
    Layer.provide(Layer.merge(Layer.succeed(Ledger, ledger), PlacementMemory.layer())),
    Layer.build,
    Effect.map((context) => Context.get(context, Feed))
  )

/** Defines tests in real time, each on a feed of its own. */
export const liveOn =
  (two: TwoLedgers) =>
  (
    title: string,
    body: (fixture: Fixture) => Effect.Effect<void, unknown, Scope.Scope>,
    options: FeedOptions = {}
  ) =>
    it.scopedLive(title, () => Effect.flatMap(fixture(two, options), body))

/** The same, in memory. */
export const live = liveOn(inMemory)

/** Reads a stream to its end, or until `bytes` came; answers the text. */
export const read = (stream: Readable, bytes = Number.POSITIVE_INFINITY) =>
  Effect.async<string>((resume) => {
    let text = ""
    const done = () => resume(Effect.succeed(text))
    stream.on("data", (chunk: Buffer) => {
      const room = bytes - Buffer.byteLength(text)
      text += chunk.subarray(0, room).toString("latin1")
      if (chunk.length >= room) {
        stream.destroy()
        done()
      }
    })
    stream.on("end", done)
    stream.on("close", done)
  })

/** Ids of the frames that came whole. */
export const idsIn = (text: string) => {
  const ids: Array<number> = []
  createParser({ onEvent: ({ id }) => ids.push(Number(id)) }).feed(text)
  return ids
}

export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)
export const inbound = (key: number) =>
  draft("inbound.received", { key: `${key}`, data: { text: "x".repeat(key % 400) } })
