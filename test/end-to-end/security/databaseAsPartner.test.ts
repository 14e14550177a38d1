/** The database's own address named as a partner's: the built service never dials it. */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { networkInterfaces, tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { type Service, startService, until } from "../../support/service/Service.ts"
import { refused } from "../../support/service/shapes.ts"
import { tried } from "../../support/tried.ts"

const everything = [
  "127.0.0.0/8",
  "::1/128",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "0.0.0.0/8"
].join()

/** Names and forms that all lead to a server at 127.0.0.1, or would if it listened on all of this machine's addresses. */
const forms = [
  "127.0.0.1",
  "localhost",
  "LOCALHOST.",
  "db.localhost",
  "127.1",
  "0x7f.1",
  "2130706433",
  "127.0.0.2",
  "0.0.0.0",
  "[::1]",
  "[::]",
  "[::ffff:127.0.0.1]"
]
const machine = Object.values(networkInterfaces()).flatMap(
  (all) =>
    all?.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address) ?? []
)

const order = (url: string) => ({
  partnerBaseUrl: url,
  tokenA: "token-a-of-a-database-test-001",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1"
})

/** Each form is refused as ours when a connection is made, and when one is moved; and so is an honest URL's redirect. */
async function refusesAll(service: Service, port: string) {
  for (const host of [...forms, ...machine]) {
    const answer = await service.call(
      "POST",
      "/api/v1/connections",
      order(`http://${host}:${port}/ocpi/versions`)
    )
    refused(answer, 422)
    assert.include(answer.body.message, "this service or its database", host)
  }
}

describe("the database as a partner", () => {
  let dataDir: string
  let service: Service
  const log = () => readFileSync(join(dataDir, "postgres/log"), "utf8")
  /** What Postgres has to say of a client that speaks HTTP to it, each time. */
  const strangers = () =>
    log().match(/invalid length of startup packet|invalid (startup|frontend)/g)?.length ?? 0

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "plugfest-own-"))
    chmodSync(dataDir, 0o711)
    service = await startService({ DATA_DIR: dataDir, EGRESS_ALLOW_CIDRS: everything })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    rmSync(dataDir, { recursive: true, force: true })
  })

  it("is refused in every form where it is embedded, and hears nothing of us", async () => {
    const port = readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[3]!.trim()
    await refusesAll(service, port)

    // A partner that is honest until it names the database: as its details, and by a redirect.
    for (const lure of ["details", "redirect"]) {
      const partner = createServer((request, response) => {
        const url = `http://127.0.0.1:${port}/2.2.1`
        if (lure === "redirect") response.writeHead(302, { location: url })
        else response.writeHead(200, { "content-type": "application/json" })
        response.end(
          JSON.stringify({
            data: [{ version: "2.2.1", url }],
            status_code: 1000,
            timestamp: "2026-01-01T00:00:00Z"
          })
        )
        request.resume()
      })
      const partnerPort = await new Promise<number>((resolve) =>
        partner.listen(0, "127.0.0.1", () => resolve((partner.address() as AddressInfo).port))
      )
      const created = await service.call(
        "POST",
        "/api/v1/connections",
        order(`http://127.0.0.1:${partnerPort}/versions`)
      )
      assert.strictEqual(created.status, 201, created.text)
      await service.call("POST", `/api/v1/connections/${created.body.data._id}/handshake`)
      partner.close()
    }
    assert.strictEqual(strangers(), 0, log())

    // Such a call would have been seen.
    await fetch(`http://127.0.0.1:${port}/ocpi/versions`).catch(() => {})
    await until("Postgres to complain", async () => (strangers() > 0 ? true : undefined))
    tried("B13", [`${forms.length} forms`], "0 connections")
  }, 60_000)

  it("is refused where it is one's own and DATABASE_URL names it by name", async () => {
    const database = new URL(await migratedDatabase(inject("pgUrl")))
    database.hostname = "localhost"
    const own = await startService({ DATABASE_URL: database.href, EGRESS_ALLOW_CIDRS: everything })
    try {
      await refusesAll(own, database.port)
      const [{ n }] = await rows(database.href, "SELECT count(*)::int AS n FROM connection")
      assert.strictEqual(n, 0)
      // Its neighbour's port is a partner's like any other.
      const next = await own.call(
        "POST",
        "/api/v1/connections",
        order(`http://127.0.0.1:${Number(database.port) - 1}/x`)
      )
      assert.strictEqual(next.status, 201, next.text)
    } finally {
      await own.kill("SIGTERM")
    }
  }, 60_000)
})
