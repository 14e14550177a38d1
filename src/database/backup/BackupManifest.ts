/** What a backup says of itself, in its file `manifest.json`. */
import { Schema } from "effect"

/** Names the format of the folder; another one is not read. */
export const backupFormat = "plugfest-backup/1"

/** A name in the database that is ours: it becomes part of a file name. */
const Name = Schema.String.pipe(Schema.pattern(/^[a-z_][a-z0-9_]*$/))

/** A table in a backup, in the file `tables/<name>.copy.gz`: Postgres' COPY text format in UTF-8, compressed. */
export const BackupTable = Schema.Struct({
  name: Name,
  columns: Schema.Array(Name),
  rows: Schema.NonNegativeInt
})
export type BackupTable = typeof BackupTable.Type

/** A monthly partition (decision 35), which is made again before its rows come. Its bounds are ids; `lower` null: there is none. */
const BackupPartition = Schema.Struct({
  table: Name,
  name: Name,
  lower: Schema.NullOr(Schema.String),
  upper: Schema.String
})
export type BackupPartition = typeof BackupPartition.Type

/** A run whose lines are not those that its head hash belongs to. */
const BrokenRun = Schema.Struct({
  runId: Schema.String,
  message: Schema.String
})

/** What a backup says of itself. */
export const BackupManifest = Schema.Struct({
  format: Schema.Literal(backupFormat),
  /** When the snapshot was taken, by the database's clock. */
  madeAt: Schema.String,
  /** Version of the Postgres that was copied. */
  postgres: Schema.String,
  /** The migrations that the database has had, by number. */
  migrations: Schema.NonEmptyArray(Schema.Int),
  /** A table stands after those that it refers to. */
  tables: Schema.Array(BackupTable),
  /** Absent in a backup of before migration 23. */
  partitions: Schema.optional(Schema.Array(BackupPartition)),
  /** `value`: the last one that was drawn; null: none was. */
  sequences: Schema.Array(Schema.Struct({ name: Name, value: Schema.NullOr(Schema.String) })),
  /** Are the keys in the folder? */
  keys: Schema.Boolean,
  runs: Schema.NonNegativeInt,
  /** In the tables. */
  lines: Schema.NonNegativeInt,
  /** Runs whose lines are in the archive and not in this folder, and where that was. Absent in backups of earlier releases. */
  archive: Schema.optionalWith(
    Schema.Struct({
      runs: Schema.NonNegativeInt,
      lines: Schema.NonNegativeInt,
      /** As ARCHIVE_URL said it; null: it was not given. */
      place: Schema.NullOr(Schema.String)
    }),
    { exact: true }
  ),
  /** Runs that were not intact when the backup was made. */
  notIntact: Schema.Array(BrokenRun),
  /** How many stored secrets the keys did not decrypt when the backup was made. */
  unreadableSecrets: Schema.NonNegativeInt
})
export type BackupManifest = typeof BackupManifest.Type
