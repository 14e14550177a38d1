/** What other hosts than the partner's do is not the partner's silence: pictures, web pages, links to dead hosts. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "vitest"
import { alarms, gradedOverHttp } from "../support/overHttp.ts"
import { plainLocation, plainTariff } from "../support/plainPartner.ts"

/** An origin at which nothing listens. */
const deadOrigin = async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

describe("pictures and pages on dead hosts", () => {
  it("do not end the run, and nobody is blamed for them", async () => {
    const dead = await deadOrigin()
    const pictures = Array.from({ length: 8 }, (_, index) => ({
      url: `${dead}/picture-${index}.png`,
      category: "LOCATION",
      type: "png"
    }))
    const { asked, assertions, completed, of } = await gradedOverHttp(
      ["LOC-033", "TAR-019", "TAR-001", "TOK-101", "TRANS-011", "TRANS-018"],
      {
        locations: () => pictures.map((picture, index) => plainLocation(`L${index}`, [picture])),
        tariffs: () => [plainTariff("T1", { tariff_alt_url: `${dead}/tariff` })]
      }
    )
    assert.deepStrictEqual(alarms(assertions), [])
    for (const id of ["LOC-033", "TAR-019"]) {
      assert.strictEqual(of(id)?.outcome, "unobservable")
      assert.match(of(id)?.reason ?? "", /^network or third host: /)
    }
    for (const id of ["TAR-001", "TOK-101", "TRANS-011"]) assert.strictEqual(of(id)?.outcome, "passed", id)
    const pages = completed.filter(({ request }) => request.url.startsWith(dead))
    assert.isAtLeast(pages.length, 9)
    for (const { request } of pages)
      assert.sameMembers(Object.keys(request.headers), ["accept", "accept-encoding", "user-agent"])
    assert.isTrue(
      asked.some(({ method }) => method === "PUT"),
      "the run went on and wrote"
    )
  })

  it("are judged alone where they answer", async () => {
    const { dialect, of } = await gradedOverHttp(["LOC-033"], {
      locations: (origin) => [
        plainLocation("A", [{ url: `${origin}/lost.png`, category: "LOCATION", type: "png" }])
      ]
    })
    assert.strictEqual(of("LOC-033")?.outcome, "warned")
    assert.match(of("LOC-033")?.message ?? "", /lost\.png answers HTTP 4/)
    assert.deepStrictEqual(dialect.deviations, [], "a page is no answer of OCPI")
  })
})

describe("a link to the next page on a dead host", () => {
  it("is a finding of the checks of links, and no error of ours", async () => {
    const dead = await deadOrigin()
    const { assertions, of } = await gradedOverHttp(["PAGE-00*", "LOC-00*", "TRANS-045", "TRANS-010"], {
      locations: () => [plainLocation("A"), plainLocation("B"), plainLocation("C")],
      instead: ({ headers, url }, response) => {
        if (url.pathname !== "/2.2.1/locations") return false
        response.writeHead(200, {
          "content-type": "application/json",
          "x-request-id": String(headers["x-request-id"]),
          "x-correlation-id": String(headers["x-correlation-id"]),
          "x-total-count": "3",
          "x-limit": "1",
          link: `<${dead}/2.2.1/locations?offset=1&limit=1>; rel="next"`
        })
        response.end(
          JSON.stringify({
            data: [plainLocation("A")],
            status_code: 1000,
            timestamp: `${new Date().toISOString().slice(0, 19)}Z`
          })
        )
        return true
      }
    })
    assert.deepStrictEqual(
      assertions.filter(({ outcome }) => outcome === "error"),
      []
    )
    assert.strictEqual(of("PAGE-006")?.outcome, "failed")
    assert.match(
      of("PAGE-006")?.message ?? "",
      /link to the next page of locations leads to another scheme or port of the partner's host/
    )
    const told = assertions.filter(({ reason }) => reason?.includes("link to the next page") === true)
    assert.isNotEmpty(told)
    for (const { reason } of told) assert.notMatch(reason ?? "", /config:|egress/)
  })
})
