/** Evidence that outlives the service: runs recomputed through the service, from a file, and by code that shares none of ours. */
import { execFile } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { ended } from "../../support/service/crowd.ts"
import { migratedDatabase, rows } from "../../support/service/database.ts"
import { connectSandbox, key, type Service, startService } from "../../support/service/Service.ts"

const run = promisify(execFile)
const script = join(dirname(fileURLToPath(import.meta.url)), "../../../docs/verify-export.mjs")
const openssl = "/usr/bin/openssl"

describe("a run that is verified", () => {
  let service: Service
  let database: string
  let folder: string
  let suite: any
  let journey: any
  const file = (name: string) => join(folder, name)
  const cli = (...args: ReadonlyArray<string>) =>
    plugfest(args, { PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key })

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-verify-"))
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database, DATA_DIR: folder })
    const { connectionId } = await connectSandbox(service)
    const checked = await service.call("POST", "/api/v1/testing/runs", {
      connectionId,
      suiteId: "ocpi-2.2.1-cpo-smoke"
    })
    suite = await ended(service, checked.body.data._id)
    const told = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "remote-start"
    })
    journey = await ended(service, told.body.data.reportId)
    const pem = await fetch(`${service.url}/.well-known/signing-key.pem`)
    writeFileSync(file("key.pem"), await pem.text())
    const jwks = await fetch(`${service.url}/.well-known/jwks.json`)
    writeFileSync(file("jwks.json"), await jwks.text())
    await cli("report", journey._id, "--format", "signed", "--out", file("signed.json"))
    await cli("report", suite._id, "--format", "ledger", "--out", file("ledger.json"))
  }, 180_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  it("adds up, conformance and journey, when nobody touched it", async () => {
    for (const report of [suite, journey]) {
      const { code, stderr, stdout } = await cli("verify", report._id)
      assert.strictEqual(code, 0, stdout + stderr)
      assert.match(stdout, /^run_\w+ {2}intact: \d+ lines, head [0-9a-f]{64}\nrecomputed {2}rep_/)
    }
    const { stdout } = await cli("verify", journey.runId, "--json")
    const found = JSON.parse(stdout)
    // The format of documents is older than this field.
    const { stateSince: _, ...report } = journey
    assert.deepStrictEqual(found.report, report)
    assert.isNull(found.difference)
  }, 60_000)

  it("adds up from the file alone, with no service in reach", async () => {
    const alone = (...args: ReadonlyArray<string>) =>
      plugfest(["verify", ...args], { PLUGFEST_URL: "http://127.0.0.1:1" })
    assert.strictEqual((await alone("--file", file("ledger.json"))).code, 0)
    const proved = await alone("--file", file("signed.json"), "--public-key", file("jwks.json"))
    assert.strictEqual(proved.code, 0, proved.stdout + proved.stderr)
    assert.match(proved.stdout, /signed by key [\w-]{43}/)
    assert.match((await alone("--file", file("signed.json"))).stdout, /not verified without --public-key/)
    assert.strictEqual((await alone("--file", file("ledger.json"), "--public-key", file("key.pem"))).code, 1)
    assert.strictEqual((await alone("--file", file("nowhere.json"))).code, 2)
    assert.strictEqual((await alone()).code, 2)
  }, 60_000)

  it("is confirmed by code that shares none of ours", async () => {
    const { stdout } = await run(process.execPath, [script, file("signed.json"), file("key.pem")])
    assert.include(stdout, `${journey.runId}: ${journey.revision} lines`)
    const envelope = JSON.parse(readFileSync(file("signed.json"), "utf8"))
    const payload = Buffer.from(envelope.payload, "base64")
      .toString("utf8")
      .replace('"verdict":"', '"verdict": "')
    const changed = { ...envelope, payload: Buffer.from(payload, "utf8").toString("base64") }
    writeFileSync(file("changed.json"), JSON.stringify(changed))
    const refused = await run(process.execPath, [script, file("changed.json"), file("key.pem")]).catch(
      (error) => error
    )
    assert.include(refused.stderr, "the signature is not of this key")
  })

  it.runIf(existsSync(openssl))("is confirmed by OpenSSL", async () => {
    const { payload, payloadType, signatures } = JSON.parse(readFileSync(file("signed.json"), "utf8"))
    const bytes = Buffer.from(payload, "base64")
    const head = `DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `
    writeFileSync(file("signed.bin"), Buffer.concat([Buffer.from(head), bytes]))
    writeFileSync(file("signature.bin"), Buffer.from(signatures[0].sig, "base64"))
    const { stdout } = await run(openssl, [
      ...["pkeyutl", "-verify", "-pubin", "-inkey", file("key.pem"), "-rawin"],
      ...["-in", file("signed.bin"), "-sigfile", file("signature.bin")]
    ])
    assert.include(stdout, "Verified Successfully")
  })

  it("is not there for a stranger, and unknown runs are a mistake of the caller's", async () => {
    assert.strictEqual((await cli("verify", "run_nosuch")).code, 2)
    const stranger = await plugfest(["verify", journey.runId], {
      PLUGFEST_URL: service.url,
      PLUGFEST_API_KEY: "pf_test_nobody"
    })
    assert.strictEqual(stranger.code, 4)
  }, 60_000)

  it("names the partner that the database's superuser has put in another's place", async () => {
    const relabelled = "update run set connection_label = $2 where run_id = $1"
    const [before] = await rows(database, "select connection_label from run where run_id = $1", [suite.runId])
    await rows(database, relabelled, [suite.runId, "CPO another.example 2.2.1"])
    const { code, stdout } = await cli("verify", suite.runId)
    await rows(database, relabelled, [suite.runId, before!["connection_label"]])
    assert.strictEqual(code, 1)
    assert.match(stdout, /NOT INTACT \(facts\): .*connectionLabel/)
    assert.strictEqual((await cli("verify", suite.runId)).code, 0)
  }, 60_000)

  // Last: it spoils the runs.
  it("names the line that the database's superuser edited behind the ledger's back", async () => {
    const third = "where run_id = $1 and sequence = 3"
    await rows(database, "alter table ledger_event disable trigger user")
    await rows(
      database,
      `update ledger_event set line = replace(line, 'occurredAt', 'occurredat') ${third}`,
      [journey.runId]
    )
    await rows(database, "update run set snapshot = '[]' where run_id = $1", [suite.runId])
    await rows(database, "alter table ledger_event enable trigger user")
    const edited = await cli("verify", journey.runId)
    assert.strictEqual(edited.code, 1)
    assert.match(edited.stdout, /NOT INTACT \(chain\): line 3 is not the one that was written/)
    const reset = await cli("verify", suite.runId)
    assert.strictEqual(reset.code, 1)
    assert.match(reset.stdout, /NOT INTACT \(report\)/)
  }, 60_000)
})
