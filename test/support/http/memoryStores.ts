/** The row stores in memory, for tests of what stands above them. */
import { Effect, Layer, Option, Redacted } from "effect"
import { allScopes, type Caller } from "../../../schema/Account.ts"
import { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { newIdBody } from "../../../src/database/newId.ts"
import { AuditStore, type NewEntry } from "../../../src/store/accounts/AuditStore.ts"
import { BucketStore } from "../../../src/store/accounts/BucketStore.ts"
import { IdempotencyStore, type StoredAnswer } from "../../../src/store/accounts/IdempotencyStore.ts"
import { KeyStore } from "../../../src/store/accounts/KeyStore.ts"
import { StreamStore } from "../../../src/store/accounts/StreamStore.ts"
import { type CommandRow, CommandStore } from "../../../src/store/rows/CommandStore.ts"
import { type ConnectionRow, ConnectionStore } from "../../../src/store/rows/ConnectionStore.ts"
import { type ScenarioRow, ScenarioStore } from "../../../src/store/rows/ScenarioStore.ts"

const caller = (name: string, more: Partial<Caller> = {}): Caller => ({
  ownerId: OwnerId.make(`own_${name}`),
  keyId: KeyId.make(`key_${name}`),
  scopes: allScopes,
  plan: "unlimited",
  ...more
})

/** API key → who it is. */
export const callers: Readonly<Record<string, Caller>> = {
  "alice-key": caller("alice"),
  "alice-second-key": caller("alice", { keyId: KeyId.make("key_alice_second") }),
  "bob-key": caller("bob"),
  "reader-key": caller("reader", { scopes: ["read"] }),
  "poor-key": caller("poor", { plan: "sandbox" })
}

export const keyStore = Layer.mock(KeyStore, {
  findByKey: (key) => Effect.sync(() => Option.fromNullable(callers[Redacted.value(key)])),
  findByKeyAtOnce: (key) => callers[key],
  findById: (id) =>
    Effect.sync(() =>
      Option.fromNullable(Object.values(callers).find(({ keyId }) => keyId === id)).pipe(
        Option.map((found) => ({ caller: found, name: id, expiresAt: null }))
      )
    ),
  ended: () => Effect.succeed([])
})

/** Buckets that never fill up again: a test is over before they would. */
export const bucketStore = Layer.sync(BucketStore, () => {
  const levels = new Map<string, number>()
  return BucketStore.of({
    take: (name, limit, _, needed = 1) =>
      Effect.sync(() => {
        const before = levels.get(name) ?? limit
        const granted = before >= needed ? needed : 0
        levels.set(name, before - granted)
        return { granted, level: before - granted }
      }),
    spend: () => Effect.succeed(true),
    giveBack: (name, limit) =>
      Effect.sync(() => void levels.set(name, Math.min(limit, (levels.get(name) ?? limit) + 1))),
    level: (name, limit) => Effect.sync(() => levels.get(name) ?? limit),
    prune: Effect.void
  })
})

/** One process alone: whoever comes is let in. */
export const locks = Layer.succeed(Locks, Locks.of({ withLock: (_, body) => body }))

export const auditStore = Layer.sync(AuditStore, () => {
  const rows = new Map<string, NewEntry & { readonly at: string }>()
  return AuditStore.of({
    insert: (entry) =>
      Effect.sync(() => void rows.set(entry.id, { ...entry, at: "2026-11-21T10:00:00.000Z" })),
    end: (id, status, result) => Effect.sync(() => void rows.set(id, { ...rows.get(id)!, status, result })),
    list: (owner, { limit }) =>
      Effect.sync(() =>
        [...rows.values()]
          .filter(({ ownerId }) => ownerId === owner)
          .reverse()
          .slice(0, limit)
          .map(({ id, keyId, ownerId: _, ...entry }) => ({
            ...entry,
            _id: id,
            key: keyId === null ? null : { _id: keyId, name: "" }
          }))
      ),
    prune: () => Effect.succeed(0)
  })
})

export const streamStore = Layer.sync(StreamStore, () => {
  const open = new Map<string, string>()
  return StreamStore.of({
    count: (ownerId) => Effect.sync(() => [...open.values()].filter((owner) => owner === ownerId).length),
    open: (id, ownerId) => Effect.sync(() => void open.set(id, ownerId)),
    close: (id) => Effect.sync(() => void open.delete(id)),
    prune: Effect.void
  })
})

export const connectionStore = Layer.sync(ConnectionStore, () => {
  const rows = new Map<string, ConnectionRow>()
  const owned = (owner: string, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), (row) => owner === "system" || row.ownerId === owner)
  return ConnectionStore.of({
    insert: (row) => Effect.sync(() => void (rows.has(row.id) || rows.set(row.id, row))),
    find: (owner, id) => Effect.sync(() => owned(owner, id)),
    list: ({ cursor, limit, ocpiVersion, ownerId, status }) =>
      Effect.sync(() =>
        [...rows.values()]
          .filter((row) => row.ownerId === ownerId && (cursor === undefined || row.id < cursor))
          .filter(
            (row) =>
              (status ?? row.status) === row.status && (ocpiVersion ?? row.ocpiVersion) === row.ocpiVersion
          )
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    count: (ownerId) => Effect.sync(() => [...rows.values()].filter((row) => row.ownerId === ownerId).length),
    update: (owner, id, patch) =>
      Effect.sync(() =>
        Option.map(owned(owner, id), (row) => {
          const after = { ...row, ...patch }
          rows.set(id, after)
          return after
        })
      ),
    remove: (owner, id) => Effect.sync(() => Option.isSome(owned(owner, id)) && rows.delete(id))
  })
})

export const commandStore = Layer.sync(CommandStore, () => {
  const rows = new Map<string, CommandRow>()
  const owned = (owner: string, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), (row) => row.ownerId === owner)
  return CommandStore.of({
    insert: (row) => Effect.sync(() => void (rows.has(row.commandId) || rows.set(row.commandId, row))),
    update: (owner, id, patch) =>
      Effect.sync(() =>
        Option.map(owned(owner, id), (row) => {
          const after = { ...row, ...patch }
          rows.set(id, after)
          return after
        })
      ),
    find: (owner, id) => Effect.sync(() => owned(owner, id)),
    list: (owner) => Effect.sync(() => [...rows.values()].filter((row) => row.ownerId === owner))
  })
})

