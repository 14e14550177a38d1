/** Composes the rooms of `src` as layers and passes settings to them. No logic. */
import { randomUUID } from "node:crypto"
import { Effect, Layer } from "effect"
import { ArchiveStore } from "./archive/ArchiveStore.ts"
import { archiveAddress } from "./archive/archiveAddress.ts"
import { archiveLayer, openArchive } from "./archive/openArchive.ts"
import { Database } from "./database/Database.ts"
import { Locks } from "./database/Locks.ts"
import { Notifications } from "./database/Notifications.ts"
import { nameCell } from "./database/newId.ts"
import { makeReadArchive } from "./ledger/archive/readArchive.ts"
import { Feed } from "./ledger/feed/feed.ts"
import type { Append } from "./ledger/Ledger.ts"
import { LedgerPostgres } from "./ledger/postgres/LedgerPostgres.ts"
import { RunArchivesPostgres } from "./ledger/postgres/RunArchivesPostgres.ts"
import { RunLogsLive } from "./ledger/run/RunLogsLive.ts"
import { EgressGuard } from "./ocpi/EgressGuard.ts"
import { OcpiClient } from "./ocpi/OcpiClient.ts"
import { withoutEndSlashes } from "./ocpi/urls.ts"
import { PartnerCalls } from "./party/outbound/PartnerCalls.ts"
import { Parties } from "./party/Parties.ts"
import { Handshake } from "./party/registration/Handshake.ts"
import { ChargingSimulation } from "./party/simulation/ChargingSimulation.ts"
import { PlacementCluster } from "./placement/PlacementCluster.ts"
import { Heartbeats } from "./placement/presence/Heartbeats.ts"
import { Presence } from "./placement/presence/Presence.ts"
import { isAnyHost, urlOf } from "./publicUrl.ts"
import type { Settings } from "./Settings.ts"
import { sandboxQuirks } from "./sandbox/SandboxQuirks.ts"
import type { PlansFile } from "./services/accounts/plansFile.ts"
import { runCleaner } from "./services/runs/runCleaner.ts"
import { AuditStore } from "./store/accounts/AuditStore.ts"
import { BucketStore } from "./store/accounts/BucketStore.ts"
import { IdempotencyStore } from "./store/accounts/IdempotencyStore.ts"
import { KeyStore } from "./store/accounts/KeyStore.ts"
import { SessionStore } from "./store/accounts/SessionStore.ts"
import { StreamStore } from "./store/accounts/StreamStore.ts"
import { OldExchanges } from "./store/parties/exchanges/OldExchanges.ts"
import { RefusedCalls } from "./store/parties/exchanges/RefusedCalls.ts"
import { PartyStorePostgres } from "./store/parties/PartyStorePostgres.ts"
import { CommandStore } from "./store/rows/CommandStore.ts"
import { ConnectionStore } from "./store/rows/ConnectionStore.ts"
import { ScenarioStore } from "./store/rows/ScenarioStore.ts"
import { encryptionKeys } from "./store/secrets/encryptionKeys.ts"
import { SecretBox } from "./store/secrets/SecretBox.ts"
import { SigningKeys } from "./store/secrets/SigningKeys.ts"

/** Id of this process, unique among the processes on one database. */
export const self = randomUUID()

/** A hook at each append, which only crash tests set, before they load the bundle. */
const faultPoint = (
  globalThis as {
    readonly [name: symbol]: ((point: "before" | "committed", append: Append) => void) | undefined
  }
)[Symbol.for("plugfest.faultPoint")]

/** The database settings, as `Database.layer` takes them. */
export const databaseOf = (settings: Settings) => ({
  url: settings.databaseUrl,
  adminUrl: settings.databaseAdminUrl,
  allowSuperuser: settings.databaseAllowSuperuser,
  dataDir: settings.dataDir
})

/** The letter of new ids. */
export const cell = (settings: Settings) => Layer.effectDiscard(Effect.sync(() => nameCell(settings.cell)))

