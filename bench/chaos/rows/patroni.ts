/** A row in which the database fails over by itself: Patroni keeps two Postgres, and the machine of the primary is gone. */
import { rows } from "../../../test/support/service/database.ts"
import { sleep, until } from "../../../test/support/service/Service.ts"
import { findHaproxy, noHaproxy } from "../world/Haproxy.ts"
import {
  findPatroni,
  isPrimary,
  isSynchronous,
  type PatroniPair,
  startPatroniPair,
  switchOver
} from "../world/PatroniPair.ts"
import { type Ended, millis, Requirements, type Row } from "../world/Row.ts"
import { throughHaproxy } from "../world/throughHaproxy.ts"
import type { World } from "../world/World.ts"
import { linesOf, readyAfter, witness, witnessed } from "../world/witness.ts"
import { underLoad, unhurried } from "./database.ts"

/** The configuration that docs/operations.md gives to its readers. */
const configuration = "docs/proxy/haproxy-patroni.cfg"

const patroni: Row = {
  id: "M6",
  fault:
    "Patroni keeps two Postgres; the primary is killed together with its Patroni, comes back, and is made the primary again",
  run: async (ground) => {
    const program = findHaproxy()
    if (program === undefined) return noHaproxy
    if (process.platform !== "linux") return { skipped: "the processes of a server are found in /proc" }
    const programs = findPatroni()
    if (programs === undefined)
      return {
        skipped:
          "there is no patroni, etcd or Postgres server, and it cannot be installed here (Debian's packages, as root)"
      }
    const pair = await startPatroniPair(programs)
    const variables = {
      PATRONI_PORT_1: String(pair.first.apiPort),
      PATRONI_PORT_2: String(pair.second.apiPort)
    }
    return await throughHaproxy(ground, { program, configuration, pair, variables }, (world) =>
      failOver(world, pair, ground.count(8, 3))
    )
  }
}

async function failOver(world: World, { first, second }: PatroniPair, connections: number): Promise<Ended> {
  const must = new Requirements()
  let words = ""
  const ended = await underLoad(
    world,
    connections,
    async (service) => {
      await rows(first.url, "create table witness (writer text, n int)")
      await sleep(1000)

      const before = witness(first.url, "before", "on")
      await sleep(1500)
      first.lose()
      const lost = performance.now()
      const acknowledged = await before
      await until("the second to take over", () => isPrimary(second), 60_000)
      const promoted = performance.now() - lost
      const left = await linesOf(second.url)
      const ready = promoted + (await readyAfter(service))
      await until("a new line", async () => ((await linesOf(second.url)) > left ? true : undefined))
      const missing = acknowledged - (await witnessed(second.url, "before"))
      must.require(acknowledged > 0, "the writer wrote nothing")
      must.require(missing <= 0, `${missing} acknowledged rows are lost`)
      must.require(ready <= 45_000, `ready only after ${millis(ready)}`)

      first.start()
      const began = performance.now()
      await until("the first to follow", () => isSynchronous(first), 60_000)
      const followed = performance.now() - began

      const handing = witness(second.url, "handing", "on")
      await sleep(1000)
      const asked = performance.now()
      await switchOver(second, first)
      const handed = await handing
      await until("the first to be the primary", () => isPrimary(first), 60_000)
      const back = performance.now() - asked + (await readyAfter(service))
      const missed = handed - (await witnessed(first.url, "handing"))
      must.require(missed <= 0, `${missed} rows acknowledged before the switchover are lost`)
      must.require(back <= 20_000, `ready only ${millis(back)} after the switchover was asked for`)
      words =
        `loss to the other one primary ${millis(promoted)} (Patroni's ttl is 20 s), to ready ${millis(ready)} (bar 45 s); the lost one follows again ${millis(followed)} after its start, ` +
        `without anybody's hand; switchover to ready ${millis(back)} (bar 20 s); acknowledged rows lost ${Math.max(0, missing)} of ${acknowledged} and ${Math.max(0, missed)} of ${handed} (bar 0)`
      return "kill -9 of Patroni, Postgres and its processes; start again; switchover"
    },
    unhurried
  )
  return {
    ...ended,
    kills: 1,
    figure: `${ended.figure}; ${words}`,
    broken: [...must.broken, ...ended.broken]
  }
}

/** The rows about a database that Patroni keeps, in order. */
export const patroniRows: ReadonlyArray<Row> = [patroni]
