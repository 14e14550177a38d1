/** Row 11: a partner names a place of somebody else's. Whoever lives there must not be brought the token of the connection. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, sleep, until } from "../support/service/Service.ts"
import { api, attack, base64, local, shown, Victim } from "./support/attack.ts"
import { location, type Partner, registered, startPartner } from "./support/partner.ts"

interface Foreign {
  readonly name: string
  readonly url: string
  readonly server: Server
  /** Authorization headers that came, and the paths they came to. */
  readonly brought: Array<string>
  requests: number
}

/** Somebody else's host: notes what is brought to it, and answers like an OCPI list. */
async function foreignHost(name: string, host: string): Promise<Foreign> {
  const server = createServer((request, response) => {
    foreign.requests += 1
    const all = JSON.stringify(request.headers) + request.url
    if (request.headers.authorization !== undefined || /token/i.test(all))
      foreign.brought.push(
        `${request.method} ${request.url}: ${request.headers.authorization ?? "in another header"}`
      )
    request.resume()
    response.writeHead(200, { "content-type": "application/json", "x-total-count": "1", "x-limit": "50" })
    response.end('{"status_code":1000,"timestamp":"2026-01-01T00:00:00Z","data":[]}')
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  const foreign: Foreign = { name, url: `http://${host}:${port}`, server, brought: [], requests: 0 }
  return foreign
}

/** A certificate for 127.0.0.1 that nobody has signed; none where there is no openssl. */
const certificate = (() => {
  const directory = mkdtempSync(join(tmpdir(), "plugfest-tls-"))
  const [key, cert] = [join(directory, "key.pem"), join(directory, "cert.pem")]
  const order = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=attack -addext subjectAltName=IP:127.0.0.1 -keyout ${key} -out ${cert}`
  try {
    execFileSync("openssl", order.split(" "), { stdio: "pipe" })
    return { directory, file: cert, key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") }
  } catch {
    rmSync(directory, { recursive: true, force: true })
    return undefined
  }
})()
if (certificate === undefined) attack("11", "https to http not tried: there is no openssl here")

describe("a place that is none of the partner's", () => {
  let victim: Victim
  let service: Service
  let foreigners: ReadonlyArray<Foreign> = []
  const partners: Array<Partner> = []
  let namings = 0

  beforeAll(async () => {
    victim = new Victim({
      ...local,
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      ...(certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate.file })
    })
    service = await victim.alive()
    foreigners = [
      await foreignHost("another host", "127.0.0.2"),
      await foreignHost("another port", "127.0.0.1")
    ]
  }, 60_000)
  afterAll(async () => {
    const brought = foreigners.map(
      (one) => `${one.name} asked ${one.requests} times and brought a token ${one.brought.length} times`
    )
    attack("11", `${namings} places named`, ...brought)
    await victim?.end()
    for (const one of partners) one.close()
    for (const { server } of foreigners) {
      server.close()
      server.closeAllConnections()
    }
    if (certificate !== undefined) rmSync(certificate.directory, { recursive: true, force: true })
  })

  const begun = async (role: "CPO" | "EMSP", more: Parameters<typeof startPartner>[1] = {}) => {
    const partner = await startPartner(role, more)
    partners.push(partner)
    return { partner, id: await registered(service, partner) }
  }
  const leaks: Array<string> = []
  /** What no host may have got: the tokens of this partner, in either form. */
  const isClean = (what: string, partner: Partner, since: ReadonlyArray<number>) => {
    const tokens = [...partner.held, ...partner.given]
    for (const [at, { brought, name }] of foreigners.entries())
      for (const one of brought.slice(since[at]))
        if (tokens.some((token) => one.includes(token) || one.includes(base64(token))))
          leaks.push(`${what}: ${name} was brought a token: ${shown(one, 60)}`)
  }
  const none = () => assert.deepStrictEqual(leaks.splice(0), [])
  const sofar = () => foreigners.map(({ brought }) => brought.length)

  /** Forms of a Link header that lead to this place. */
  const links = (url: string): Readonly<Record<string, string>> => ({
    plain: `<${url}/locations?offset=1>; rel="next"`,
    "with other links": `<${url}/first>; rel="first", <${url}/locations?offset=1>; rel="next"`,
    "of odd case": `<${url}/locations?offset=1>; REL=Next`,
    "relative to a scheme": `<//${new URL(url).host}/locations?offset=1>; rel="next"`,
    "with a user": `<http://127.0.0.1@${new URL(url).host}/locations?offset=1>; rel="next"`
  })

  /** The service reads the partner's locations, whose next page is there. */
  const paged = async (partner: Partner, id: string, link: string, modules = ["locations", "paging"]) => {
    namings += 1
    partner.answer = (seen, ordinary) =>
      seen.path.startsWith("/locations")
        ? { ...ordinary, data: [location("LOC1")], headers: { link, "x-total-count": "9", "x-limit": "1" } }
        : ordinary
    const run = await api(service, "/testing/runs", {
      method: "POST",
      body: { connectionId: id, suiteId: "ocpi-2.2.1-cpo-core", modules }
    })
    assert.strictEqual(run.status, 202, run.text)
    await until(
      "the run to end",
      async () => {
        const report = await api(service, `/testing/runs/${run.json.data._id}?wait=3`)
        return report.json?.data?.verdict == null ? undefined : true
      },
      60_000
    )
  }

  it("is brought no token when it is the next page", async () => {
    for (const foreign of foreigners) {
      const { id, partner } = await begun("CPO")
      for (const [form, link] of Object.entries(links(foreign.url))) {
        const since = sofar()
        await paged(partner, id, link)
        isClean(`next page, ${form}, ${foreign.name}`, partner, since)
      }
    }
    none()
  }, 120_000)

  it.runIf(certificate !== undefined)(
    "is brought no token by http when the partner speaks https",
    async () => {
      const { id, partner } = await begun("CPO", { tls: certificate! })
      const since = sofar()
      for (const foreign of foreigners) await paged(partner, id, links(foreign.url)["plain"]!)
      isClean("next page, from https to http", partner, since)
      const emsp = await begun("EMSP", { tls: certificate! })
      for (const foreign of foreigners)
        await emsp.partner.call("POST", `${service.url}/ocpi/2.2.1/commands/CANCEL_RESERVATION`, {
          response_url: `${foreign.url}/results/1`,
          reservation_id: "R1"
        })
      await sleep(3500)
      isClean("response_url, from https to http", emsp.partner, since)
      none()
    },
    120_000
  )

  it("is brought no token when it is the response_url of a command", async () => {
    for (const foreign of foreigners) {
      const { partner } = await begun("EMSP")
      const since = sofar()
      for (const where of [
        `${foreign.url}/results/1`,
        `http://127.0.0.1@${new URL(foreign.url).host}/results/1`,
        `${foreign.url}/results/1?x=${encodeURIComponent("http://127.0.0.1/")}`
      ]) {
        namings += 1
        for (const [command, more] of [
          ["CANCEL_RESERVATION", { reservation_id: "R1" }],
          ["UNLOCK_CONNECTOR", { location_id: "LOC1", evse_uid: "E1", connector_id: "1" }],
          ["STOP_SESSION", { session_id: "S1" }]
        ] as const)
          await partner.call("POST", `${service.url}/ocpi/2.2.1/commands/${command}`, {
            response_url: where,
            ...more
          })
        for (const path of ["chargingprofiles/S1"]) {
          const asked = `${service.url}/ocpi/2.2.1/${path}?duration=60&response_url=${encodeURIComponent(where)}`
          await partner.call("GET", asked)
          await partner.call("DELETE", asked)
        }
      }
      // Results come by themselves, a moment later.
      await sleep(3500)
      isClean(`response_url at ${foreign.name}`, partner, since)
    }
    none()
  }, 60_000)

  it("is not called at all when it is in a range that is never allowed", async () => {
    const { id, partner } = await begun("EMSP")
    const own = new URL(service.url).port
    for (const where of [
      "http://169.254.169.254/latest/meta-data/",
      "http://[fe80::1]/",
      "http://[fd00:ec2::254]/",
      "http://0.0.0.0:22/",
      `http://127.0.0.1:${own}/api/v1/connections`,
      `http://localhost:${own}/`,
      "file:///etc/passwd",
      "gopher://127.0.0.1:25/x",
      "javascript:1",
      "http://metadata.google.internal/"
    ]) {
      namings += 1
      const heard = await partner.call("POST", `${service.url}/ocpi/2.2.1/commands/CANCEL_RESERVATION`, {
        response_url: where,
        reservation_id: "R1"
      })
      assert.isTrue(heard.status > 0 && heard.status < 500, `${where}: ${heard.status} ${shown(heard.text)}`)
    }
    await sleep(1500)
    const { json } = await api(service, `/connections/${id}/exchanges?limit=1000`)
    const sent = json.data.filter(
      ({ direction, outcome, request }: any) =>
        direction === "outbound" && outcome !== "blocked" && !request.url.startsWith(partner.url)
    )
    assert.deepStrictEqual(
      sent.map(({ outcome, request }: any) => `${request.url} ${outcome}`),
      []
    )
  }, 60_000)

  it("is not reached by a Link header that is huge, or that never ends", async () => {
    const { id, partner } = await begun("CPO")
    const foreign = foreigners[0]!
    for (const link of [
      `${`<${foreign.url}/p>; rel="x", `.repeat(150)}<${foreign.url}/locations>; rel="next"`,
      `<${foreign.url}/${"a".repeat(12_000)}>; rel="next"`,
      `<${`${foreign.url}/locations`.slice(0, -1)}`,
      `${"<".repeat(6000)}`,
      `${'<x>; rel="'.repeat(1000)}`
    ]) {
      const since = sofar()
      await paged(partner, id, link, ["paging"])
      isClean(`a Link of ${link.length} characters`, partner, since)
    }
    none()
    const { status } = await api(service, "/connections")
    assert.strictEqual(status, 200)
  }, 60_000)
})
