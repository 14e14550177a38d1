/** A row in which the database fails over: two Postgres with synchronous replication, and the first is killed. */
import { rows } from "../../../test/support/service/database.ts"
import { sleep, until } from "../../../test/support/service/Service.ts"
import { findHaproxy, noHaproxy } from "../world/Haproxy.ts"
import { type PostgresPair, startPair } from "../world/PostgresPair.ts"
import { type Ended, millis, Requirements, type Row } from "../world/Row.ts"
import { throughHaproxy } from "../world/throughHaproxy.ts"
import type { World } from "../world/World.ts"
import { linesOf, readyAfter, witness, witnessed } from "../world/witness.ts"
import { underLoad, unhurried } from "./database.ts"

/** The configuration that docs/operations.md gives to its readers. */
const configuration = "docs/proxy/haproxy-postgres.cfg"

const failover: Row = {
  id: "M4",
  fault: "the primary Postgres is killed with all its processes, and its synchronous standby is promoted",
  run: async (ground) => {
    const program = findHaproxy()
    if (program === undefined) return noHaproxy
    if (process.platform !== "linux") return { skipped: "the processes of a server are found in /proc" }
    const pair = await startPair()
    return await throughHaproxy(ground, { program, configuration, pair, variables: {} }, (world) =>
      failOver(world, pair, ground.count(8, 3))
    )
  }
}

async function failOver(world: World, { first, second }: PostgresPair, connections: number): Promise<Ended> {
  const must = new Requirements()
  let words = ""
  const ended = await underLoad(
    world,
    connections,
    async (service) => {
      await rows(first.url, "create table witness (writer text, n int)")
      await sleep(2000)

      // Without its standby the primary acknowledges nothing.
      second.signal("SIGSTOP")
      await sleep(500)
      const before = await linesOf(first.url)
      await until("the service to be unready", async () =>
        (await service.call("GET", "/health/ready")).status === 503 ? true : undefined
      )
      await sleep(3000)
      const meanwhile = (await linesOf(first.url)) - before
      must.require(meanwhile === 0, `${meanwhile} lines were acknowledged without the standby`)
      second.signal("SIGCONT")
      const back = await readyAfter(service)

      // Two writers beside the service: one waits for the standby, one as with asynchronous replication.
      const waits = witness(first.url, "waits", "on")
      const hurries = witness(first.url, "hurries", "local")
      await sleep(1500)
      first.stopSending()
      await sleep(300) // as far as a standby may be behind
      first.signal("SIGKILL")
      const killed = performance.now()
      const acknowledged = await waits
      const hurried = await hurries
      await rows(second.url, "select pg_promote()")
      const promoted = performance.now() - killed
      const left = await linesOf(second.url)
      const ready = promoted + (await readyAfter(service))
      await until("a new line", async () => ((await linesOf(second.url)) > left ? true : undefined))
      const written = performance.now() - killed
      const lost = acknowledged - (await witnessed(second.url, "waits"))
      const lostLocally = hurried - (await witnessed(second.url, "hurries"))
      must.require(acknowledged > 0, "the writer that waits wrote nothing")
      must.require(lost <= 0, `${lost} acknowledged rows are lost`)
      must.require(ready <= 15_000, `ready only after ${millis(ready)}`)
      words =
        `without its standby the primary acknowledged ${meanwhile} lines (bar 0), and ${millis(back)} after its return the service was ready; ` +
        `kill to promoted ${millis(promoted)}, to ready ${millis(ready)} (bar 15 s), to the next line ${millis(written)}; ` +
        `acknowledged rows lost ${Math.max(0, lost)} of ${acknowledged} (bar 0); for comparison, of those that did not wait for the standby, 300 ms behind, ${lostLocally} of ${hurried}`
      return "standby stopped for 4 s; kill -9 of the primary with its processes, pg_promote"
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

/** The rows about a database of two servers, in order. */
export const failoverRows: ReadonlyArray<Row> = [failover]
