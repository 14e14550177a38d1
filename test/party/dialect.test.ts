import { assert, describe, it } from "vitest"
import { defaultDialect } from "../../schema/Connection.ts"
import {
  dialectAfter,
  dialectAfterCall,
  dialectAfterRedirect,
  objectsEndInSlash,
  overriddenBy
} from "../../src/party/wire/dialect.ts"

const endpointsAt = (...urls: ReadonlyArray<string>) =>
  urls.map((url) => ({ identifier: "locations", role: "SENDER" as const, url }))
const slashed = endpointsAt("https://cpo.example/locations/")
const found = (endpoints = slashed) => ({ endpoints, form: "base64" as const, deviations: [] })

describe("a dialect that is overridden", () => {
  const all = {
    tokenEncoding: { outbound: "raw", inbound: "raw" },
    trailingSlash: false,
    pageLimit: 20
  } as const
  const fixed = overriddenBy(defaultDialect, all)

  it("keeps what the caller wants through a discovery that says otherwise", () => {
    assert.deepStrictEqual(dialectAfter(fixed, found(), []), fixed)
    assert.sameMembers(
      [...fixed.overridden!],
      ["tokenEncoding.inbound", "tokenEncoding.outbound", "trailingSlash", "pageLimit"]
    )
  })

  it("is detected anew once it is set back", () => {
    const back = overriddenBy(fixed, {
      tokenEncoding: { outbound: "auto", inbound: "auto" },
      trailingSlash: null,
      pageLimit: null
    })
    assert.notProperty(back, "overridden")
    assert.notProperty(back, "pageLimit")
    assert.isFalse(back.trailingSlash)
    assert.strictEqual(dialectAfter(back, found(), []).tokenEncoding.outbound, "base64")
    assert.isTrue(objectsEndInSlash(dialectAfterRedirect(back, "with")))
  })

  it("stays as it is where nothing is said", () => {
    assert.deepStrictEqual(overriddenBy(fixed, {}), fixed)
    const one = overriddenBy(fixed, { pageLimit: null })
    assert.isFalse(one.trailingSlash)
    assert.isFalse(one.overridden?.includes("pageLimit"))
  })
})

describe("the form of the token in a call", () => {
  const expecting = (inbound: "raw" | "base64" | "auto", from = defaultDialect) =>
    overriddenBy(from, { tokenEncoding: { inbound } })
  const called = (dialect: typeof defaultDialect, ...forms: ReadonlyArray<"raw" | "base64">) =>
    forms.reduce((now, form) => dialectAfterCall(now, form, "base64"), dialect)
  const notSet = "in traffic, sends the token in raw form, the dialect is set to base64"

  it("is noted once where the caller has fixed the other one", () => {
    assert.deepStrictEqual(called(expecting("base64"), "raw", "base64", "raw").deviations, [notSet])
  })

  it("is as expected where the caller has fixed it, whatever the version's text says", () => {
    const fixed = expecting("raw")
    assert.strictEqual(called(fixed, "raw"), fixed)
  })

  it("is noted where the first call had the other one", () => {
    assert.deepStrictEqual(called(defaultDialect, "base64", "raw", "raw", "base64"), {
      tokenEncoding: { inbound: "base64", outbound: "auto" },
      deviations: ["in traffic, sends the token in raw form, its first call had the base64 form"]
    })
  })

  it("stays noted through a discovery and through another wish of the caller's", () => {
    const noted = called(expecting("base64"), "raw")
    assert.deepStrictEqual(dialectAfter(noted, found(), []).deviations, [notSet])
    assert.deepStrictEqual(overriddenBy(noted, { pageLimit: 5 }).deviations, [notSet])
    assert.deepStrictEqual(expecting("base64", noted).deviations, [notSet])
  })

  it("is detected anew once the caller leaves it to us again", () => {
    const back = expecting("auto", called(expecting("base64"), "raw"))
    assert.deepStrictEqual(back, defaultDialect)
    assert.deepStrictEqual(called(back, "raw").deviations, [
      "sends the token in raw form, the version's text says base64"
    ])
  })
})

describe("the slash at the end of object URLs", () => {
  const redirected = dialectAfterRedirect(defaultDialect, "with")

  it("does not follow from endpoints that end in one", () => {
    assert.isFalse(objectsEndInSlash(dialectAfter(defaultDialect, found(), [])))
    // A dialect that was stored when it did.
    assert.isFalse(objectsEndInSlash({ ...defaultDialect, trailingSlash: true }))
  })

  it("is learned from a redirect, and stays so through a discovery", () => {
    assert.isTrue(objectsEndInSlash(redirected))
    assert.isTrue(objectsEndInSlash(dialectAfter(redirected, found(), [])))
    assert.isFalse(objectsEndInSlash(dialectAfterRedirect(redirected, "without")))
    assert.lengthOf(redirected.deviations, 1)
    assert.strictEqual(dialectAfterRedirect(redirected, "with"), redirected)
  })

  it("is what the caller has set, whatever the partner redirects to", () => {
    const never = overriddenBy(defaultDialect, { trailingSlash: false })
    assert.isFalse(objectsEndInSlash(dialectAfterRedirect(never, "with")))
    assert.isTrue(objectsEndInSlash(overriddenBy(defaultDialect, { trailingSlash: true })))
  })
})
