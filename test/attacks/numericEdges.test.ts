/** Row 10: numbers at their edges, long texts, and texts that only look like numbers, at every place that takes one. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { guarded, type Operation, operationsOf, requestOf } from "../support/service/operations.ts"
import { key, type Service } from "../support/service/Service.ts"
import { furnish, type Owner } from "../support/service/twoOwners.ts"
import { api, attack, base64, type Heard, local, shown, Victim } from "./support/attack.ts"
import { location, type Partner, registered, startPartner } from "./support/partner.ts"

/** As they stand in a JSON body. */
const numbers = [
  "0",
  "-0",
  "-1",
  "1.5",
  "2147483647",
  "2147483648",
  "-2147483649",
  "4294967296",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "1e21",
  "1e308",
  "1e400",
  "-1e400",
  "5e-324",
  "123456789012345678901234567890"
]
/** As they stand in a query or a header, besides these numbers. */
const texts = [
  "",
  " ",
  "+1",
  " 1",
  "1 ",
  "01",
  "1,000",
  "1_000",
  "0x10",
  "0b1",
  "1n",
  "NaN",
  "Infinity",
  "null",
  "true",
  "１２",
  "١",
  "²",
  "9".repeat(15),
  "9".repeat(16),
  "9".repeat(400),
  "a".repeat(4000),
  "\u0000",
  "\ud7ff\ue000",
  "💥".repeat(300),
  "%",
  "'",
  "--",
  "{}",
  "[]"
]
/** Times that Postgres, JavaScript and ISO 8601 do not read alike. */
const times = [
  "9999-12-31T23:59:59Z",
  "99999-01-01T00:00:00Z",
  "+275760-09-13T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "0000-01-01T00:00:00Z",
  "-000001-01-01T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "2016-12-31T23:59:60Z",
  "2026-02-30T00:00:00Z",
  "infinity",
  "now"
]

const isInteger = (schema: any): boolean =>
  schema?.type === "integer" ||
  schema?.type === "number" ||
  (schema?.anyOf ?? schema?.oneOf ?? []).some(isInteger)

