/** Commands of the operator, directly on the database: API keys, the audit log, archiving, purging, re-encryption of secrets, backups. */
import { Effect, Layer, Redacted } from "effect"
import type { Scope } from "../schema/Account.ts"
import type { OwnerId, RunId } from "../schema/Ids.ts"
import { accessOf, Database } from "./database/Database.ts"
import { Locks } from "./database/Locks.ts"
import { type DatabaseLook, lookAtDatabase } from "./database/lookAtDatabase.ts"
import { SharedTime } from "./database/SharedTime.ts"
import { archiveOf, cell, databaseOf, ocpi, storedLedger, stores } from "./layers.ts"
import { EgressGuard } from "./ocpi/EgressGuard.ts"
import type { Settings } from "./Settings.ts"
import { ApiKeys } from "./services/accounts/ApiKeys.ts"
import { AuditLog } from "./services/accounts/AuditLog.ts"
import { RateLimits } from "./services/accounts/RateLimits.ts"
import { backUp } from "./services/operators/backUp.ts"
import type { OnStep } from "./services/operators/inDatabase.ts"
import { restore } from "./services/operators/restore.ts"
import { Archiving } from "./services/runs/Archiving.ts"
import { Retention } from "./services/runs/Retention.ts"
import { type AuditPage, AuditStore } from "./store/accounts/AuditStore.ts"
import { BucketStore } from "./store/accounts/BucketStore.ts"
import { type CreatedKey, KeyStore } from "./store/accounts/KeyStore.ts"
import { rotateSecrets } from "./store/rotateSecrets.ts"
import { makeApiKey } from "./store/secrets/apiKey.ts"

/** A new API key as text, stored nowhere, for BOOTSTRAP_API_KEY. */
export const generateKey = Effect.map(makeApiKey, Redacted.value)

/** API keys without a server: access to the database is permission enough, and plans are not checked. */
const keysAlone = (settings: Settings) =>
  Layer.mergeAll(
    ApiKeys.layer.pipe(
      Layer.provide(RateLimits.layer()),
      Layer.provide(Layer.mergeAll(KeyStore.layer({ defaultPlan: "none" }), BucketStore.layer, Locks.layer))
    ),
    AuditLog.layer({ days: settings.auditDays }).pipe(Layer.provideMerge(AuditStore.layer))
  ).pipe(
    Layer.provide(Database.layer({ ...databaseOf(settings), poolSize: 2 })),
    Layer.provide(cell(settings))
  )

/** Runs an action of the operator and writes it to the account's audit log, with no key. */
const audited = <E>(
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

/** Makes an API key for the account; only this result holds its secret. */
export const createKey = (
  settings: Settings,
  order: {
    readonly account: string
    readonly name: string
    readonly scopes: ReadonlyArray<Scope>
    readonly expiresInDays: number | undefined
  }
) =>
  audited(settings, order.account, "settings.createKey", (keys, ownerId) =>
    keys.create(ownerId, {
      name: order.name,
      scopes: order.scopes,
      ...(order.expiresInDays === undefined ? {} : { expiresInDays: order.expiresInDays })
    })
  )

/** Replaces an API key by a new one; the old one is accepted for `overlapDays` more days, 0 to 7. */
export const rollKey = (settings: Settings, account: string, id: string, overlapDays: number) =>
  audited(settings, account, "settings.rollKey", (keys, ownerId) => keys.roll(ownerId, id, overlapDays))

/** The API keys of the account, without their secrets. */
export const listKeys = (settings: Settings, account: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return yield* keys.list((yield* keys.account(account)).ownerId)
  }).pipe(Effect.provide(keysAlone(settings)))

/** Revokes an API key of the account at once and notes it in the audit log; fails with NotFound. */
export const revokeKey = (settings: Settings, account: string, id: string) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const { ownerId } = yield* keys.account(account)
    const revoked = yield* keys.revoke(ownerId, id)
    const entry = { ownerId, action: "settings.revokeKey", target: id }
    yield* (yield* AuditLog).note(entry, { status: 200, result: id })
    return revoked
  }).pipe(Effect.provide(keysAlone(settings)))

