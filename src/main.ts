/** The wiring of the house: which layer gets which setting. No logic. */
import { randomUUID } from "node:crypto"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import type { Scope } from "../schema/Account.ts"
import { OwnerId, type RunId } from "../schema/Ids.ts"
import type { CreateSandboxPartner } from "../schema/Sandbox.ts"
import type { ScenarioValidation } from "../schema/Scenario.ts"
import { SuiteRuns } from "./conformance/SuiteRuns.ts"
import { SandboxServer } from "./http/SandboxServer.ts"
import { Server } from "./http/Server.ts"
import { WaitingServer } from "./http/WaitingServer.ts"
import { JourneyRuns } from "./journeys/JourneyRuns.ts"
import { misfitsOf } from "./journeys/playable.ts"
import { Feed } from "./ledger/feed.ts"
import type { Append } from "./ledger/Ledger.ts"
import { LedgerPostgres } from "./ledger/LedgerPostgres.ts"
import { RunLogsLive } from "./ledger/RunLogsLive.ts"
import { EgressGuard } from "./ocpi/EgressGuard.ts"
import { OcpiClient } from "./ocpi/OcpiClient.ts"
import { Handshake } from "./party/Handshake.ts"
import { Parties } from "./party/Parties.ts"
import { PartnerCalls } from "./party/PartnerCalls.ts"
import { ChargingSimulation } from "./party/simulation/ChargingSimulation.ts"
import { limitsOf, type Settings } from "./Settings.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { sandboxBehaviours } from "./sandbox/SandboxBehaviours.ts"
import { ApiKeys } from "./services/ApiKeys.ts"
import { AuditLog } from "./services/AuditLog.ts"
import { type PlansFile, readPlansFile } from "./services/plansFile.ts"
import { RateLimits } from "./services/RateLimits.ts"
import { Retention } from "./services/Retention.ts"
import { Services } from "./services/Services.ts"
import { readScenarioFile } from "./services/scenarioFile.ts"
import { type AuditPage, AuditStore } from "./store/AuditStore.ts"
import { BucketStore } from "./store/BucketStore.ts"
import { CommandStore } from "./store/CommandStore.ts"
import { ConnectionStore } from "./store/ConnectionStore.ts"
import { Database } from "./store/Database.ts"
import { Gates } from "./store/Gates.ts"
import { IdempotencyStore } from "./store/IdempotencyStore.ts"
import { type CreatedKey, KeyStore } from "./store/KeyStore.ts"
import { OldExchanges } from "./store/OldExchanges.ts"
import { PartyStoreMemory } from "./store/PartyStoreMemory.ts"
import { PartyStorePostgres } from "./store/PartyStorePostgres.ts"
import { Presence } from "./store/Presence.ts"
import { RefusedCalls } from "./store/RefusedCalls.ts"
import { rotateSecrets } from "./store/rotateSecrets.ts"
import { ScenarioStore } from "./store/ScenarioStore.ts"
import { SecretBox } from "./store/SecretBox.ts"
import { SharedTime } from "./store/SharedTime.ts"
import { Signals } from "./store/Signals.ts"
import { SigningKeys } from "./store/SigningKeys.ts"
import { StreamStore } from "./store/StreamStore.ts"
import { Tracing } from "./telemetry/Tracing.ts"

/** Who we say that we are on our side of a connection; a second one at the same partner gets a party id of its own. */
const identity = { countryCode: "NL", partyId: "PLG", name: "plugfest" }

/** This process among those on one database. */
const self = randomUUID()

/** Crash tests put a function here before the bundle is loaded; nothing else ever does. */
const faultPoint = (
  globalThis as {
    readonly [name: symbol]: ((point: "before" | "committed", append: Append) => void) | undefined
  }
)[Symbol.for("plugfest.faultPoint")]

