/** Plays archiving with the built service and command line, on whatever archive: the same in a folder and in a bucket. */
import { execFile } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gunzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "./command.ts"
import { ended } from "./crowd.ts"
import { freshDatabase, migratedDatabase, rows } from "./database.ts"
import { connectSandbox, key, type Service, startService } from "./Service.ts"

const run = promisify(execFile)
const script = join(dirname(fileURLToPath(import.meta.url)), "../../../docs/verify-export.mjs")

/** An archive that is there, and can be away for a while. */
export interface PlayedArchive {
  /** ARCHIVE_URL and what else it needs. */
  readonly env: Record<string, string>
  /** Where its objects lie as files. */
  readonly folder: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
  readonly end: () => Promise<void>
}

/** All that can be read of a run, as text by the path that was asked; without the time at which an export was made. */
async function everyReading(service: Service, { _id, runId }: { _id: string; runId: string }, other: string) {
  const testing = "/api/v1/testing"
  const paths = [
    ...["", "/checks", "/checks?outcome=passed", `/compare?with=${other}`].map((end) => `/runs/${_id}${end}`),
    ...["junit", "json", "html", "markdown", "har", "ledger", "signed"].map(
      (format) => `/runs/${_id}/export?format=${format}`
    ),
    ...["json", "har"].map((format) => `/runs/${_id}/export?format=${format}&personalData=shown`),
    ...[`/runs/${_id}?wait=1`, `/runs/${_id}?wait=5&until=end`, "/runs?limit=10", "/journey-runs?limit=10"],
    ...[
      "",
      "/events",
      "/events?after=3&limit=4",
      "/events?limit=1000&type=exchange.completed",
      "/events?after=9999"
    ].map((end) => `/journey-runs/${runId}${end}`)
  ]
  const read: Record<string, string> = {}
  for (const path of paths) {
    const { status, text } = await service.call("GET", `${testing}${path}`)
    read[path] = `${status} ${withoutTime(text)}`
  }
  for (const after of ["0", "5"]) {
    const { status, text } = await service.call("GET", `${testing}/journey-runs/${runId}/stream`, undefined, {
      "last-event-id": after
    })
    // A heartbeat comes to all streams at once, also to one that has just begun.
    read[`stream after ${after}`] = `${status} ${text.replaceAll(": heartbeat\n\n", "")}`
  }
  return read
}

function withoutTime(text: string): string {
  if (!text.includes('"payloadType"')) return text.replace(/"exportedAt":"[^"]+"/, "")
  return withoutTime(Buffer.from(JSON.parse(text).payload, "base64").toString())
}

