/**
 * kill -9 of the built service at single ledger appends of a `remote-start` run, with the partner in another process.
 * KILL_EVERY=1 tries every append; the default takes a sample. KILL_POINT tries one side of the append only.
 */
import { afterAll, assert, describe, inject, it } from "vitest"
import type { Decision } from "../../schema/Recovery.ts"
import { everyDecision } from "./decisionsDue.ts"
import { appends, killShard, type Target } from "./killShard.ts"
import { type KillPoint, newTally, summaryOf, tableOf, turnsOf } from "./killTally.ts"

const every = Number(process.env["KILL_EVERY"] ?? "9")
const asked = process.env["KILL_POINT"]
const points: ReadonlyArray<KillPoint> =
  asked === "committed" || asked === "before" ? [asked] : ["committed", "before"]

const atUnknown: ReadonlyArray<Decision> = ["verify_and_resume", "finish", "restart_as_new", "abandon"]

/**
 * Each write whose outcome is lost, with every decision about it, and the end: messages of the partner move the number
 * of an append from run to run, and these are the ones that must not slip through.
 */
function* named(point: KillPoint): Generator<Target> {
  const line = point === "committed" ? "exchange.intended" : "exchange.completed"
  const decisions: Readonly<Record<string, ReadonlyArray<Decision>>> = {
    "push-token": [...atUnknown, "retry_stage", "skip_stage"],
    "start-session": atUnknown,
    "stop-session": atUnknown
  }
  for (const [stageId, theirs] of Object.entries(decisions))
    for (const decision of theirs) yield { at: 1, words: `${line} ${stageId}`, decision }
  yield { at: 1, words: "run.completed" }
}

describe("kill -9 at a ledger append", () => {
  const tally = newTally()

  afterAll(() => {
    if (every === 1) process.stdout.write(`${tableOf(tally).join("\n")}\n`)
    process.stdout.write(`${summaryOf(tally)}\n`)
  })

  it(`loses nothing, repeats nothing unasked and blames nobody, every ${every}. append`, async () => {
    const cluster = inject("pgUrl")
    // The samples of the two sides interleave; all appends are shared by three services a side: most of it is waiting.
    const parts = points.flatMap((point, index): ReadonlyArray<readonly [KillPoint, Iterator<Target>]> => {
      const first = Math.min(every, 1 + (index + 1) * Math.floor(every / 2))
      const end = Number.POSITIVE_INFINITY
      return every === 1
        ? [
            [point, appends(1, 1, 29)],
            // They overlap, because the numbers move.
            [point, appends(1, 28, end)],
            [point, named(point)]
          ]
        : [[point, appends(every, first, end)]]
    })
    // To the end, whatever happens to one of them: each has processes to tidy away.
    const ends = await Promise.allSettled(
      parts.map(([point, targets]) => killShard(cluster, point, targets, tally))
    )
    for (const end of ends) if (end.status === "rejected") throw end.reason
    assert.isAbove(tally.kills.length, 3)
    if (every === 1) assert.sameMembers([...turnsOf(tally.kills).keys()], [...everyDecision])
  }, 1_200_000)
})
