import type { LookupAddress } from "node:dns"
import { isIP } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { classify, EgressGuard, type EgressOptions } from "../../src/ocpi/EgressGuard.ts"
import { tried } from "../support/tried.ts"

const closed: EgressOptions = { allowCidrs: [], reserved: [{ host: "127.0.0.1", port: 8080 }] }
const open: EgressOptions = { ...closed, allowCidrs: ["127.0.0.0/8"] }
const reason = (url: string, options = closed, trusted: ReadonlyArray<string> = []) => {
  const result = classify(url, options, trusted)
  return result.ok ? "ok" : result.blocked.reason
}

const forbidden = [
  "http://127.0.0.1/",
  "http://127.1/",
  "http://0x7f.1/",
  "http://2130706433/",
  "http://0177.0.0.1/",
  "http://１２７.0.0.1/",
  "http://127.0.0.1./",
  "http://0.0.0.0/",
  "http://10.0.0.1/",
  "http://172.16.0.1/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://168.63.129.16/",
  "http://100.64.0.1/",
  "http://100.100.100.200/",
  "http://192.0.0.8/",
  "http://192.88.99.1/",
  "http://198.18.0.1/",
  "http://203.0.113.1/",
  "http://224.0.0.1/",
  "http://240.0.0.1/",
  "http://255.255.255.255/",
  "http://[::]/",
  "http://[::1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[64:ff9b::7f00:1]/",
  "http://[64:ff9b:1::7f00:1]/",
  "http://[2002:7f00:1::]/",
  "http://[2001:0:7f00:1::]/",
  "http://[fe80::1]/",
  "http://[fc00::1]/",
  "http://[fec0::1]/",
  "http://[2001:db8::1]/",
  "http://[5f00::1]/",
  "http://[ff02::1]/",
  "http://localhost/",
  "http://localhost./",
  "http://partner.localhost/"
]