/** Root of the URLs that we hand out. Listening everywhere is being reachable here. */
export const publicUrlOf = ({ host, port, publicUrl }: Settings) => {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "")
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`
}

/** Rows and secrets. */
const stores = (
  settings: Settings,
  { accounts, defaultPlan }: Pick<PlansFile, "accounts" | "defaultPlan">,
  onWait: Effect.Effect<void>
) =>
  Layer.mergeAll(
    KeyStore.layer({ defaultPlan, accounts }),
    ConnectionStore.layer,
    CommandStore.layer,
    IdempotencyStore.layer,
    ScenarioStore.layer,
    PartyStorePostgres,
    RefusedCalls.layer,
    AuditStore.layer,
    BucketStore.layer,
    Gates.layer,
    OldExchanges.layer,
    StreamStore.layer
  ).pipe(
    Layer.provideMerge(Presence.layer({ processId: self, ttlSeconds: settings.leaseSeconds })),
    Layer.provideMerge(Signals.layer({ self })),
    Layer.provideMerge(SigningKeys.layer({ keys: settings.signingKeys, dataDir: settings.dataDir })),
    Layer.provideMerge(SecretBox.layer({ keys: settings.encryptionKeys, dataDir: settings.dataDir })),
    Layer.provideMerge(
      Database.layer({ url: settings.databaseUrl, dataDir: settings.dataDir, poolSize: 12, onWait })
    )
  )

/** Lines, leases and the feed. */
const ledger = ({ leaseSeconds }: Settings) =>
  Feed.layer().pipe(
    Layer.provideMerge(RunLogsLive.layer({ leaseSeconds })),
    Layer.provideMerge(
      LedgerPostgres.layer<never, Database | Signals>({
        pool: Effect.map(Database, ({ pool }) => pool),
        leaseSeconds,
        owner: self,
        signals: Effect.map(Signals, ({ run }) => run),
        ...(faultPoint === undefined
          ? {}
          : { onAppend: (point, append) => Effect.sync(() => faultPoint(point, append)) })
      })
    )
  )

/** Speaking to partners, under the guard that keeps our own address and the database out of reach. */
const ocpi = (settings: Settings) =>
  OcpiClient.layer({ timeoutMillis: settings.partnerTimeoutSeconds * 1000 }).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.map(Effect.serviceOption(Database), (database) =>
          EgressGuard.layer({
            allowCidrs: settings.egressAllowCidrs,
            reserved: [
              { host: settings.host, port: settings.port },
              ...(database._tag === "Some"
                ? [
                    {
                      host: database.value.pool.options.host ?? "127.0.0.1",
                      port: database.value.pool.options.port ?? 5432
                    }
                  ]
                : [])
            ]
          })
        )
      )
    )
  )

/** Parties that answer and act. */
const party = (publicUrl: string, sandbox: boolean) =>
  Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl })).pipe(
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(Layer.mergeAll(PartnerCalls.layer({ publicUrl, sandbox }), sandboxBehaviours))
  )

/** Everything that serves, in the order in which it is needed. At the end it goes in the opposite order. */
export const service = (settings: Settings, onListening: Effect.Effect<void>) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const publicUrl = publicUrlOf(settings)
      const plans = yield* readPlansFile(settings.plansFile)
      const waiting = yield* WaitingServer
      const { host, metricsToken, port, sandbox } = settings
      const start = Effect.gen(function* () {
        if (settings.bootstrapApiKey !== undefined) {
          yield* (yield* KeyStore).ensureBootstrap(settings.bootstrapApiKey)
        }
        yield* waiting.hide
      })
      const server = Server.layer({
        host,
        port,
        publicUrl,
        sandbox,
        metricsToken,
        onListening: () => onListening
      })
      // Requests are served when this runs: a simulation's pushes arrive.
      const resumed = Layer.effectDiscard(
        Effect.flatMap(ChargingSimulation, ({ resumeAll, watchOver }) =>
          Effect.zipRight(resumeAll, watchOver(settings.leaseSeconds / 3))
        )
      )
      return Layer.mergeAll(resumed, Retention.layer({ days: settings.retentionDays })).pipe(
        Layer.provideMerge(server),
        Layer.provideMerge(Layer.effectDiscard(start)),
        Layer.provideMerge(
          Services.layer({
            identity,
            publicUrl,
            sandbox,
            waitMaxSeconds: settings.waitMaxSeconds,
            limits: limitsOf(settings),
            auditDays: settings.auditDays,
            plans: plans.config
          })
        ),
        Layer.provideMerge(
          Layer.mergeAll(
            SuiteRuns.layer({
              partnerConcurrency: settings.partnerConcurrency,
              takeOverSeconds: settings.leaseSeconds / 3,
              trustedPrefixes: sandbox ? [`${publicUrl}/sandbox/`] : []
            }),
            JourneyRuns.layer({ leaseSeconds: settings.leaseSeconds, publicUrl }),
            Sandbox.layer({ publicUrl, speed: settings.simulationSpeed })
          )
        ),
        Layer.provideMerge(party(publicUrl, sandbox)),
        Layer.provideMerge(ocpi(settings)),
        Layer.provideMerge(ledger(settings)),
        Layer.provideMerge(SharedTime.followed()),
        Layer.provideMerge(stores(settings, plans, waiting.show)),
        // Under all of it: what one process saw is compared with what another one did.
        Layer.provide(SharedTime.layer)
      )
    })
  ).pipe(
    Layer.provide(WaitingServer.layer({ host: settings.host, port: settings.port })),
    Layer.provide(NodeContext.layer)
  )

/** Needs nothing of the service, so the command line asks it straight. */
export { validateObject } from "./services/validateObject.ts"
export { verifyExport } from "./services/verifyExport.ts"

/** Every problem of a scenario file, with its line and column. */
export const validateScenario = (file: string): ScenarioValidation => readScenarioFile(file, misfitsOf)

/** Traces of what is done inside. */
const tracing = ({ otlpHeaders, otlpUrl }: Settings) =>
  Tracing.layer({ url: otlpUrl, headers: otlpHeaders, instance: self })

/** Serves until interrupted. */
export const serve = (settings: Settings, onListening: Effect.Effect<void>) =>
  Effect.provide(Layer.launch(service(settings, onListening)), tracing(settings))

/** Serves while `use` runs. */
export const withService = <A, E, R>(settings: Settings, use: (url: string) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.zipRight(
      Layer.build(service(settings, Effect.void)),
      Effect.suspend(() => use(publicUrlOf(settings)))
    )
  ).pipe(Effect.provide(tracing(settings)))

/** One sandbox partner alone, in memory, until interrupted. `onListening` hears where it is and its Token A. */
export const sandboxAlone = (
  settings: Settings,
  order: CreateSandboxPartner,
  onListening: (partner: { readonly versionsUrl: string; readonly tokenA: string }) => Effect.Effect<void>
) => {
  const publicUrl = publicUrlOf(settings)
  const { host, port } = settings
  const started = Layer.effectDiscard(
    Effect.gen(function* () {
      const sandbox = yield* Sandbox
      const made = yield* sandbox.create(OwnerId.make("own_sandbox"), order)
      yield* onListening({
        versionsUrl: sandbox.versionsUrl(made.party.id),
        tokenA: Redacted.value(made.tokenA)
      })
    })
  )
  return Layer.launch(
    started.pipe(
      Layer.provide(SandboxServer.layer({ host, port, publicUrl })),
      Layer.provide(Sandbox.layer({ publicUrl, speed: settings.simulationSpeed })),
      Layer.provide(party(publicUrl, true)),
      Layer.provide(ocpi(settings)),
      Layer.provide(PartyStoreMemory)
    )
  )
}

/** API keys without a server: who may reach the database may make keys. Nothing of it looks at plans. */
const keysAlone = ({ auditDays, dataDir, databaseUrl }: Settings) =>
  Layer.mergeAll(
    ApiKeys.layer.pipe(
      Layer.provide(RateLimits.layer()),
      Layer.provide(Layer.mergeAll(KeyStore.layer({ defaultPlan: "none" }), BucketStore.layer, Gates.layer))
    ),
    AuditLog.layer({ days: auditDays }).pipe(Layer.provideMerge(AuditStore.layer))
  ).pipe(Layer.provide(Database.layer({ url: databaseUrl, dataDir, poolSize: 2 })))

/** What the operator does at the command line stands in the account's audit log, as done by no key. */
const atTheDesk = <E>(
  settings: Settings,
  account: string,
  action: string,
  act: (keys: ApiKeys["Type"], ownerId: OwnerId) => Effect.Effect<CreatedKey, E>
) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { ownerId } = yield* keys.account(account)
    const { key, view } = yield* act(keys, ownerId)
    yield* (yield* AuditLog).note({ ownerId, action }, { status: 201, result: view._id })
    return { view, secret: Redacted.value(key) }
  }).pipe(Effect.provide(keysAlone(settings)))

/** A new key of the account; its text is in the answer and nowhere else. */
export const createKey = (
  settings: Settings,
  order: {
    readonly account: string
    readonly name: string
    readonly scopes: ReadonlyArray<Scope>
    readonly expiresInDays: number | undefined
  }
) =>
  atTheDesk(settings, order.account, "settings.createKey", (keys, ownerId) =>
    keys.create(ownerId, {
      name: order.name,
      scopes: order.scopes,
      ...(order.expiresInDays === undefined ? {} : { expiresInDays: order.expiresInDays })
    })
  )

/** A new key in place of an old one, which lives on for `overlapDays`, 0 to 7. */
export const rollKey = (settings: Settings, account: string, id: string, overlapDays: number) =>
  atTheDesk(settings, account, "settings.rollKey", (keys, ownerId) => keys.roll(ownerId, id, overlapDays))

export const listKeys = (settings: Settings, account: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return yield* keys.list((yield* keys.account(account)).ownerId)
  }).pipe(Effect.provide(keysAlone(settings)))

export const revokeKey = (settings: Settings, account: string, id: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { ownerId } = yield* keys.account(account)
    const revoked = yield* keys.revoke(ownerId, id)
    const deed = { ownerId, action: "settings.revokeKey", target: id }
    yield* (yield* AuditLog).note(deed, { status: 200, result: id })
    return revoked
  }).pipe(Effect.provide(keysAlone(settings)))

/** What was done with the account's keys, newest first. */
export const auditOf = (settings: Settings, account: string, page: AuditPage) =>
  Effect.gen(function* () {
    const { ownerId } = yield* (yield* ApiKeys).account(account)
    return yield* (yield* AuditLog).list(ownerId, page)
  }).pipe(Effect.provide(keysAlone(settings)))

/**
 * Forgets runs, and by age what was said beside them, without a server: who may reach the database may purge. `kept`: those
 * named that there are not, or that are not over. `exchanges`: how many outside of runs.
 */
export const purgeRuns = (
  settings: Settings,
  order: {
    readonly days: number | undefined
    readonly runs: ReadonlyArray<RunId>
    readonly dryRun: boolean
  }
) =>
  Effect.gen(function* () {
    const retention = yield* Retention
    if (order.days !== undefined) {
      const purged = yield* retention.purgeOlder(order.days, order)
      return { purged, kept: [], exchanges: yield* retention.purgeExchanges(order.days, order) }
    }
    const tried = yield* Effect.forEach(order.runs, (id) =>
      Effect.map(retention.purge(id), (gone) => ({ id, gone }))
    )
    const those = (gone: boolean) => tried.filter((one) => one.gone === gone).map(({ id }) => id)
    return { purged: those(true), kept: those(false), exchanges: 0 }
  }).pipe(
    Effect.provide(
      Retention.layer({ days: undefined }).pipe(
        Layer.provide(ledger(settings)),
        Layer.provide(stores(settings, { defaultPlan: "unlimited", accounts: {} }, Effect.void))
      )
    ),
    Effect.scoped
  )

/** Seals every stored secret anew with the first of the encryption keys, while servers go on. See rotateSecrets.ts. */
export const resealSecrets = (settings: Settings) =>
  rotateSecrets().pipe(
    Effect.provide(stores(settings, { defaultPlan: "unlimited", accounts: {} }, Effect.void)),
    Effect.scoped
  )
