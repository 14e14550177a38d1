/**
 * Token buckets for rate limits, shared by all processes, by the database's clock. A bucket holds a minute's worth and
 * fills evenly; one without a row is full.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../database/Database.ts"
import { traced } from "../../telemetry/traced.ts"

/** What `take` has taken. */
interface Take {
  /** Tokens taken; 0 when there were fewer than needed. */
  readonly granted: number
  /** The bucket's level after that, with fractions. */
  readonly level: number
}

/** The buckets. Dies with `DatabaseDown` while Postgres is away. */
export class BucketStore extends Context.Tag("store/BucketStore")<
  BucketStore,
  {
    /**
     * Takes up to `wanted` tokens from a bucket that holds `limit` and fills by `limit` a minute; `needed` of them
     * (default 1) or none. More than `needed` are granted only up to a sixteenth of the level, so that batches of some
     * processes do not empty the bucket for others.
     */
    readonly take: (name: string, limit: number, wanted: number, needed?: number) => Effect.Effect<Take>
    /** Takes so many tokens from a bucket that holds `holds` and fills by `perMinute`, or none: were there enough? */
    readonly spend: (
      name: string,
      bucket: { readonly holds: number; readonly perMinute: number },
      amount: number
    ) => Effect.Effect<boolean>
    /** Puts one token back into a bucket that holds `limit` and fills by `limit` a minute. */
    readonly giveBack: (name: string, limit: number) => Effect.Effect<void>
    /** The bucket's present level; nothing is taken. */
    readonly level: (name: string, limit: number) => Effect.Effect<number>
    /** Removes buckets that are full again after an hour without use. */
    readonly prune: Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<BucketStore, never, Database> = Layer.effect(
    BucketStore,
    Effect.gen(function* () {
      const { query } = yield* Database

      const taken = (name: string, { holds, perMinute }: Bucket, wanted: number, needed: number) =>
        query<Take>({
          name: "bucket_take",
          text: `INSERT INTO bucket AS b (name, level, granted, at)
                 SELECT $1, $2::float8 - ${granted("$2::float8")}, ${granted("$2::float8")}, statement_timestamp()
                 ON CONFLICT (name) DO UPDATE SET (level, granted, at) = (
                   SELECT now.level - ${granted("now.level")}, ${granted("now.level")},
                     greatest(b.at, statement_timestamp())
                   FROM (SELECT ${refilled("$5")} AS level) now
                 ) RETURNING granted, level`,
          values: [name, holds, wanted, needed, perMinute]
        }).pipe(Effect.map((rows) => rows[0]!))

      const take = traced("BucketStore.take")(
        (name: string, limit: number, wanted: number, needed: number = 1) =>
          taken(name, { holds: limit, perMinute: limit }, wanted, needed)
      )

      const spend = traced("BucketStore.spend")((name: string, bucket: Bucket, amount: number) =>
        Effect.map(taken(name, bucket, amount, amount), ({ granted }) => granted > 0)
      )

      const giveBack = traced("BucketStore.giveBack")(function* (name: string, limit: number) {
        yield* query({
          text: `UPDATE bucket b SET level = least($2::float8, ${refilled("$2")} + 1),
                   at = greatest(b.at, statement_timestamp()) WHERE name = $1`,
          values: [name, limit]
        })
      })

      const level = traced("BucketStore.level")(function* (name: string, limit: number) {
        const rows = yield* query<{ readonly level: number }>({
          text: `SELECT ${refilled("$2")} AS level FROM bucket b WHERE name = $1`,
          values: [name, limit]
        })
        return rows[0]?.level ?? limit
      })

      const prune = query({
        text: "DELETE FROM bucket WHERE at < clock_timestamp() - interval '1 hour'"
      }).pipe(Effect.asVoid)

      return BucketStore.of({ take, spend, giveBack, level, prune })
    })
  )
}

/** A bucket's size and its inflow a minute. */
interface Bucket {
  readonly holds: number
  readonly perMinute: number
}

/** SQL: how many tokens of `level` are granted, for $3 wanted and $4 needed. */
const granted = (level: string) =>
  `CASE WHEN ${level} < $4::int THEN 0 ELSE least($3::int, greatest($4::int, floor(${level} / 16)))::int END`

/**
 * SQL: the present level of row `b`. A statement that waited for the row's lock began before the row's last change: then
 * no time has passed.
 */
const refilled = (perMinute: "$2" | "$5") => `least($2::float8,
  b.level + greatest(0, extract(epoch FROM statement_timestamp() - b.at)::float8) * ${perMinute}::float8 / 60)`
