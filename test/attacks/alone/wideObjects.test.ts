/** Row 3: what a partner says is wide, deep or long, wherever a partner may say something. Nobody else may wait for it. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { until } from "../../support/service/Service.ts"
import { api, attack, local, seconds, shown, Victim } from "../support/attack.ts"
import { bearable, type Lag, worst } from "../support/lag.ts"
import {
  connected,
  location,
  type Partner,
  type Reply,
  registered,
  type Seen,
  startPartner
} from "../support/partner.ts"

const mebibyte = 1_000_000
const list = (size: number, item: string) =>
  `[${Array.from({ length: Math.floor(size / (item.length + 1)) }, () => item).join(",")}]`
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
/** An object with one field whose value is written as it is. */
const having = (object: object, field: string, json: string) =>
  `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(field)}:${json}}`
const evse = (connectors: string) =>
  `{"uid":"E1","status":"AVAILABLE","last_updated":"2026-01-01T00:00:00Z","connectors":${connectors}}`
const fields = (size: number) =>
  `{${Array.from({ length: Math.floor(size / 12) }, (_, at) => `"k${at.toString(36).padStart(6, "0")}":1`).join(",")}}`

const place = location("WIDE")
const session = {
  country_code: "DE",
  party_id: "ATK",
  id: "S1",
  start_date_time: "2026-01-01T00:00:00Z",
  kwh: 1,
  cdr_token: { country_code: "DE", party_id: "ATK", uid: "U", type: "RFID", contract_id: "C" },
  auth_method: "WHITELIST",
  location_id: "LOC1",
  evse_uid: "E1",
  connector_id: "1",
  currency: "EUR",
  status: "ACTIVE",
  last_updated: "2026-01-01T00:00:00Z"
}
const tariff = {
  country_code: "DE",
  party_id: "ATK",
  id: "T1",
  currency: "EUR",
  last_updated: "2026-01-01T00:00:00Z"
}

