/** What a party takes and answers in each version, with objects of that version. */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { violations } from "../../../src/findings/violations/violations.ts"
import { freshUuid } from "../../../src/party/wire/messageId.ts"
import { seedObjects } from "../../../src/sandbox/seed/seedObjects.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { ask, partyWith, roomLayer, tokenOf } from "../../support/parties/parties.ts"

const owners = {
  CPO: { countryCode: "DE", partyId: "CPO", name: "A CPO" },
  EMSP: { countryCode: "NL", partyId: "MSP", name: "An EMSP" }
}

/** What a CPO or an EMSP of that version has, of one module. A test looks into JSON of any shape. */
const seeded = (role: Role, version: OcpiVersion, module: string): ReadonlyArray<any> =>
  seedObjects({
    role,
    profile: profileOf(version),
    identity: owners[role],
    seed: 3,
    now: Date.UTC(2026, 0, 1)
  })
    .filter((object) => object.module === module)
    .map(({ json }) => json)

/** A registered party of ours, and how to ask it below the version's path. */
const registered = (role: Role, version: OcpiVersion) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const token = `of-${role}-${version}-${yield* freshUuid}`
    const party = partyWith({ id: `conn_${token}`, role, version })
    yield* store.insert(party, [tokenOf("issued", "tokenC", token)])
    const at = (method: string, path: string, body?: unknown) =>
      ask({ method, path: `${version}/${path}`, token, body })
    return { party, at }
  })

const below = (owner: { countryCode: string; partyId: string }, id: string) =>
  `${owner.countryCode}/${owner.partyId}/${id}`

