/**
 * A suite run against a sandbox partner without sockets and without waiting: requests of either side are answered in
 * memory, and when nobody has anything to do the clock jumps to the next moment that somebody sleeps for.
 */
import { assert } from "@effect/vitest"
import { Clock, Effect, Layer, Option, Redacted, type Scope } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { Need } from "../../../schema/Need.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import type { SandboxActivity } from "../../../schema/Sandbox.ts"
import { SuiteRuns } from "../../../src/conformance/run/SuiteRuns.ts"
import { objectIn } from "../../../src/findings/json.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { reportOf } from "../../../src/ledger/run/runReport.ts"
import { type OcpiCall, OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { scrubExchange } from "../../../src/ocpi/Scrubber.ts"
import { authorizationValue } from "../../../src/ocpi/tokens.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import type { OcpiReply, Root } from "../../../src/party/wire/Request.ts"
import { Sandbox } from "../../../src/sandbox/Sandbox.ts"
import { sandboxQuirks } from "../../../src/sandbox/SandboxQuirks.ts"
import { seedObjects } from "../../../src/sandbox/seed/seedObjects.ts"
import { clientsOf } from "../../../src/services/connections/newConnection.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { jumpingClock } from "../jumpingClock.ts"
import type { SentRequest } from "../requestLint.ts"
import { ledgerInMemory } from "../runs/ledgerInMemory.ts"
import { partyWith, tokenOf } from "./parties.ts"
import { type CallBack, type PlainPartner, plainTokenA, plainUrl } from "./plainEmsp.ts"

const publicUrl = "https://us.example"
const owner = OwnerId.make("own_1")

export interface Scene {
  readonly version: OcpiVersion
  /** Of the partner under test. */
  readonly role: Role
  /** They begin after the handshake. */
  readonly faults?: ReadonlyArray<string>
  /** Checks to grade; absent: all of `modules`, or of the suite. */
  readonly checks?: ReadonlyArray<string>
  readonly modules?: ReadonlyArray<string>
  readonly listenSeconds?: number
  /** What the verdict is to be about; absent: everything. */
  readonly needs?: ReadonlyArray<Need>
  /** What the partner does of its own accord; quiet when absent. */
  readonly activity?: SandboxActivity
  /** How many times faster than real time charges and reservations go at the partner; the sandbox's default when absent. */
  readonly speed?: number
  /** The run is the first registration itself: there is no handshake before it, and the faults are there at once. */
  readonly first?: boolean
  /** Nobody is registered: the partner has our Token A, and may begin (`first` goes without saying). */
  readonly invited?: boolean
  /** We are a hub, and the run is its suite. */
  readonly hub?: boolean
  /** Our side holds nothing before the run, as a connection to a partner that is not of the sandbox. */
  readonly isBare?: boolean
  /** From the beginning of the run on no call of the partner reaches us, or none but results of commands. */
  readonly isSilent?: boolean | "except results"
  /** Changes each call of the partner to us, from the beginning of the run. */
  readonly calls?: (call: OcpiCall) => OcpiCall
  /** What becomes of a request to the partner, from the beginning of the run; undefined: it is answered. */
  readonly trouble?: () => (call: OcpiCall) => Trouble | undefined
  /** A second EMSP of ours is registered at the same operator, and the run may use it. */
  readonly second?: boolean
  /** Instead of a sandbox partner: one that shares no code with it. Its URLs begin with `plainUrl`. */
  readonly plain?: PlainPartner
  /** Takes every request that we send to the partner during the run. */
  readonly sent?: Array<SentRequest>
  /** What goes on at the partner: before the run begins, and from its beginning on. */
  readonly before?: Happening
  readonly meanwhile?: Happening
}

/**
 * It is never answered, the connection breaks before the answer, a gateway says that the service is down, or the partner answers
 * that, whatever it was asked.
 */
export type Trouble = "hangs" | "breaks" | "is down" | FixedAnswer

/** An answer in the form of OCPI. Its request ids are those of the request. */
export interface FixedAnswer {
  readonly httpStatus: number
  readonly statusCode: number
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Happening = (pair: {
  readonly ours: Party
  readonly partner: Party
}) => Effect.Effect<unknown, unknown, QuickWorld | Scope.Scope>

export type QuickWorld = Layer.Layer.Success<ReturnType<typeof worldOf>>

/** The assertions of a run in the strict profile, its report every five seconds, and how it has left our side. */
export const gradedQuickly = (scene: Scene) =>
  Effect.gen(function* () {
    const door = makeDoor(scene.plain)
    return yield* Effect.gen(function* () {
      door.open((yield* Parties).serve)
      const { ours, partner } = yield* scene.plain === undefined ? connected(scene) : plainlyConnected(scene)
      if (scene.second === true) yield* secondConnected(scene)
      if (scene.sent !== undefined) door.watch(yield* recording(scene.sent))
      if (scene.before !== undefined) yield* scene.before({ ours, partner })
      if (scene.meanwhile !== undefined) yield* Effect.forkScoped(scene.meanwhile({ ours, partner }))
      if (scene.isSilent !== undefined && scene.isSilent !== false) door.silence(scene.isSilent)
      if (scene.calls !== undefined) door.change(scene.calls)
      if (scene.trouble !== undefined) door.trouble(scene.trouble())
      const runs = yield* SuiteRuns
      const ledger = yield* Ledger
      const { facts } = yield* runs.start({
        ownerId: owner,
        partyId: ours.id,
        ...(scene.second === true ? { secondId } : {}),
        connectionLabel: "sandbox",
        environment: "test",
        suiteId: `ocpi-${scene.version}-${scene.role.toLowerCase()}-${scene.hub === true ? "hub" : scene.first === true || scene.invited === true ? "registration" : "full"}`,
        profile: "strict",
        ...(scene.checks === undefined ? {} : { checks: scene.checks }),
        ...(scene.modules === undefined ? {} : { modules: scene.modules }),
        ...(scene.needs === undefined ? {} : { needs: scene.needs }),
        ...(scene.listenSeconds === undefined ? {} : { listenSeconds: scene.listenSeconds })
      })
      const reports: Array<RunReport> = []
      for (let looks = 0; ; looks += 1) {
        const row = Option.getOrThrow(yield* ledger.run(owner, facts.runId))
        reports.push(reportOf(row))
        if (row.snapshot.view.machine.tags.includes("terminal")) break
        // The service stops a run after 15 minutes: one that stands for 50 of its clock tells where, instead of a time-out.
        if (looks === 600) {
          const last = (yield* ledger.page(facts.runId, 0, 2000)).slice(-5).map(({ line }) => line)
          return yield* Effect.dieMessage([JSON.stringify(row.snapshot.view), ...last].join("\n"))
        }
        yield* Effect.sleep("5 seconds")
      }
      const lines = yield* ledger.page(facts.runId, 0, 2000)
      const events = lines.map(({ line }) => JSON.parse(line) as LedgerEvent)
      const left = Option.getOrThrow(yield* (yield* PartyStore).find(ours.id))
      return { events, assertions: events.flatMap(({ assertions }) => assertions), left, reports }
    }).pipe(Effect.provide(worldOf(door.client)), Effect.scoped)
  }).pipe(Effect.withClock(jumpingClock(Date.parse("2026-06-01T12:00:00.000Z"))))

/** A connection to a fresh partner, registered unless the run is to register. */
export const connected = ({ activity = "quiet", faults = [], role, version, ...scene }: Scene) =>
  Effect.gen(function* () {
    const first = scene.first === true || scene.invited === true
    const sandbox = yield* Sandbox
    const store = yield* PartyStore
    const { party, tokenA } = yield* sandbox.create(owner, {
      theirRole: role,
      ocpiVersion: version,
      // What it pushes of its own accord begins with the registration.
      faults: activity === "quiet" && !first ? [] : faults,
      activity,
      ...(scene.speed === undefined ? {} : { speed: scene.speed })
    })
    const alone = partyWith({ id: "conn_1", role: role === "CPO" ? "EMSP" : "CPO", version }, false)
    const ours: Party = scene.hub === true ? { ...alone, hub: { clients: clientsOf(alone.identity) } } : alone
    yield* store.insert(
      { ...ours, counterpart: { ...ours.counterpart, versionsUrl: sandbox.versionsUrl(party.id) } },
      [tokenOf("outbound", "tokenA", Redacted.value(tokenA))]
    )
    // What the partner does first, it does with objects of ours.
    const objects = seedObjects({
      role: ours.role,
      profile: profileOf(version),
      identity: ours.identity,
      seed: 7,
      now: yield* Clock.currentTimeMillis
    })
    if (scene.isBare !== true)
      yield* Effect.forEach(objects, (object) => store.putObject(ours.id, object), { discard: true })
    if (scene.invited === true) yield* invite(ours, party)
    if (!first) {
      const result = yield* (yield* Handshake).run(ours.id)
      assert.isTrue(result.ok, JSON.stringify(result))
      yield* sandbox.setFaults(party.id, faults)
      yield* (yield* ChargingSimulation).startActivity(party.id)
    }
    const now = (id: PartyId) => Effect.map(store.find(id), Option.getOrThrow)
    return { ours: yield* now(ours.id), partner: yield* now(party.id) }
  })

/** A connection to the plain partner of the scene, registered unless the run is to register. */
const plainlyConnected = ({ first, role, version }: Scene) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const ours = partyWith({ id: "conn_1", role: role === "CPO" ? "EMSP" : "CPO", version }, false)
    yield* store.insert(
      { ...ours, counterpart: { ...ours.counterpart, versionsUrl: `${plainUrl}/versions` } },
      [tokenOf("outbound", "tokenA", plainTokenA)]
    )
    if (first !== true) {
      const result = yield* (yield* Handshake).run(ours.id)
      assert.isTrue(result.ok, JSON.stringify(result))
    }
    const party = Option.getOrThrow(yield* store.find(ours.id))
    return { ours: party, partner: party }
  })

