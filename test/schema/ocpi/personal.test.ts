import { assert, describe, it } from "vitest"
import { personalFields } from "../../../schema/ocpi/personal.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"

describe("what is personal of drivers", () => {
  for (const version of versionNumbers) {
    const profile = profileOf(version)
    const kindOf = personalFields(profile)

    it(`${version}: is the uid of a token, and of nothing else that has one`, () => {
      assert.strictEqual(kindOf("uid", undefined, "tokens"), "token")
      assert.strictEqual(kindOf("uid", "data", "tokens"), "token")
      assert.strictEqual(kindOf("uid", "token", "commands"), "token")
      assert.isUndefined(kindOf("uid", "evses", "locations"))
      assert.isUndefined(kindOf("uid", undefined, "locations"))
      assert.isUndefined(kindOf("uid", "data", "locations"))
      assert.isUndefined(kindOf("evse_uid", undefined, "sessions"))
    })

    it(`${version}: is what names the contract, and the number on the card`, () => {
      const contract = profile.contract
      assert.strictEqual(kindOf(contract, "data", "tokens"), "contract")
      assert.strictEqual(kindOf("visual_number", "data", "tokens"), "card")
      if (contract === "auth_id") {
        assert.strictEqual(kindOf("auth_id", "data", "cdrs"), "contract")
        assert.strictEqual(kindOf("auth_id", undefined, "sessions"), "contract")
      } else {
        assert.strictEqual(kindOf("contract_id", "cdr_token", "cdrs"), "contract")
        assert.strictEqual(kindOf("uid", "cdr_token", "sessions"), "token")
        assert.strictEqual(kindOf("group_id", "data", "tokens"), "group")
        assert.strictEqual(kindOf("signed_data", "signed_values", "cdrs"), "signed")
      }
    })

    it(`${version}: is what partners add, in whatever spelling`, () => {
      for (const [field, kind] of [
        ["license_plate", "plate"],
        ["licencePlate", "plate"],
        ["e-mail", "contact"],
        ["phone_number", "contact"],
        ["driverName", "name"]
      ] as const)
        assert.strictEqual(kindOf(field, "anything", "sessions"), kind, field)
    })

    it(`${version}: is neither a place, nor a business, nor its phone for help`, () => {
      for (const field of [
        "id",
        "name",
        "address",
        "party_id",
        "help_phone",
        "evse_id",
        "authorization_reference"
      ])
        assert.isUndefined(kindOf(field, undefined, "sessions"), field)
    })
  }
})
