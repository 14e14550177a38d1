/**
 * What an attacker needs: a request with a deadline, bytes on a socket, a service that is started anew when an attack has
 * left it without an answer, and the line that says what came of it. Shares no code with src/.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { connect } from "node:net"
import { assert } from "vitest"
import { freePort, key, type Service, startService } from "../../support/service/Service.ts"

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly body?: string | object
  /** Milliseconds until the answer must be there, all of it. */
  readonly within?: number
}

export interface Heard {
  /** 0: no answer within the deadline, or the connection was cut. */
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body where it is JSON. */
  readonly json: any
  readonly millis: number
}

/** Each request on a connection of its own: a connection that is stuck holds up no other. */
const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY })

/** Never rejects: that there was no answer is what is looked for. */
export const ask = (url: string, { body, headers = {}, method = "GET", within = 15_000 }: Asked = {}) =>
  new Promise<Heard>((resolve) => {
    const began = performance.now()
    const text = body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body)
    let done = false
    const end = (status: number, all: IncomingHttpHeaders, answer: string) => {
      if (done) return
      done = true
      clearTimeout(deadline)
      const millis = performance.now() - began
      let json: unknown
      try {
        json = JSON.parse(answer)
      } catch {}
      resolve({ status, headers: all, text: answer, json, millis })
    }
    const sent = request(
      url,
      {
        method,
        agent,
        headers: {
          ...(text === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
          ...(headers as Record<string, string>)
        }
      },
      (answer) => {
        let said = ""
        answer.setEncoding("utf8")
        answer.on("data", (chunk) => {
          said += chunk
        })
        answer.on("end", () => end(answer.statusCode ?? 0, answer.headers, said))
        answer.on("error", () => end(0, {}, said))
      }
    )
    const deadline = setTimeout(() => {
      end(0, {}, "no answer in time")
      sent.destroy()
    }, within)
    sent.on("error", (error) => end(0, {}, String(error)))
    sent.end(text)
  })

/** The API with the bootstrap key, or the one in `headers`. */
export const api = (service: Service, path: string, { headers = {}, ...asked }: Asked = {}) =>
  ask(`${service.url}/api/v1${path}`, { ...asked, headers: { authorization: `Bearer ${key}`, ...headers } })

/** Everything that comes back for these bytes until the server closes, or `millis` are over. */
export const said = (url: string, bytes: string | Buffer, millis = 4000) =>
  new Promise<string>((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let text = ""
    const end = () => {
      clearTimeout(deadline)
      socket.destroy()
      resolve(text)
    }
    const deadline = setTimeout(end, millis)
    socket.on("error", end)
    socket.on("close", end)
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1")
    })
    socket.write(bytes)
  })

/** The one error body of the API: `success` and `message`, nothing else and nothing of what is inside. */
export function isRefusal(what: string, heard: Heard): void {
  assert.isTrue(heard.status >= 400 && heard.status < 500, `${what}: ${heard.status} ${shown(heard.text)}`)
  assert.match(String(heard.headers["content-type"]), /^application\/json/, what)
  assert.deepStrictEqual(
    Object.keys(heard.json ?? {}),
    ["success", "message"],
    `${what}: ${shown(heard.text)}`
  )
  assert.isFalse(heard.json.success, what)
  assert.isNotEmpty(heard.json.message, what)
  assert.notMatch(heard.json.message, /\n\s+at |node_modules/, what)
}

export const shown = (text: string, length = 300) =>
  text.length > length ? `${text.slice(0, length)}…` : text

/** Prints what came of the attack on a row of the table, with its figures. */
export function attack(row: string, ...figures: ReadonlyArray<string>): void {
  process.stdout.write(`attack ${row}: ${figures.join(", ")}\n`)
}

export const seconds = (millis: number) => `${(millis / 1000).toFixed(1)} s`
export const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Private addresses of partners are allowed: the partners of these tests live on this machine. */
export const local = { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" }

/** A service under attack. What an attack has silenced is killed and started again, on the same port and database. */
export class Victim {
  private service: Service | undefined
  private readonly env: Record<string, string>
  constructor(env: Record<string, string>) {
    this.env = env
  }
  async alive(): Promise<Service> {
    const known = this.service
    if (known !== undefined) {
      const { status } = await ask(`${known.url}/health/live`, { within: 2000 })
      if (status === 200) return known
      await known.kill("SIGKILL")
    } else this.env["PORT"] ??= String(await freePort())
    this.service = await startService(this.env)
    return this.service
  }
  async end(): Promise<void> {
    const known = this.service
    if (known === undefined) return
    void known.kill("SIGTERM")
    const late = setTimeout(() => void known.kill("SIGKILL"), 8000)
    await known.gone
    clearTimeout(late)
  }
}
