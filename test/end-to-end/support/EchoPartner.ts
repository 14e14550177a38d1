/** A CPO in plain node:http that gives back every token that it has ever seen, in whatever it says. */
import { createServer } from "node:http"
import { textOf } from "../../support/service/QuietPartner.ts"
import { freePort } from "../../support/service/Service.ts"

export interface EchoPartner {
  readonly versionsUrl: string
  /** Every token of the connection so far: what it was called with, what it was given, and what it has issued. */
  readonly seen: ReadonlySet<string>
  /** What it calls the service with. */
  readonly token: () => string
  /** How often one of its endpoints whose URL holds a token was called with that token. */
  readonly calledWithTokenInUrl: () => number
  /** Where the result of the last command is to be sent. */
  readonly responseUrl: () => string
  readonly close: () => void
}

/** OCPI 2.2.1; it issues a new token at each POST and PUT of credentials. */
export const echoPartner = async (): Promise<EchoPartner> => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const seen = new Set<string>()
  let token = ""
  let responseUrl = ""
  let calls = 0
  let issued = 0
  /** All of it, in three forms; one of them escapes every character. */
  const echo = () =>
    [...seen].flatMap((one) => [one, Buffer.from(one).toString("base64"), encodeURIComponent(one)]).join(" ")
  const inPath = () => encodeURIComponent([...seen].at(-1) ?? "none")
  const endpoint = (identifier: string, role: string) => ({
    identifier,
    role,
    url: `${origin}/t/${inPath()}/${identifier}`
  })
  const answer = (method: string, path: string, body: string): unknown => {
    if (path === "/versions") return [{ version: "2.2.1", url: `${origin}/details`, note: echo() }]
    if (path === "/details") {
      const endpoints = [
        endpoint("credentials", "SENDER"),
        endpoint("locations", "SENDER"),
        endpoint("sessions", "SENDER"),
        endpoint("tokens", "RECEIVER"),
        endpoint("commands", "RECEIVER"),
        { identifier: `x-${[...seen].at(-1)}`, role: "SENDER", url: `${origin}/x?t=${inPath()}` }
      ]
      return { version: echo(), endpoints }
    }
    if (path.endsWith("/credentials")) {
      if (method !== "GET") {
        token = (JSON.parse(body) as { token: string }).token
        seen.add(token)
        issued += 1
        seen.add(`echo-partner-token_C-${issued}.0123456789`)
      }
      const role = { role: "CPO", party_id: "ECH", country_code: "DE", business_details: { name: echo() } }
      return { token: `echo-partner-token_C-${issued}.0123456789`, url: `${origin}/versions`, roles: [role] }
    }
    if (path.includes("/commands/")) {
      responseUrl = (JSON.parse(body) as { response_url: string }).response_url
      return { result: "ACCEPTED", timeout: 30, message: [{ language: "en", text: echo() }] }
    }
    return []
  }
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const sent = /^Token (.+)$/.exec(request.headers.authorization ?? "")?.[1]
      if (sent !== undefined) seen.add(Buffer.from(sent, "base64").toString("utf8"))
      const { pathname } = new URL(request.url ?? "/", origin)
      if ([...seen].some((one) => decodeURIComponent(pathname).includes(`/t/${one}/`))) calls += 1
      if (pathname.includes("%C2%AB")) calls -= 1000
      const data = answer(request.method ?? "GET", pathname, body)
      response.writeHead(200, { "content-type": "application/json", "x-echo": echo() })
      const envelope = { data, status_code: 1000, status_message: echo(), timestamp: "2026-01-01T00:00:00Z" }
      // The data once more, with each letter of the tokens escaped.
      const escaped = [...seen]
        .map((one) => [...one].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""))
        .join(" ")
      response.end(JSON.stringify(envelope).replace(/}$/, `,"again":"${escaped}"}`))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return {
    versionsUrl: `${origin}/versions`,
    seen,
    token: () => token,
    calledWithTokenInUrl: () => calls,
    responseUrl: () => responseUrl,
    close: () => server.close()
  }
}
