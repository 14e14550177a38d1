import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, since, versionNumbers, versions, versionsWhere } from "../../../schema/ocpi/versions.ts"

const facts = (read: (profile: VersionProfile) => unknown) =>
  versionNumbers.map((version) => read(profileOf(version)))

describe("the table of versions", () => {
  it("lists them oldest first", () => {
    assert.deepStrictEqual(versionNumbers, ["2.1.1", "2.2", "2.2.1", "2.3.0"])
    assert.deepStrictEqual(
      facts(({ rank }) => rank),
      [1, 2, 3, 4]
    )
  })

  it("has each profile under its own number", () => {
    for (const [version, profile] of Object.entries(versions)) assert.strictEqual(profile.version, version)
  })

  it("encodes the token since 2.2", () => {
    assert.deepStrictEqual(
      facts(({ authorization }) => authorization),
      ["raw", "base64", "base64", "base64"]
    )
  })

  for (const fact of [
    "endpointRoles",
    "errorEnvelope",
    "messageIds",
    "routingHeaders",
    "credentialsRoles"
  ] as const) {
    it(`has ${fact} since 2.2`, () =>
      assert.deepStrictEqual(
        facts((profile) => profile[fact]),
        [false, true, true, true]
      ))
  }

  it("adds modules and never loses one", () => {
    const added = facts(({ modules }) => modules.length)
    assert.deepStrictEqual(added, [7, 9, 9, 10])
    assert.includeMembers([...profileOf("2.2").modules], ["chargingprofiles", "hubclientinfo"])
    assert.include(profileOf("2.3.0").modules, "payments")
  })

  it("has CANCEL_RESERVATION since 2.2", () => {
    assert.deepStrictEqual(
      facts(({ commands }) => commands.includes("CANCEL_RESERVATION")),
      [false, true, true, true]
    )
    assert.deepStrictEqual(
      facts(({ commands }) => commands.length),
      [4, 5, 5, 5]
    )
  })

  it("lets a role play modules of its version only, each once", () => {
    for (const { interfaces, modules } of Object.values(versions)) {
      for (const played of Object.values(interfaces)) {
        const ids = played.map(([id]) => id)
        assert.includeMembers([...modules], ids)
        assert.strictEqual(new Set(ids).size, ids.length)
      }
    }
  })

  it("puts CPO and EMSP on opposite sides of what they exchange", () => {
    for (const { interfaces, modules } of Object.values(versions)) {
      const sideOf = (role: "CPO" | "EMSP", id: string) =>
        interfaces[role].find(([module]) => module === id)?.[1]
      for (const id of modules) {
        if (["credentials", "hubclientinfo", "payments"].includes(id)) continue
        const cpo = ["tokens", "commands", "chargingprofiles"].includes(id) ? "RECEIVER" : "SENDER"
        assert.strictEqual(sideOf("CPO", id), cpo)
        assert.strictEqual(sideOf("EMSP", id), cpo === "SENDER" ? "RECEIVER" : "SENDER")
      }
    }
  })

  it("shows fractions of a second since 2.2, an offset never", () => {
    const accepts = (text: string) => facts(({ dateTime }) => dateTime.test(text))
    assert.deepStrictEqual(accepts("2026-01-01T00:00:00Z"), [true, true, true, true])
    assert.deepStrictEqual(accepts("2026-01-01T00:00:00"), [true, true, true, true])
    assert.deepStrictEqual(accepts("2026-01-01T00:00:00.123Z"), [false, true, true, true])
    assert.deepStrictEqual(accepts("2026-01-01T00:00:00+00:00"), [false, false, false, false])
  })
})

describe("choosing versions", () => {
  it("since includes the version itself", () => {
    assert.deepStrictEqual(since("2.2"), ["2.2", "2.2.1", "2.3.0"])
  })

  it("by a fact of the profile", () => {
    assert.deepStrictEqual(
      versionsWhere(({ routingHeaders }) => routingHeaders),
      ["2.2", "2.2.1", "2.3.0"]
    )
  })
})

describe("registration in every version", () => {
  const party = { party_id: "ABC", country_code: "NL", business_details: { name: "Partner" } }
  const secret = { token: "t-1", url: "https://partner.example/ocpi/versions" }
  const flat = { ...secret, ...party }
  const withRoles = (role: string) => ({ ...secret, roles: [{ role, ...party }] })
  const endpoint = { identifier: "credentials", url: "https://partner.example/ocpi/credentials" }
  const accepted = (name: "Version" | "VersionDetails" | "Credentials", json: unknown) =>
    facts(({ objects }) => Schema.is(objects[name]!)(json))

  it("lists versions in one form", () => {
    assert.deepStrictEqual(accepted("Version", { version: "2.0", url: secret.url }), [true, true, true, true])
  })

  it("wants a role of an endpoint since 2.2", () => {
    const details = (role?: string) => ({
      version: "2.2",
      endpoints: [{ ...endpoint, ...(role && { role }) }]
    })
    assert.deepStrictEqual(accepted("VersionDetails", details()), [true, false, false, false])
    assert.deepStrictEqual(accepted("VersionDetails", details("SENDER")), [true, true, true, true])
  })

  it("wants roles instead of flat fields since 2.2", () => {
    assert.deepStrictEqual(accepted("Credentials", flat), [true, false, false, false])
    assert.deepStrictEqual(accepted("Credentials", withRoles("CPO")), [false, true, true, true])
  })

  it("knows the role HUB in 2.2 and 2.2.1 only", () => {
    assert.deepStrictEqual(accepted("Credentials", withRoles("HUB")), [false, true, true, false])
  })

  it("lets a hub name itself in 2.3.0", () => {
    const { objects } = profileOf("2.3.0")
    const credentials = (hub_party_id: string) => ({ ...withRoles("CPO"), hub_party_id })
    assert.isTrue(Schema.is(objects.Credentials!)(credentials("NLHUB")))
    assert.isFalse(Schema.is(objects.Credentials!)(credentials("HUB")))
  })
})