const secondId = PartyId.make("conn_2")

/** Another connection of ours to another sandbox partner of the owner: to the sandbox, the same operator. */
const secondConnected = ({ role, version }: Scene) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const { party, tokenA } = yield* sandbox.create(owner, { theirRole: role, ocpiVersion: version })
    const ours = partyWith({ id: secondId, role: role === "CPO" ? "EMSP" : "CPO", version }, false)
    yield* (yield* PartyStore).insert(
      { ...ours, counterpart: { ...ours.counterpart, versionsUrl: sandbox.versionsUrl(party.id) } },
      [tokenOf("outbound", "tokenA", Redacted.value(tokenA))]
    )
    const result = yield* (yield* Handshake).run(ours.id)
    assert.isTrue(result.ok, JSON.stringify(result))
    yield* (yield* ChargingSimulation).startActivity(party.id)
  })

/** The other way round: the partner gets our versions URL and a Token A. */
const invite = (ours: Party, partner: Party) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.putToken(ours.id, "outbound", null)
    const { token, versionsUrl } = Option.getOrThrow(yield* (yield* Handshake).invite(ours.id))
    yield* store.update(partner.id, (party) => ({
      ...party,
      counterpart: { ...party.counterpart, versionsUrl }
    }))
    yield* store.putToken(partner.id, "outbound", { name: "tokenA", value: token })
  })

