/** Registers a stranger with a plugfest of its own, over real sockets, and runs suites and journeys against it. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Either, Layer, Option, Redacted, Runtime, Schedule, type Scope } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import { OwnerId, type RunId } from "../../schema/Ids.ts"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import { SuiteRuns } from "../../src/conformance/run/SuiteRuns.ts"
import { JourneyRuns } from "../../src/journeys/JourneyRuns.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../src/party/Parties.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { honest, PartnerQuirks } from "../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../src/party/wire/Request.ts"
import { clientsOf } from "../../src/services/connections/newConnection.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { partyWith, tokenOf } from "../support/parties/parties.ts"
import { ledgerInMemory } from "../support/runs/ledgerInMemory.ts"
import type { Drawn } from "./draw.ts"
import type { Bend } from "./partner/Bend.ts"
import { type Stranger, type StrangerOptions, startStranger } from "./partner/Stranger.ts"
import type { StrangerWorld } from "./partner/StrangerWorld.ts"
import { quietClock } from "./quietClock.ts"

const owner = OwnerId.make("own_1")
const everyNeed = ["partner_acts", "partner_data", "second_registration", "risk"] as const

/** What came of a meeting. */
export interface Met {
  /** The registration failed, or a run did not end. */
  readonly broken?: string
  readonly assertions: ReadonlyArray<Assertion>
  readonly events: ReadonlyArray<LedgerEvent>
}

/** What would be a false alarm: of a partner that keeps every rule, nothing of this may be said. */
export const faultsOf = ({ assertions }: Met): ReadonlyArray<string> =>
  assertions
    .filter(
      ({ outcome, strength }) =>
        outcome === "failed" || outcome === "error" || (outcome === "warned" && strength === "must")
    )
    .map(
      ({ actual, expected, id, message, outcome, reason }) =>
        `${id} ${outcome}: ${message ?? reason} (expected ${expected ?? "-"}, saw ${actual ?? "-"})`
    )

/**
 * What is ordered. `registration` registers by itself; the suites of a module also have the checks that may end the
 * registration; in `hub` we are a hub with two parties behind it.
 */
export interface MeetingOrder {
  /** The suite `registration` has an invitation of ours, and the stranger registers by it while the run goes on. */
  readonly invited?: boolean
  /** What the stranger does wrong begins with the registration, not after it. */
  readonly early?: boolean
  readonly part: "core" | "full" | "registration" | "credentials" | "transport" | "locations" | "cdrs" | "hub"
  readonly listenSeconds?: number
  /** People act on what the run tells the stranger of: drivers of an EMSP, card holders at a CPO; what needs them is ordered. */
  readonly hasDrivers?: boolean
}

/** A journey, or a pack of them. */
export interface JourneyOrder {
  readonly templateId: string
  readonly inputs?: Readonly<Record<string, unknown>>
  /** People act on what the run tells the stranger of: drivers of an EMSP, card holders at a CPO. */
  readonly hasDrivers?: boolean
  /** The stranger renews its credentials a few seconds after the run has begun. */
  readonly renews?: boolean
}

/** Seconds of real time after which a meeting is given up: many times what one takes on a busy machine. */
const patienceSeconds = 300

/**
 * Runs that suite in the strict profile; `bend`: what the stranger does wrong. What has not ended after so many seconds of real
 * time is left behind.
 */
export const meet = (
  drawn: Drawn,
  suite: MeetingOrder["part"] | MeetingOrder,
  bend?: Bend,
  withinSeconds = patienceSeconds
): Promise<Met> => {
  const order = typeof suite === "string" ? { part: suite } : suite
  return meeting(withinSeconds, (door, world) => registeredAndRun(drawn, order, bend, door, world))
}

/** Plays that journey, once the stranger is registered; `bend`: what it does wrong from then on. */
export const meetInJourney = (
  drawn: Drawn,
  journey: JourneyOrder,
  bend?: Bend,
  withinSeconds = patienceSeconds
): Promise<Met> =>
  meeting(withinSeconds, (door, world) =>
    Effect.gen(function* () {
      const { hasDrivers = false } = journey
      const stranger = yield* started({ ...drawn, world, hasDrivers }, door)
      const ours = partyOf(drawn, stranger.versionsUrl)
      const failed = yield* registered(ours, drawn, stranger)
      if (failed !== undefined) return broken(failed)
      stranger.bend(bend)
      if (journey.renews === true)
        yield* Effect.promise(() => stranger.renew()).pipe(Effect.delay("5 seconds"), Effect.forkScoped)
      return yield* played(ours, journey)
    })
  )