/** Module, method, path and body of what the partner pushes to us, each about one mebibyte. */
const pushes: Readonly<Record<string, () => readonly [string, string, string]>> = {
  "empty EVSEs": () => ["PUT", "locations/DE/ATK/WIDE", having(place, "evses", list(mebibyte, "{}"))],
  "EVSEs that are numbers": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "evses", list(mebibyte, "1"))
  ],
  "EVSEs with empty connectors": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "evses", list(mebibyte, evse("[{}]")))
  ],
  "one EVSE with empty connectors": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "evses", `[${evse(list(mebibyte, "{}"))}]`)
  ],
  "EVSEs that are right": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(
      place,
      "evses",
      list(
        mebibyte,
        evse(
          '[{"id":"1","standard":"IEC_62196_T2","format":"SOCKET","power_type":"AC_3_PHASE","max_voltage":230,"max_amperage":16,"last_updated":"2026-01-01T00:00:00Z"}]'
        )
      )
    )
  ],
  images: () => ["PUT", "locations/DE/ATK/WIDE", having(place, "images", list(mebibyte, "{}"))],
  "opening times": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "opening_times", `{"twentyfourseven":false,"regular_hours":${list(mebibyte, "{}")}}`)
  ],
  "facilities that are none": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "facilities", list(mebibyte, '"X"'))
  ],
  "unknown fields": () => ["PUT", "locations/DE/ATK/WIDE", having(place, "more", fields(mebibyte))],
  "unknown fields at the top": () => ["PUT", "locations/DE/ATK/WIDE", fields(mebibyte)],
  "a long address": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "name", `"${"x".repeat(mebibyte)}"`)
  ],
  depth: () => ["PUT", "locations/DE/ATK/WIDE", having(place, "evses", nested(mebibyte / 2 - 300))],
  "depth of objects": () => [
    "PUT",
    "locations/DE/ATK/WIDE",
    having(place, "evses", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`)
  ],
  "a long number": () => ["PUT", "locations/DE/ATK/WIDE", having(place, "evses", "9".repeat(mebibyte))],
  "a list instead of an object": () => ["PUT", "locations/DE/ATK/WIDE", list(mebibyte, "{}")],
  "a PATCH of EVSEs": () => [
    "PATCH",
    "locations/DE/ATK/LOC0",
    having({ last_updated: "2026-01-02T00:00:00Z" }, "evses", list(mebibyte, "{}"))
  ],
  "a PATCH of fields": () => ["PATCH", "locations/DE/ATK/LOC0", fields(mebibyte)],
  "charging periods of a session": () => [
    "PUT",
    "sessions/DE/ATK/S1",
    having(session, "charging_periods", list(mebibyte, "{}"))
  ],
  "charging periods of a CDR": () => [
    "POST",
    "cdrs",
    having({ ...session, id: "C1" }, "charging_periods", list(mebibyte, '{"dimensions":[{}]}'))
  ],
  "tariff elements": () => [
    "PUT",
    "tariffs/DE/ATK/T1",
    having(tariff, "elements", list(mebibyte, '{"price_components":[{}]}'))
  ],
  roles: () => [
    "PUT",
    "credentials",
    having({ token: "x", url: "http://127.0.0.1:1/" }, "roles", list(mebibyte, "{}"))
  ],
  "duplicate fields": () => ["PUT", "locations/DE/ATK/WIDE", `{${'"id":"WIDE",'.repeat(80_000)}"id":"WIDE"}`]
}

/** What the partner says when it is asked: where, and a body of so many bytes. */
const answers: Readonly<Record<string, (size: number) => readonly [path: string, data: string]>> = {
  "locations that are empty": (size) => ["/locations", list(size, "{}")],
  "a location with empty EVSEs": (size) => ["/locations", `[${having(place, "evses", list(size, "{}"))}]`],
  "sessions that are empty": (size) => ["/sessions", list(size, "{}")],
  "tariffs that are empty": (size) => ["/tariffs", list(size, "{}")],
  versions: (size) => ["/versions", list(size, "{}")],
  endpoints: (size) => ["/details", `{"version":"2.2.1","endpoints":${list(size, "{}")}}`],
  roles: (size) => [
    "/credentials",
    having({ token: "x-token-of-roles", url: "http://127.0.0.1:1/" }, "roles", list(size, "{}"))
  ],
  "a command's answer": (size) => [
    "/commands",
    `{"result":"ACCEPTED","timeout":30,"message":${list(size, "{}")}}`
  ]
}

describe("an object of a partner", () => {
  let victim: Victim
  let other: string
  let partner: Partner
  let connectionId: string
  const lags: Array<Lag> = []
  let requests = 0
  let slowest = 0
  let putOff = 0
  let override: ((seen: Seen, ordinary: Reply) => Reply) | undefined

  beforeAll(async () => {
    const database = { DATABASE_URL: await migratedDatabase(inject("pgUrl")) }
    victim = new Victim({ ...local, ...database })
    const service = await victim.alive()
    other = await makeKey(database, "another")
    partner = await startPartner()
    partner.answer = (seen, ordinary) => override?.(seen, ordinary) ?? ordinary
    connectionId = await registered(service, partner)
    const first = await partner.call(
      "PUT",
      `${service.url}/ocpi/2.2.1/locations/DE/ATK/LOC0`,
      location("LOC0")
    )
    assert.strictEqual(first.status, 201, first.text)
  }, 60_000)
  afterAll(async () => {
    attack(
      "3",
      `${requests} requests`,
      `${putOff} put off with 429`,
      `slowest answer ${seconds(slowest)}`,
      worst(lags)
    )
    await victim?.end()
    partner?.close()
  })

  for (const [shape, make] of Object.entries(pushes)) {
    it(`with ${shape} stops nobody when it is pushed`, async () => {
      const service = await victim.alive()
      const [method, path, body] = make()
      const token = partner.held.at(-1)!
      const heard = await bearable(shape, service, other, lags, () =>
        partner.call(method, `${service.url}/ocpi/2.2.1/${path}`, body, token)
      )
      requests += 1
      slowest = Math.max(slowest, heard.millis)
      assert.notStrictEqual(heard.status, 0, `no answer in ${seconds(heard.millis)}`)
      assert.isBelow(heard.status, 500, shown(heard.text))
      if (heard.status === 429) putOff += 1
      assert.isBelow(heard.text.length, 20_000, "the answer is no flood either")
    }, 60_000)
  }

  for (const [shape, make] of Object.entries(answers)) {
    it(`with ${shape} stops nobody when it is read`, async () => {
      const service = await victim.alive()
      for (const size of [60_000, mebibyte]) {
        const [path, data] = make(size)
        override = (seen, ordinary) =>
          seen.path.startsWith(path)
            ? { ...ordinary, text: `{"status_code":1000,"timestamp":"2026-01-01T00:00:00Z","data":${data}}` }
            : ordinary
        const isRegistration = ["/versions", "/details", "/credentials"].includes(path)
        await bearable(`${shape}, ${size} bytes`, service, other, lags, async () => {
          requests += 1
          if (isRegistration) {
            const id = await connected(service, partner)
            const shaken = await api(service, `/connections/${id}/handshake`, { method: "POST" })
            assert.isTrue(shaken.status > 0 && shaken.status < 500, `${shaken.status} ${shown(shaken.text)}`)
            return
          }
          if (path === "/commands") {
            const body = { connectionId, command: "UNLOCK_CONNECTOR" }
            const command = await api(service, "/testing/command", { method: "POST", body })
            assert.isTrue(
              command.status > 0 && command.status < 500,
              `${command.status} ${shown(command.text)}`
            )
            return
          }
          const body = { connectionId, suiteId: "ocpi-2.2.1-cpo-core", modules: [path.slice(1)] }
          const run = await api(service, "/testing/runs", { method: "POST", body })
          assert.strictEqual(run.status, 202, run.text)
          await until(
            "the run to end",
            async () => {
              const report = await api(service, `/testing/runs/${run.json.data._id}?wait=2`, {
                within: 12_000
              })
              return report.json?.data?.verdict == null ? undefined : true
            },
            25_000
          )
        })
      }
      override = undefined
    }, 90_000)
  }

  it("stops nobody when a reader has it validated", async () => {
    const service = await victim.alive()
    const size = 250_000
    for (const json of [
      having(place, "evses", list(size, "{}")),
      having(place, "evses", `[${evse(list(size, "{}"))}]`),
      having(place, "facilities", list(size, '"X"')),
      having(place, "more", fields(size))
    ]) {
      requests += 1
      const body = `{"ocpiVersion":"2.2.1","object":"Location","json":${json}}`
      const heard = await bearable("validate", service, other, lags, () =>
        api(service, "/testing/validate", { method: "POST", body })
      )
      assert.isTrue(heard.status > 0 && heard.status < 500, `${heard.status} ${shown(heard.text)}`)
      assert.isBelow(heard.text.length, 500_000, "the answer is no flood either")
    }
  }, 60_000)
})
