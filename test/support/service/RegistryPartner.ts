/** A CPO in plain node:http that keeps a table of who is registered with it, and can be held up at each step. */
import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { freePort } from "./Service.ts"

/** `accepted`: the POST is in the table, and its answer is not sent yet. */
export type Place = "versions" | "POST" | "accepted" | "DELETE"

export interface RegistryPartner {
  readonly versionsUrl: string
  /** A new Token A. */
  readonly invite: () => string
  /** By the token that the partner has issued (Token C), what it calls with (Token B). */
  readonly registrations: ReadonlyMap<string, string>
  /** Credentials requests that arrived: `POST`, `PUT`, `DELETE`. */
  readonly asked: ReadonlyArray<string>
  /** Requests wait there from now on. Answers what lets them go on, and what resolves when one has arrived. */
  readonly hold: (place: Place) => { readonly arrived: Promise<void>; readonly release: () => void }
  readonly close: () => void
}

const bodyOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text
}

/** OCPI 2.2.1. */
export const registryPartner = async (): Promise<RegistryPartner> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const invited = new Set<string>()
  const registrations = new Map<string, string>()
  const asked: Array<string> = []
  const held = new Map<Place, { arrive: () => void; released: Promise<void> }>()
  const at = async (place: Place) => {
    const one = held.get(place)
    one?.arrive()
    await one?.released
  }
  const credentials = async (method: string, token: string, text: string) => {
    asked.push(method)
    if (method === "POST" || method === "PUT") {
      await at("POST")
      if (method === "POST" ? !invited.delete(token) : !registrations.delete(token)) return undefined
      const issued = `token-c-${randomBytes(8).toString("hex")}`
      registrations.set(issued, JSON.parse(text).token)
      await at("accepted")
      const roles = [{ role: "CPO", party_id: "REG", country_code: "DE", business_details: { name: "Reg" } }]
      return { token: issued, url: `${url}/versions`, roles }
    }
    await at("DELETE")
    return registrations.delete(token) ? null : undefined
  }
  const server = createServer(async (request, response) => {
    const text = await bodyOf(request)
    const token = Buffer.from(
      request.headers.authorization?.slice("Token ".length) ?? "",
      "base64"
    ).toString()
    const known = invited.has(token) || registrations.has(token)
    const endpoint = (identifier: string, role: string) => ({ identifier, role, url: `${url}/${identifier}` })
    let data: unknown
    if (request.url === "/credentials") data = await credentials(request.method ?? "", token, text)
    else if (known && request.url === "/versions") {
      await at("versions")
      data = [{ version: "2.2.1", url: `${url}/details` }]
    } else if (known && request.url === "/details")
      data = {
        version: "2.2.1",
        endpoints: [
          endpoint("credentials", "SENDER"),
          endpoint("locations", "SENDER"),
          endpoint("commands", "RECEIVER")
        ]
      }
    else if (known) data = []
    const timestamp = new Date().toISOString()
    response.writeHead(data === undefined ? 401 : 200, { "content-type": "application/json" })
    response.end(JSON.stringify({ data, status_code: data === undefined ? 2001 : 1000, timestamp }))
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    versionsUrl: `${url}/versions`,
    invite: () => {
      const token = `token-a-${randomBytes(8).toString("hex")}`
      invited.add(token)
      return token
    },
    registrations,
    asked,
    hold: (place) => {
      let arrive = () => {}
      let release = () => {}
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve
      })
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      held.set(place, { arrive, released })
      return {
        arrived,
        release: () => {
          held.delete(place)
          release()
        }
      }
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
