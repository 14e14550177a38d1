import { assert, describe, it } from "@effect/vitest"
import type { CommandName } from "../../../schema/Command.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { defaultPayload } from "../../../src/services/connections/commandPayload.ts"
import { commandSchema } from "../../../src/services/connections/commandSchema.ts"
import { partyWith } from "../../support/parties/parties.ts"

const all = versionNumbers.flatMap((version) =>
  profileOf(version).commands.map((command) => ({ version, command: command as CommandName }))
)

/** The fields of a value that the schema does not name, and those of the schema that the value lacks although they are required. */
function misfits(schema: any, value: any, path = ""): ReadonlyArray<string> {
  if (schema.type !== "object") {
    const words = schema.enum ?? [value]
    const kind = schema.type === undefined || typeof value === schema.type
    return kind && words.includes(value) ? [] : [`${path}: ${JSON.stringify(value)}`]
  }
  return [
    ...schema.required.filter((name: string) => !(name in value)).map((name: string) => `${path}.${name}`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      schema.properties[name] === undefined
        ? [`${path}.${name} is not in the schema`]
        : misfits(schema.properties[name], inner, `${path}.${name}`)
    )
  ]
}

describe("the schema of a command", () => {
  it.each(all)("describes the default of $command in $version", ({ command, version }) => {
    const schema: any = commandSchema(profileOf(version), command)
    const payload = defaultPayload(command, {
      profile: profileOf(version),
      party: partyWith({ id: "conn_1", role: "EMSP", version }),
      now: "2026-06-01T12:00:00Z",
      inAnHour: "2026-06-01T13:00:00Z",
      location: { id: "LOC1", evseUid: "E1", connectorId: "2", needsConnector: true },
      sessionId: "S1"
    })
    assert.deepStrictEqual(misfits(schema, payload), [])
    assert.notProperty(schema.properties, "response_url")
  })

  it("says kinds, words and descriptions, and what may be left out", () => {
    const schema: any = commandSchema(profileOf("2.2.1"), "START_SESSION")
    assert.deepStrictEqual(schema.required, ["token", "location_id"])
    assert.deepStrictEqual(schema.properties.location_id, {
      type: "string",
      description: "text of 1 to 36 printable ASCII characters"
    })
    const { properties } = schema.properties.token
    assert.strictEqual(properties.valid.type, "boolean")
    assert.include(properties.whitelist.enum, "ALLOWED_OFFLINE")
    assert.strictEqual(properties.energy_contract.type, "object")
  })
})