/** Each file below the folder, by its path. */
function filesIn(folder: string): ReadonlyArray<string> {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** The tests. `open` makes the archive in a new folder. */
export const playArchivedRuns = (name: string, open: (folder: string) => Promise<PlayedArchive>) =>
  describe(name, () => {
    let service: Service
    let database: string
    let folder: string
    let archive: PlayedArchive
    let settings: Record<string, string>
    let suite: any
    let journey: any
    let second: any
    let before: Record<string, string>
    const cli = (...args: ReadonlyArray<string>) =>
      plugfest(args, { ...settings, PLUGFEST_URL: service.url, PLUGFEST_API_KEY: key })
    const count = async (table: string) =>
      ((await rows(database, `select count(*)::int n from ${table}`)) as [{ n: number }])[0].n
    const restart = async () => {
      await service.kill("SIGTERM")
      service = await startService(settings)
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "plugfest-archive-"))
      archive = await open(join(folder, "archive"))
      database = await migratedDatabase(inject("pgUrl"))
      settings = { DATABASE_URL: database, DATA_DIR: join(folder, "data"), ...archive.env }
      service = await startService(settings)
      const { connectionId } = await connectSandbox(service)
      const checked = await service.call("POST", "/api/v1/testing/runs", {
        connectionId,
        suiteId: "ocpi-2.2.1-cpo-smoke"
      })
      suite = await ended(service, checked.body.data._id)
      const play = async () => {
        const told = await service.call("POST", "/api/v1/testing/journey-runs", {
          connectionId,
          templateId: "remote-start"
        })
        return ended(service, told.body.data.reportId)
      }
      journey = await play()
      second = await play()
      before = await everyReading(service, journey, second._id)
      const pem = await fetch(`${service.url}/.well-known/signing-key.pem`)
      writeFileSync(join(folder, "key.pem"), await pem.text())
    }, 240_000)
    afterAll(async () => {
      await service?.kill("SIGTERM")
      await archive?.end()
      rmSync(folder, { recursive: true, force: true })
    })

    it("say first which runs they are", async () => {
      const dry = await cli("archive", "--older-than", "0", "--dry-run", "--json")
      assert.deepStrictEqual(JSON.parse(dry.stdout), {
        dryRun: true,
        what: "archive",
        runs: [suite.runId, journey.runId, second.runId],
        leftovers: [],
        kept: []
      })
      assert.strictEqual((await cli("archive")).code, 2)
      assert.strictEqual((await cli("archive", "--restore", "--older-than", "1d")).code, 2)
    }, 60_000)

    it("leave the tables, and are read as before: by this process, and by one that starts anew", async () => {
      assert.match(before[`stream after 0`] ?? "", /^200 [\s\S]*"type":"run\.completed"/)
      assert.include(before[`/journey-runs/${journey.runId}/events`], "200 ")
      const done = await cli("archive", journey.runId, suite.runId)
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(done.stdout, `${journey.runId}\n${suite.runId}\n`)
      assert.strictEqual(await count("run_archive"), 2)
      assert.isEmpty(
        await rows(database, "select from ledger_event where run_id = any($1)", [
          [journey.runId, suite.runId]
        ])
      )
      assert.deepStrictEqual(await everyReading(service, journey, second._id), before)
      await restart()
      assert.deepStrictEqual(await everyReading(service, journey, second._id), before)
      for (const one of [journey, suite]) {
        const verified = await cli("verify", one.runId)
        assert.strictEqual(verified.code, 0, verified.stderr)
        assert.include(verified.stdout, `intact: ${one.revision} lines`)
      }
      assert.strictEqual((await cli("compare", journey._id, second._id)).code, 0)
    }, 120_000)

    it("are files that verify by themselves, and say nothing to others on the machine", async () => {
      const files = filesIn(archive.folder).filter((path) => path.endsWith(".json.gz"))
      assert.lengthOf(files, 2)
      const file = files.find((path) => path.includes(journey.runId))!
      const object = gunzipSync(readFileSync(file))
      writeFileSync(join(folder, "one.json"), object)
      const said = await run(process.execPath, [script, join(folder, "one.json"), join(folder, "key.pem")])
      assert.match(said.stdout, new RegExp(`^${journey.runId}: ${journey.revision} lines, head [0-9a-f]{64}`))
      const head = /head ([0-9a-f]{64})/.exec(said.stdout)![1]!
      assert.include(file, `${journey.runId}/${head}-`)
      const verified = await plugfest([
        "verify",
        "--file",
        join(folder, "one.json"),
        "--public-key",
        join(folder, "key.pem")
      ])
      assert.strictEqual(verified.code, 0, verified.stderr)
    }, 60_000)

    it("are answered 503 while the archive is away, and read when it is back", async () => {
      await restart() // remembers nothing
      await archive.stop()
      for (const path of [
        `/api/v1/testing/runs/${journey._id}/export?format=json`,
        `/api/v1/testing/runs/${journey._id}/checks`,
        `/api/v1/testing/runs/${second._id}/compare?with=${journey._id}`,
        `/api/v1/testing/journey-runs/${journey.runId}/events`,
        `/api/v1/testing/journey-runs/${journey.runId}/stream`
      ]) {
        const { body, headers, status } = await service.call("GET", path)
        assert.strictEqual(status, 503, path)
        assert.deepInclude(body, { success: false })
        assert.match(body.message ?? "", /^The archive .* cannot be (used|read) now/)
        assert.isAbove(Number(headers.get("retry-after")), 0)
      }
      // What needs no line is answered.
      assert.strictEqual((await service.call("GET", `/api/v1/testing/runs/${journey._id}`)).status, 200)
      assert.strictEqual((await service.call("GET", "/health/ready")).status, 200)
      const refused = await cli("archive", second.runId)
      assert.strictEqual(refused.code, 5, refused.stderr)
      assert.match(refused.stderr, /The archive .* cannot be/)
      assert.isNotEmpty(await rows(database, "select from ledger_event where run_id = $1", [second.runId]))
      await archive.start()
      assert.deepStrictEqual(await everyReading(service, journey, second._id), before)
    }, 120_000)

    it("are named when their object is not what was written, also by verify and in the log", async () => {
      await restart()
      const file = filesIn(archive.folder).find((path) => path.includes(journey.runId))!
      const object = readFileSync(file)
      const changed = Buffer.from(object)
      changed[100]! ^= 1
      writeFileSync(file, changed)
      const { body, status } = await service.call(
        "GET",
        `/api/v1/testing/runs/${journey._id}/export?format=json`
      )
      assert.strictEqual(status, 503)
      const says = new RegExp(`The archive of run ${journey.runId} is damaged: its SHA-256 is another one`)
      assert.match(body.message ?? "", says)
      const stream = await service.call("GET", `/api/v1/testing/journey-runs/${journey.runId}/stream`)
      assert.strictEqual(stream.status, 503)
      const verified = await cli("verify", journey.runId)
      assert.notStrictEqual(verified.code, 0)
      assert.match(verified.stderr, says)
      assert.match(service.output(), says)
      const kept = await cli("archive", "--restore", journey.runId)
      assert.strictEqual(kept.code, 2)
      assert.match(kept.stderr, says)
      writeFileSync(file, object)
      assert.deepStrictEqual(await everyReading(service, journey, second._id), before)
    }, 120_000)

    it("are named by a backup, and looked at where they are after a restore", async () => {
      const backup = join(folder, "backup")
      const made = await cli("backup", backup, "--json")
      assert.strictEqual(made.code, 0, made.stderr)
      assert.deepInclude(JSON.parse(made.stdout), {
        notIntact: [],
        archive: {
          runs: 2,
          lines: journey.revision + suite.revision,
          place: archive.env["ARCHIVE_URL"]
        }
      })
      assert.match(made.stderr, /lines of 2 archived runs are not in it: they are in /)
      const into = async (more: Record<string, string>) =>
        plugfest(["restore", backup, "--json"], {
          DATABASE_URL: await freshDatabase(inject("pgUrl")),
          DATA_DIR: mkdtempSync(join(folder, "restored-")),
          ...more
        })
      const restored = await into(archive.env)
      assert.strictEqual(restored.code, 0, restored.stderr)
      assert.deepInclude(JSON.parse(restored.stdout), { archive: { intact: 2, damaged: [] } })
      const without = await into({})
      assert.strictEqual(without.code, 0, without.stderr)
      assert.match(without.stderr, /not looked at: give ARCHIVE_URL/)
      const file = filesIn(archive.folder).find((path) => path.includes(suite.runId))!
      const object = readFileSync(file)
      rmSync(file)
      const missing = await into(archive.env)
      assert.strictEqual(missing.code, 1)
      assert.match(
        missing.stderr,
        new RegExp(`NOT INTACT {2}The archive of run ${suite.runId} is damaged: it is not there`)
      )
      writeFileSync(file, object)
    }, 180_000)

    it("come back into the tables, the same again", async () => {
      const done = await cli("archive", "--restore", journey.runId)
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual((await cli("archive", "--restore", journey.runId)).code, 0)
      assert.strictEqual(await count("run_archive"), 1)
      assert.lengthOf(
        await rows(database, "select from ledger_event where run_id = $1", [journey.runId]),
        journey.revision
      )
      assert.lengthOf(
        filesIn(archive.folder).filter((path) => path.endsWith(".json.gz")),
        1
      )
      assert.deepStrictEqual(await everyReading(service, journey, second._id), before)
      const verified = await cli("verify", journey.runId)
      assert.strictEqual(verified.code, 0, verified.stderr)
    }, 120_000)

    it("are purged with their object, and leave a tombstone", async () => {
      const purged = await cli("purge", suite.runId)
      assert.strictEqual(purged.code, 0, purged.stderr)
      const gone = await service.call("GET", `/api/v1/testing/runs/${suite._id}`)
      assert.strictEqual(gone.status, 404)
      assert.include(gone.body.message, `it had ${suite.revision} lines`)
      assert.isEmpty(filesIn(archive.folder).filter((path) => path.endsWith(".json.gz")))
      assert.strictEqual(await count("archive_leftover"), 0)
    }, 60_000)
  })
