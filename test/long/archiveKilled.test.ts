/** Commands that archive and restore are killed at random instants, two at a time, while the service reads; nothing is lost. */
import { type ChildProcess, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { plugfest } from "../support/service/command.ts"
import { migratedDatabase, rows } from "../support/service/database.ts"
import {
  bundle,
  connectSandbox,
  environmentOf,
  key,
  type Service,
  sleep,
  startService,
  until
} from "../support/service/Service.ts"

const seed = Number(process.env["SEED"] ?? Date.now() % 1_000_000)
/** A number from 0 to 1, the same again for the same seed. */
const chance = (turn: number) =>
  createHash("sha256").update(`${seed} ${turn}`).digest().readUInt32BE() / 2 ** 32

describe(`archiving that is killed (SEED=${seed})`, () => {
  const count = 24
  let service: Service
  let database: string
  let folder: string
  let settings: Record<string, string>
  let runs: ReadonlyArray<{ readonly _id: string; readonly runId: string }>
  let before: ReadonlyArray<string>
  /** After about how long a command is killed: at first how long one takes that has nothing to do. */
  let killMillis: number

  /** The events of each run, as the service answers them now. */
  const readAll = async () => {
    const texts: Array<string> = []
    for (const { runId } of runs) {
      const { status, text } = await service.call(
        "GET",
        `/api/v1/testing/journey-runs/${runId}/events?limit=1000`
      )
      assert.strictEqual(status, 200, text)
      texts.push(text)
    }
    return texts
  }
  const objects = () =>
    readdirSync(folder, { recursive: true }).filter((name) => String(name).endsWith(".gz"))
  const archived = async () =>
    (await rows(database, "select run_id, name from run_archive order by run_id")) as ReadonlyArray<{
      readonly run_id: string
      readonly name: string
    }>
  const command = (...args: ReadonlyArray<string>): ChildProcess =>
    spawn(process.execPath, [bundle, "archive", ...args], { env: environmentOf(settings), stdio: "ignore" })

  /** Two of these commands at a time, each killed after a while, until `isDone`; how many were killed before they ended. */
  const killing = async (
    argsOf: () => ReadonlyArray<string>,
    isDone: () => Promise<boolean>,
    turns: number
  ) => {
    let killed = 0
    for (let turn = turns; !(await isDone()); turn += 2) {
      const ended = await Promise.all(
        [turn, turn + 1].map(async (one) => {
          const child = command(...argsOf())
          const gone = once(child, "exit")
          // A start takes half a second or more; the work of one run some 20 ms.
          const timer = setTimeout(() => child.kill("SIGKILL"), killMillis * (0.6 + 0.7 * chance(one)))
          const [code] = await gone
          clearTimeout(timer)
          return code !== null
        })
      )
      killed += ended.filter((is) => !is).length
      // However slow the machine is now: some commands end, and others do not.
      killMillis *= ended.every((is) => is) ? 0.85 : ended.some((is) => is) ? 1 : 1.1
      assert.deepStrictEqual(await readAll(), before)
      // A run that was begun is left to its process for two minutes.
      await rows(database, "update archive_leftover set begun_at = begun_at - interval '3 minutes'")
    }
    return killed
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "plugfest-killed-"))
    mkdirSync(join(folder, "archive"))
    database = await migratedDatabase(inject("pgUrl"))
    settings = {
      DATABASE_URL: database,
      DATA_DIR: join(folder, "data"),
      ARCHIVE_URL: join(folder, "archive"),
      PLUGFEST_API_KEY: key
    }
    service = await startService(settings)
    const { connectionId } = await connectSandbox(service)
    const played: Array<{ _id: string; runId: string }> = []
    while (played.length < count) {
      const { body } = await service.call("POST", "/api/v1/testing/journey-runs", {
        connectionId,
        templateId: "first-reads"
      })
      played.push(
        await until(
          "the end of a run",
          async () => {
            const found = await service.call("GET", `/api/v1/testing/runs/${body.data.reportId}`)
            return found.body.data.verdict === null ? undefined : found.body.data
          },
          80_000
        )
      )
    }
    runs = played
    before = await readAll()
    const began = performance.now()
    await plugfest(["archive", "--older-than", "36500"], settings)
    killMillis = performance.now() - began
  }, 300_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
    rmSync(folder, { recursive: true, force: true })
  })

  /** What was begun is older than an hour now, and the next command removes it: then there is an object for each note, and no other. */
  const cleanUp = async () => {
    await rows(database, "update archive_leftover set begun_at = now() - interval '2 hours'")
    const last = await plugfest(["archive", "--older-than", "36500"], settings)
    assert.strictEqual(last.code, 0, last.stderr)
    assert.deepStrictEqual(await rows(database, "select from archive_leftover"), [])
    assert.sameMembers(
      objects().map((name) => String(name).replace(/^archive\//, "")),
      (await archived()).map(({ name }) => name)
    )
  }

  it("leaves each run whole in one place, there and back, and no object that nobody knows", async () => {
    const ids = runs.map(({ runId }) => runId)
    const killed = { archive: 0, restore: 0 }
    for (let round = 0; round < count && (killed.archive < 8 || killed.restore < 8); round++) {
      killed.archive += await killing(
        () => ["--older-than", "0"],
        async () => (await archived()).length === count,
        round * 1000
      )
      assert.deepStrictEqual(
        await rows(database, "select from ledger_event e join run_archive using (run_id)"),
        []
      )
      await cleanUp()
      const verified = await plugfest(["verify", ids[round]!], { ...settings, PLUGFEST_URL: service.url })
      assert.strictEqual(verified.code, 0, verified.stderr)
      killed.restore += await killing(
        () => ["--restore", ...ids],
        async () => (await archived()).length === 0,
        round * 1000 + 500
      )
      await cleanUp()
    }
    assert.isAbove(killed.archive, 7)
    assert.isAbove(killed.restore, 7)
    await sleep(1100)
    assert.deepStrictEqual(await readAll(), before)
  }, 500_000)
})