const worldOf = (client: Layer.Layer<OcpiClient>) => {
  const base = Layer.mergeAll(
    sandboxQuirks,
    PartnerCalls.layer({ publicUrl, sandbox: true }),
    client,
    Sandbox.layer({ publicUrl }),
    ledgerInMemory()
  ).pipe(Layer.provideMerge(PartyStoreMemory))
  return SuiteRuns.layer({ graceSeconds: 1, trustedPrefixes: [`${publicUrl}/`] }).pipe(
    Layer.provideMerge(Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl }))),
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

type Serve = Parties["Type"]["serve"]

/** The way from the client to the parties, which are made after it. */
export function makeDoor(plain?: PlainPartner) {
  let serve: Serve = () => Effect.dieMessage("the parties are not made yet")
  let look: (call: OcpiCall) => Effect.Effect<void> = () => Effect.void
  let isSilent: boolean | "except results" = false
  let changed = (call: OcpiCall) => call
  let troubleOf = (_: OcpiCall): Trouble | undefined => undefined
  const client = Layer.succeed(OcpiClient, {
    intent: (call, startedAt) => scrubExchange(call.secrets, intended(call, startedAt)),
    exchange: (sent) =>
      Effect.gen(function* () {
        const isOfPartner = sent.url.startsWith(`${publicUrl}/ocpi/`)
        const call = isOfPartner ? changed(sent) : sent
        const started = yield* Clock.currentTimeMillis
        const startedAt = new Date(started).toISOString()
        yield* look(call)
        const isPlain = plain !== undefined && call.url.startsWith(plainUrl)
        if (!isPlain && !call.url.startsWith(publicUrl)) return refused(call, startedAt)
        const { headerNames, headers, root, url } = addressed(call)
        const noAnswer = (
          outcome: "refused" | "timed_out" | "reset",
          kind: "refused" | "timeout" | "reset"
        ) =>
          Effect.map(Clock.currentTimeMillis, (now) => ({
            exchange: scrubExchange(call.secrets, {
              ...intended(call, startedAt),
              outcome,
              durationMs: now - started,
              fault: { kind, message: "nobody answered" }
            }),
            body: undefined,
            json: undefined
          }))
        const isHeard = isSilent === "except results" && call.module === "commands"
        if (isSilent !== false && !isHeard && root.kind === "connection")
          return yield* noAnswer("refused", "refused")
        const trouble = isOfPartner ? undefined : troubleOf(call)
        if (trouble === "hangs") {
          yield* Effect.sleep(call.timeoutMillis ?? 30_000)
          return yield* noAnswer("timed_out", "timeout")
        }
        if (trouble === "breaks") return yield* noAnswer("reset", "reset")
        // We and our sandbox are all that there is.
        if (!isPlain && url.origin !== publicUrl) return yield* noAnswer("refused", "refused")
        const callBack: CallBack = (to, headers, method) =>
          to.startsWith(publicUrl) ? called(to, headers, method) : Effect.succeed({ status: 0, body: "" })
        const called: CallBack = (to, headers, method = "GET") =>
          Effect.map(
            serve(
              { kind: "connection" },
              {
                method,
                path: new URL(to).pathname.replace(/^\/ocpi\//, "").split("/"),
                query: new URL(to).searchParams,
                headers,
                headerNames: Object.keys(headers),
                body: "",
                url: to,
                receivedAt: startedAt
              }
            ),
            ({ body, httpStatus }) => ({ status: httpStatus, body: body ?? "" })
          )
        const spelt = call.authorization?.header ?? "Authorization"
        const plainly = ({ authorization, ...rest }: Readonly<Record<string, string>>) => ({
          ...rest,
          ...(authorization === undefined ? {} : { [spelt]: authorization })
        })
        const serving: Effect.Effect<Pick<OcpiReply, "body" | "headers" | "httpStatus">> =
          trouble !== undefined
            ? Effect.succeed(trouble === "is down" ? unavailable : replyOf(trouble, headers, startedAt))
            : isPlain
              ? Effect.map(
                  plain(
                    { method: call.method, url, headers: plainly(headers), body: bodyOf(call) ?? "" },
                    callBack
                  ),
                  ({ body, status }) => ({
                    httpStatus: status,
                    headers: { "content-type": "application/json" },
                    body
                  })
                )
              : serve(root, {
                  method: call.method,
                  path: url.pathname
                    .replace(/^(\/sandbox\/[^/]+)?\/ocpi\//, "")
                    .split("/")
                    .map(decodeURIComponent),
                  query: url.searchParams,
                  headers,
                  headerNames,
                  body: bodyOf(call) ?? "",
                  url: call.url,
                  receivedAt: startedAt
                })
        const answered = yield* serving.pipe(
          call.timeoutMillis === undefined ? Effect.asSome : Effect.timeoutOption(call.timeoutMillis)
        )
        if (Option.isNone(answered)) return yield* noAnswer("timed_out", "timeout")
        const reply = answered.value
        const json = parsed(reply.body)
        const durationMs = (yield* Clock.currentTimeMillis) - started
        const exchange: Exchange = {
          ...intended(call, startedAt),
          outcome: "completed",
          durationMs,
          response: {
            httpStatus: reply.httpStatus,
            ocpiStatusCode: codeOf(json),
            headers: reply.headers,
            body: reply.body,
            truncated: false
          }
        }
        return {
          exchange: scrubExchange(call.secrets, exchange),
          body: reply.body === null ? undefined : Redacted.make(reply.body),
          json
        }
      })
  })
  return {
    client,
    /** From now on no call of a partner reaches us, or none but results of commands. */
    silence: (which: true | "except results" = true) => {
      isSilent = which
    },
    /** Changes each call of a partner to us. */
    change: (given: (call: OcpiCall) => OcpiCall) => {
      changed = given
    },
    /** What becomes of requests to a partner. */
    trouble: (given: (call: OcpiCall) => Trouble | undefined) => {
      troubleOf = given
    },
    open: (given: Serve) => {
      serve = given
    },
    /** Each request of either side is shown before it is served. */
    watch: (given: (call: OcpiCall) => Effect.Effect<void>) => {
      look = given
    }
  }
}

/**
 * Notes the requests of our connections, each with the party and the tokens as they are at that moment: those that are kept,
 * and those that the partner hands over in the registration under way.
 */
export const recording = (sent: Array<SentRequest>) =>
  Effect.map(PartyStore, (store) => {
    const handed = new Set<string>()
    return (call: OcpiCall): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (!call.url.startsWith(`${publicUrl}/sandbox/`)) {
          const { token } = objectIn(call.module === "credentials" ? call.body : undefined)
          if (token !== undefined)
            handed.add(Redacted.isRedacted(token) ? String(Redacted.value(token)) : String(token))
          return
        }
        const parties = yield* Effect.forEach([PartyId.make("conn_1"), secondId], store.find)
        const known = parties.flatMap(Option.toArray)
        const tokens = yield* Effect.forEach(known, ({ id }) => store.tokens(id))
        const live = tokens.map((all) =>
          all.flatMap(({ slot, value }) => (slot === "outbound" ? [Redacted.value(value)] : []))
        )
        const { authorization } = call
        const at = live.findIndex((values) =>
          values.some((value) => authorization !== undefined && value === Redacted.value(authorization.token))
        )
        const party = known[at] ?? known[0]
        if (party !== undefined) sent.push({ call, party, tokens: [...live.flat(), ...handed] })
      })
  })