describe.each(versionNumbers)("a party in %s", (version) => {
  const profile = profileOf(version)
  const flaws = (name: ObjectName, json: unknown) => violations(profile.objects[name]!, json)

  layer(roomLayer("http://ours.test"))("as EMSP", (it) => {
    it.effect.each([
      ["locations", "id"],
      ["sessions", "id"],
      ["tariffs", "id"]
    ])("keeps the %s that a CPO puts, and gives them back", ([module, id]) =>
      Effect.gen(function* () {
        const { at } = yield* registered("EMSP", version)
        for (const object of seeded("CPO", version, module!)) {
          const path = `${module}/${below(owners.CPO, object[id!])}`
          const first = yield* at("PUT", path, object)
          assert.deepStrictEqual([first.http, first.code], [201, 1000], JSON.stringify(first.json))
          assert.strictEqual((yield* at("PUT", path, object)).http, 200)
          assert.deepStrictEqual((yield* at("GET", path)).json.data, object)
        }
      })
    )

    it.effect("keeps the CDRs that a CPO posts, and says where", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("EMSP", version)
        for (const cdr of seeded("CPO", version, "cdrs")) {
          const answer = yield* at("POST", "cdrs", cdr)
          assert.deepStrictEqual([answer.http, answer.code], [201, 1000])
          const url = `http://ours.test/ocpi/${version}/cdrs/${below(owners.CPO, cdr.id)}`
          assert.strictEqual(answer.headers["location"], url)
          assert.deepStrictEqual((yield* at("GET", `cdrs/${below(owners.CPO, cdr.id)}`)).json.data, cdr)
        }
      })
    )

    it.effect("lets a tariff be patched where the version has that, and has no such method elsewhere", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("EMSP", version)
        const [tariff] = seeded("CPO", version, "tariffs")
        const path = `tariffs/${below(owners.CPO, tariff.id)}`
        yield* at("PUT", path, tariff)
        const change = { currency: "NOK", last_updated: "2026-01-02T00:00:00Z" }
        assert.strictEqual((yield* at("PATCH", path, change)).http, profile.tariffPatch ? 200 : 405)
        assert.strictEqual(
          (yield* at("GET", path)).json.data.currency,
          profile.tariffPatch ? "NOK" : tariff.currency
        )
      })
    )

    it.effect("adds the charging periods of a session's PATCH, or replaces them, as the version has it", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("EMSP", version)
        const [session] = seeded("CPO", version, "sessions")
        const path = `sessions/${below(owners.CPO, session.id)}`
        yield* at("PUT", path, session)
        const change = {
          charging_periods: [session.charging_periods[0]],
          last_updated: "2026-01-02T00:00:00Z"
        }
        assert.strictEqual((yield* at("PATCH", path, change)).code, 1000)
        const kept = (yield* at("GET", path)).json.data.charging_periods.length
        const before = profile.patchAppendsPeriods === true ? session.charging_periods.length : 0
        assert.strictEqual(kept, before + 1)
      })
    )

    it.effect("gives each token its verdict, in the version's words", () =>
      Effect.gen(function* () {
        const { at, party } = yield* registered("EMSP", version)
        const store = yield* PartyStore
        for (const object of seedObjects({
          role: "EMSP",
          profile,
          identity: owners.EMSP,
          seed: 3,
          now: Date.UTC(2026, 0, 1)
        }))
          yield* store.putObject(party.id, object)
        const verdicts = new Set<string>()
        for (const token of seeded("EMSP", version, "tokens")) {
          const answer = yield* at("POST", `tokens/${token.uid}/authorize?type=${token.type}`)
          assert.deepStrictEqual([answer.http, answer.code], [200, 1000])
          assert.deepStrictEqual(flaws("AuthorizationInfo", answer.json.data), [])
          assert.deepStrictEqual(answer.json.data.token, profile.authorizationDetails ? token : undefined)
          verdicts.add(answer.json.data.allowed)
        }
        assert.deepStrictEqual([...verdicts].sort(), ["ALLOWED", "BLOCKED", "EXPIRED", "NO_CREDIT"])
        const unknown = yield* at("POST", "tokens/NOBODYS/authorize")
        assert.deepStrictEqual([unknown.http, unknown.code], [404, profile.unknownTokenStatus])
      })
    )
  })

  layer(roomLayer("http://ours.test"))("as CPO", (it) => {
    it.effect("keeps the tokens that an EMSP puts, and gives them back", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("CPO", version)
        for (const token of seeded("EMSP", version, "tokens")) {
          const query = profile.tokenTypeInUrl ? `?type=${token.type}` : ""
          const path = `tokens/${below(owners.EMSP, token.uid)}${query}`
          assert.strictEqual((yield* at("PUT", path, token)).http, 201)
          const change = { valid: false, last_updated: "2026-01-02T00:00:00Z" }
          assert.strictEqual((yield* at("PATCH", path, change)).code, 1000)
          assert.deepStrictEqual((yield* at("GET", path)).json.data, { ...token, ...change })
        }
      })
    )

    it.effect("takes a filter with fractions of a second, which ISO 8601 allows", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("CPO", version)
        for (const instant of ["2026-01-01T00:00:00", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.1"])
          assert.strictEqual((yield* at("GET", `locations?date_from=${instant}`)).code, 1000, instant)
      })
    )

    it.effect("takes a reservation's id in the version's type only", () =>
      Effect.gen(function* () {
        const { at, party } = yield* registered("CPO", version)
        const store = yield* PartyStore
        const [location] = seeded("CPO", version, "locations")
        yield* store.putObject(party.id, {
          module: "locations",
          key: location.id,
          side: "own",
          json: location,
          lastUpdated: "2026-01-01T00:00:00.000Z"
        })
        const reserve = (reservation_id: unknown) =>
          at("POST", "commands/RESERVE_NOW", {
            response_url: "http://127.0.0.1:1/",
            token: seeded("EMSP", version, "tokens")[0],
            expiry_date: "2099-01-01T00:00:00Z",
            reservation_id,
            location_id: location.id
          })
        const [right, wrong] = profile.reservationId === "text" ? ["R1", 1] : [1, "R1"]
        const taken = yield* reserve(right)
        assert.strictEqual(taken.json.data.result, "ACCEPTED")
        assert.deepStrictEqual(flaws("CommandResponse", taken.json.data), [])
        assert.strictEqual((yield* reserve(wrong)).code, 2001)
      })
    )

    it.effect("keeps the state of a hub's clients where the version has hubs", () =>
      Effect.gen(function* () {
        const { at } = yield* registered("CPO", version)
        const client = {
          party_id: "XYZ",
          country_code: "FR",
          role: "EMSP",
          status: "CONNECTED",
          last_updated: "2026-01-01T00:00:00Z"
        }
        const put = yield* at("PUT", "hubclientinfo/FR/XYZ", client)
        if (profile.objects.ClientInfo === undefined) return assert.strictEqual(put.http, 404)
        assert.strictEqual(put.http, 201)
        const offline = { ...client, status: "OFFLINE" }
        assert.strictEqual((yield* at("PUT", "hubclientinfo/FR/XYZ", offline)).http, 200)
        assert.deepStrictEqual((yield* at("GET", "hubclientinfo/FR/XYZ")).json.data, offline)
        assert.strictEqual((yield* at("PUT", "hubclientinfo/FR/ABC", client)).code, 2001)
        assert.strictEqual((yield* at("GET", "hubclientinfo/FR/ABC")).http, 404)
      })
    )
  })

  layer(roomLayer("http://ours.test"))("in its version details", (it) => {
    it.effect.each(["CPO", "EMSP"] as const)("names each interface that a %s offers, and no other", (role) =>
      Effect.gen(function* () {
        const { at } = yield* registered(role, version)
        const { data } = (yield* at("GET", "")).json
        assert.deepStrictEqual(flaws("VersionDetails", data), [])
        const offered = data.endpoints.map(({ identifier, role }: { identifier: string; role?: string }) =>
          [identifier, role].join(" ").trim()
        )
        const expected = profile.interfaces[role].map(([module, interfaceRole]) =>
          profile.endpointRoles ? `${module} ${interfaceRole}` : module
        )
        assert.deepStrictEqual(offered.sort(), expected.toSorted())
      })
    )
  })
})
