/** The core suite beside newman, which plays the same requests as a collection. */
import { randomBytes } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { connect, type Service } from "../../test/support/service/Service.ts"
import { median } from "../measure.ts"
import { graded } from "../orders.ts"
import { startPeer } from "./Peer.ts"
import { figure, ratio, reasonOf, type Table } from "./table.ts"
import { processorMicros, type World } from "./World.ts"

interface Played {
  readonly millis: number
  readonly micros: number
  readonly requests: number
}

/** Both play against sandbox partners of another process, with the same seed. */
export async function compareSuites(world: World, rounds: number): Promise<Table> {
  const [us, them] = [await world.service(), await world.service()]
  const connectionId = await connect(us, await sandbox(them))
  const first = await graded(us, connectionId)
  const entries = await requestsOf(us, first)
  const ours: Array<Played> = []
  const theirs: Array<Played> = []
  let refused: string | undefined
  const peer = await startPeer("newman").catch((error) => {
    refused = reasonOf(error)
    return undefined
  })
  try {
    const collection =
      peer === undefined
        ? undefined
        : collectionOf(entries, await registeredElsewhere(them, us, connectionId))
    for (let round = 0; round <= rounds; round++) {
      const before = await processorMicros(us)
      const began = performance.now()
      await graded(us, connectionId)
      const played = {
        millis: performance.now() - began,
        micros: (await processorMicros(us)) - before,
        requests: entries.length
      }
      const answered = await peer?.ask<Played & { statuses: ReadonlyArray<number> }>("play", { collection })
      if (answered?.statuses.every((status) => status === 401))
        throw new Error("newman was refused every request")
      // The first round is for the compiler.
      if (round === 0) continue
      ours.push(played)
      if (answered !== undefined) theirs.push(answered)
    }
  } catch (error) {
    refused = reasonOf(error)
  } finally {
    await peer?.stop()
  }
  const of = (played: ReadonlyArray<Played>, what: keyof Played) => median(played.map((one) => one[what]))
  const row = (name: string, what: keyof Played, unit: number) => [
    name,
    figure(of(ours, what) / unit),
    figure(of(theirs, what) / unit),
    ratio(of(ours, what), of(theirs, what))
  ]
  return {
    title: "The core suite, beside newman",
    about: `newman sends the same requests one after the other, as a library that has been started, and judges nothing; ours keeps each exchange, grades ${"`ocpi-2.2.1-cpo-core`"} and makes its report. Partners: sandboxes in another process.${refused === undefined ? "" : ` newman was not measured: ${refused}.`}`,
    head: ["", "ours", "newman", "ratio"],
    rows: [
      row("requests", "requests", 1),
      row("wall, ms", "millis", 1),
      row("processor time of the tester, ms", "micros", 1000)
    ]
  }
}

async function sandbox(them: Service) {
  const partner = { theirRole: "CPO", ocpiVersion: "2.2.1", seed: 1, activity: "quiet" }
  const { body, status, text } = await them.call("POST", "/api/v1/sandbox/partners", partner)
  if (status !== 201) throw new Error(`sandbox: ${text}`)
  return body.data as { readonly partnerBaseUrl: string; readonly tokenA: string }
}

interface Entry {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly postData?: { readonly text: string }
}

/** The requests of a run to its partner, with the tokens replaced, as the export has them. */
async function requestsOf(us: Service, reportId: string): Promise<ReadonlyArray<Entry>> {
  const { text } = await us.call("GET", `/api/v1/testing/runs/${reportId}/export?format=har`)
  return JSON.parse(text)
    .log.entries.filter((entry: any) => entry._direction === "outbound")
    .map(({ request }: any) => request)
}

/** Where requests go, and with what token. */
interface Target {
  /** What replaces what in URLs. */
  readonly from: string
  readonly to: string
  readonly token: string
}

/** A second sandbox partner, with which this program is registered as an EMSP. */
async function registeredElsewhere(them: Service, us: Service, connectionId: string): Promise<Target> {
  const { partnerBaseUrl, tokenA } = await sandbox(them)
  const { body } = await us.call("GET", `/api/v1/connections/${connectionId}`)
  const known: string = body.data.partnerBaseUrl
  const tokenB = randomBytes(16).toString("hex")
  const server = createServer((request, response) => {
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const endpoints = [
      { identifier: "credentials", role: "RECEIVER", url: `${base}/credentials` },
      { identifier: "tokens", role: "SENDER", url: `${base}/tokens` }
    ]
    const data =
      request.url === "/versions"
        ? [{ version: "2.2.1", url: `${base}/details` }]
        : { version: "2.2.1", endpoints }
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ data, status_code: 1000, timestamp: new Date().toISOString() }))
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  try {
    const authorization = `Token ${Buffer.from(tokenA).toString("base64")}`
    const asked = async (url: string, init: RequestInit = {}) => {
      const headers = { authorization, "content-type": "application/json" }
      const answer: any = await (await fetch(url, { ...init, headers })).json()
      if (answer.status_code !== 1000) throw new Error(`${answer.status_message}, ${url}`)
      return answer.data
    }
    const versions = await asked(partnerBaseUrl)
    const details = await asked(versions.find((one: any) => one.version === "2.2.1").url)
    const credentials = details.endpoints.find((one: any) => one.identifier === "credentials").url
    const { port } = server.address() as AddressInfo
    const role = { role: "EMSP", country_code: "NL", party_id: "NWM", business_details: { name: "newman" } }
    const { token } = await asked(credentials, {
      method: "POST",
      body: JSON.stringify({ token: tokenB, url: `http://127.0.0.1:${port}/versions`, roles: [role] })
    })
    return { from: rootOf(known), to: rootOf(partnerBaseUrl), token }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** The URL of a sandbox partner, without what follows its id. */
const rootOf = (versionsUrl: string): string => versionsUrl.replace(/\/ocpi\/versions$/, "")

function collectionOf(entries: ReadonlyArray<Entry>, { from, to, token }: Target) {
  const live = `Token ${Buffer.from(token).toString("base64")}`
  const own = /^(host|content-length|connection|transfer-encoding)$/i
  return {
    info: {
      name: "core suite",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"
    },
    item: entries.map(({ headers, method, postData, url }, index) => ({
      name: `${index} ${method}`,
      request: {
        method,
        url: url.replace(from, to),
        header: headers
          .filter(({ name }) => !own.test(name))
          .map(({ name, value }) => ({
            key: name,
            value: /^authorization$/i.test(name) && value.includes("«") ? live : value
          })),
        ...(postData === undefined ? {} : { body: { mode: "raw", raw: postData.text } })
      }
    }))
  }
}
