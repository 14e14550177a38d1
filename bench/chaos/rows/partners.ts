/** Rows about partners with faults on the wire: the run must end in time, blame the partner, and harm nothing else. */
import { execFileSync } from "node:child_process"
import { type AddressInfo, createServer as createTcp, type Server } from "node:net"
import { createServer as createTls } from "node:tls"
import { rows } from "../../../test/support/service/database.ts"
import { freePort, type Service, until } from "../../../test/support/service/Service.ts"
import { residentMegabytes } from "../world/memory.ts"
import { millis, Requirements, type Row } from "../world/Row.ts"
import { openWorld, terminal, type World, within } from "../world/World.ts"
import { judge } from "../world/zeros.ts"
import { endless, garbled, hanging, huge, odd, type Rudeness, redirects, slow } from "./rudeness.ts"

const timeoutSeconds = 2
/** The most pages of a list that a run reads. */
const pageCap = 100

interface Graded {
  readonly verdict: string | null
  readonly exchanges: ReadonlyArray<any>
  readonly failed: number
  readonly ours: number
}

/** Runs the locations module of a suite on the partner. */
async function grade(world: World, service: Service, connectionId: string): Promise<Graded> {
  const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", modules: ["locations"] }
  const started = await service.call("POST", "/api/v1/testing/runs", order)
  if (started.status !== 202) throw new Error(`run: ${started.status} ${started.text}`)
  const { _id, runId } = started.body.data
  world.seen.accepted.add(runId)
  const report = await until(
    `run ${runId} to end`,
    async () => {
      const { data } = (await service.call("GET", `/api/v1/testing/runs/${_id}?wait=10`)).body
      return terminal.includes(data.status) ? data : undefined
    },
    120_000
  )
  const lines = await rows(
    world.database,
    "select line from ledger_event where run_id = $1 order by sequence",
    [runId]
  )
  const events = lines.map(({ line }) => JSON.parse(line))
  const outcomes: ReadonlyArray<string> = events.flatMap(({ assertions }) =>
    assertions.map((one: any) => one.outcome)
  )
  return {
    verdict: report.verdict,
    exchanges: events.flatMap(({ exchange, type }) => (type === "exchange.completed" ? [exchange] : [])),
    failed: outcomes.filter((one) => one === "failed").length,
    ours: outcomes.filter((one) => one === "error").length
  }
}

interface Meeting {
  readonly rudeness: Rudeness
  readonly graded: Graded
  /** How many requests for the list the partner got. */
  readonly asked: number
  readonly kinds: ReadonlySet<string>
}

const rudeRow = (
  id: string,
  fault: string,
  all: ReadonlyArray<Rudeness>,
  more: (meetings: ReadonlyArray<Meeting>, must: Requirements, grownMegabytes: number) => string
): Row => ({
  id,
  fault,
  run: async (ground) =>
    within(
      await openWorld(ground.cluster, { env: { PARTNER_TIMEOUT_SECONDS: String(timeoutSeconds) } }),
      async (world) => {
        const must = new Requirements()
        const service = await world.boot()
        const connectionId = await world.partner(service)
        // A first run without faults, so that its memory is not counted.
        await grade(world, service, connectionId)
        const before = residentMegabytes(service)
        const meetings: Array<Meeting> = []
        for (const rudeness of all) {
          let asked = 0
          world.proxy.meddle = (request, answer) => {
            if (request.method !== "GET" || !request.path.includes("/locations")) return false
            asked += 1
            rudeness.answer(request, answer, world.proxy.url)
            return true
          }
          const graded = await grade(world, service, connectionId)
          world.proxy.meddle = undefined
          const kinds = new Set<string>(
            graded.exchanges
              .filter(({ request }) => new URL(request.url).pathname.includes("/locations"))
              .map(({ fault }) => fault?.kind ?? "")
          )
          meetings.push({ rudeness, graded, asked, kinds })
          const judged = rudeness.unjudged !== true
          must.require(
            !judged || graded.ours === 0,
            `${rudeness.name}: ${graded.ours} checks were graded as our error`
          )
          if (rudeness.tooLarge === true) {
            must.require(graded.failed === 0, `${rudeness.name}: held against it, which we have not read`)
            must.require(graded.verdict !== "pass", `${rudeness.name}: passed, unread`)
          } else must.require(!judged || graded.failed > 0, `${rudeness.name}: nothing was held against it`)
          must.require(
            [...kinds].every((kind) => rudeness.kinds.includes(kind)),
            `${rudeness.name}: taken for ${[...kinds].join(", ")}`
          )
        }
        const figure = more(meetings, must, residentMegabytes(service) - before)
        const { status } = await service.call("GET", "/health/ready")
        must.require(status === 200, `ready answers ${status} after it`)
        const { details, lines, zeros } = await judge(world, { rude: true })
        return {
          tried: meetings.map(({ rudeness }) => rudeness.name).join(", "),
          figure,
          zeros,
          lines,
          broken: [...must.broken, ...details]
        }
      }
    )
})

const longest = (meetings: ReadonlyArray<Meeting>) =>
  Math.max(...meetings.flatMap(({ graded }) => graded.exchanges.map(({ durationMs }) => durationMs)))

