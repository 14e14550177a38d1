import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { alpha2Countries, alpha3Countries } from "../../../schema/ocpi/countries.ts"
import { currencies } from "../../../schema/ocpi/currencies.ts"
import { Envelope } from "../../../schema/ocpi/envelope.ts"
import { languages } from "../../../schema/ocpi/languages.ts"
import { list, nonEmptyList, num, ocpiDateTime, optional, TimeZone, Url } from "../../../schema/ocpi/types.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"

const fits = (schema: Schema.Schema.AnyNoContext, ...values: ReadonlyArray<unknown>) =>
  values.map(Schema.is(schema))

describe("cardinalities", () => {
  it("? may be absent or null", () => {
    const schema = Schema.Struct({ field: optional(num) })
    assert.deepStrictEqual(fits(schema, {}, { field: null }, { field: 1 }, { field: "1" }), [
      true,
      true,
      true,
      false
    ])
  })

  it("* may be absent, null or empty", () => {
    const schema = Schema.Struct({ field: list(num) })
    assert.deepStrictEqual(fits(schema, {}, { field: null }, { field: [] }, { field: 1 }), [
      true,
      true,
      true,
      false
    ])
  })

  it("+ may be none of these", () => {
    const schema = Schema.Struct({ field: nonEmptyList(num) })
    assert.deepStrictEqual(fits(schema, {}, { field: null }, { field: [] }, { field: [1] }), [
      false,
      false,
      false,
      true
    ])
  })
})

describe("texts", () => {
  it("a DateTime is at most 25 characters long", () => {
    const schema = ocpiDateTime(profileOf("2.2.1").dateTime)
    assert.deepStrictEqual(fits(schema, "2026-01-01T00:00:00.1234Z", "2026-01-01T00:00:00.123456Z"), [
      true,
      false
    ])
  })

  it("a DateTime has the form of its version", () => {
    const fraction = "2026-01-01T00:00:00.123Z"
    assert.deepStrictEqual(fits(ocpiDateTime(profileOf("2.1.1").dateTime), fraction), [false])
    assert.deepStrictEqual(fits(ocpiDateTime(profileOf("2.3.0").dateTime), fraction), [true])
  })

  it("a URL is absolute, and host:port is none", () => {
    assert.deepStrictEqual(
      fits(Url, "https://a.example", "http://127.0.0.1:80/x?y=1", "localhost:8080", "/x", "a.example"),
      [true, true, false, false, false]
    )
  })

  it("a time zone may be named by an old name, not by an offset", () => {
    assert.deepStrictEqual(fits(TimeZone, "Europe/Kyiv", "Europe/Kiev", "UTC", "Etc/GMT+1", "+02:00"), [
      true,
      true,
      true,
      true,
      false
    ])
  })
})

describe("the names of time zones", () => {
  const known = (name: string) => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
    } catch {
      return false
    }
  }

  it("are those that the runtime takes, in any case, with the old ones", () => {
    const old = [
      "Asia/Calcutta",
      "US/Eastern",
      "GB-Eire",
      "EST5EDT",
      "Etc/GMT-14",
      "Zulu",
      "Antarctica/South_Pole"
    ]
    for (const name of [...Intl.supportedValuesOf("timeZone"), ...old]) {
      assert.isTrue(known(name), name)
      assert.deepStrictEqual(fits(TimeZone, name, name.toUpperCase(), name.toLowerCase()), [true, true, true])
    }
  })

  it("are no other words", () => {
    for (const name of [
      "Europe/Amsterdam ",
      "Europe",
      "Europe/Amsterdan",
      "",
      "CEST",
      "Etc/GMT+15",
      "+01:00"
    ])
      assert.deepStrictEqual(fits(TimeZone, name), [false], name)
  })
})

describe("the lists of codes", () => {
  it("hold the 249 countries of ISO 3166-1 in both forms", () => {
    assert.strictEqual(alpha3Countries.size, 249)
    assert.strictEqual(alpha2Countries.size, 249)
    assert.isTrue([...alpha3Countries].every((code) => /^[A-Z]{3}$/.test(code)))
    assert.isTrue([...alpha2Countries].every((code) => /^[A-Z]{2}$/.test(code)))
  })

  it("hold currencies in use and those withdrawn since OCPI began", () => {
    for (const code of ["EUR", "USD", "GBP", "NOK", "CHF", "JPY", "HRK", "XCG"])
      assert.isTrue(currencies.has(code), code)
    assert.isTrue([...currencies].every((code) => /^[A-Z]{3}$/.test(code)))
  })

  it("hold the languages of ISO 639-1", () => {
    for (const code of ["en", "nl", "de", "nb", "zh", "uk"]) assert.isTrue(languages.has(code), code)
    assert.isTrue([...languages].every((code) => /^[a-z]{2}$/.test(code)))
  })
})

describe("the envelope", () => {
  const good = { status_code: 1000, timestamp: "2026-01-01T00:00:00Z" }

  it("needs a code and a timestamp, and no data", () => {
    assert.deepStrictEqual(
      fits(Envelope, good, { ...good, data: [] }, { ...good, data: null, status_message: null }),
      [true, true, true]
    )
  })

  it("has a code of four digits as a number", () => {
    const codes = [4003, 999, 10000, 1000.5, "1000"]
    assert.deepStrictEqual(
      fits(Envelope, ...codes.map((status_code) => ({ ...good, status_code }))),
      codes.map((code) => code === 4003)
    )
  })
})