/** What is done within a plugfest and a world of its own. */
const meeting = (
  withinSeconds: number,
  play: (door: Door, world: StrangerWorld) => Effect.Effect<Met, unknown, PlugfestWorld | Scope.Scope>
): Promise<Met> => {
  const { clock, stop, world } = quietClock(Date.parse("2026-06-01T12:00:00.000Z"))
  return Effect.runPromise(
    Effect.gen(function* () {
      const door = yield* Effect.acquireRelease(
        Effect.promise(() => openDoor(world)),
        ({ close }) => Effect.sync(close)
      )
      return yield* play(door, world).pipe(Effect.provide(layersOf(door.url, world)))
    }).pipe(
      Effect.scoped,
      Effect.withClock(clock),
      Effect.disconnect,
      Effect.raceFirst(gaveUp(withinSeconds)),
      Effect.ensuring(Effect.sync(stop))
    )
  )
}

/** By the real clock: that of the meeting may be what stands still. */
const gaveUp = (seconds: number) =>
  Effect.async<Met>((resume) => {
    const met: Met = { broken: `it did not end within ${seconds} s`, assertions: [], events: [] }
    const timer = setTimeout(() => resume(Effect.succeed(met)), seconds * 1000)
    return Effect.sync(() => clearTimeout(timer))
  })

const registeredAndRun = (
  drawn: Drawn,
  { early = false, hasDrivers = false, invited = false, listenSeconds = 0, part }: MeetingOrder,
  bend: Bend | undefined,
  door: Door,
  world: StrangerWorld
) =>
  Effect.gen(function* () {
    const { role, version } = drawn
    const stranger = yield* started(
      { ...drawn, world, hasDrivers, bend: early || part === "registration" ? bend : undefined },
      door
    )
    const store = yield* PartyStore
    const fresh = partyOf(drawn, stranger.versionsUrl)
    const ours = part === "hub" ? { ...fresh, hub: { clients: clientsOf(fresh.identity) } } : fresh
    if (part === "registration" && invited) {
      yield* store.insert(ours, [])
      const { token, versionsUrl } = Option.getOrThrow(yield* (yield* Handshake).invite(ours.id))
      // Tries until it is registered, as a person who watches the run does.
      yield* Effect.promise(() => stranger.register(versionsUrl, Redacted.value(token))).pipe(
        Effect.delay("5 seconds"),
        Effect.repeat({ until: (failed) => failed === undefined, schedule: Schedule.spaced("20 seconds") }),
        Effect.forkScoped
      )
    } else if (part === "registration") {
      yield* store.insert(ours, [tokenOf("outbound", "tokenA", stranger.invite())])
    } else {
      const failed = yield* registered(ours, drawn, stranger)
      if (failed !== undefined) return broken(failed)
    }
    stranger.bend(bend)
    const runs = yield* SuiteRuns
    const { facts } = yield* runs.start({
      ownerId: owner,
      partyId: ours.id,
      connectionLabel: "stranger",
      environment: "test",
      suiteId: `ocpi-${version}-${role.toLowerCase()}-${part}`,
      profile: "strict",
      listenSeconds,
      ...(part === "credentials" || part === "transport" ? { needs: everyNeed } : {}),
      ...(hasDrivers ? { needs: ["partner_acts", "partner_data"] } : {})
    })
    return yield* ended(facts.runId)
  })

/** The stranger, which reaches the plugfest through that door. */
const started = (options: StrangerOptions, door: Door) =>
  Effect.gen(function* () {
    const parties = yield* Parties
    const runtime = yield* Effect.runtime<never>()
    door.serve((request) => Runtime.runPromise(runtime)(parties.serve({ kind: "connection" }, request)))
    return yield* Effect.acquireRelease(
      Effect.promise(() => startStranger(options)),
      (made) => Effect.sync(() => made.close())
    )
  })

/** Our side, before it is registered. */
const partyOf = ({ role, version }: Drawn, versionsUrl: string): Party => {
  const fresh = partyWith({ id: "conn_1", role: role === "CPO" ? "EMSP" : "CPO", version }, false)
  return { ...fresh, counterpart: { ...fresh.counterpart, versionsUrl } }
}

