/** Hot paths below HTTP, each played in a process of its own, so that its processor time is nobody else's. */

import { Effect, Exit, Layer, Scope } from "effect"
import pg from "pg"
import { allChecks, suiteById } from "../../src/conformance/catalogue/suites.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import { probesFor } from "../../src/conformance/model/Check.ts"
import { type Gathered, makeEvidence, probeOf } from "../../src/conformance/model/Evidence.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { render } from "../../src/reports/render.ts"
import { check, document, failed } from "../../test/support/documents.ts"
import { evidenceAt } from "../../test/support/parties/sandboxPartner.ts"
import { aliveProcess } from "../../test/support/runs/aliveProcess.ts"
import { feed } from "../feedServers.ts"
import { appendsOf, newFacts } from "../sampleRun.ts"
import { openViewers } from "../viewers.ts"

/** A path below HTTP. `prepare` answers what does one of it so many times. */
export interface Part {
  readonly name: string
  readonly times: number
  readonly prepare: (database: string) => Promise<(times: number) => Promise<void>>
}

/** What the process of a part answers to `times`. */
export interface PartDone {
  readonly micros: number
}

const suite = "ocpi-2.2.1-cpo-core"

export const parts: ReadonlyArray<Part> = [
  { name: "SSE, an event to one viewer of a live run", times: 4000, prepare: oneViewer },
  { name: "ledger append, one run alone", times: 1000, prepare: (database) => appending(database, 1) },
  { name: "ledger append, 64 runs at once", times: 6400, prepare: (database) => appending(database, 64) },
  { name: "checks of a core suite, judged", times: 40, prepare: judging },
  { name: "HTML report of every check", times: 20, prepare: rendering }
]

/** The process of a part: plays it as often as its parent says, and answers what it took. */
export async function playPart(name: string, database: string): Promise<void> {
  const part = parts.find((one) => one.name === name)
  if (part === undefined) throw new Error(`no part ${name}`)
  const play = await part.prepare(database)
  process.on("message", async (times: number) => {
    const before = process.cpuUsage()
    await play(times)
    const { system, user } = process.cpuUsage(before)
    process.send!({ micros: user + system } satisfies PartDone)
  })
  process.on("disconnect", () => process.exit(0))
  process.send!("ready")
}

async function oneViewer() {
  const server = await feed()
  const viewers = await openViewers(server.port, 1)
  let sent = 0
  return async (times: number) => {
    sent += times
    for (let n = 0; n < times; n++) {
      await server.emit()
      await new Promise((done) => setImmediate(done))
    }
    await viewers.frames(sent)
  }
}

async function appending(database: string, runs: number) {
  const scope = Effect.runSync(Scope.make())
  process.once("beforeExit", () => Effect.runFork(Scope.close(scope, Exit.void)))
  const pool = new pg.Pool({ connectionString: database, max: 4 })
  await aliveProcess(pool, "bench")
  const ledger = await LedgerPostgres.layer({
    pool: Effect.succeed(pool),
    owner: "bench",
    leaseSeconds: 60
  }).pipe(
    Layer.provide(SharedTime.layer),
    Layer.buildWithScope(scope),
    Effect.flatMap((context) => Effect.provide(Ledger, context)),
    Effect.runPromise
  )
  const begun = Array.from({ length: runs }, () => {
    const facts = newFacts()
    return { facts, next: appendsOf(facts) }
  })
  const together = { concurrency: "unbounded", discard: true } as const
  await Effect.runPromise(Effect.forEach(begun, ({ facts, next }) => ledger.create(facts, next()), together))
  return (times: number) =>
    Effect.forEach(
      begun,
      ({ next }) =>
        Effect.repeatN(
          Effect.suspend(() => ledger.append(next())),
          times / runs - 1
        ),
      together
    ).pipe(Effect.runPromise)
}

async function judging() {
  const core = suiteById(suite)
  if (core === undefined) throw new Error(`no suite ${suite}`)
  const { checks, scope } = core
  const probes = checks.flatMap((one) => probesFor(one, scope))
  const known = await Effect.runPromise(evidenceAt({ version: "2.2.1", role: "CPO" }, probes))
  const gathered = new Map<string, Gathered>()
  for (const id of [...probes, ...probes.map(probeOf)]) {
    const of = known.gathered(id)
    if (of !== undefined) gathered.set(id, of)
  }
  return async (times: number) => {
    for (let n = 0; n < times; n++) {
      // What is remembered of evidence is remembered for one run.
      const evidence = makeEvidence({ ...known }, gathered)
      for (const one of checks) grade(one, evidence, { scope, profile: "strict", checks })
    }
  }
}

/** One in eight failed, the others passed. */
async function rendering() {
  const modules = [...new Set(allChecks.map(({ module }) => module))]
  const whole = {
    ...document,
    groups: modules.map((module) => ({
      id: module,
      startedAt: "2026-11-21T10:00:00.100Z",
      checks: allChecks
        .filter((one) => one.module === module)
        .map(({ id, module, reference, strength, title }, index) =>
          index % 8 === 0
            ? { ...failed, id, checkId: id, title, strength, reference, module }
            : check(id, "passed", { title, strength, reference, module, exchangeIds: ["exc_0"] })
        )
    }))
  }
  return async (times: number) => {
    for (let n = 0; n < times; n++) render(whole, "html")
  }
}