export const idempotencyStore = Layer.sync(IdempotencyStore, () => {
  const rows = new Map<string, { readonly hash: string; answer: StoredAnswer | undefined }>()
  const nameOf = (request: {
    readonly ownerId: string
    readonly keyId: string
    readonly endpoint: string
    readonly key: string
  }) => `${request.ownerId} ${request.keyId} ${request.endpoint} ${request.key}`
  return IdempotencyStore.of({
    begin: (request) =>
      Effect.map(newIdBody, (idBody) => {
        const since = "2026-11-21T10:00:00.000Z"
        const row = rows.get(nameOf(request))
        if (row === undefined) {
          rows.set(nameOf(request), { hash: request.requestHash, answer: undefined })
          return { _tag: "fresh", claim: "claim", idBody, isRetry: false, since } as const
        }
        if (row.hash !== request.requestHash) return { _tag: "conflict" } as const
        return row.answer === undefined
          ? ({ _tag: "inFlight", aliveUntil: since } as const)
          : ({ _tag: "replay", answer: row.answer } as const)
      }),
    finish: (request, _, answer) =>
      Effect.sync(() => {
        rows.get(nameOf(request))!.answer = answer
      }),
    abandon: (request) => Effect.sync(() => void rows.delete(nameOf(request))),
    release: (request) => Effect.sync(() => void rows.delete(nameOf(request))),
    prune: Effect.succeed(0)
  })
})

export const scenarioStore = Layer.sync(ScenarioStore, () => {
  const rows = new Map<string, ScenarioRow>()
  const owned = (owner: string, id: string) =>
    Option.filter(Option.fromNullable(rows.get(id)), (row) => row.ownerId === owner)
  return ScenarioStore.of({
    insert: (row) => Effect.sync(() => void (rows.has(row.id) || rows.set(row.id, row))),
    find: (owner, id) => Effect.sync(() => owned(owner, id)),
    count: (owner) => Effect.sync(() => [...rows.values()].filter(({ ownerId }) => ownerId === owner).length),
    list: (owner, { cursor, limit }) =>
      Effect.sync(() =>
        [...rows.values()]
          .filter((row) => row.ownerId === owner && (cursor === undefined || row.id < cursor))
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    change: (owner, id, from, to) =>
      Effect.sync(() =>
        Option.map(
          Option.filter(owned(owner, id), ({ version }) => version === from),
          (row) => {
            const after = { ...row, ...to, version: from + 1 }
            rows.set(id, after)
            return after
          }
        )
      ),
    remove: (owner, id) =>
      Effect.sync(() => {
        const before = owned(owner, id)
        rows.delete(Option.isSome(before) ? id : "")
        return before
      })
  })
})