/** Registers, as the stranger likes it; the reason when that failed. */
const registered = (ours: Party, { freedoms }: Drawn, stranger: Stranger) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const handshake = yield* Handshake
    if (freedoms.initiative === "ours") {
      yield* store.insert(ours, [tokenOf("outbound", "tokenA", stranger.invite())])
      const result = yield* handshake.run(ours.id)
      return result.ok ? undefined : `handshake: ${JSON.stringify(result)}`
    }
    yield* store.insert(ours, [])
    const { token, versionsUrl } = Option.getOrThrow(yield* handshake.invite(ours.id))
    const failed = yield* Effect.promise(() => stranger.register(versionsUrl, Redacted.value(token)))
    return failed === undefined ? undefined : `registration by the partner: ${failed}`
  })

const played = (ours: Party, { inputs = {}, templateId }: JourneyOrder) =>
  Effect.gen(function* () {
    const started = yield* (yield* JourneyRuns)
      .start({ ownerId: owner, partyId: ours.id, connectionLabel: "stranger", templateId, inputs })
      .pipe(Effect.either)
    return Either.isRight(started)
      ? yield* ended(started.right.facts.runId)
      : broken(`not started: ${JSON.stringify(started.left)}`)
  })

const broken = (reason: string): Met => ({ broken: reason, assertions: [], events: [] })

/** What the run says when it has ended. */
const ended = (runId: RunId) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    for (let looks = 0; looks < 1200; looks += 1) {
      const row = Option.getOrThrow(yield* ledger.run(owner, runId))
      if (row.snapshot.view.machine.tags.includes("terminal")) {
        const events = (yield* ledger.page(runId, 0, 5000)).map(({ line }) => JSON.parse(line) as LedgerEvent)
        return { events, assertions: events.flatMap(({ assertions }) => assertions) } satisfies Met
      }
      yield* Effect.sleep("5 seconds")
    }
    return broken("the run did not end within 100 minutes")
  })

type PlugfestWorld = Layer.Layer.Success<ReturnType<typeof layersOf>>

const layersOf = (publicUrl: string, world: StrangerWorld) => {
  const real = OcpiClient.layer().pipe(
    Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
  )
  /** The clock stands still while a request or its answer is under way. */
  const client = Layer.effect(
    OcpiClient,
    Effect.map(OcpiClient, (inner) => ({
      ...inner,
      exchange: (call) =>
        Effect.acquireUseRelease(
          Effect.sync(() => world.sent(call.requestId, call.url)),
          () => inner.exchange(call),
          () => Effect.sync(() => world.arrived(call.requestId))
        )
    }))
  ).pipe(Layer.provide(real))
  const base = Layer.mergeAll(
    Layer.succeed(PartnerQuirks, PartnerQuirks.of({ of: () => honest })),
    PartnerCalls.layer({ publicUrl, sandbox: true }),
    client,
    ledgerInMemory()
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  const runs = Layer.merge(
    SuiteRuns.layer({ graceSeconds: 1, trustedPrefixes: [`${publicUrl}/`], maxMinutes: 90 }),
    JourneyRuns.layer({ leaseSeconds: 15, publicUrl })
  )
  return runs.pipe(
    Layer.provideMerge(Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl }))),
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

interface Door {
  readonly url: string
  readonly serve: (handle: (request: OcpiRequest) => Promise<OcpiReply>) => void
  readonly close: () => void
}

/** Our side, where strangers call. */
const openDoor = async (world: StrangerWorld): Promise<Door> => {
  let handle: (request: OcpiRequest) => Promise<OcpiReply> = () => Promise.reject(new Error("not open yet"))
  const server: Server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Array<Buffer> = []
      for await (const chunk of incoming) chunks.push(chunk as Buffer)
      const id = String(incoming.headers["traceparent"])
      const url = new URL(incoming.url ?? "/", address())
      const headers = Object.entries(incoming.headers)
        .filter(([name]) => name !== "traceparent")
        .map(([name, value]) => [name, String(value)])
      world.arrived(id)
      const reply = await handle({
        method: incoming.method ?? "GET",
        path: url.pathname
          .replace(/^\/ocpi\//, "")
          .split("/")
          .map(decodeURIComponent),
        query: url.searchParams,
        headers: Object.fromEntries(headers),
        headerNames: incoming.rawHeaders.filter((_, index) => index % 2 === 0),
        body: Buffer.concat(chunks).toString("utf8"),
        url: url.href,
        receivedAt: new Date(world.now()).toISOString()
      })
      world.sent(id)
      outgoing.writeHead(reply.httpStatus, reply.headers)
      outgoing.end(reply.body ?? "")
    })()
  })
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: address(),
    serve: (given) => {
      handle = given
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