const inTime = (meetings: ReadonlyArray<Meeting>, must: Requirements) => {
  const most = longest(meetings)
  must.require(most <= timeoutSeconds * 1000 + 500, `an exchange took ${millis(most)}`)
  return `longest exchange ${millis(most)} (bar ${timeoutSeconds * 1000 + 500} ms)`
}

const typed = (meetings: ReadonlyArray<Meeting>) =>
  `typed ${meetings.length}/${meetings.length}: ${[...new Set(meetings.flatMap(({ kinds }) => [...kinds]))].filter((kind) => kind !== "").join(", ") || "answers"}; graded as our error 0`

const unreachable: Row = {
  id: "P2",
  fault: "partners that are not reached: reset, refused, no name, no TLS, wrong certificate",
  run: async (ground) =>
    within(await openWorld(ground.cluster, { env: { PARTNER_TIMEOUT_SECONDS: "5" } }), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const servers: Array<Server> = []
      const listening = async (server: Server) => {
        servers.push(server)
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        return (server.address() as AddressInfo).port
      }
      const resetting = await listening(
        createTcp((socket) => void socket.once("data", () => socket.resetAndDestroy()))
      )
      const plain = await listening(
        createTcp((socket) => void socket.once("data", () => socket.end("HTTP/1.1 400 No\r\n\r\n")))
      )
      const pem = execFileSync(
        "openssl",
        [
          "req",
          "-x509",
          "-newkey",
          "rsa:2048",
          "-nodes",
          "-keyout",
          "-",
          "-out",
          "-",
          "-subj",
          "/CN=wrong.example",
          "-days",
          "1"
        ],
        { stdio: ["ignore", "pipe", "ignore"] }
      ).toString()
      const selfSigned = await listening(createTls({ key: pem, cert: pem }))
      const closed = await freePort()
      const places: Readonly<Record<string, string>> = {
        reset: `http://127.0.0.1:${resetting}/versions`,
        refused: `http://127.0.0.1:${closed}/versions`,
        "no name": "http://no-such-partner.invalid/versions",
        "no TLS": `https://127.0.0.1:${plain}/versions`,
        "wrong certificate": `https://127.0.0.1:${selfSigned}/versions`
      }
      const errors = new Map<string, string>()
      for (const [name, partnerBaseUrl] of Object.entries(places)) {
        const made = await service.call("POST", "/api/v1/connections", {
          partnerBaseUrl,
          tokenA: "rude-partner-token-A",
          ourRole: "EMSP",
          theirRole: "CPO",
          ocpiVersion: "2.2.1"
        })
        const shaken = await service.call("POST", `/api/v1/connections/${made.body?.data?._id}/handshake`)
        must.require(shaken.status < 500, `${name}: ${shaken.status}`)
        const error = shaken.body?.data?.lastError ?? shaken.body?.message ?? ""
        errors.set(name, typeof error === "string" ? error : JSON.stringify(error))
      }
      for (const server of servers) server.close()
      const texts = [...errors].map(([name, text]) =>
        text.replaceAll(/127\.0\.0\.1:\d+|no-such-partner\.invalid/g, name)
      )
      const distinct = new Set([...errors.values()].map((text) => text.replaceAll(/127\.0\.0\.1:\d+/g, "")))
      must.require(
        texts.every((text) => text.length > 20),
        `an error says too little: ${texts.join(" / ")}`
      )
      must.require(distinct.size === errors.size, `not distinct: ${[...distinct].join(" / ")}`)
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: [...errors.keys()].join(", "),
        figure: `texts distinct ${distinct.size}/${errors.size}`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
}

/** Rows about partners with faults on the wire, in order. */
export const partnerRows: ReadonlyArray<Row> = [
  rudeRow("P1", "partners that hang", hanging, inTime),
  unreachable,
  rudeRow("P3", "partners that send garbage", garbled, typed),
  rudeRow("P4", "partners that send without measure", huge, (meetings, must, grown) => {
    must.require(!(grown > 15), `memory grew by ${grown.toFixed(0)} MB`)
    const cut = meetings
      .flatMap(({ graded }) => graded.exchanges)
      .filter(({ fault }) => fault?.kind === "too_large")
    must.require(
      cut.length > 0 && cut.every(({ response }) => response.truncated && response.bodyBytes > 0),
      "an answer that was cut does not say so, or not its bytes"
    )
    return `${inTime(meetings, must)}; ${cut.length} answers cut, each says so with its bytes; memory +${grown.toFixed(0)} MB over the row (bar 15)`
  }),
  rudeRow("P5", "partners that drip", slow, inTime),
  rudeRow("P6", "partners that answer oddly", odd, typed),
  rudeRow("P7", "partners whose lists never end or lead elsewhere", endless, (meetings, must) => {
    const most = Math.max(...meetings.map(({ asked }) => asked))
    must.require(most <= pageCap, `${most} requests for one list`)
    return `most requests for the list in a run ${most} (bar ${pageCap})`
  }),
  rudeRow("P8", "partners that redirect", redirects, (meetings, must) => {
    const elsewhere = meetings
      .flatMap(({ graded }) => graded.exchanges)
      .filter(({ request }) => request.url.includes("169.254"))
    const answered = elsewhere.filter(({ outcome }) => outcome === "completed")
    must.require(answered.length === 0, `${answered.length} requests to the metadata address`)
    const most = Math.max(...meetings.map(({ asked }) => asked))
    return `requests to the target ${answered.length} (bar 0); most requests for the list in a run ${most}`
  })
]