describe("classify", () => {
  it("is held against as many forms as the table of attacks says", () => {
    tried("B8", [`${forbidden.length} literal forms`], "each denied, see below")
  })

  it.each(forbidden)("denies %s", (url) => {
    assert.strictEqual(reason(url), "address")
  })

  it.each([
    ["ftp://partner.example/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["partner.example", "url"],
    ["http://partner.example/\r\nX: y", "url"],
    ["http://part\tner.example/", "url"],
    [`http://partner.example/${"a".repeat(9000)}`, "url"],
    ["http://user:secret@partner.example/", "userinfo"],
    ["http://@partner.example/", "userinfo"],
    ["http://partner.example:0/", "port"],
    ["http://partner.example:22/", "port"],
    ["http://partner.example:25/", "port"],
    ["http://partner.example:5432/", "port"],
    ["http://partner.example:65536/", "url"]
  ])("refuses %s for its %s", (url, why) => {
    assert.strictEqual(reason(url), why)
  })

  it.each(["https://partner.example/ocpi/versions", "https://8.8.8.8/", "https://[2606:4700::1111]:8443/"])(
    "lets %s pass",
    (url) => {
      assert.strictEqual(reason(url), "ok")
    }
  )

  it("lets plain HTTP to public addresses pass only where that is allowed, and to others where those are", () => {
    const plain = ["http://8.8.8.8/", "http://[2606:4700::1111]:8080/"]
    for (const url of plain) {
      assert.strictEqual(reason(url), "scheme", url)
      assert.strictEqual(reason(url, { ...closed, allowCidrs: ["8.8.8.0/24"] }), "scheme", url)
      assert.strictEqual(reason(url, { ...closed, allowHttp: true }), "ok", url)
    }
    assert.strictEqual(reason("http://10.0.0.1/", { ...closed, allowHttp: true }), "address")
    assert.strictEqual(reason("http://10.0.0.1/", { ...closed, allowCidrs: ["10.0.0.0/8"] }), "ok")
  })

  it("opens exactly the ranges that the operator lists", () => {
    assert.strictEqual(reason("http://127.0.0.1:3000/", open), "ok")
    assert.strictEqual(reason("http://localhost:3000/", open), "ok")
    assert.strictEqual(reason("http://10.0.0.1/", open), "address")
    assert.strictEqual(reason("http://169.254.169.254/", open), "address")
  })

  it("keeps metadata services closed inside an allowed range unless they are listed alone", () => {
    assert.strictEqual(
      reason("http://169.254.169.254/", { ...closed, allowCidrs: ["169.254.0.0/16"] }),
      "address"
    )
    assert.strictEqual(
      reason("http://169.254.169.254/", { ...closed, allowCidrs: ["169.254.169.254/32"] }),
      "ok"
    )
  })

  it("never takes this service for a partner, whatever is allowed", () => {
    for (const host of ["127.0.0.1", "localhost", "127.0.0.2", "[::1]"]) {
      assert.strictEqual(reason(`http://${host}:8080/ocpi`, open), "own", host)
    }
  })

  it("trusts a prefix on our own address by whole path segments only", () => {
    const trusted = ["http://127.0.0.1:8080/sandbox"]
    assert.strictEqual(reason("http://127.0.0.1:8080/sandbox/sbx_1/ocpi/versions", closed, trusted), "ok")
    assert.strictEqual(reason("http://127.0.0.1:8080/sandboxes", closed, trusted), "own")
    assert.strictEqual(reason("http://127.0.0.1:8080/sandbox/../api", closed, trusted), "own")
    assert.strictEqual(reason("http://127.0.0.1:8081/sandbox/x", closed, trusted), "address")
  })
})

describe("the database", () => {
  const at = (...database: ReadonlyArray<{ host: string; port: number }>): EgressOptions => ({
    allowCidrs: ["127.0.0.0/8", "172.16.0.0/12", "10.0.0.0/8", "0.0.0.0/8", "::1/128"],
    reserved: [{ host: "127.0.0.1", port: 8080 }],
    database: () => database,
    machine: ["127.0.0.1", "172.20.0.3"]
  })

  it("is none of a partner's, by name or by address", () => {
    const options = at({ host: "db.internal", port: 6500 }, { host: "10.0.0.7", port: 6500 })
    for (const host of ["db.internal", "DB.internal.", "10.0.0.7", "[::ffff:10.0.0.7]", "10.7"])
      assert.strictEqual(reason(`http://${host}:6500/`, options), "own", host)
    assert.strictEqual(reason("http://10.0.0.7:6501/", options), "ok")
    assert.strictEqual(reason("http://10.0.0.8:6500/", options), "ok")
    assert.strictEqual(reason("http://127.0.0.1:6500/", options), "ok")
  })

  it("on this machine is at each of its addresses, whichever of them we dial", () => {
    for (const host of ["localhost", "127.0.0.1", "::1", "[::1]", "0.0.0.0", "172.20.0.3"]) {
      const options = at({ host, port: 6500 })
      for (const other of ["127.0.0.1", "localhost", "127.9.9.9", "[::1]", "0.0.0.0", "172.20.0.3"])
        assert.strictEqual(reason(`http://${other}:6500/`, options), "own", `${host} as ${other}`)
      assert.strictEqual(reason("http://172.20.0.4:6500/", options), "ok")
    }
  })

  it("is under no trusted prefix", () => {
    const options = at({ host: "localhost", port: 6500 })
    const trusted = ["http://127.0.0.1:6500/sandbox/", "http://127.0.0.1:8080/sandbox/"]
    assert.strictEqual(reason("http://127.0.0.1:6500/sandbox/x", options, trusted), "own")
    assert.strictEqual(reason("http://127.0.0.1:8080/sandbox/x", options, trusted), "ok")
  })

  it.effect(
    "is not reached by a name that stands for it, under a trusted prefix either, wherever it is by then",
    () => {
      const known = [{ host: "8.8.4.4", port: 6500 }]
      return Effect.gen(function* () {
        const guard = yield* EgressGuard
        const ask = (trusted: ReadonlyArray<string> = []) =>
          Effect.exit(guard.check("https://partner.example:6500/sandbox/x", trusted))
        assert.isTrue(Exit.isSuccess(yield* ask()))
        known.push({ host: "8.8.8.8", port: 6500 })
        assert.include(JSON.stringify(yield* ask()), '"own"')
        assert.include(JSON.stringify(yield* ask(["https://partner.example:6500/sandbox/"])), '"own"')
      }).pipe(Effect.provide(guarded([["8.8.8.8"]], { ...closed, database: () => known })))
    }
  )
})

const guarded = (answers: ReadonlyArray<ReadonlyArray<string>>, options = closed) => {
  let asked = 0
  const resolve = async (): Promise<ReadonlyArray<LookupAddress>> =>
    answers[Math.min(asked++, answers.length - 1)]!.map((address) => ({
      address,
      family: address.includes(":") ? 6 : 4
    }))
  return EgressGuard.layer({ ...options, resolve })
}
const check = (
  answers: ReadonlyArray<ReadonlyArray<string>>,
  options = closed,
  url = "https://partner.example/versions"
) =>
  Effect.gen(function* () {
    const guard = yield* EgressGuard
    return yield* Effect.exit(guard.check(url))
  }).pipe(Effect.provide(guarded(answers, options)))

describe("EgressGuard", () => {
  it.effect("lets plain HTTP to a name pass only when every address is one of the operator's own", () =>
    Effect.gen(function* () {
      const plain = "http://partner.example/versions"
      const inside = { ...closed, allowCidrs: ["10.0.0.0/8"] }
      assert.isTrue(Exit.isSuccess(yield* check([["10.1.2.3"]], inside, plain)))
      assert.isTrue(Exit.isFailure(yield* check([["10.1.2.3", "8.8.8.8"]], inside, plain)))
      assert.isTrue(Exit.isFailure(yield* check([["8.8.8.8"]], closed, plain)))
      assert.isTrue(Exit.isSuccess(yield* check([["8.8.8.8"]], { ...closed, allowHttp: true }, plain)))
    })
  )
  it.effect("passes a name whose every address is public", () =>
    Effect.map(check([["8.8.8.8", "2606:4700::1111"]]), (exit) => assert.isTrue(Exit.isSuccess(exit)))
  )

  it.effect("denies a name with one private address among public ones, and does not tell which", () =>
    Effect.map(check([["8.8.8.8", "10.1.2.3"]]), (exit) => {
      assert.isTrue(Exit.isFailure(exit))
      assert.notInclude(JSON.stringify(exit), "10.1.2.3")
    })
  )

  it.effect("denies a name for each address that it denies alone, also the last of forty", () =>
    Effect.gen(function* () {
      const addresses = forbidden
        .map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ""))
        .filter((host) => isIP(host) !== 0)
      assert.isAbove(addresses.length, 30)
      const many = Array.from({ length: 39 }, (_, index) => `8.8.8.${index + 1}`)
      for (const address of addresses) {
        for (const answer of [[address], [...many, address]]) {
          const exit = yield* check([answer])
          assert.isTrue(Exit.isFailure(exit), address)
          assert.notInclude(JSON.stringify(exit), address)
        }
      }
    })
  )

  it.effect("says which rule decides, and shows no address of a name", () =>
    Effect.gen(function* () {
      const sandbox = "https://us.example/sandbox"
      const ruled = (url: string, answers: ReadonlyArray<string>, options = closed) =>
        Effect.gen(function* () {
          const guard = yield* EgressGuard
          const { allowed, message, rule } = yield* guard.decide(url, [sandbox])
          const isOpen = Exit.isSuccess(yield* Effect.exit(guard.check(url, [sandbox])))
          assert.strictEqual(allowed, isOpen, `${url}: decided as it is checked`)
          for (const address of answers) assert.notInclude(message, address)
          return rule
        }).pipe(Effect.provide(guarded([answers], options)))
      const inside = { ...closed, allowCidrs: ["10.0.0.0/8"] }
      const name = "https://partner.example/versions"
      assert.strictEqual(yield* ruled(name, ["8.8.8.8"]), "public")
      assert.strictEqual(yield* ruled(name, ["8.8.8.8", "10.1.2.3"]), "address")
      assert.strictEqual(yield* ruled(name, ["10.1.2.3"], inside), "allowed_range")
      assert.strictEqual(yield* ruled("https://8.8.8.8/versions", []), "public")
      assert.strictEqual(yield* ruled("http://10.1.2.3/versions", [], inside), "allowed_range")
      assert.strictEqual(yield* ruled("http://8.8.8.8/versions", []), "scheme")
      assert.strictEqual(yield* ruled("https://partner.example:22/", []), "port")
      assert.strictEqual(yield* ruled("https://me:secret@partner.example/", []), "userinfo")
      assert.strictEqual(yield* ruled("partner.example", []), "url")
      assert.strictEqual(yield* ruled("http://127.0.0.1:8080/", []), "own")
      assert.strictEqual(yield* ruled(`${sandbox}/x/ocpi/versions`, ["10.1.2.3"]), "sandbox")
      const guard = yield* Effect.provide(
        EgressGuard,
        EgressGuard.layer({ ...closed, resolve: () => Promise.reject(new Error("ENOTFOUND")) })
      )
      assert.strictEqual((yield* guard.decide(name)).rule, "none")
    })
  )

  it.effect("denies a name that stands for our own port", () =>
    Effect.map(check([["127.0.0.1"]], { ...open, reserved: [{ host: "0.0.0.0", port: 443 }] }), (exit) =>
      assert.include(JSON.stringify(exit), "this service")
    )
  )

  it.effect("knows itself by each address of its machine when it listens on all of them", () =>
    Effect.gen(function* () {
      const guard = yield* EgressGuard
      for (const host of ["172.20.0.3", "[::ffff:172.20.0.3]", "[fd00::3]", "partner.example"]) {
        assert.include(JSON.stringify(yield* Effect.exit(guard.check(`http://${host}:8080/`))), '"own"', host)
        assert.isTrue(Exit.isSuccess(yield* Effect.exit(guard.check(`http://${host}:8081/`))), host)
      }
    }).pipe(
      Effect.provide(
        guarded([["172.20.0.3"]], {
          allowCidrs: ["172.16.0.0/12", "fd00::/8"],
          reserved: [{ host: "0.0.0.0", port: 8080 }],
          machine: ["127.0.0.1", "172.20.0.3", "fd00::3"]
        })
      )
    )
  )

  it.effect("takes a neighbour for a partner when it listens on one address only", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit((yield* EgressGuard).check("http://172.20.0.3:8080/"))
      assert.isTrue(Exit.isSuccess(exit))
    }).pipe(
      Effect.provide(guarded([[]], { ...closed, allowCidrs: ["172.16.0.0/12"], machine: ["172.20.0.3"] }))
    )
  )

  it.effect("checks again at the socket, so that a name cannot change its mind", () =>
    Effect.gen(function* () {
      const guard = yield* EgressGuard
      yield* guard.check("https://partner.example/")
      const lookup = guard.lookup({ url: new URL("https://partner.example/"), trusted: false })
      const error = yield* Effect.async<NodeJS.ErrnoException | null>((resume) =>
        lookup("partner.example", { all: true }, (failure) => resume(Effect.succeed(failure)))
      )
      assert.include(String(error), "EgressBlocked")
    }).pipe(Effect.provide(guarded([["8.8.8.8"], ["127.0.0.1"]])))
  )

  it("refuses to be built from a range that is none", () => {
    const built = Effect.runSyncExit(
      Effect.provide(EgressGuard, EgressGuard.layer({ ...closed, allowCidrs: ["10/8x"] }))
    )
    assert.isTrue(Exit.isFailure(built))
  })
})