const unavailable = {
  httpStatus: 503,
  headers: { "content-type": "text/html" },
  body: "<h1>Service Unavailable</h1>"
} as const

const replyOf = (
  { data, headers, httpStatus, statusCode }: FixedAnswer,
  asked: Readonly<Record<string, string>>,
  timestamp: string
): Pick<OcpiReply, "body" | "headers" | "httpStatus"> => ({
  httpStatus,
  headers: {
    "content-type": "application/json",
    ...Object.fromEntries(
      ["x-request-id", "x-correlation-id"].flatMap((name) => {
        const value = asked[name]
        return value === undefined ? [] : [[name, value]]
      })
    ),
    ...headers
  },
  body: JSON.stringify({ status_code: statusCode, ...(data === undefined ? {} : { data }), timestamp })
})

/** Nobody listens but the two. */
function refused(call: OcpiCall, startedAt: string) {
  const fault = { kind: "refused", message: "nothing listens there" } as const
  const exchange: Exchange = { ...intended(call, startedAt), outcome: "refused", fault }
  return { exchange: scrubExchange(call.secrets, exchange), body: undefined, json: undefined }
}

function addressed(call: OcpiCall) {
  const url = new URL(call.url)
  const partner = /^\/sandbox\/([^/]+)\//.exec(url.pathname)?.[1]
  const root: Root =
    partner === undefined ? { kind: "connection" } : { kind: "sandbox", partyId: PartyId.make(partner) }
  const { authorization } = call
  const value =
    authorization === undefined
      ? {}
      : { authorization: authorizationValue(authorization.token, authorization.form) }
  const given = Object.entries({
    "X-Request-ID": call.requestId,
    "X-Correlation-ID": call.correlationId,
    "Content-Type": "application/json",
    ...call.headers
  }).map(([name, text]) => [name.toLowerCase(), text])
  const headerNames = [...Object.keys(call.headers ?? {}), ...Object.keys(value).map(() => "Authorization")]
  return {
    url,
    root,
    headerNames,
    headers: { ...value, ...(Object.fromEntries(given) as Record<string, string>) }
  }
}

const bodyOf = ({ body, rawBody }: OcpiCall) => rawBody ?? (body === undefined ? null : JSON.stringify(body))

function intended(call: OcpiCall, startedAt: string): Exchange {
  return {
    id: call.exchangeId,
    direction: "outbound",
    module: call.module,
    operation: call.operation,
    request: { method: call.method, url: call.url, headers: {}, body: bodyOf(call), truncated: false },
    response: null,
    outcome: "unknown",
    startedAt,
    durationMs: 0,
    requestId: call.requestId,
    correlationId: call.correlationId
  }
}

function parsed(body: string | null): unknown {
  try {
    return body === null ? undefined : JSON.parse(body)
  } catch {
    return undefined
  }
}

function codeOf(json: unknown): number | null {
  const code =
    typeof json === "object" && json !== null ? (json as Record<string, unknown>)["status_code"] : null
  return typeof code === "number" ? code : null
}
