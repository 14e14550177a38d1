/** A CPO in plain node:http that answers what it is asked and says nothing of its own accord: a person speaks for it. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { freePort } from "./Service.ts"

const tokenC = "quiet-partner-token_C.0123456789"
/** The location that it lists. */
export const quietLocation = {
  country_code: "DE",
  party_id: "QUI",
  id: "LOC1",
  publish: true,
  address: "Quiet Street 1",
  city: "Berlin",
  country: "DEU",
  coordinates: { latitude: "52.520008", longitude: "13.404954" },
  time_zone: "Europe/Berlin",
  last_updated: "2026-01-01T00:00:00Z",
  evses: [
    {
      uid: "EVSE1",
      evse_id: "DE*QUI*E1",
      status: "AVAILABLE",
      capabilities: ["REMOTE_START_STOP_CAPABLE"],
      last_updated: "2026-01-01T00:00:00Z",
      connectors: [
        {
          id: "1",
          standard: "IEC_62196_T2",
          format: "SOCKET",
          power_type: "AC_3_PHASE",
          max_voltage: 230,
          max_amperage: 16,
          last_updated: "2026-01-01T00:00:00Z"
        }
      ]
    }
  ]
}

export interface QuietPartner {
  readonly versionsUrl: string
  /** What we were given to call the service with. */
  readonly token: () => string
  /** Answers in its place; false: it did not. The URL is the whole one. */
  instead: ((url: URL, response: ServerResponse) => boolean) | undefined
  readonly close: () => void
}

export const textOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** OCPI 2.2.1. */
export const quietPartner = async (): Promise<QuietPartner> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let token = ""
  const endpoint = (identifier: string, role: string) => ({ identifier, role, url: `${url}/${identifier}` })
  const answer = (method: string, path: string, body: string): unknown => {
    if (path === "/versions") return [{ version: "2.2.1", url: `${url}/details` }]
    if (path === "/details") {
      const endpoints = [
        endpoint("credentials", "SENDER"),
        endpoint("locations", "SENDER"),
        endpoint("sessions", "SENDER"),
        endpoint("tokens", "RECEIVER"),
        endpoint("commands", "RECEIVER")
      ]
      return { version: "2.2.1", endpoints }
    }
    if (path === "/credentials") {
      if (method === "POST") token = (JSON.parse(body) as { token: string }).token
      const role = { role: "CPO", party_id: "QUI", country_code: "DE", business_details: { name: "Quiet" } }
      return { token: tokenC, url: `${url}/versions`, roles: [role] }
    }
    if (path === "/locations" || path === "/sessions") return path === "/locations" ? [quietLocation] : []
    return path.startsWith("/commands/") ? { result: "ACCEPTED", timeout: 30 } : undefined
  }
  const server: Server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const asked = new URL(request.url ?? "/", url)
      const data = answer(request.method ?? "GET", asked.pathname, body)
      if (partner.instead?.(asked, response) === true) return
      response.writeHead(200, { "content-type": "application/json" })
      response.end(
        JSON.stringify({
          ...(data === undefined ? {} : { data }),
          status_code: 1000,
          timestamp: "2026-01-01T00:00:00Z"
        })
      )
    })
  })
  const partner: QuietPartner = {
    versionsUrl: `${url}/versions`,
    token: () => token,
    instead: undefined,
    close: () => void server.close()
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return partner
}
