/**
 * kill -9 of the built service at single ledger appends of a `remote-start` run, with the partner in another process.
 * KILL_EVERY=1 tries every append; the default takes a sample. KILL_POINT tries one side of the append only.
 */
import { afterAll, assert, describe, inject, it } from "vitest"
import { everyDecision } from "./decisionsDue.ts"
import { killShard, type Positions } from "./killShard.ts"
import { type KillPoint, newTally, summaryOf, tableOf, turnsOf } from "./killTally.ts"

const every = Number(process.env["KILL_EVERY"] ?? "9")
const asked = process.env["KILL_POINT"]
const points: ReadonlyArray<KillPoint> =
  asked === "committed" || asked === "before" ? [asked] : ["committed", "before"]

describe("kill -9 at a ledger append", () => {
  const tally = newTally()

  afterAll(() => {
    if (every === 1) process.stdout.write(`${tableOf(tally).join("\n")}\n`)
    process.stdout.write(`${summaryOf(tally)}\n`)
  })

  it(`loses nothing, repeats nothing unasked and blames nobody, every ${every}. append`, async () => {
    const cluster = inject("pgUrl")
    // The samples of the two sides interleave; all positions are shared by two services a side: most of it is waiting.
    const parts = points.flatMap((point, index): ReadonlyArray<Positions> => {
      const first = Math.min(every, 1 + (index + 1) * Math.floor(every / 2))
      const [middle, end] = [28, Number.POSITIVE_INFINITY]
      return every === 1
        ? [
            { point, every, first, last: middle },
            { point, every, first: middle + 1, last: end }
          ]
        : [{ point, every, first, last: end }]
    })
    // To the end, whatever happens to one of them: each has processes to tidy away.
    const ends = await Promise.allSettled(parts.map((part) => killShard(cluster, part, tally)))
    for (const end of ends) if (end.status === "rejected") throw end.reason
    assert.isAbove(tally.kills.length, 3)
    if (every === 1) assert.sameMembers([...turnsOf(tally.kills).keys()], [...everyDecision])
  }, 1_200_000)
})