describe("a number at its edge", () => {
  let victim: Victim
  let service: Service
  let owner: Owner
  let partner: Partner
  let connectionId: string
  let operations: ReadonlyArray<Operation>
  let requests = 0
  const faults: Array<string> = []

  beforeAll(async () => {
    victim = new Victim({ ...local, DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    service = await victim.alive()
    operations = guarded(await operationsOf(service))
    owner = await furnish(service, "edges", { authorization: `Bearer ${key}` })
    partner = await startPartner()
    connectionId = await registered(service, partner)
  }, 90_000)
  afterAll(async () => {
    attack("10", `${requests} requests`, `${faults.length} answers of 5xx or none`)
    await victim?.end()
    partner?.close()
  })

  const holds = (what: string, heard: Heard) => {
    requests += 1
    const isFault = heard.status === 0 || heard.status >= 500
    // Whoever is refused is told so in the one form that errors have.
    const isOdd =
      heard.status >= 400 && heard.status < 500 && Object.keys(heard.json ?? {}).join() !== "success,message"
    if (isFault || isOdd) faults.push(`${what}: ${heard.status} ${shown(heard.text, 100)}`)
  }
  const none = (since: number) => assert.deepStrictEqual(faults.slice(since), [])
  /** So many at once; what takes a while (a stream, a wait) is cut off, and that is no fault. */
  const each = async <A>(all: ReadonlyArray<A>, work: (one: A) => Promise<void>) => {
    const rest = [...all]
    await Promise.all(
      Array.from({ length: 6 }, async () => {
        for (let one = rest.shift(); one !== undefined; one = rest.shift()) await work(one)
      })
    )
  }
  const short = { within: 20_000 }

  it("in a query is refused or served, at every parameter of every operation", async () => {
    const since = faults.length
    const places = operations.flatMap((operation) =>
      operation.parameters.filter((one) => one.in === "query").map((one) => ({ operation, one }))
    )
    assert.isAbove(places.length, 25)
    await each(
      // Each parameter gets every number, and a third of the texts: all texts come up again and again.
      places.flatMap(({ one, operation }, place) =>
        [
          ...(isInteger(one.schema) ? numbers : ["2147483648", "9007199254740993"]),
          ...texts.filter((_, at) => (at + place) % 3 === 0)
        ].map((value) => ({ one, operation, value }))
      ),
      async ({ one, operation, value }) => {
        // Those that wait would hold the test up, and what makes something is asked without that.
        if (one.name === "wait" && Number(value) >= 1) return
        const { body, method, path } = requestOf(operation, owner.ids)
        const [base = "", query = ""] = path.split("?")
        const search = query
          .split("&")
          .filter((part) => part !== "" && !part.startsWith(`${one.name}=`))
          .concat(`${one.name}=${encodeURIComponent(value)}`)
        if (method === "DELETE" || /export|stream/.test(base)) return
        const asked = { method, ...short, ...(body === undefined ? {} : { body }) }
        holds(
          `${operation.name} ?${one.name}=${shown(value, 30)}`,
          await api(service, `${base.slice("/api/v1".length)}?${search.join("&")}`, asked)
        )
      }
    )
    none(since)
  }, 120_000)

  it("in a body is refused or served, at every field of every operation", async () => {
    const since = faults.length
    const bodies = operations.filter(({ example, fields }) => fields !== undefined && example !== undefined)
    assert.isAbove(bodies.length, 10)
    /** Every place in the example where a value stands, and every field that the schema names. */
    const pathsOf = (value: any, at: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
      value !== null && typeof value === "object"
        ? Object.entries(value).flatMap(([name, inner]) => [[...at, name], ...pathsOf(inner, [...at, name])])
        : []
    await each(
      bodies.flatMap((operation) => {
        const places = new Map(
          [...Object.keys(operation.fields ?? {}).map((name) => [name]), ...pathsOf(operation.example)].map(
            (path) => [path.join("."), path]
          )
        )
        return [...places.values()].flatMap((path) =>
          ["2147483648", "9007199254740993", "-0", "1e400", "-1", "1.5"].map((number) => ({
            number,
            operation,
            path
          }))
        )
      }),
      async ({ number, operation, path }) => {
        const request = requestOf(operation, owner.ids)
        const body: any = structuredClone(request.body)
        let inner = body
        for (const name of path.slice(0, -1)) inner = inner[name] ??= {}
        if (inner === null || typeof inner !== "object") return
        inner[path.at(-1)!] = "NUMBER"
        const text = JSON.stringify(body).replace('"NUMBER"', number)
        // Of what a run is made of only its refusals are of interest.
        holds(
          `${operation.name} ${path.join(".")}=${number}`,
          await api(service, request.path.slice("/api/v1".length), {
            method: request.method,
            body: text,
            ...short
          })
        )
      }
    )
    none(since)
  }, 120_000)

  it("as the place in a stream is refused, in a header and in a query", async () => {
    const since = faults.length
    const stream = `/testing/journey-runs/${owner.ids.run}/stream`
    await each([...numbers, ...texts], async (value) => {
      if (!/[^\x21-\x7e]/.test(value) && value !== "") {
        const heard = await api(service, stream, { headers: { "last-event-id": value }, within: 5000 })
        if (heard.status >= 500) holds(`Last-Event-ID: ${shown(value, 30)}`, heard)
        requests += 1
      }
      const heard = await api(service, `${stream}?lastEventId=${encodeURIComponent(value)}`, { within: 5000 })
      if (heard.status >= 500) holds(`?lastEventId=${shown(value, 30)}`, heard)
      requests += 1
    })
    none(since)
  }, 60_000)

  it("in a cursor that was tampered with is refused", async () => {
    const since = faults.length
    const lists = [
      "/connections",
      "/testing/runs",
      "/testing/journey-runs",
      "/testing/scenarios",
      "/settings/audit"
    ]
    for (const list of lists) {
      const first = await api(service, `${list}?limit=1`)
      const link = /[?&]cursor=([^&>]+)/.exec(String(first.headers.link ?? ""))?.[1] ?? base64('["a",1]')
      const cursor = decodeURIComponent(link)
      const plain = Buffer.from(cursor, "base64url").toString("latin1")
      const bent = [
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}=`,
        cursor.toUpperCase(),
        [...cursor].reverse().join(""),
        Buffer.from(`${plain}\0`, "latin1").toString("base64url"),
        Buffer.from(plain.replaceAll(/\d/g, "9"), "latin1").toString("base64url"),
        Buffer.from(plain.replaceAll(/\d+/g, "9".repeat(30)), "latin1").toString("base64url"),
        Buffer.from("\xff\xfe\x00", "latin1").toString("base64url"),
        Buffer.from('{"__proto__":1}').toString("base64url"),
        ...times.map(base64),
        ...numbers,
        ...texts.filter((text) => text !== "")
      ]
      await each(bent, async (value) => {
        const heard = await api(service, `${list}?limit=2&cursor=${encodeURIComponent(value)}`, short)
        holds(`${list} cursor ${shown(value, 40)}`, heard)
      })
    }
    none(since)
  }, 90_000)

  it("is read or refused on the OCPI side: pages, times, paths and bodies", async () => {
    const since = faults.length
    const ocpi = async (what: string, method: string, path: string, body?: unknown) => {
      requests += 1
      const heard = await partner.call(method, `${service.url}/ocpi/2.2.1/${path}`, body)
      const isFault = heard.status === 0 || heard.status >= 500
      if (isFault || (heard.status !== 429 && typeof heard.json?.status_code !== "number"))
        faults.push(`${method} ${what}: ${heard.status} ${shown(heard.text, 100)}`)
    }
    const pages = ["limit", "offset", "date_from", "date_to"].flatMap((name) =>
      [...(name.startsWith("date") ? times : numbers.slice(0, 17)), ...texts.slice(0, 24)].map(
        (value) => `tokens?${name}=${encodeURIComponent(value)}`
      )
    )
    await each(pages, (path) => ocpi(path, "GET", path))
    const paths = [
      "%00",
      "%ff",
      "%zz",
      "%",
      "%E0%A4%A",
      "%2e%2e%2f",
      "..",
      "%ed%a0%80",
      "a".repeat(3000),
      "💥".repeat(100),
      "__proto__",
      "constructor"
    ]
    await each(paths, (path) =>
      ocpi(
        `locations/DE/ATK/${shown(path, 20)}`,
        "GET",
        `locations/DE/ATK/${encodeURI(path).replaceAll("%25", "%")}`
      )
    )
    const bodies = [
      ...numbers,
      ...times.map((time) => JSON.stringify(time)),
      '"\\u0000"',
      '"\\ud800"',
      "[]",
      "{}"
    ].flatMap((value) =>
      ["last_updated", "publish", "coordinates", "evses"].map(
        (field) => `${JSON.stringify(location("EDGE")).slice(0, -1)},${JSON.stringify(field)}:${value}}`
      )
    )
    await each(bodies, (body) => ocpi(shown(body.slice(-60), 60), "PUT", "locations/DE/ATK/EDGE", body))
    await each(bodies.slice(0, 40), (body) =>
      ocpi(shown(body.slice(-60), 60), "PATCH", "locations/DE/ATK/EDGE", body)
    )
    // What was stored of it can be read again, by us and by the partner.
    await ocpi("locations/DE/ATK/EDGE", "GET", "locations/DE/ATK/EDGE")
    const all = await api(service, `/connections/${connectionId}/exchanges?limit=1000`)
    assert.strictEqual(all.status, 200, shown(all.text))
    none(since)
  }, 120_000)

  it("in a query of megabytes, or in hundreds of parameters, is refused", async () => {
    const since = faults.length
    for (const query of [
      `limit=${"1".repeat(1_000_000)}`,
      "limit=1&".repeat(1500),
      Array.from({ length: 1500 }, (_, at) => `k${at}=1`).join("&"),
      `${"a%00".repeat(3000)}=1`,
      `limit[]=1&limit[a][b]=${"2".repeat(3000)}`
    ])
      for (const path of ["/connections", "/testing/runs"]) {
        const heard = await api(service, `${path}?${query}`, short)
        // What is longer than a request may be is cut off with 431, or the connection is closed.
        if (heard.status !== 0) holds(`${path} with ${query.length} bytes`, heard)
        requests += 1
      }
    assert.strictEqual((await api(service, "/connections")).status, 200)
    none(since)
  }, 60_000)
})
