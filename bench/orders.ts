/** What a service under measure is asked to do, and a partner that is registered with it. */
import { ended } from "../test/support/service/crowd.ts"
import { registryPartner } from "../test/support/service/RegistryPartner.ts"
import { type Service, until } from "../test/support/service/Service.ts"

/** A CPO that is registered with the service, and calls it. */
export interface CallingPartner {
  readonly authorization: string
  readonly versionsUrl: string
  /** Our receiver of locations. */
  readonly receiver: string
  /** A call of the partner; answers the data of the answer, and fails when it is refused. */
  readonly theirs: (method: string, url: string, body?: unknown) => Promise<any>
  readonly close: () => void
}

/** Registers it. */
export async function partnerOf(us: Service): Promise<CallingPartner> {
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
  return { authorization, versionsUrl, receiver, theirs, close: registry.close }
}

/** A registered connection to a CPO. Answers its id. */
export async function register(us: Service, partnerBaseUrl: string, tokenA: string): Promise<string> {
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

/** The report id of a journey that waits for its partner, for so many seconds. */
export async function awaitingPartner(us: Service, connectionId: string, waitSeconds = 900): Promise<string> {
  const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds } }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
  if (status !== 202) throw new Error(`journey: ${text}`)
  await until("the run to wait", async () => {
    const now = await us.call("GET", `/api/v1/testing/journey-runs/${body.data.runId}`)
    return now.body.data.status === "waiting" ? true : undefined
  })
  return body.data.reportId
}

/** Plays a journey to its end, which must be a pass. */
export async function played(
  us: Service,
  connectionId: string,
  templateId = "remote-start"
): Promise<{ readonly runId: string }> {
  const inputs = templateId === "remote-start" ? { waitSeconds: 60 } : {}
  const order = { connectionId, templateId, inputs }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
  if (status !== 202) throw new Error(`journey: ${text}`)
  const report = await ended(us, body.data.reportId)
  if (report.verdict !== "pass") throw new Error(`journey ${body.data.runId}: ${report.verdict}`)
  return body.data
}

/** Runs the core suite to its end. Answers its report id. */
export async function graded(us: Service, connectionId: string): Promise<string> {
  const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", profile: "strict" }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/runs", order)
  if (status !== 202) throw new Error(`suite: ${text}`)
  await ended(us, body.data._id)
  return body.data._id
}

/** A location as a CPO pushes it, its content another one each time. */
export function location(index: number) {
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
