/** Durable journeys of twenty steps, beside workflows of twenty steps. */
import { freePort } from "../../test/support/service/Service.ts"
import { median } from "../measure.ts"
import { ourJourneys } from "./OurJourneys.ts"
import { type Peer, startPeer } from "./Peer.ts"
import { figure, ratio, reasonOf, type Table } from "./table.ts"
import type { World } from "./World.ts"

const steps = 20
const abreast = 64

interface Rated {
  readonly name: string
  readonly rate: (seconds: number) => Promise<number>
  readonly stop: () => Promise<void>
}

/** `wanted`: is a peer to be played? */
export async function compareJourneys(
  world: World,
  seconds: number,
  rounds: number,
  wanted: (peer: string) => boolean
): Promise<Table> {
  const own = await ourJourneys(await world.database(), steps)
  const ours: Rated = { name: "plugfest", rate: (time) => own.rate(abreast, time), stop: own.close }
  const refused: Array<readonly [string, string]> = []
  const rated = [ours]
  const begin = async (name: string, program: string, args: () => Promise<unknown>) => {
    if (!wanted(program)) return
    let peer: Peer | undefined
    try {
      peer = await startPeer(program)
      const { ask, stop } = peer
      await ask("open", await args())
      rated.push({
        name,
        rate: (time) => ask<number>("workflows", { abreast, seconds: time, steps }),
        stop
      })
    } catch (error) {
      await peer?.stop()
      refused.push([name, reasonOf(error)])
    }
  }
  try {
    await begin("DBOS, a workflow of 20 steps", "dbos", async () => ({ database: await world.database() }))
    await begin("Restate, a handler of 20 runs", "restate", async () => ({
      ports: [await freePort(), await freePort(), await freePort(), await freePort()]
    }))
    const samples = rated.map((): Array<number> => [])
    for (const { rate } of rated) await rate(1)
    for (let round = 0; round < rounds; round++)
      for (const [at, { rate }] of rated.entries()) samples[at]!.push(await rate(seconds))
    const [first = Number.NaN, ...others] = samples.map(median)
    return {
      title: "Journeys of 20 steps, 64 at once, no partner's time",
      about:
        "A step of ours sends a request that is answered in memory, keeps it before it is sent and after its answer, judges the answer, and moves the machine, all hash-chained in the ledger. A step of the peers returns a number, which they keep.",
      head: ["", "a second", "steps a second", "ours to it"],
      rows: [
        ["plugfest", figure(first), figure(first * steps), "1.00"],
        ...others.map((value, at) => [
          rated[at + 1]!.name,
          figure(value),
          figure(value * steps),
          ratio(first, value)
        ]),
        ...refused.map(([name, reason]) => [`${name}: not measured, ${reason}`, "–", "–", "–"])
      ]
    }
  } finally {
    for (const { stop } of rated) await stop()
  }
}
