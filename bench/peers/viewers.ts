/** Viewers of one run, beside raw sockets and better-sse, whose servers run where ours does. */
import { once } from "node:events"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { latency, throughput } from "../feed.ts"
import { appends, feed, joined, raw, type Server } from "../feedServers.ts"
import { median, mediansOf } from "../measure.ts"
import { folder } from "./Peer.ts"
import { figure, ratio, reasonOf, type Table } from "./table.ts"

const loads = [1, 1000, 5000]
const names = { raw: "raw sockets, a write per frame", joined: "raw sockets, a buffer a tick" }

/** `wanted`: is a peer to be played? */
export async function compareViewers(
  rounds: number,
  wanted: (peer: string) => boolean
): Promise<ReadonlyArray<Table>> {
  let refused: string | undefined
  const start = await betterSse().catch((error) => {
    refused = reasonOf(error)
    return undefined
  })
  const servers = [
    ["plugfest", feed],
    ...(wanted("raw")
      ? ([
          [names.raw, raw],
          [names.joined, joined]
        ] as const)
      : []),
    ...(start === undefined || !wanted("better-sse") ? [] : ([["better-sse", start]] as const))
  ] as const
  const medians = await mediansOf(
    servers.map(([name, server]) => throughput(name, server)),
    loads,
    rounds
  )
  const first = medians.get("plugfest")!
  const samples = new Map<string, Array<{ readonly p50: number; readonly p99: number }>>()
  // Rounds differ by a fifth, and each is short.
  for (let round = 0; round < 3 * rounds; round++)
    for (const [name, server] of servers)
      samples.set(name, [...(samples.get(name) ?? []), await latency(server, 1)])
  const of = (name: string, what: "p50" | "p99") => median((samples.get(name) ?? []).map((one) => one[what]))
  const unmeasured = refused === undefined ? [] : [`better-sse: not measured, ${refused}`]
  return [
    {
      title: "Viewers of one run",
      about:
        "Deliveries a second, as fast as viewers in another process take them, one event a tick; in brackets ours to it.",
      head: [
        "",
        ...loads.map((viewers) => `${viewers.toLocaleString("en")} viewer${viewers === 1 ? "" : "s"}`)
      ],
      rows: [
        ...[...medians].map(([name, values]) => [
          name,
          ...values.map((value, at) => `${figure(value)} (${ratio(first[at]!, value)})`)
        ]),
        ...unmeasured.map((row) => [row, ...loads.map(() => "–")])
      ]
    },
    {
      title: "One viewer's wait",
      about: `From an event to its frame in the viewer's process, at 200 events a second, in ${3 * rounds} rounds; in brackets it to ours.`,
      head: ["", "median, ms", "p99, ms"],
      rows: servers.map(([name]) => [
        name,
        ...(["p50", "p99"] as const).map(
          (what) => `${figure(of(name, what))} (${ratio(of(name, what), of("plugfest", what))})`
        )
      ])
    }
  ]
}

/** A channel of better-sse, as its documentation shows it. */
async function betterSse(): Promise<() => Promise<Server>> {
  const entry = createRequire(join(folder, "package.json")).resolve("better-sse")
  const { createChannel, createSession } = await import(pathToFileURL(entry).href)
  return async () => {
    const channel = createChannel()
    const server = createServer((request, response) => {
      createSession(request, response, { serializer: (line: string) => line }).then((session: unknown) =>
        channel.register(session)
      )
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    const next = appends()
    return {
      port: (server.address() as AddressInfo).port,
      emit: async () => {
        const [line] = next().lines
        channel.broadcast(line!.line, "message", { eventId: `${line!.event.sequence}` })
      },
      close: async () => {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    }
  }
}
