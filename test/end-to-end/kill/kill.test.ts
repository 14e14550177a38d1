/**
 * kill -9 of the built service at single ledger appends of a journey run, with the partner in another process.
 * KILL_EVERY=1 tries every append; the default takes a sample, `npm test` half of it on two of the three journeys, from another
 * append on by the commit. KILL_POINT tries one side of the append only, and KILL_DECISIONS=each takes every decision that is
 * offered at every append.
 */
import { afterAll, assert, describe, inject, it } from "vitest"
import { isSampled, turnOf } from "../../support/sampled.ts"
import { type Play, playSession, remoteStart, reserveAndUse } from "../../support/service/killPlays.ts"
import { decisionsAtLostWrite } from "../support/decisionsDue.ts"
import { appends, killShard, type Target } from "./support/killShard.ts"
import { decidedIn, type KillPoint, newTally, summaryOf, tableOf, turnsOf } from "./support/killTally.ts"

const every = Number(process.env["KILL_EVERY"] ?? (isSampled ? "8" : "4"))
const asked = process.env["KILL_POINT"]
const eachDecision = process.env["KILL_DECISIONS"] === "each"
const points: ReadonlyArray<KillPoint> =
  asked === "committed" || asked === "before" ? [asked] : ["committed", "before"]

/**
 * Each write whose outcome is lost, with every decision about it, and the end: messages of the partner move the number
 * of an append from run to run, and these are the ones that must not slip through.
 */
function* named(play: Play, point: KillPoint): Generator<Target> {
  const line = point === "committed" ? "exchange.intended" : "exchange.completed"
  for (const stage of play.stages)
    if (stage.writes !== undefined)
      for (const decision of decisionsAtLostWrite(stage))
        yield { at: 1, words: `${line} ${stage.id}`, decision }
  yield { at: 1, words: "run.completed" }
}

/** The samples of the two sides interleave; all appends are shared by services: most of it is waiting. */
function sharesOf(play: Play, point: KillPoint, step: number): ReadonlyArray<Iterator<Target>> {
  const end = Number.POSITIVE_INFINITY
  // They overlap, because the numbers move.
  if (every === 1) return [appends(1, 1, 11), appends(1, 10, end), named(play, point)]
  const first = 1 + ((turnOf(step) + (points.indexOf(point) + 1) * Math.floor(step / 2)) % step)
  return [appends(step, first, end)]
}

describe("kill -9 at a ledger append", () => {
  const tally = newTally()

  afterAll(() => {
    if (every === 1) process.stdout.write(`${tableOf(tally).join("\n")}\n`)
    process.stdout.write(`${[...decidedIn(tally), summaryOf(tally)].join("\n")}\n`)
  })

  const everyAppend = (play: Play, step: number) => async () => {
    const cluster = inject("pgUrl")
    const shards = points.flatMap((point) =>
      sharesOf(play, point, step).map((targets) => ({ play, point, targets, eachDecision }))
    )
    // To the end, whatever happens to one of them: each has processes to tidy away.
    const ends = await Promise.allSettled(shards.map((shard) => killShard(cluster, shard, tally)))
    for (const end of ends) if (end.status === "rejected") throw end.reason
    const kills = tally.kills.filter(({ templateId }) => templateId === play.templateId)
    assert.sameMembers([...new Set(kills.map(({ point }) => point))], [...points], "killed on each side")
    if (every > 1) return
    const offered = new Set(kills.flatMap((kill) => kill.offered))
    assert.sameMembers([...turnsOf(kills).keys()], [...offered], "each decision that was ever offered")
  }
  const title = (step: number) =>
    `loses nothing, repeats nothing unasked and blames nobody, every ${every === 1 ? 1 : step}. append`

  const minutes = 60_000
  const samples: ReadonlyArray<readonly [Play, number]> = [
    [remoteStart, 2 * every],
    [reserveAndUse, 2 * every + 3],
    [playSession, 2 * every]
  ]
  const played = isSampled ? samples.filter((_, index) => index !== turnOf(samples.length)) : samples
  // Side by side while they are samples: a kill is mostly waiting.
  const test = every === 1 ? it : it.concurrent
  for (const [play, step] of played)
    test(`${play.templateId}: ${title(step)}`, everyAppend(play, step), (eachDecision ? 180 : 40) * minutes)
})
