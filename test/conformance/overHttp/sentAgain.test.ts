/** Requests that are sent once more: after a redirect to the other slash at the end of the URL, and after HTTP 429 or 503. */
import { assert, describe, it } from "vitest"
import { alarms, gradedOverHttp } from "../support/overHttp.ts"

const writes = [
  ...["TOK-101", "TOK-102", "TOK-103", "TOK-104", "TOK-105"],
  ...["TRANS-011", "TRANS-025", "TRANS-054", "TRANS-055", "TRANS-059"]
]

describe("a partner whose endpoint URLs end in a slash", () => {
  it("is asked for objects at the URLs of OCPI, which have none", async () => {
    const { asked, assertions, of } = await gradedOverHttp(writes, {
      endpointEnd: "/",
      // As FastAPI does where a route has no slash at its end.
      instead: ({ url }, response) => {
        if (url.pathname.split("/").length < 5 || !url.pathname.endsWith("/")) return false
        response.writeHead(307, { location: `${url.pathname.slice(0, -1)}${url.search}` }).end()
        return true
      }
    })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.strictEqual(of("TRANS-059")?.outcome, "passed")
    assert.isEmpty(asked.filter(({ url }) => /\/tokens\/.+\/$/.test(url.pathname)))
  })
})

describe("a partner that redirects to the URL with a slash at its end", () => {
  it("is followed, by one finding and no other, and it is learned", async () => {
    const { asked, assertions, completed, dialect, of } = await gradedOverHttp(writes, {
      instead: ({ url }, response) => {
        if (!url.pathname.includes("/tokens/") || url.pathname.endsWith("/")) return false
        response.writeHead(307, { location: `${url.origin}${url.pathname}/${url.search}` }).end()
        return true
      }
    })
    assert.deepStrictEqual(
      alarms(assertions).map((one) => one.split(":")[0]),
      ["TRANS-059 warned"]
    )
    assert.match(of("TRANS-059")?.message ?? "", /is redirected to the same URL with a slash at its end/)
    assert.strictEqual(of("TOK-101")?.outcome, "passed")
    assert.isTrue(dialect.trailingSlash)
    const hops = completed.filter(({ response }) => response?.httpStatus === 307)
    const put = hops.find(({ request }) => request.method === "PUT")!
    assert.isTrue(
      completed.some(({ request }) => request.method === "PUT" && request.url === `${put.request.url}/`),
      "both are in the ledger, with the method kept"
    )
    // The requests under way when the first redirect comes are redirected too, and none after it.
    assert.isBelow(hops.length, 5)
    assert.isAbove(asked.filter(({ url }) => /\/tokens\/.+\/$/.test(url.pathname)).length, 5)
  })

  it("is not followed to another host or another path", async () => {
    for (const to of ["http://127.0.0.1:9/2.2.1/tokens/x/", "/login/"]) {
      const { asked, assertions, of } = await gradedOverHttp(["TOK-101", "TRANS-059"], {
        instead: ({ method }, response) => {
          if (method !== "PUT") return false
          response.writeHead(307, { location: to }).end()
          return true
        }
      })
      assert.strictEqual(of("TOK-101")?.outcome, "failed", alarms(assertions).join("; "))
      assert.isEmpty(asked.filter(({ url }) => url.pathname.endsWith("/")))
    }
  })
})

describe("a partner that asks to wait by HTTP 429", () => {
  it("is asked again once, after the seconds of its Retry-After", async () => {
    const refused = new Map<string, number>()
    const { assertions, completed, of } = await gradedOverHttp(["TOK-101", "TAR-001", "TRANS-011"], {
      instead: ({ method, url }, response) => {
        const key = `${method} ${url.pathname}`
        if (!/tariffs|tokens/.test(key) || refused.has(key)) return false
        refused.set(key, Date.now())
        response.writeHead(429, { "retry-after": "1", "content-type": "text/plain" }).end("slowly")
        return true
      }
    })
    assert.deepStrictEqual(alarms(assertions), [])
    for (const id of ["TOK-101", "TAR-001", "TRANS-011"]) assert.strictEqual(of(id)?.outcome, "passed", id)
    const busy = completed.filter(({ response }) => response?.httpStatus === 429)
    assert.isAtLeast(busy.length, 2)
    for (const { request, startedAt } of busy) {
      const again = completed.find(
        (one) =>
          one.request.url === request.url &&
          one.request.method === request.method &&
          one.startedAt > startedAt
      )
      assert.isAtLeast(Date.parse(again?.startedAt ?? "") - Date.parse(startedAt), 1000)
    }
  })

  it("is asked again once, after two seconds, without a Retry-After, and not after a long one", async () => {
    for (const [after, times] of [
      [undefined, 2],
      ["3600", 1]
    ] as const) {
      const { asked } = await gradedOverHttp(["TAR-001"], {
        instead: ({ url }, response) => {
          if (!url.pathname.includes("tariffs")) return false
          response.writeHead(429, after === undefined ? {} : { "retry-after": after }).end()
          return true
        }
      })
      const lists = asked.filter(({ url }) => url.pathname.includes("tariffs") && url.search === "")
      assert.lengthOf(lists, times)
    }
  })

  it("is sent a PATCH again, which was not looked at, and is told of nothing", async () => {
    const refused = new Set<string>()
    const { assertions, completed, of } = await gradedOverHttp(["TOK-103"], {
      instead: ({ method, url }, response) => {
        if (method !== "PATCH" || refused.has(url.pathname)) return false
        refused.add(url.pathname)
        response.writeHead(429, { "content-type": "text/plain" }).end("slowly")
        return true
      }
    })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.isNotEmpty(refused)
    const statuses = completed
      .filter(({ request }) => request.method === "PATCH")
      .map(({ response }) => response?.httpStatus)
    assert.include(statuses, 429)
    assert.isTrue(statuses.some((status) => status !== 429))
    assert.strictEqual(of("TOK-103")?.outcome, "passed")
  })
})

describe("a partner that is away for a moment by HTTP 503", () => {
  it("is asked again once, after two seconds where it does not say how long, and is told of nothing", async () => {
    const refused = new Set<string>()
    const { assertions, completed, of } = await gradedOverHttp(["TOK-101", "TAR-001"], {
      instead: ({ method, url }, response) => {
        const key = `${method} ${url.pathname}`
        if (!/tariffs|tokens/.test(key) || method === "PATCH" || refused.has(key)) return false
        refused.add(key)
        response.writeHead(503, { "content-type": "text/plain" }).end("later")
        return true
      }
    })
    assert.deepStrictEqual(alarms(assertions), [])
    for (const id of ["TOK-101", "TAR-001"]) assert.strictEqual(of(id)?.outcome, "passed", id)
    assert.isTrue(completed.some(({ response }) => response?.httpStatus === 503))
  })
})
