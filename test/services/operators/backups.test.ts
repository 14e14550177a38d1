/** Backups of real databases, restored into others; what was restored is compared by statements of the test's own. */
import { createHash, hash, randomBytes } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import type { Access } from "../../../src/database/access.ts"
import { migrate } from "../../../src/database/migrate.ts"
import { migrations } from "../../../src/database/migrations/all.ts"
import { backUp } from "../../../src/services/operators/backUp.ts"
import { restore } from "../../../src/services/operators/restore.ts"
import { SecretBox } from "../../../src/store/secrets/SecretBox.ts"
import { SigningKeys } from "../../../src/store/secrets/SigningKeys.ts"
import { rows as queried } from "../../support/service/database.ts"
import { administer, databaseUrl, servingUrlOf } from "../../support/TestDatabase.ts"

const encryptionKey = (fill: number) => Redacted.make(`k1:${Buffer.alloc(32, fill).toString("base64")}`)

/** Values that COPY must escape, or that depend on the settings of a server. */
const oddTexts = [
  "tab\tand\nlines\r\n",
  "back\\slash \\N \\.",
  "\\.",
  "",
  "NULL",
  "ü 漢字 🚗 \u0001\u007f",
  '{"a": "\\u0000"}'
]

const onStep = () => Effect.void

/** The same database, with the superuser's login. */
const adminOf = (url: Redacted.Redacted<string>) =>
  Redacted.make(inject("pgUrl").replace(/postgres$/, new URL(Redacted.value(url)).pathname.slice(1)))

