/** Who may hear a token. */

import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { audienceOfUrls, notFor, originOf, tells } from "../../src/ocpi/audience.ts"

describe("who may hear a token", () => {
  it("is each origin of the URLs once, and none of what is no http URL", () => {
    const urls = [
      "http://a.example/x",
      "http://a.example:80/y",
      "http://b.example:81/",
      "",
      "ftp://c.example/"
    ]
    assert.deepStrictEqual(audienceOfUrls(urls), ["http://a.example", "http://b.example:81"])
  })
  it("is nobody over http, once the first URL is https", () => {
    const urls = ["https://a.example/versions", "http://a.example/2.2.1", "https://b.example/x"]
    assert.deepStrictEqual(audienceOfUrls(urls), ["https://a.example", "https://b.example"])
  })
  it("is told by scheme, host and port together", () => {
    const audience = ["https://a.example"]
    assert.isUndefined(notFor(audience, new URL("https://A.example:443/next?x")))
    for (const url of [
      "https://a.example:8443/",
      "https://a.example.evil.example/",
      "https://b.example/",
      "https://a.example./"
    ])
      assert.match(
        notFor(audience, new URL(url)) ?? "",
        /none of the hosts that the handshake agreed on/,
        url
      )
    assert.match(notFor(audience, new URL("http://a.example/")) ?? "", /but plain HTTP on its host/)
    assert.match(
      notFor(["http://a.example:8080"], new URL("https://a.example:8080/")) ?? "",
      /has another scheme than the URLs of the handshake \(http:\/\/a\.example:8080\)/
    )
    assert.match(notFor([], new URL("https://a.example/")) ?? "", /none yet/)
  })
  it("knows a secret in a text in both its forms", () => {
    const secrets = [Redacted.make("token-0123456789"), Redacted.make("")]
    assert.isTrue(tells('{"token":"token-0123456789"}', secrets))
    assert.isTrue(tells(`Token ${btoa("token-0123456789")}`, secrets))
    assert.isFalse(tells("nothing", secrets))
    assert.isUndefined(originOf("mailto:x@y.example"))
  })
})