/** The layers of `store/` and `database/`, and which processes are alive. `onWait` runs when the start has to wait for the database. */
export const stores = (
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
    Locks.layer,
    OldExchanges.layer,
    SessionStore.layer,
    StreamStore.layer
  ).pipe(
    Layer.provideMerge(
      Notifications.layer({
        self,
        alone: Effect.flatMap(Presence, ({ living }) => Effect.map(living, ({ size }) => size === 1))
      })
    ),
    Layer.provideMerge(Presence.layer({ processId: self, ttlSeconds: settings.leaseSeconds })),
    Layer.provideMerge(Heartbeats.layer({ everySeconds: settings.leaseSeconds / 3 })),
    Layer.provideMerge(SigningKeys.layer({ keys: settings.signingKeys, dataDir: settings.dataDir })),
    Layer.provideMerge(SecretBox.layer({ keys: settings.encryptionKeys, dataDir: settings.dataDir })),
    Layer.provideMerge(Database.layer({ ...databaseOf(settings), poolSize: 12, onWait })),
    Layer.provideMerge(cell(settings))
  )

/** The archive of ended runs, as the settings have it. */
const archiveOptionsOf = ({
  archiveUrl,
  awsAccessKeyId,
  awsEndpointUrlS3,
  awsRegion,
  awsSecretAccessKey,
  awsSessionToken
}: Settings) => ({
  address: archiveUrl === undefined ? undefined : archiveAddress(archiveUrl),
  s3:
    awsAccessKeyId === undefined || awsSecretAccessKey === undefined
      ? undefined
      : {
          region: awsRegion,
          endpoint: awsEndpointUrlS3,
          accessKeyId: awsAccessKeyId,
          secretAccessKey: awsSecretAccessKey,
          sessionToken: awsSessionToken
        }
})

/** The archive, without a service. */
export const archiveOf = (settings: Settings) => openArchive(archiveOptionsOf(settings))

/** The placement of runs on processes. Tells the other processes the URL of this one: PROCESS_URL, or the address that it listens on. */
const placement = ({ dataDir, encryptionKeys: keys, host, leaseSeconds, port, processUrl }: Settings) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { ownAddress } = yield* Database
      const found = yield* encryptionKeys({ keys, dataDir })
      const url = processUrl ?? urlOf(isAnyHost(host) ? yield* ownAddress : host, port)
      return PlacementCluster.layer({
        leaseSeconds,
        keys: found.map(({ secret }) => secret),
        url: withoutEndSlashes(url)
      })
    })
  )

/** The lines of runs, in the database and in the archive. */
export const storedLedger = (settings: Settings) =>
  LedgerPostgres.layer<never, Database | Notifications | ArchiveStore>({
    pool: Effect.map(Database, ({ pool }) => pool),
    pagePool: Effect.map(Database, ({ plannedOnce }) => plannedOnce),
    leaseSeconds: settings.leaseSeconds,
    owner: self,
    notifications: Effect.map(Notifications, ({ run }) => run),
    readArchive: Effect.flatMap(ArchiveStore, (store) => makeReadArchive(store)),
    ...(faultPoint === undefined
      ? {}
      : { onAppend: (point, append) => Effect.sync(() => faultPoint(point, append)) })
  }).pipe(
    Layer.provideMerge(RunArchivesPostgres.layer(Effect.map(Database, ({ pool }) => pool))),
    Layer.provideMerge(archiveLayer(archiveOptionsOf(settings)))
  )

/**
 * The layers of `ledger/`, `archive/` and `placement/`: lines, the feed, the runs of this process and those in the archive, and which
 * process owns each run.
 */
export const ledger = (settings: Settings) =>
  Feed.layer().pipe(
    Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: settings.leaseSeconds, cleaner: runCleaner })),
    Layer.provideMerge(storedLedger(settings)),
    Layer.provideMerge(placement(settings))
  )

/** The client for partners, with an egress guard that also blocks our own address and the database. */
export const ocpi = (settings: Settings) =>
  OcpiClient.layer({ timeoutMillis: settings.partnerTimeoutSeconds * 1000 }).pipe(
    Layer.provideMerge(
      Layer.unwrapEffect(
        Effect.map(Effect.serviceOption(Database), (database) =>
          EgressGuard.layer({
            allowCidrs: settings.egressAllowCidrs,
            allowHttp: settings.allowHttp,
            reserved: [{ host: settings.host, port: settings.port }],
            ...(database._tag === "Some" ? { database: database.value.addresses } : {})
          })
        )
      )
    )
  )

/**
 * The layers of `party/`: parties that answer partners, register with them and simulate charging. `sandbox`: partners of ours are served
 * by this process.
 */
export const party = (options: { readonly publicUrl: string; readonly sandbox: boolean }) =>
  Layer.mergeAll(Parties.layer(options), Handshake.layer(options)).pipe(
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(Layer.mergeAll(PartnerCalls.layer(options), sandboxQuirks))
  )
