/** What the doctor says of each thing that it looks at, and the command that allows a private address. */
import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import {
  type DoctorFinding,
  databaseFindings,
  dataDirectoryFinding,
  diskFinding,
  nodeFinding,
  partnerFinding,
  partnersFinding,
  portFinding,
  publicUrlFinding,
  settingsFinding
} from "../../src/cli/connecting/doctorFindings.ts"
import { egressRemedy } from "../../src/cli/connecting/egressRemedy.ts"

/** The state with what is said; and with what to do, which is there unless all is well. */
const told = ({ fix, said, state }: DoctorFinding): string => {
  assert.strictEqual(fix === undefined, state === "ok", `${state}: ${said}`)
  return `${state}: ${said}${fix === undefined ? "" : ` -> ${fix}`}`
}

describe("the doctor", () => {
  it("takes Node from 20.19 on, and says what to install instead of an older one", () => {
    for (const version of ["20.19.0", "22.1.0", "24.0.0"])
      assert.strictEqual(told(nodeFinding(version)), `ok: ${version}`)
    for (const version of ["20.18.9", "18.20.0"])
      assert.match(told(nodeFinding(version)), /^fail: .* -> install Node 24/)
  })

  it("says of a folder that cannot be written who has to be able to, and how to take another", () => {
    const finding = (isThere: boolean, isWritable: boolean) =>
      told(dataDirectoryFinding("/var/plugfest", { isThere, isWritable }))
    assert.strictEqual(finding(true, true), "ok: /var/plugfest")
    assert.strictEqual(finding(false, true), "ok: /var/plugfest is not there yet; the first start makes it")
    assert.match(
      finding(true, false),
      /^fail: \/var\/plugfest cannot be written -> give this user the right to write \/var, or .* DATA_DIR=… npx plugfest serve$/
    )
  })

  it("wants 1 GiB of the disk, and where it cannot read how much is free says how to look", () => {
    const gibibyte = 1024 ** 3
    assert.strictEqual(told(diskFinding("/var", 2.5 * gibibyte)), "ok: 2.5 GiB free")
    assert.match(
      told(diskFinding("/var", gibibyte / 2)),
      /^fail: 0\.5 GiB free -> free 1 GiB at least, or .* DATA_DIR=…/
    )
    assert.match(
      told(diskFinding("/var", undefined)),
      /^warn: the free space of \/var cannot be read -> look whether df \/var says 1 GiB/
    )
  })

  it("tells a free port, one at which the service is up, and one that another program has", () => {
    const at = { host: "127.0.0.1", port: 8080 }
    assert.strictEqual(told(portFinding(at, { isFree: true, serving: false })), "ok: 127.0.0.1:8080 is free")
    assert.strictEqual(
      told(portFinding(at, { isFree: false, serving: true })),
      "ok: plugfest serves at 127.0.0.1:8080 already"
    )
    assert.match(
      told(portFinding(at, { isFree: false, serving: false })),
      /^fail: 127\.0\.0\.1:8080 cannot be listened on.* -> choose another: PORT=8081 npx plugfest serve$/
    )
  })

  it("names the database and compares both clocks", () => {
    const own = { databaseUrl: undefined }
    assert.deepStrictEqual(
      databaseFindings(own, { state: "answers", version: "18.1", aheadMillis: -12 }).map(told),
      ["ok: embedded Postgres 18.1", "ok: 12 ms from the database's, which is the time of the service"]
    )
    const [, clock] = databaseFindings(own, { state: "answers", version: "18.1", aheadMillis: -60_000 })
    assert.match(told(clock!), /^fail: 60000 ms .* -> synchronise both clocks/)
  })

  it("says of an embedded database that does not run, or is not made yet, that a service does that", () => {
    const clock = "ok: that of this machine, which the embedded Postgres has, too"
    const own = { databaseUrl: undefined }
    assert.deepStrictEqual(databaseFindings(own, { state: "none" }).map(told), [
      "ok: embedded Postgres, of which there is none here yet; the first start makes it",
      clock
    ])
    assert.deepStrictEqual(
      databaseFindings(own, { state: "stopped", version: "18", folder: "/var/plugfest/postgres" }).map(told),
      ["ok: embedded Postgres 18 in /var/plugfest/postgres does not run; a service starts it", clock]
    )
  })

  it("says which settings it looks at, and that those of a service that runs may be others", () => {
    const finding = (flags: ReadonlyArray<string>, environment: ReadonlyArray<string>, serving = false) =>
      told(settingsFinding({ flags, environment }, { serving }))
    assert.strictEqual(
      finding([], []),
      "ok: all by default: neither flags nor the environment of this shell give one"
    )
    assert.strictEqual(
      finding(["PORT"], ["DATA_DIR", "PUBLIC_URL"], true),
      "ok: from flags: PORT; from the environment of this shell: DATA_DIR, PUBLIC_URL; the others by default. The service that runs may have been started with others"
    )
  })

  it("says of a database that does not answer what to check, and that the clock comes after it", () => {
    const failed = (databaseUrl: string | undefined) =>
      databaseFindings(
        { databaseUrl: databaseUrl === undefined ? undefined : Redacted.make(databaseUrl) },
        { failure: "no answer" }
      ).map(told)
    const clock =
      "warn: not looked at, because the database has the time -> mend the database, and call plugfest doctor again"
    assert.deepStrictEqual(failed("postgres://db/plugfest"), [
      "fail: no answer -> check host, login and database of DATABASE_URL",
      clock
    ])
    assert.match(
      failed(undefined)[0] ?? "",
      /^fail: no answer -> choose another DATA_DIR, or set DATABASE_URL/
    )
  })

  it("says of a public URL who was answered: this machine, and nobody elsewhere", () => {
    const url = "https://ocpi.example.com"
    assert.strictEqual(
      told(publicUrlFinding(url, { answers: true, serving: true })),
      `ok: ${url} answers this machine; whether it answers the partner, only a call from there can show`
    )
    assert.match(
      told(publicUrlFinding(url, { answers: false, serving: true })),
      /^fail: .* does not answer this machine, though the service is up -> look at DNS, TLS proxy and firewall/
    )
    assert.match(
      told(publicUrlFinding(url, { answers: false, serving: false })),
      /^warn: .* is not looked at, because the service is not up -> start it/
    )
    for (const here of ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080"])
      assert.match(
        told(publicUrlFinding(here, { answers: true, serving: true })),
        /^warn: .* a partner elsewhere cannot call back -> PUBLIC_URL=https:/
      )
  })

  it("says which partners may be called, and what to set for one that may not", () => {
    assert.strictEqual(told(partnersFinding({ egressAllowCidrs: [] })), "ok: public addresses only")
    assert.strictEqual(
      told(partnersFinding({ egressAllowCidrs: ["10.0.0.0/8"] })),
      "ok: public addresses, and 10.0.0.0/8"
    )
    const url = "http://127.0.0.1:9000/ocpi"
    const refused = (reason: string) =>
      told(partnerFinding(url, { blocked: { message: "it is refused", reason }, serving: false }))
    assert.strictEqual(told(partnerFinding(url, { serving: false })), `ok: ${url} may be called`)
    assert.strictEqual(
      told(partnerFinding(url, { serving: true })),
      `ok: ${url} may be called by the settings of this command (those of the service that runs may be others)`
    )
    assert.strictEqual(
      refused("address"),
      `fail: ${url} may not be called: it is refused -> ${egressRemedy(url)}`
    )
    assert.match(
      told(partnerFinding(url, { serving: false, unreached: "getaddrinfo ENOTFOUND cpo.example" })),
      /^fail: \S+ may be called, and does not answer this machine: getaddrinfo ENOTFOUND cpo\.example -> look at the spelling/
    )
    assert.match(refused("scheme"), /-> use https, or ALLOW_HTTP=on npx plugfest serve$/)
    assert.match(refused("url"), /-> use another URL$/)
  })

  it("names the range of a private address, as a command", () => {
    assert.strictEqual(
      egressRemedy("http://127.0.0.1:9000/ocpi"),
      "EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve"
    )
    assert.strictEqual(
      egressRemedy("http://localhost:9000/ocpi"),
      "EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve"
    )
    assert.strictEqual(
      egressRemedy("http://172.20.0.3/ocpi"),
      "EGRESS_ALLOW_CIDRS=172.16.0.0/12 npx plugfest serve"
    )
    assert.include(egressRemedy("https://cpo.internal/ocpi"), "<the partner's range>")
  })
})
