/** Requests of API clients and calls of a partner, beside Fastify and node-postgres with the same answers. */
import { connectSandbox, key, type Service } from "../../test/support/service/Service.ts"
import { median } from "../measure.ts"
import { graded, location, partnerOf, played } from "../orders.ts"
import { type Load, loadOn, requestOf } from "./load.ts"
import { type Peer, startPeer } from "./Peer.ts"
import { figure, ratio, reasonOf, type Table } from "./table.ts"
import { processorMicros, type World } from "./World.ts"

const connections = 64
/** Code that runs for a second is not yet compiled: so long both sides are loaded before they are measured. */
const warmUpSeconds = 3

/** The same request at two servers. */
interface Pair {
  readonly name: string
  readonly ours: Side
  readonly theirs: Side
}

interface Side {
  readonly url: string
  readonly request: (index: number) => Buffer
}

interface Row {
  readonly name: string
  readonly cells: ReadonlyArray<string>
  /** Ours. */
  readonly perSecond: number
}

interface Measured extends Load {
  readonly micros: number
}

/** `GET` of the API, and a partner's `GET` and `PUT`. */
export async function compareRequests(
  world: World,
  seconds: number,
  rounds: number
): Promise<ReadonlyArray<Table>> {
  const us = await world.service()
  const partner = await partnerOf(us)
  let peer: Peer | undefined
  let refused: unknown
  try {
    const { connectionId } = await connectSandbox(us, { activity: "quiet" })
    const { runId } = await played(us, connectionId)
    for (let n = 0; n < 20; n++) await played(us, connectionId, "first-reads")
    const suite = await graded(us, connectionId)
    const runs = "/api/v1/testing/journey-runs"
    const paths = {
      status: `${runs}/${runId}`,
      report: `/api/v1/testing/runs/${suite}`,
      list: `${runs}?limit=20`,
      events: `${runs}/${runId}/events?limit=50`
    }
    const data = async (path: string) => (await us.call("GET", path)).body.data
    const { authorization } = partner
    try {
      peer = await startPeer("fastify")
    } catch (error) {
      refused = error
    }
    const port = await peer?.ask<number>("open", {
      bodies: { status: await data(paths.status), report: await data(paths.report) },
      pages: { list: await data(paths.list), events: await data(paths.events) },
      database: await world.database(),
      key,
      token: Buffer.from(authorization.slice("Token ".length), "base64").toString()
    })
    const theirUrl = `http://127.0.0.1:${port}`
    const api = (name: string, path: string, their: string): Pair => ({
      name,
      ours: always(us.url + path, { authorization: `Bearer ${key}` }),
      theirs: always(theirUrl + their, { authorization: `Bearer ${key}` })
    })
    const pairs: ReadonlyArray<Pair> = [
      api("GET status of a run", paths.status, "/bodies/status"),
      api("GET report", paths.report, "/bodies/report"),
      api("GET list of 20 runs", paths.list, "/pages/list"),
      api("GET page of 50 events", paths.events, "/pages/events"),
      {
        name: "partner's GET versions",
        ours: always(partner.versionsUrl, { authorization }),
        theirs: always(`${theirUrl}/versions`, { authorization })
      },
      {
        name: "partner's PUT of a location",
        ours: puts(`${partner.receiver}/DE/REG`, authorization),
        theirs: puts(`${theirUrl}/locations/DE/REG`, authorization)
      }
    ]
    const rows: Array<Row> = []
    for (const pair of pairs) rows.push(await rowOf(pair, us, peer, seconds, rounds))
    const compared: Table = {
      title: "Requests, beside Fastify and node-postgres",
      about: `${connections} connections, each with one request under way. Fastify checks the bearer key and reads what it answers with one prepared SELECT; for a partner it looks up the token by its hash, keeps the exchange in a committed row, and upserts the object.${refused === undefined ? "" : ` Fastify was not measured: ${reasonOf(refused)}.`}`,
      head: [
        "",
        "ours, µs of processor",
        "Fastify + pg",
        "ratio",
        "ours, requests/s",
        "Fastify + pg",
        "ratio",
        "ours, p99 ms",
        "Fastify + pg"
      ],
      rows: rows.map(({ cells }) => cells)
    }
    return [compared, capacityOf(rows)]
  } finally {
    partner.close()
    await peer?.stop()
  }
}

const always = (url: string, headers: Readonly<Record<string, string>>): Side => {
  const bytes = requestOf("GET", url, headers)
  return { url, request: () => bytes }
}

/** Another content each time, and fifty objects. */
function puts(url: string, authorization: string): Side {
  const made = Array.from({ length: 500 }, (_, index) =>
    requestOf("PUT", `${url}/LOC${index % 50}`, { authorization }, location(index))
  )
  return { url, request: (index) => made[index % made.length]! }
}

async function rowOf(
  { name, ours, theirs }: Pair,
  us: Service,
  peer: Peer | undefined,
  seconds: number,
  rounds: number
): Promise<Row> {
  const samples: { readonly ours: Array<Measured>; readonly theirs: Array<Measured> } = {
    ours: [],
    theirs: []
  }
  const measured = async (
    { request, url }: Side,
    micros: () => Promise<number>,
    lasting: number
  ): Promise<Measured> => {
    const before = await micros()
    const load = await loadOn(url, request, connections, lasting)
    return { ...load, micros: ((await micros()) - before) / load.requests }
  }
  for (let round = 0; round <= rounds; round++) {
    // The first round is for the compiler.
    const lasting = round === 0 ? Math.max(seconds, warmUpSeconds) : seconds
    const first = await measured(ours, () => processorMicros(us), lasting)
    const second = peer === undefined ? undefined : await measured(theirs, peer.processorMicros, lasting)
    if (round === 0) continue
    samples.ours.push(first)
    if (second !== undefined) samples.theirs.push(second)
  }
  const of = (side: "ours" | "theirs", what: "micros" | "perSecond" | "p99Millis") =>
    median(samples[side].map((one) => one[what]))
  const compared = (what: "micros" | "perSecond") => [
    figure(of("ours", what)),
    figure(of("theirs", what)),
    ratio(of("ours", what), of("theirs", what))
  ]
  const cells = [
    name,
    ...compared("micros"),
    ...compared("perSecond"),
    figure(of("ours", "p99Millis")),
    figure(of("theirs", "p99Millis"))
  ]
  return { name, cells, perSecond: of("ours", "perSecond") }
}

/** What the figures mean for who runs it, at half of what was measured. */
function capacityOf(rows: ReadonlyArray<Row>): Table {
  const carried = (who: string, name: string, everySeconds: number) => {
    const { perSecond = Number.NaN } = rows.find((row) => row.name === name) ?? {}
    return [who, `${everySeconds} s`, figure(Math.floor((perSecond / 2) * everySeconds))]
  }
  return {
    title: "What this machine carries",
    about:
      "At half of the throughput above, so that the other half is left for runs. The load generator, the service and Postgres share the machine.",
    head: ["of", "one request every", "at once"],
    rows: [
      carried("partners that push an object", "partner's PUT of a location", 10),
      carried("partners that push an object", "partner's PUT of a location", 60),
      carried("scripts that ask for the status of a run", "GET status of a run", 2),
      carried("pages that show the list of runs", "GET list of 20 runs", 5)
    ]
  }
}