describe("a backup", () => {
  let folder: string
  let keys: { encryptionKeys: undefined; signingKeys: undefined; dataDir: string }
  let count = 0
  const fresh = (name: string) => join(folder, `${name}-${++count}`)

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-backups-"))
    keys = { encryptionKeys: undefined, signingKeys: undefined, dataDir: join(folder, "data") }
    // The keys as a first start makes them.
    mkdirSync(keys.dataDir)
    writeFileSync(join(keys.dataDir, "encryption-keys"), Redacted.value(encryptionKey(1)))
    const made = SigningKeys.layer({ keys: undefined, dataDir: keys.dataDir })
    await Effect.runPromise(Effect.scoped(Layer.build(made)))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const accessOf = (url: Redacted.Redacted<string>): Access => ({
    url: servingUrlOf(url),
    adminUrl: url,
    ours: false,
    allowSuperuser: false
  })
  const sql = (url: Redacted.Redacted<string>, text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.promise(() => queried(Redacted.value(url), text, values))

  /** A database with odd values, and three runs. */
  const filled = Effect.gen(function* () {
    const url = adminOf(yield* databaseUrl("migrated"))
    yield* fill(url)
    return url
  })
  const fill = (url: Redacted.Redacted<string>) =>
    Effect.gen(function* () {
      for (const [index, text] of oddTexts.entries()) {
        yield* sql(url, "INSERT INTO owner (id, account, plan) VALUES ($1, $2, $3)", [
          `own_${index}`,
          `${index}${text}`,
          index % 2 ? text : null
        ])
        yield* sql(
          url,
          "INSERT INTO party (id, owner_id, kind, document, created_at) VALUES ($1, $2, $2, $3, '2026-02-03 04:05:06.789012+11')",
          [`p${index}`, text, JSON.stringify({ z: text, a: 0.1 + 0.2 })]
        )
        yield* sql(
          url,
          "INSERT INTO api_key (id, owner_id, name, prefix, last4, hash, scopes, created_at, expires_at) VALUES ($1, 'own_0', $2, '', '', $3, $4, now(), 'infinity')",
          [
            `key_${index}`,
            text,
            createHash("sha256")
              .update(text + index)
              .digest(),
            [text, "a,b", 'q"', "{}"]
          ]
        )
        yield* sql(
          url,
          "INSERT INTO party_exchange (party_id, exchange_id, direction, exchange) VALUES ($1, 'x', 'inbound', $2)",
          [`p${index}`, `{"b":1,  "a":${JSON.stringify(text)}}`]
        )
      }
      const box = yield* SecretBox
      const sealed = yield* box.seal({ record: "party:p0", field: "token:outbound" }, Redacted.make("secret"))
      yield* sql(
        url,
        "INSERT INTO party_token (party_id, slot, name, sealed) VALUES ('p0', 'outbound', 'tokenB', $1)",
        [sealed]
      )
      for (const id of ["run_a", "run_b", "run_c"]) yield* addRun(url, id, 300)
    }).pipe(Effect.provide(SecretBox.layer({ keys: encryptionKey(1), dataDir: "/nowhere" })))

  const addRun = (url: Redacted.Redacted<string>, id: string, count: number) =>
    Effect.gen(function* () {
      const texts = Array.from(
        { length: count },
        (_, at) =>
          `{"sequence":${at + 1},"type":"x","text":${JSON.stringify(oddTexts[at % oddTexts.length])}}`
      )
      const hashes: Array<string> = []
      for (const line of texts) hashes.push(hash("sha256", (hashes.at(-1) ?? id) + line))
      yield* sql(
        url,
        `INSERT INTO ledger_event (run_id, sequence, event_id, type, line, hash)
         SELECT $1, n, n::text, 'x', line, hash FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS u (line, hash, n)`,
        [id, texts, hashes]
      )
      yield* sql(
        url,
        `INSERT INTO run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id, plan,
           created_at, status, snapshot, last_sequence, head_hash, closed, lease_epoch, lease_until)
         VALUES ($1, $1, '', '', '', '', '', '', '', '', '', '{}', $2, $3, true, 1, now())`,
        [id, count, hashes.at(-1)]
      )
    })

  const backedUp = (
    url: Redacted.Redacted<string>,
    withKeys = true,
    from: Parameters<typeof backUp>[1] = keys
  ) =>
    backUp(Effect.succeed(accessOf(url)), from, { folder: fresh("backup"), withKeys, onStep }).pipe(
      Effect.scoped
    )
  const restored = (
    backup: string,
    url: Redacted.Redacted<string>,
    settings: Partial<Parameters<typeof restore>[2]> = {}
  ) =>
    restore(backup, Effect.succeed(accessOf(url)), {
      encryptionKeys: undefined,
      signingKeys: undefined,
      dataDir: fresh("restored"),
      embedded: false,
      onStep,
      ...settings
    }).pipe(Effect.scoped)

  /** What every table holds, whatever the order of its rows; and what the sequences give next. */
  const contentOf = (url: Redacted.Redacted<string>) =>
    Effect.gen(function* () {
      const tables = yield* sql(
        url,
        "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relpersistence = 'p' ORDER BY 1"
      )
      const content: Record<string, unknown> = {}
      for (const { name } of tables)
        content[name] = yield* sql(
          url,
          `SELECT count(*)::int AS n, md5(string_agg(t::text, '|' ORDER BY t::text)) AS sum FROM ${name} t`
        )
      content["sequences"] = yield* sql(url, "SELECT sequencename, last_value FROM pg_sequences ORDER BY 1")
      return content
    })

  it.scopedLive(
    "is restored with every row of every table as it was, and the keys",
    () =>
      Effect.gen(function* () {
        const source = yield* filled
        const before = yield* contentOf(source)
        const { folder: made, manifest } = yield* backedUp(source)
        assert.deepInclude(manifest, { runs: 3, lines: 900, notIntact: [], unreadableSecrets: 0 })
        assert.deepStrictEqual(yield* contentOf(source), before)
        // Another server's settings change nothing.
        const target = yield* databaseUrl("empty")
        const name = new URL(Redacted.value(target)).pathname.slice(1)
        yield* sql(target, `ALTER DATABASE ${name} SET DateStyle = 'German'`)
        yield* sql(target, `ALTER DATABASE ${name} SET TimeZone = 'Asia/Kathmandu'`)
        const dataDir = fresh("restored")
        const { runs, unreadable } = yield* restored(made, target, { dataDir })
        assert.deepStrictEqual(
          { runs, unreadable },
          { runs: { runs: 3, lines: 900, archived: { runs: 0, lines: 0 }, notIntact: [] }, unreadable: [] }
        )
        yield* sql(target, `ALTER DATABASE ${name} RESET ALL`)
        assert.deepStrictEqual(yield* contentOf(target), before)
        for (const file of ["encryption-keys", "signing-keys"]) {
          assert.strictEqual(
            readFileSync(join(dataDir, file), "utf8").trim(),
            readFileSync(join(keys.dataDir, file), "utf8").trim()
          )
          assert.strictEqual(statSync(join(dataDir, file)).mode & 0o777, 0o600)
        }
      }),
    120_000
  )

  it.scopedLive("holds every table that is logged, and is readable by its maker alone", () =>
    Effect.gen(function* () {
      const source = adminOf(yield* databaseUrl("migrated"))
      const { folder: made, manifest } = yield* backedUp(source)
      const names = manifest.tables.map(({ name }) => name)
      assert.sameMembers(
        names,
        Object.keys(yield* contentOf(source)).filter((name) => name !== "sequences")
      )
      for (const name of readdirSync(made, { recursive: true }) as Array<string>)
        assert.strictEqual(statSync(join(made, name)).mode & 0o077, 0, name)
      assert.strictEqual(statSync(made).mode & 0o077, 0)
    })
  )

  it.scopedLive(
    "is restored with the months that its lines were in",
    () =>
      Effect.gen(function* () {
        const source = adminOf(yield* databaseUrl("migrated"))
        const at = (month: string) => `id_from('run_a', '${month}-01T00:00:00Z')`
        for (const [from, to] of [
          ["2020-01", "2020-02"],
          ["2020-02", "2020-03"]
        ])
          yield* sql(
            source,
            `SELECT add_partition('ledger_event', 'ledger_event_a_${from?.replace("-", "_")}', ${at(from!)}, ${at(to!)})`
          )
        yield* sql(source, "SELECT add_partition('ledger_event', 'ledger_event_first', NULL, 'run_9')")
        const ids = (yield* sql(
          source,
          `SELECT ${["2020-01", "2020-02", "2020-03"].map((month, index) => `${at(month)} || '7x' AS a${index}`).join()}`
        ))[0]
        for (const id of ["run_0198", ids.a0, ids.a1, ids.a2, "run_x"]) yield* addRun(source, id, 5)
        const places = (url: Redacted.Redacted<string>) =>
          sql(
            url,
            `SELECT l.tableoid::regclass::text AS place, pg_get_expr(relpartbound, c.oid) AS bound, count(*)::int
             FROM ledger_event l JOIN pg_class c ON c.oid = l.tableoid GROUP BY 1, 2 ORDER BY 1`
          )
        const before = yield* places(source)
        assert.deepStrictEqual(
          before.map(({ count, place }) => [place, count]),
          [
            ["ledger_event_a_2020_01", 5],
            ["ledger_event_a_2020_02", 5],
            ["ledger_event_default", 10],
            ["ledger_event_first", 5]
          ]
        )
        const { folder: made } = yield* backedUp(source)
        const target = yield* databaseUrl("empty")
        const { runs } = yield* restored(made, target)
        assert.deepStrictEqual(runs, { runs: 5, lines: 25, notIntact: [], archived: { runs: 0, lines: 0 } })
        assert.deepStrictEqual(yield* places(target), before)
        // Guarded as they were, whoever the tables belong to now.
        for (const { place } of before)
          for (const change of [
            `UPDATE ${place} SET line = ''`,
            `DELETE FROM ${place}`,
            `TRUNCATE ${place}`
          ]) {
            assert.match(
              String(yield* Effect.flip(Effect.sandbox(sql(target, change)))),
              /append-only/,
              change
            )
            assert.match(
              String(yield* Effect.flip(Effect.sandbox(sql(servingUrlOf(target), change)))),
              /permission denied/,
              change
            )
          }
      }),
    60_000
  )

  it.scopedLive(
    "of an older schema is not migrated when it is made, and is when it is restored",
    () =>
      Effect.gen(function* () {
        const source = yield* databaseUrl("empty")
        yield* migrate({ connectionString: Redacted.value(source) }, migrations.slice(0, 12))
        yield* sql(
          source,
          "INSERT INTO party (id, owner_id, kind, document) VALUES ('p', 'o', 'sandbox', '{}')"
        )
        yield* sql(
          source,
          "INSERT INTO party_token (party_id, slot, name, sealed, hash) VALUES ('p', 'dead', 'tokenB', 'v1.k1.a.b', '\\x00')"
        )
        yield* addRun(source, "run_old", 3)
        const access: Access = { url: source, adminUrl: undefined, ours: false, allowSuperuser: true }
        const {
          folder: made,
          manifest,
          unreadable
        } = yield* backUp(Effect.succeed(access), keys, {
          folder: fresh("backup"),
          withKeys: true,
          onStep
        }).pipe(Effect.scoped)
        assert.deepStrictEqual(manifest.migrations, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
        assert.lengthOf(unreadable, 1)
        assert.lengthOf(yield* sql(source, "SELECT FROM schema_migration"), 12)
        const target = yield* databaseUrl("empty")
        const { runs } = yield* restored(made, target)
        assert.deepStrictEqual(runs, { runs: 1, lines: 3, archived: { runs: 0, lines: 0 }, notIntact: [] })
        assert.lengthOf(yield* sql(target, "SELECT FROM schema_migration"), migrations.length)
        // What migration 13 does to such a row.
        assert.deepStrictEqual(yield* sql(target, "SELECT old_hash, is_current FROM party_token"), [
          { old_hash: null, is_current: false }
        ])
      }),
    60_000
  )

  it.scopedLive(
    "is found to be damaged at every file, before anything is written",
    () =>
      Effect.gen(function* () {
        const { folder: made } = yield* backedUp(yield* filled)
        const target = yield* databaseUrl("empty")
        const dataDir = fresh("restored")
        // Without .gitignore, which is no part of what is restored: programs that copy folders may leave it out.
        const files = (readdirSync(made, { recursive: true }) as Array<string>).filter(
          (name) => statSync(join(made, name)).isFile() && name !== ".gitignore"
        )
        assert.isAbove(files.length, 20)
        const damages: ReadonlyArray<readonly [string, (bytes: Buffer) => Buffer | undefined]> = [
          [
            "a byte",
            (bytes) =>
              Buffer.from(bytes.map((byte, at) => (at === Math.floor(bytes.length / 2) ? byte ^ 1 : byte)))
          ],
          ["the end", (bytes) => bytes.subarray(0, -1)],
          ["half", (bytes) => bytes.subarray(0, bytes.length / 2)],
          ["all", () => undefined]
        ]
        for (const file of files)
          for (const [what, damage] of damages) {
            const path = join(made, file)
            const bytes = readFileSync(path)
            const left = damage(bytes)
            if (left === undefined) rmSync(path)
            else writeFileSync(path, left)
            const error = yield* Effect.flip(restored(made, target, { dataDir }))
            assert.strictEqual(error._tag, "BackupRefused", `${what} of ${file}`)
            writeFileSync(path, bytes)
          }
        assert.isFalse(existsSync(dataDir))
        assert.isEmpty(yield* sql(target, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
        yield* restored(made, target, { dataDir })
      }),
    120_000
  )

  it.scopedLive(
    "that somebody has made up leads to no other file, and to no other statement",
    () =>
      Effect.gen(function* () {
        const { folder: made } = yield* backedUp(adminOf(yield* databaseUrl("migrated")))
        const target = yield* databaseUrl("empty")
        const sumsFile = join(made, "SHA256SUMS")
        const manifestFile = join(made, "manifest.json")
        const [sums, manifest] = [readFileSync(sumsFile, "utf8"), readFileSync(manifestFile, "utf8")]
        const sum = (text: string) => createHash("sha256").update(text).digest("hex")
        const refused = Effect.gen(function* () {
          const dataDir = fresh("restored")
          const error = yield* Effect.flip(restored(made, target, { dataDir }))
          assert.strictEqual(error._tag, "BackupRefused", error.message)
          assert.isFalse(existsSync(dataDir))
          assert.isEmpty(
            yield* sql(target, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")
          )
        })
        writeFileSync(join(folder, "outside"), "x")
        for (const name of [
          "../outside",
          "tables/../../outside",
          join(folder, "outside"),
          "tables/a b.copy.gz"
        ]) {
          writeFileSync(sumsFile, `${sums}${sum("x")}  ${name}\n`)
          yield* refused
        }
        for (const [from, to] of [
          ['"name": "owner"', '"name": "owner; DROP TABLE owner"'],
          ['"name": "owner"', '"name": "../owner"'],
          ['"name": "owner"', '"name": "pg_authid"'],
          ['"account"', '"account\\") FROM PROGRAM \'true\' --"'],
          ['"keys": true', '"keys": "true"']
        ] as const) {
          const changed = manifest.replace(from, to)
          assert.notStrictEqual(changed, manifest)
          writeFileSync(manifestFile, changed)
          writeFileSync(sumsFile, sums.replace(sum(manifest), sum(changed)))
          yield* refused
        }
        writeFileSync(manifestFile, manifest)
        writeFileSync(sumsFile, sums)
        // A link to the same bytes.
        renameSync(join(made, "signing-keys"), join(folder, "keys-elsewhere"))
        symlinkSync(join(folder, "keys-elsewhere"), join(made, "signing-keys"))
        yield* refused
        renameSync(join(folder, "keys-elsewhere"), join(made, "signing-keys"))
        yield* restored(made, target)
      }),
    60_000
  )

  it.scopedLive(
    "is not restored where something is",
    () =>
      Effect.gen(function* () {
        const { folder: made } = yield* backedUp(yield* filled)
        const full = adminOf(yield* databaseUrl("migrated"))
        const dataDir = fresh("restored")
        const before = yield* contentOf(full)
        assert.include(
          (yield* Effect.flip(restored(made, full, { dataDir }))).message,
          "The database is not empty"
        )
        assert.deepStrictEqual(yield* contentOf(full), before)
        assert.isFalse(existsSync(dataDir), "no key is left")
        const strange = yield* databaseUrl("empty")
        yield* sql(strange, "CREATE TABLE somebody (n int)")
        assert.include((yield* Effect.flip(restored(made, strange))).message, "somebody")
        mkdirSync(dataDir)
        writeFileSync(join(dataDir, "note"), "")
        const error = yield* Effect.flip(restored(made, yield* databaseUrl("empty"), { dataDir }))
        assert.include(error.message, "is not empty")
        assert.deepStrictEqual(readdirSync(dataDir), ["note"])
        const again = yield* Effect.flip(
          backUp(Effect.succeed(accessOf(full)), keys, { folder: made, withKeys: true, onStep }).pipe(
            Effect.scoped
          )
        )
        assert.include(again.message, "exists")
      }),
    60_000
  )

  it.scopedLive(
    "is restored as a whole or not at all",
    () =>
      Effect.gen(function* () {
        const { folder: made } = yield* backedUp(yield* filled)
        const [original, sums] = ["tables/ledger_event.copy.gz", "SHA256SUMS"].map((name) =>
          readFileSync(join(made, name))
        ) as [Buffer, Buffer]
        /** Somebody changes rows, and the sums with them. */
        const forged = (change: (text: string) => string) => {
          const bytes = gzipSync(change(gunzipSync(original).toString()))
          writeFileSync(join(made, "tables/ledger_event.copy.gz"), bytes)
          const sum = (of: Buffer) => createHash("sha256").update(of).digest("hex")
          writeFileSync(join(made, "SHA256SUMS"), sums.toString().replace(sum(original), sum(bytes)))
        }
        const target = yield* databaseUrl("empty")
        const refused = (said: RegExp) =>
          Effect.gen(function* () {
            const dataDir = fresh("restored")
            assert.match((yield* Effect.flip(restored(made, target, { dataDir }))).message, said)
            assert.isFalse(existsSync(dataDir))
            assert.isEmpty(
              yield* sql(target, "SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")
            )
          })
        forged((text) => text.replace("run_b\t7\t", "run_b\t1007\t"))
        yield* refused(/Run run_b was intact in the backup and is not in the database: line 7 is missing/)
        forged((text) => text.split("\n").slice(1).join("\n"))
        yield* refused(/ledger_event.copy.gz has 899 rows; the manifest says 900/)
        forged((text) => text.replace("run_b\t7\t", "run_b\tseven\t"))
        yield* refused(/^Postgres at .*seven/)
        forged((text) => text)
        assert.strictEqual((yield* restored(made, target)).runs.lines, 900)
      }),
    60_000
  )

  it.scopedLive(
    "names a run that is not intact, and restores it as it is",
    () =>
      Effect.gen(function* () {
        const source = yield* filled
        yield* sql(source, "ALTER TABLE ledger_event DISABLE TRIGGER USER")
        yield* sql(
          source,
          "UPDATE ledger_event SET line = replace(line, 'x', 'y') WHERE run_id = 'run_b' AND sequence = 5"
        )
        yield* sql(source, "DELETE FROM run WHERE run_id = 'run_c'")
        const { folder: made, manifest } = yield* backedUp(source)
        const broken = [
          { runId: "run_b", message: "line 5 is not the one that was written" },
          { runId: "run_c", message: "there are lines of it, and no run" }
        ]
        assert.deepStrictEqual(manifest.notIntact, broken)
        const { runs } = yield* restored(made, yield* databaseUrl("empty"))
        assert.deepStrictEqual(runs, {
          runs: 3,
          lines: 900,
          archived: { runs: 0, lines: 0 },
          notIntact: broken
        })
      }),
    60_000
  )

  it.scopedLive(
    "of a newer version is neither made nor restored",
    () =>
      Effect.gen(function* () {
        const source = yield* filled
        const { folder: made } = yield* backedUp(source)
        yield* sql(source, "INSERT INTO schema_migration (id, name) VALUES (9999, 'of tomorrow')")
        assert.include((yield* Effect.flip(backedUp(source))).message, "A newer version of plugfest")
        const manifest = readFileSync(join(made, "manifest.json"), "utf8")
        const later = manifest.replace('"migrations": [', '"migrations": [9999,')
        const sum = (text: string) => createHash("sha256").update(text).digest("hex")
        const sums = readFileSync(join(made, "SHA256SUMS"), "utf8").replace(sum(manifest), sum(later))
        writeFileSync(join(made, "manifest.json"), later)
        writeFileSync(join(made, "SHA256SUMS"), sums)
        const error = yield* Effect.flip(restored(made, yield* databaseUrl("empty")))
        assert.include(error.message, "newer version of plugfest (migration 9999)")
      }),
    60_000
  )

  it.scopedLive(
    "tells of keys that do not fit, and of keys that are missing",
    () =>
      Effect.gen(function* () {
        const source = yield* filled
        const other = { ...keys, encryptionKeys: encryptionKey(2) }
        const wrong = yield* backedUp(source, true, other)
        assert.strictEqual(wrong.manifest.unreadableSecrets, 1)
        assert.include(wrong.unreadable[0], "token:outbound of party:p0 cannot be read")
        const nowhere = yield* Effect.flip(
          backedUp(source, true, { ...keys, dataDir: join(folder, "nowhere") })
        )
        assert.include(nowhere.message, "does not exist: give ENCRYPTION_KEYS or the DATA_DIR")
        assert.isFalse(existsSync(join(folder, "nowhere")), "no key is made")
        const { folder: made } = yield* backedUp(source, false)
        assert.isFalse(existsSync(join(made, "encryption-keys")))
        const target = yield* databaseUrl("empty")
        assert.include((yield* Effect.flip(restored(made, target))).message, "The backup holds no keys")
        const signingKeys = Redacted.make(readFileSync(join(keys.dataDir, "signing-keys"), "utf8").trim())
        const dataDir = fresh("restored")
        const { keysIn, unreadable } = yield* restored(made, target, {
          encryptionKeys: encryptionKey(1),
          signingKeys,
          dataDir
        })
        assert.deepStrictEqual({ keysIn, unreadable }, { keysIn: undefined, unreadable: [] })
        assert.isFalse(existsSync(dataDir))
      }),
    60_000
  )

  it.scopedLive(
    "leaves out what is not of plugfest, and says so",
    () =>
      Effect.gen(function* () {
        const source = adminOf(yield* databaseUrl("migrated"))
        yield* sql(source, "CREATE TABLE somebody (n int)")
        const { folder: made, leftOut } = yield* backedUp(source)
        assert.deepStrictEqual(leftOut, ["somebody"])
        yield* restored(made, yield* databaseUrl("empty"))
      }),
    60_000
  )

  it.scopedLive(
    "is made and restored by the one login that owns the tables and may make no role",
    () =>
      Effect.gen(function* () {
        const name = `owner_${randomBytes(4).toString("hex")}`
        yield* Effect.acquireRelease(administer(`CREATE ROLE ${name} LOGIN PASSWORD '${name}'`), () =>
          Effect.orDie(administer(`DROP ROLE ${name}`))
        )
        const { folder: made } = yield* backedUp(yield* filled)
        const ownedBy = Effect.gen(function* () {
          const url = new URL(Redacted.value(yield* databaseUrl("empty")))
          yield* administer(`ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${name}`)
          url.username = name
          url.password = name
          return Redacted.make(url.href)
        })
        const one = (url: Redacted.Redacted<string>) =>
          Effect.succeed<Access>({ url, adminUrl: undefined, ours: false, allowSuperuser: false })
        const settings = { ...keys, embedded: false, encryptionKeys: encryptionKey(1), onStep }
        const first = yield* ownedBy
        yield* restore(made, one(first), { ...settings, dataDir: fresh("restored") }).pipe(Effect.scoped)
        const order = { folder: fresh("backup"), withKeys: true, onStep }
        yield* backUp(one(first), settings, order).pipe(Effect.scoped)
        const second = yield* ownedBy
        yield* restore(order.folder, one(second), { ...settings, dataDir: fresh("restored") }).pipe(
          Effect.scoped
        )
        assert.deepStrictEqual(yield* contentOf(second), yield* contentOf(first))
      }),
    60_000
  )

  it.scopedLive("is not made of a database without our tables", () =>
    Effect.gen(function* () {
      const url = yield* databaseUrl("empty")
      const access: Access = { url, adminUrl: undefined, ours: false, allowSuperuser: true }
      const target = fresh("backup")
      const error = yield* Effect.flip(
        backUp(Effect.succeed(access), keys, { folder: target, withKeys: true, onStep }).pipe(Effect.scoped)
      )
      assert.include(error.message, "no tables of plugfest")
      assert.isEmpty(readdirSync(folder).filter((name) => join(folder, name).startsWith(target)))
    })
  )
})
