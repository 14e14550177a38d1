/** HTTP as a stranger speaks it: its server, and its requests to us. */
import { Agent, createServer, type IncomingMessage, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import type { Chance } from "./chance.ts"
import type { Freedoms, StrangerVersion } from "./Freedoms.ts"
import { mixed, stamp } from "./objects/dress.ts"
import type { StrangerWorld } from "./StrangerWorld.ts"

/** A request that came in. */
export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Names of headers as they were written. */
  readonly names: ReadonlyArray<string>
  readonly body: string
}

/** What is answered to it. */
export interface Said {
  readonly http: number
  /** OCPI status code; no body when absent. */
  readonly code?: number
  readonly data?: unknown
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Changes the envelope before it is written. */
  readonly wrap?: (envelope: Record<string, unknown>) => Record<string, unknown>
  /** A body that is no OCPI answer, as it is. */
  readonly file?: { readonly type: string; readonly bytes: Buffer }
}

/** The choices and the version by which a message is written. */
export interface Style {
  readonly freedoms: Freedoms
  readonly chance: Chance
  readonly world: StrangerWorld
}

const cased = (name: string, { freedoms }: Style) =>
  freedoms.headerCase === "lower"
    ? name.toLowerCase()
    : freedoms.headerCase === "upper"
      ? name.toUpperCase()
      : name

/** The envelope of an answer (transport_and_format, Response format). */
const envelopeOf = (said: Said, version: StrangerVersion, { chance, freedoms, world }: Style): string => {
  const isSuccess = said.code! < 2000
  const message =
    said.message !== undefined
      ? said.message
      : freedoms.message === "none"
        ? undefined
        : freedoms.message === "null"
          ? null
          : isSuccess
            ? "Success"
            : "Refused"
  const fields: ReadonlyArray<[string, unknown]> = [
    ...(said.data === undefined ? [] : [["data", said.data] as [string, unknown]]),
    ["status_code", said.code],
    ...(message === undefined || (message === null && version === "2.1.1")
      ? []
      : [["status_message", message] as [string, unknown]]),
    ["timestamp", stamp(world.now(), freedoms, version)]
  ]
  const envelope = Object.fromEntries(mixed(fields, freedoms, chance))
  return jsonText(said.wrap === undefined ? envelope : said.wrap(envelope), freedoms)
}

/** JSON with the white space and the escapes that were drawn. */
export const jsonText = (value: unknown, { escaped, indented }: Freedoms): string => {
  const text = JSON.stringify(value, null, indented ? 2 : undefined)
  return escaped
    ? text.replace(/[^ -~\n]/g, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`)
    : text
}

const bodyOf = async (incoming: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString("utf8")
}

const lowerCase = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** What answers, and by the rules of which version. */
export type Answers = (asked: Asked) => Promise<{ readonly said: Said; readonly version: StrangerVersion }>

/** A server on a free port of 127.0.0.1. */
export const listening = async (answers: Answers, style: Style): Promise<{ server: Server; url: string }> => {
  const { freedoms, world } = style
  const server = createServer({ keepAliveTimeout: 2000 }, (incoming, outgoing) => {
    void (async () => {
      const address = `http://${incoming.headers.host}`
      const own = incoming.headers["x-request-id"]
      const id = typeof own === "string" ? own : world.requestTo(new URL(incoming.url ?? "/", address).href)
      const body = await bodyOf(incoming)
      if (id !== undefined) world.arrived(id)
      const asked: Asked = {
        method: incoming.method ?? "GET",
        url: new URL(incoming.url ?? "/", address),
        headers: lowerCase(incoming.headers),
        names: incoming.rawHeaders.filter((_, index) => index % 2 === 0),
        body
      }
      // Who sent it without a name keeps the clock still until the answer.
      if (id !== undefined) await world.sleep(freedoms.latency)
      const { said, version } = await answers(asked)
      const plain =
        said.file?.bytes ??
        (said.code === undefined ? undefined : Buffer.from(envelopeOf(said, version, style), "utf8"))
      const isPacked = freedoms.gzip && plain !== undefined
      const text = isPacked ? gzipSync(plain) : plain
      const written: Array<[string, string]> = [
        ...(text === undefined || said.headers?.["Content-Type"] !== undefined
          ? []
          : [["Content-Type", said.file?.type ?? freedoms.contentType] as [string, string]]),
        ...(isPacked ? [["Content-Encoding", "gzip"] as [string, string]] : []),
        ...Object.entries(said.headers ?? {}),
        ...(text === undefined
          ? [["Content-Length", "0"] as [string, string]]
          : freedoms.chunked
            ? [["Transfer-Encoding", "chunked"] as [string, string]]
            : [["Content-Length", String(text.length)] as [string, string]]),
        ...(freedoms.keepAlive ? [] : [["Connection", "close"] as [string, string]])
      ]
      const foreign: Array<[string, string]> = freedoms.moreHeaders
        ? [
            ["Server", "stranger"],
            ["Strict-Transport-Security", "max-age=31536000"],
            ["Set-Cookie", "affinity=1; Path=/"],
            ["Vary", "Accept-Encoding"]
          ]
        : []
      if (id !== undefined) world.sent(id)
      outgoing.writeHead(
        said.http,
        [...foreign, ...written].flatMap(([name, value]) => [cased(name, style), value])
      )
      if (text !== undefined && freedoms.chunked && text.length > 2) {
        outgoing.write(text.subarray(0, text.length >> 1))
        outgoing.end(text.subarray(text.length >> 1))
      } else outgoing.end(text)
    })().catch((error: unknown) => {
      outgoing.destroy(error instanceof Error ? error : undefined)
      process.emitWarning(`a stranger broke: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** A request of the stranger, and what was answered; `http` 0 when nobody did. */
export interface Call {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly json?: unknown
}
export interface Heard {
  readonly http: number
  readonly json: unknown
  readonly headers: Readonly<Record<string, string>>
}

let calls = 0

/** Sends a request over a socket of its own, or over one that is kept. */
export const calling = (agent: Agent, { method, url, headers, json }: Call, style: Style): Promise<Heard> => {
  const { freedoms, world } = style
  calls += 1
  const id = `00-${calls.toString(16).padStart(32, "0")}-0000000000000001-00`
  const text = json === undefined ? undefined : Buffer.from(jsonText(json, freedoms), "utf8")
  const own: Array<[string, string]> = [
    ...Object.entries(headers),
    ...(text === undefined
      ? []
      : ([
          ["Content-Type", headers["Content-Type"] ?? freedoms.contentType],
          ...(freedoms.chunked ? [] : [["Content-Length", String(text.length)]])
        ] as Array<[string, string]>))
  ]
  world.sent(id)
  return new Promise<Heard>((resolve) => {
    const done = (heard: Heard) => {
      world.arrived(id)
      resolve(heard)
    }
    const outgoing = request(
      url,
      {
        method,
        agent,
        headers: {
          ...Object.fromEntries(own.map(([name, value]) => [cased(name, style), value])),
          traceparent: id
        }
      },
      (incoming) => {
        bodyOf(incoming).then(
          (body) =>
            done({
              http: incoming.statusCode ?? 0,
              json: parsed(body),
              headers: lowerCase(incoming.headers)
            }),
          () => done({ http: 0, json: undefined, headers: {} })
        )
      }
    )
    outgoing.on("error", () => done({ http: 0, json: undefined, headers: {} }))
    outgoing.end(text)
  })
}

/** The sockets of a stranger's own requests. */
export const agentOf = ({ keepAlive }: Freedoms): Agent => new Agent({ keepAlive, maxSockets: 8 })

/** The text as JSON; undefined when it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
