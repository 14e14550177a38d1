import { assert, describe, it } from "@effect/vitest"
import type { CommandName } from "../../../schema/Command.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { violations } from "../../../src/findings/violations/violations.ts"
import {
  checkPayload,
  defaultPayload,
  mergedPayload
} from "../../../src/services/connections/commandPayload.ts"
import { partyWith } from "../../support/parties/parties.ts"

const responseUrl = "https://us.example/ocpi/commands/1"
const bare = { id: "LOC1" }
const known = { id: "LOC1", evseUid: "E1", connectorId: "2" }
const payload = (
  version: (typeof versionNumbers)[number],
  command: CommandName,
  location: Parameters<typeof defaultPayload>[1]["location"] = bare
) =>
  mergedPayload(
    defaultPayload(command, {
      profile: profileOf(version),
      party: partyWith({ id: "conn_1", role: "EMSP", version }),
      now: "2026-06-01T12:00:00Z",
      inAnHour: "2026-06-01T13:00:00Z",
      location,
      sessionId: "S1"
    }),
    undefined,
    responseUrl
  )

const all = versionNumbers.flatMap((version) =>
  profileOf(version).commands.map((command) => ({ version, command: command as CommandName }))
)

describe("the default payload", () => {
  it.each(all)(
    "of $command fits the schema of $version, whatever is known of the partner",
    ({ command, version }) => {
      const schema = profileOf(version).objects[command]!
      for (const location of [bare, known, { ...known, needsConnector: true }])
        assert.deepStrictEqual(violations(schema, payload(version, command, location)), [])
    }
  )

  it("numbers a reservation in 2.1.1 and names it from 2.2 on", () => {
    assert.isNumber(payload("2.1.1", "RESERVE_NOW")["reservation_id"])
    assert.isString(payload("2.2", "RESERVE_NOW")["reservation_id"])
    assert.strictEqual(
      payload("2.3.0", "CANCEL_RESERVATION")["reservation_id"],
      payload("2.3.0", "RESERVE_NOW")["reservation_id"]
    )
  })

  it("names the connector where the EVSE needs it and the version can say it", () => {
    const needs = { ...known, needsConnector: true }
    const connector = (version: (typeof versionNumbers)[number]) =>
      payload(version, "START_SESSION", needs)["connector_id"]
    assert.deepStrictEqual(versionNumbers.map(connector), [undefined, undefined, "2", "2"])
    assert.notProperty(payload("2.2.1", "START_SESSION", known), "connector_id")
  })

  it("carries a token of the version's shape", () => {
    assert.property(payload("2.1.1", "START_SESSION")["token"], "auth_id")
    assert.notProperty(payload("2.1.1", "START_SESSION")["token"], "country_code")
    assert.property(payload("2.2", "START_SESSION")["token"], "contract_id")
  })
})

describe("the check of a payload", () => {
  it("names the path and the way round it", () => {
    const wrong = { ...payload("2.1.1", "RESERVE_NOW"), reservation_id: "R-1" }
    const message = checkPayload(profileOf("2.1.1"), "RESERVE_NOW", wrong)?.message ?? ""
    assert.match(message, /^payload\.reservation_id: /)
    assert.match(message, /"validate": false/)
    assert.isUndefined(
      checkPayload(profileOf("2.2"), "RESERVE_NOW", {
        ...payload("2.2", "RESERVE_NOW"),
        reservation_id: "R-1"
      })
    )
  })
})
