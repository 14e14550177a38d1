/** The hot paths, each as something that can be done many times. */
import { spawnSync } from "node:child_process"
import { ended } from "../../test/end-to-end/support/crowd.ts"
import { quietPartner } from "../../test/end-to-end/support/QuietPartner.ts"
import { registryPartner } from "../../test/end-to-end/support/RegistryPartner.ts"
import { bundle, connectSandbox, type Service, until } from "../../test/end-to-end/support/Service.ts"

/** A path through the service. `once` is done `times` times, `abreast` of them at a time. */
export interface HotPath {
  readonly name: string
  readonly times: number
  readonly abreast: number
  readonly once: (index: number) => Promise<void>
}

/** The paths through this service, and what ends their partners. */
export async function hotPaths(
  us: Service
): Promise<{ readonly paths: ReadonlyArray<HotPath>; readonly close: () => void }> {
  const registry = await registryPartner()
  await register(us, registry.versionsUrl, registry.invite())
  const authorization = `Token ${Buffer.from([...registry.registrations.values()][0]!).toString("base64")}`
  const theirs = async (method: string, url: string, body?: unknown) => {
    const answer = await fetch(url, {
      method,
      headers: { authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok || JSON.parse(text).status_code !== 1000) throw new Error(`${method} ${url}: ${text}`)
    return JSON.parse(text).data
  }
  const versionsUrl = `${us.url}/ocpi/versions`
  const [{ url: details }] = (await theirs("GET", versionsUrl)).filter((one: any) => one.version === "2.2.1")
  const receiver = (await theirs("GET", details)).endpoints.find(
    (one: any) => one.identifier === "locations" && one.role === "RECEIVER"
  ).url
  const { connectionId } = await connectSandbox(us, { activity: "quiet" })
  const journey = await played(us, connectionId)
  const suite = await graded(us, connectionId)
  const quiet = await quietPartner()
  const waiting = await awaitingPartner(
    us,
    await register(us, quiet.versionsUrl, "quiet-partner-token_A.0123456789")
  )
  const api = (path: string) => async () => {
    const { status, text } = await us.call("GET", path)
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
  }
  const read = (name: string, path: string): HotPath => ({ name, times: 2000, abreast: 8, once: api(path) })
  const runs = "/api/v1/testing/journey-runs"
  const paths: ReadonlyArray<HotPath> = [
    read("GET health/live", "/health/live"),
    read("GET journey run, ended", `${runs}/${journey.runId}`),
    read("GET journey runs, list of 20", `${runs}?limit=20`),
    read("GET events of a run, page of 50", `${runs}/${journey.runId}/events?limit=50`),
    { ...read("GET report of a core suite", `/api/v1/testing/runs/${suite}`), times: 500 },
    {
      ...read("GET report of a core suite, HTML", `/api/v1/testing/runs/${suite}/export?format=html`),
      times: 50,
      abreast: 1
    },
    {
      ...read("long poll of a run that waits, 1 s", `/api/v1/testing/runs/${waiting}?wait=1`),
      times: 200,
      abreast: 100
    },
    {
      name: "partner's GET versions",
      times: 1000,
      abreast: 8,
      once: async () => void (await theirs("GET", versionsUrl))
    },
    {
      name: "partner's PUT of a location",
      times: 500,
      abreast: 8,
      once: async (index) =>
        void (await theirs("PUT", `${receiver}/DE/REG/LOC${index % 50}`, location(index)))
    },
    {
      name: "remote-start, both sides",
      times: 12,
      abreast: 1,
      once: async () => void (await played(us, connectionId))
    },
    {
      name: "core suite, both sides",
      times: 6,
      abreast: 1,
      once: async () => void (await graded(us, connectionId))
    }
  ]
  const close = () => {
    registry.close()
    quiet.close()
  }
  return { paths, close }
}

/** Processor time in microseconds of `plugfest` with these arguments, as a process of its own. */
export function processOf(args: ReadonlyArray<string>): number {
  const say =
    "process.on('exit', () => { const { user, system } = process.cpuUsage(); process._rawDebug('CPU ' + (user + system)) })"
  const { stderr, status } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(say)}`, bundle, ...args],
    { encoding: "utf8" }
  )
  const micros = /^CPU (\d+)$/m.exec(stderr)?.[1]
  if (status !== 0 || micros === undefined) throw new Error(`plugfest ${args.join(" ")}: ${stderr}`)
  return Number(micros)
}

async function register(us: Service, partnerBaseUrl: string, tokenA: string): Promise<string> {
  const created = await us.call("POST", "/api/v1/connections", {
    partnerBaseUrl,
    tokenA,
    ourRole: "EMSP",
    theirRole: "CPO",
    ocpiVersion: "2.2.1"
  })
  if (created.status !== 201) throw new Error(`create: ${created.text}`)
  const shaken = await us.call("POST", `/api/v1/connections/${created.body.data._id}/handshake`)
  if (shaken.body.data.status !== "registered") throw new Error(`handshake: ${shaken.text}`)
  return created.body.data._id
}

/** The report id of a journey that waits for its partner. */
async function awaitingPartner(us: Service, connectionId: string): Promise<string> {
  const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds: 900 } }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
  if (status !== 202) throw new Error(`journey: ${text}`)
  await until("the run to wait", async () => {
    const now = await us.call("GET", `/api/v1/testing/journey-runs/${body.data.runId}`)
    return now.body.data.status === "waiting" ? true : undefined
  })
  return body.data.reportId
}

async function played(us: Service, connectionId: string): Promise<{ readonly runId: string }> {
  const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds: 60 } }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
  if (status !== 202) throw new Error(`journey: ${text}`)
  const report = await ended(us, body.data.reportId)
  if (report.verdict !== "pass") throw new Error(`journey ${body.data.runId}: ${report.verdict}`)
  return body.data
}

async function graded(us: Service, connectionId: string): Promise<string> {
  const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", profile: "strict" }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/runs", order)
  if (status !== 202) throw new Error(`suite: ${text}`)
  await ended(us, body.data._id)
  return body.data._id
}

/** A location as a CPO pushes it, its content another one each time. */
function location(index: number) {
  const last_updated = new Date().toISOString()
  const connector = (id: string) => ({
    id,
    standard: "IEC_62196_T2",
    format: "SOCKET",
    power_type: "AC_3_PHASE",
    max_voltage: 230,
    max_amperage: 16,
    last_updated
  })
  return {
    country_code: "DE",
    party_id: "REG",
    id: `LOC${index % 50}`,
    publish: true,
    name: `Name ${index}`,
    address: "Long Street 1",
    city: "Berlin",
    country: "DEU",
    coordinates: { latitude: "52.520008", longitude: "13.404954" },
    time_zone: "Europe/Berlin",
    last_updated,
    evses: ["1", "2", "3"].map((uid) => ({
      uid,
      evse_id: `DE*REG*E${index % 50}${uid}`,
      status: "AVAILABLE",
      capabilities: ["RFID_READER"],
      connectors: [connector("1"), connector("2")],
      last_updated
    }))
  }
}