/** A page of the account's audit log, newest first. */
export const auditOf = (settings: Settings, account: string, page: AuditPage) =>
  Effect.gen(function* () {
    const { ownerId } = yield* (yield* ApiKeys).account(account)
    return yield* (yield* AuditLog).list(ownerId, page)
  }).pipe(Effect.provide(keysAlone(settings)))

/** Gives a layer stores and ledger, without a server and without runs of its own. */
const withRuns = <A, E>(
  settings: Settings,
  layer: Layer.Layer<
    A,
    E,
    Layer.Layer.Success<ReturnType<typeof storedLedger>> | Layer.Layer.Success<ReturnType<typeof stores>>
  >
) =>
  layer.pipe(
    Layer.provide(storedLedger(settings)),
    Layer.provide(SharedTime.layer),
    Layer.provide(stores(settings, { defaultPlan: "unlimited", accounts: {} }, Effect.void))
  )

/**
 * Purges runs by age or by id, and by age also exchanges outside of runs, without a server. `kept`: ids that are unknown or
 * whose runs have not ended. `exchanges`: the number of purged exchanges outside of runs.
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
    Effect.provide(withRuns(settings, Retention.layer.pipe(Layer.provide(Archiving.layer)))),
    Effect.scoped
  )

/** Archives or restores runs, by age or by id, without a server. */
export const archiveRuns = (
  settings: Settings,
  order: {
    readonly what: "archive" | "restore"
    readonly days: number | undefined
    readonly runs: ReadonlyArray<RunId>
    readonly dryRun: boolean
  }
) =>
  Effect.gen(function* () {
    const archiving = yield* Archiving
    if (order.dryRun) {
      const due = yield* archiving.due(order.days ?? 0)
      const leftovers = yield* archiving.leftovers
      return { place: archiving.place, moved: due, kept: [], leftovers: leftovers.map(({ name }) => name) }
    }
    const kept: Array<{ readonly runId: RunId; readonly why: string }> = []
    const moved: Array<RunId> =
      order.days === undefined ? [] : [...(yield* archiving.archiveOlder(order.days))]
    for (const runId of order.runs) {
      const done =
        order.what === "archive"
          ? yield* archiving.archive(runId, { evenIfBegun: true })
          : yield* archiving.restore(runId)
      if (typeof done === "string") moved.push(runId)
      else kept.push({ runId, why: done.kept })
    }
    yield* archiving.removeLeftovers
    return { place: archiving.place, moved, kept, leftovers: [] }
  }).pipe(Effect.provide(withRuns(settings, Archiving.layer)), Effect.scoped)

/** Re-encrypts every stored secret with the first of ENCRYPTION_KEYS, while servers run. See rotateSecrets.ts. */
export const resealSecrets = (settings: Settings) =>
  rotateSecrets().pipe(
    Effect.provide(stores(settings, { defaultPlan: "unlimited", accounts: {} }, Effect.void)),
    Effect.scoped
  )

/** Keys and database as one snapshot in a folder, while servers run. See backUp.ts. */
export const makeBackup = (
  settings: Settings,
  order: { readonly folder: string; readonly withKeys: boolean; readonly onStep: OnStep }
) =>
  backUp(accessOf(databaseOf(settings)), settings, {
    ...order,
    archivePlace: archiveOf(settings).place
  }).pipe(Effect.scoped)

/** Fills an empty database and an empty DATA_DIR from a backup. See restore.ts. */
export const restoreBackup = (settings: Settings, folder: string, onStep: OnStep) =>
  restore(folder, accessOf(databaseOf(settings)), {
    ...settings,
    embedded: settings.databaseUrl === undefined,
    archive: archiveOf(settings),
    onStep
  }).pipe(Effect.provide(cell(settings)), Effect.scoped)

/** How the database of some settings is. */
export type DatabaseNow = DatabaseLook

/** The database of these settings as it is: nothing is made, started or changed. */
export const databaseNow = (settings: Settings) => lookAtDatabase(databaseOf(settings))

/** Whether a service with these settings may call the URL as a partner; fails with EgressBlocked. */
export const mayCall = (settings: Settings, url: string) =>
  Effect.flatMap(EgressGuard, ({ check }) => check(url)).pipe(Effect.provide(ocpi(settings)))
