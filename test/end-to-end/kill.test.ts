/**
 * kill -9 of the built service at single ledger appends of a `remote-start` run, with the partner in another process.
 * KILL_EVERY=1 tries every append; the default takes a sample. KILL_POINT tries one side of the append only.
 */
import { afterAll, assert, describe, inject, it } from "vitest"
import { type KillPoint, killShard, type Tally } from "./killShard.ts"

const every = Number(process.env["KILL_EVERY"] ?? "9")
const asked = process.env["KILL_POINT"]
const points: ReadonlyArray<KillPoint> =
  asked === "committed" || asked === "before" ? [asked] : ["committed", "before"]

describe("kill -9 at a ledger append", () => {
  const tally: Tally = {
    kills: 0,
    events: 0,
    lost: 0,
    duplicated: 0,
    unlikeTheFold: 0,
    applied: new Map(),
    offered: new Set(),
    table: []
  }

  afterAll(() => {
    const { duplicated, events, kills, lost, table, unlikeTheFold } = tally
    if (every === 1) process.stdout.write(`${table.join("\n")}\n`)
    process.stdout.write(
      `kill -9: ${kills} kills, ${events} events, lost ${lost}, duplicated ${duplicated}, reports unlike the fold ${unlikeTheFold}\n`
    )
  })

  it(`loses nothing, repeats nothing unasked and blames nobody, every ${every}. append`, async () => {
    const cluster = inject("pgUrl")
    // The samples of the two sides interleave; all positions are shared by two services a side: most of it is waiting.
    const parts = points.flatMap((point, index) => {
      const first = Math.min(every, 1 + (index + 1) * Math.floor(every / 2))
      const middle = every === 1 ? 28 : Number.POSITIVE_INFINITY
      const parts = [{ point, every, first, last: middle }]
      return every === 1
        ? [...parts, { point, every, first: middle + 1, last: Number.POSITIVE_INFINITY }]
        : parts
    })
    await Promise.all(parts.map(({ point, ...positions }) => killShard(cluster, point, positions, tally)))
    assert.isAbove(tally.kills, 3)
    if (every === 1) assert.sameMembers([...tally.applied.keys()], [...tally.offered])
  }, 1_200_000)
})
