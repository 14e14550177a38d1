/** Row 5: a partner gives our tokens back at every place where it may say something. Nothing that we tell or keep has them. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../support/service/database.ts"
import { type Service, until } from "../support/service/Service.ts"
import { api, attack, base64, local, Victim } from "./support/attack.ts"
import {
  connected,
  location,
  type Partner,
  type Reply,
  registered,
  type Seen,
  startPartner
} from "./support/partner.ts"

/** Forms in which a token may be said back. */
const forms = (token: string): Readonly<Record<string, string>> => ({
  plain: token,
  base64: base64(token).replace(/=+$/, ""),
  "URL-encoded": [...Buffer.from(token)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  "JSON-escaped": [...token].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
})

/** What a partner says where it may say a text: all forms in one, as far as there is room. */
const echo = (tokens: ReadonlyArray<string>) =>
  tokens.flatMap((token) => [token, base64(token), forms(token)["URL-encoded"]]).join(" ")

describe("a token that is said back", () => {
  let victim: Victim
  let service: Service
  let database: string
  const partners: Array<Partner> = []
  const answered = new Map<string, string>()

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    victim = new Victim({ ...local, DATABASE_URL: database, LOG_LEVEL: "debug" })
    service = await victim.alive()
  }, 60_000)
  afterAll(async () => {
    await victim?.end()
    for (const one of partners) one.close()
  })

  const everyRow = async () => {
    const tables = await rows(database, "select tablename from pg_tables where schemaname = 'public'")
    const all = await Promise.all(
      tables.map(async ({ tablename }) => [
        `table ${tablename}`,
        (await rows(database, `select row_to_json(t)::text as row from "${tablename}" t`))
          .map(({ row }) => row)
          .join("\n")
      ])
    )
    return new Map(all as Array<[string, string]>)
  }
  /** Every token that the connection ever had: ours, the partner's, Tokens A. */
  const all = (partner: Partner) => [...new Set([...partner.held, ...partner.given])]
  const keep = async (path: string) => {
    answered.set(`GET ${path.replaceAll(/_a[0-9a-f]{32}/g, "_…")}`, (await api(service, path)).text)
  }
  const keepViews = async (id: string) => {
    for (const path of ["", "/exchanges?limit=1000"]) await keep(`/connections/${id}${path}`)
    await keep("/connections")
    await keep("/testing/runs")
    await keep("/settings/audit?limit=100")
  }
  const keepRun = async (id: string, runId?: string) => {
    for (const format of ["junit", "json", "html", "markdown", "har", "ledger", "signed"])
      await keep(`/testing/runs/${id}/export?format=${format}`)
    await keep(`/testing/runs/${id}/checks`)
    if (runId !== undefined) await keep(`/testing/journey-runs/${runId}/events?limit=1000`)
  }

  let hits = 0
  let tokens = 0
  /** Found in forms that a partner has to make on purpose. */
  const unusual = new Set<string>()
  /** Where one of these was found as it is, or as it stands in a header: `plain in table command: 7 tokens`. */
  const searched = async (secrets: ReadonlyArray<string>) => {
    const places = new Map([...answered, ...(await everyRow()), ["log", service.output()]])
    const found = new Map<string, number>()
    for (const [place, text] of places) {
      const folded = text.toLowerCase()
      for (const secret of secrets)
        for (const [form, written] of Object.entries(forms(secret))) {
          const isUsual = form === "plain" || form === "base64"
          // Of escapes both cases are the same, and in a row each backslash stands twice.
          const isThere = isUsual ? text.includes(written) : folded.replaceAll("\\\\", "\\").includes(written)
          if (!isThere) continue
          hits += 1
          const where = `${form} in ${place}`
          if (isUsual) found.set(where, (found.get(where) ?? 0) + 1)
          else unusual.add(where)
        }
    }
    tokens += secrets.length
    return [...found].map(([where, count]) => `${where}: ${count} of ${secrets.length} tokens`).sort()
  }

  const telltale =
    (partner: Partner) =>
    (seen: Seen, ordinary: Reply): Reply => {
      const said = echo(all(partner))
      const [first = ""] = partner.held.slice(-1)
      const path = seen.path.split("?")[0]!
      const headers = {
        ...ordinary.headers,
        "x-echo": said,
        location: `${partner.url}/nowhere?token=${encodeURIComponent(first)}`,
        "set-cookie": `token=${first}`
      }
      const more: Reply = { ...ordinary, headers, message: `we got ${said}` }
      if (path === "/commands/UNLOCK_CONNECTOR" || path.startsWith("/commands")) {
        const { response_url } = JSON.parse(seen.body)
        setTimeout(
          () =>
            void partner.call("POST", response_url, {
              result: "ACCEPTED",
              message: { language: "en", text: said }
            }),
          50
        )
        return { ...more, data: { result: "ACCEPTED", timeout: 30, message: { language: "en", text: said } } }
      }
      if (path === "/details") {
        const data: any = ordinary.data
        const endpoints = data.endpoints.map((one: any) => ({ ...one, url: `${one.url}?token=${first}` }))
        return {
          ...more,
          data: {
            ...data,
            endpoints: [...endpoints, { ...endpoints[1], identifier: first, url: `${partner.url}/${first}` }]
          }
        }
      }
      if (path === "/credentials" && seen.method !== "DELETE") {
        const data: any = ordinary.data
        const roles = data.roles.map((role: any) => ({
          ...role,
          business_details: {
            name: first.slice(0, 100),
            website: `https://${first}.example/${base64(first)}`,
            logo: { url: `https://x/${first}` }
          }
        }))
        return { ...more, data: { ...data, roles } }
      }
      if (path === "/locations") {
        const echoing = all(partner).map((token, at) =>
          location(`LOC${at}`, { name: token, address: base64(token).slice(0, 45), [token]: token })
        )
        return {
          ...more,
          headers: { ...headers, link: `<${partner.url}/locations?token=${first}>; rel="next"` },
          data: echoing
        }
      }
      if (path === "/versions")
        return {
          ...more,
          data: [
            { version: "2.2.1", url: `${partner.url}/details?token=${first}` },
            { version: first, url: first }
          ]
        }
      return more
    }

  /** Registers, renews its tokens in both directions, and from then on says back all that it has ever got. */
  const echoing = async () => {
    const partner = await startPartner()
    partners.push(partner)
    const id = await registered(service, partner)
    const put = await partner.call("PUT", `${service.url}/ocpi/2.2.1/credentials`, partner.credentials())
    partner.held.push(put.json.data.token)
    await partner.call("GET", `${service.url}/ocpi/2.2.1/credentials`)
    await api(service, `/connections/${id}/handshake`, { method: "POST" })
    assert.lengthOf(partner.held, 3)
    partner.answer = telltale(partner)
    return { partner, id }
  }

  it("is in nothing that a command, its result or its exchange show", async () => {
    const { id, partner } = await echoing()
    const command = await api(service, "/testing/command", {
      method: "POST",
      body: { connectionId: id, command: "UNLOCK_CONNECTOR" }
    })
    answered.set("POST /testing/command", command.text)
    assert.strictEqual(command.status, 200, command.text)
    await until("the result of the command", async () => {
      const { json, text } = await api(service, `/testing/commands/${command.json.data.commandId}`)
      answered.set("GET /testing/commands/…", text)
      return ["sent", "accepted"].includes(json.data.state) ? undefined : true
    })
    await keepViews(id)
    assert.deepStrictEqual(await searched(all(partner)), [])
  }, 30_000)

  it("is in no view, row or error after a handshake with a partner that says it back", async () => {
    const { id, partner } = await echoing()
    const renewed = await api(service, `/connections/${id}/handshake`, { method: "POST" })
    answered.set("POST handshake", renewed.text)
    answered.set(
      "POST preflight",
      (await api(service, `/connections/${id}/preflight`, { method: "POST" })).text
    )
    // A connection that fails says what came, too.
    const refusing = await startPartner()
    partners.push(refusing)
    const failing = await connected(service, refusing)
    refusing.answer = (seen) => ({
      status: 500,
      statusText: "no",
      text: `no: ${JSON.stringify(seen.headers)} ${echo(all(refusing))}`
    })
    answered.set(
      "POST handshake that fails",
      (await api(service, `/connections/${failing}/handshake`, { method: "POST" })).text
    )
    await keepViews(failing)
    await keepViews(id)
    assert.deepStrictEqual(await searched([...all(partner), ...all(refusing)]), [])
  }, 30_000)

  it("is in no row when the partner pushes it, in a body, a path, a query or a header", async () => {
    const { partner } = await echoing()
    const url = `${service.url}/ocpi/2.2.1`
    for (const [at, token] of all(partner).entries()) {
      await partner.call(
        "PUT",
        `${url}/locations/DE/ATK/L${at}`,
        location(`L${at}`, { name: token, operator: { name: base64(token) }, [token]: { deep: [token] } })
      )
      await partner.call("PATCH", `${url}/locations/DE/ATK/L${at}`, {
        last_updated: "2026-02-01T00:00:00Z",
        name: `x${token}`
      })
      await partner.call(
        "PUT",
        `${url}/locations/DE/ATK/${encodeURIComponent(token.slice(0, 36))}?t=${token}`,
        location(token.slice(0, 36))
      )
      await partner.call("PUT", `${url}/locations/DE/ATK/X?token=${token}`, { wrong: token, [token]: 1 })
      await partner.call("POST", `${url}/${token}`, `not JSON ${token}`)
      const escaped = JSON.stringify(location(`E${at}`, { name: "NAME" })).replace(
        "NAME",
        forms(token)["JSON-escaped"]!
      )
      await partner.call("PUT", `${url}/locations/DE/ATK/E${at}`, escaped)
      await partner.call("GET", `${url}/locations/DE/ATK/${token}`)
    }
    assert.deepStrictEqual(await searched(all(partner)), [])
  }, 30_000)

  it("is in no ledger, export or report, a Token A that was replaced no more than any other", async () => {
    const { id, partner } = await echoing()
    const ended = (run: string) =>
      until(
        "the run to end",
        async () =>
          (await api(service, `/testing/runs/${run}?wait=3`)).json?.data?.verdict == null ? undefined : true,
        60_000
      )
    const suite = await api(service, "/testing/runs", {
      method: "POST",
      body: {
        connectionId: id,
        suiteId: "ocpi-2.2.1-cpo-core",
        modules: ["versions", "locations", "credentials", "commands"]
      }
    })
    assert.strictEqual(suite.status, 202, suite.text)
    // One after the other: a token that the suite is about to be given could be said in the journey before it is given.
    await ended(suite.json.data._id)
    const journey = await api(service, "/testing/journey-runs", {
      method: "POST",
      body: { connectionId: id, templateId: "first-reads" }
    })
    assert.strictEqual(journey.status, 202, journey.text)
    await ended(journey.json.data.reportId)
    await keepRun(suite.json.data._id)
    await keepRun(journey.json.data.reportId, journey.json.data.runId)
    await keepViews(id)
    assert.deepStrictEqual(await searched(all(partner)), [])
  }, 120_000)

  it("is in none of these in an encoding either that a partner makes on purpose", () => {
    assert.deepStrictEqual([...unusual].sort(), [])
  })

  it("says what was tried", () => {
    attack(
      "5",
      `${tokens} tokens in ${Object.keys(forms("x")).length} forms`,
      `${answered.size} answers and every row searched`,
      `${hits} hits`
    )
  })
})
