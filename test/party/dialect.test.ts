import { assert, describe, it } from "vitest"
import { defaultDialect } from "../../schema/Connection.ts"
import { dialectAfter, overriddenBy } from "../../src/party/dialect.ts"

const endpointsAt = (...urls: ReadonlyArray<string>) =>
  urls.map((url) => ({ identifier: "locations", role: "SENDER" as const, url }))
const slashed = endpointsAt("https://cpo.example/locations/")
const plain = endpointsAt("https://cpo.example/locations")
const found = (endpoints = slashed) => ({ endpoints, form: "base64" as const, deviations: [] })

describe("a dialect that is overridden", () => {
  const all = {
    tokenEncoding: { outbound: "raw", inbound: "raw" },
    trailingSlash: false,
    pageLimit: 20
  } as const
  const fixed = overriddenBy(defaultDialect, all, slashed)

  it("keeps what the caller wants through a discovery that says otherwise", () => {
    assert.deepStrictEqual(dialectAfter(fixed, found(), []), fixed)
    assert.sameMembers(
      [...fixed.overridden!],
      ["tokenEncoding.inbound", "tokenEncoding.outbound", "trailingSlash", "pageLimit"]
    )
  })

  it("is detected anew once it is set back", () => {
    const back = overriddenBy(
      fixed,
      { tokenEncoding: { outbound: "auto", inbound: "auto" }, trailingSlash: null, pageLimit: null },
      slashed
    )
    assert.notProperty(back, "overridden")
    assert.notProperty(back, "pageLimit")
    assert.isTrue(back.trailingSlash, "the endpoints that are known tell it at once")
    assert.strictEqual(dialectAfter(back, found(), []).tokenEncoding.outbound, "base64")
    assert.isFalse(dialectAfter(back, found(plain), []).trailingSlash)
  })

  it("stays as it is where nothing is said", () => {
    assert.deepStrictEqual(overriddenBy(fixed, {}, plain), fixed)
    const one = overriddenBy(fixed, { pageLimit: null }, plain)
    assert.isFalse(one.trailingSlash)
    assert.isFalse(one.overridden?.includes("pageLimit"))
  })
})

describe("the slash at the end", () => {
  it("is the habit of a partner all of whose endpoints have it", () => {
    const of = (...urls: ReadonlyArray<string>) =>
      dialectAfter(defaultDialect, found(endpointsAt(...urls)), []).trailingSlash
    assert.isTrue(of("https://cpo.example/a/", "https://cpo.example/b/?tenant=1"))
    assert.isFalse(of("https://cpo.example/a/", "https://cpo.example/b"))
    assert.isUndefined(of())
  })
})
