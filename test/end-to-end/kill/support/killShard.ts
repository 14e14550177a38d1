/**
 * One service, one partner in a process of its own, one database: runs of one journey are killed at one append after the
 * other, and the next process decides what becomes of it. Each decision that is offered gets its turn.
 */
import { availableParallelism } from "node:os"
import { Effect } from "effect"
import { assert } from "vitest"
import type { Decision } from "../../../../schema/Recovery.ts"
import { freshDatabase, rows } from "../../../support/service/database.ts"
import { startPartner } from "../../../support/service/killPartner.ts"
import type { Play } from "../../../support/service/killPlays.ts"
import {
  ledgerFaults,
  type RunLines,
  readLines,
  unannounced,
  unlikeTheFold,
  writesOf
} from "../../../support/service/oracle.ts"
import {
  connect,
  freePort,
  type Service,
  sleep,
  startService,
  until
} from "../../../support/service/Service.ts"
import { decisionsDue } from "../../support/decisionsDue.ts"
import { type Kill, type KillPoint, type Tally, turnsOf } from "./killTally.ts"

/** The `at`-th append of a run, of those with these words in one of their lines, if any. */
export interface Target {
  readonly at: number
  readonly words?: string
  /** Instead of the one that had the fewest turns so far. */
  readonly decision?: Decision
}

/** Every `every`-th append from `first` to `last`. */
export function* appends(every: number, first: number, last: number): Generator<Target> {
  for (let at = first; at <= last; at += every) yield { at }
}

/**
 * From the start of a doomed run to the next process: as many at once as there are processors. What is measured is how
 * long one dead process is missed, and not how long six take that start side by side.
 */
const turns = Effect.unsafeMakeSemaphore(Math.max(2, availableParallelism()))
const inTurn = <A>(work: () => Promise<A>): Promise<A> =>
  Effect.runPromise(turns.withPermits(1)(Effect.promise(work)))

const faultPoint = new URL("../../../support/service/faultPoint.mjs", import.meta.url).href
const terminal = ["completed", "cancelled", "failed"]

export interface Shard {
  readonly play: Play
  readonly point: KillPoint
  readonly targets: Iterator<Target>
  /** Each append that is aimed at is aimed at again, until every decision that is offered there was taken. */
  readonly eachDecision: boolean
}

/**
 * One kill for each target, until a run has no more appends than were aimed at. What goes wrong after a kill does not end
 * the series, which takes an hour: it is told at once, and thrown when the last target was hit.
 */
export async function killShard(
  cluster: string,
  { eachDecision, play, point, targets }: Shard,
  tally: Tally
): Promise<void> {
  const { inputs, stages, templateId, writes: itsWrites } = play
  const database = await freshDatabase(cluster)
  const partner = await startPartner(play.theirRole)
  const env = {
    DATABASE_URL: database,
    PORT: String(await freePort()),
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
    // Shorter, and a busy machine loses leases without being killed.
    LEASE_SECONDS: eachDecision ? "30" : "4",
    RATE_LIMITS: "requests=100000,commands=100000,connectionCommands=100000,runs=1000,streams=1000",
    ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
    KILL_POINT: point
  }
  const boot = (target: Target | undefined) => {
    if (target === undefined) return startService(env)
    const words: Record<string, string> = target.words === undefined ? {} : { KILL_WORDS: target.words }
    const aimed = { ...env, ...words, KILL_AT: String(target.at) }
    return startService(aimed, ["--import", faultPoint])
  }
  const nextTarget = (): Target | undefined => targets.next().value
  const newestRun = async (): Promise<string> =>
    (await rows(database, "select run_id from run order by run_id desc limit 1"))[0]?.run_id ?? ""
  const { proxy } = partner
  // Of this service alone: who is killed elsewhere, and when, changes nothing here.
  const kills: Array<Kill> = []
  const wrong: Array<unknown> = []
  let target = nextTarget()
  let service = await boot(target)
  try {
    const connectionId = await connect(service, partner.invitation, play.theirRole)
    while (target !== undefined) {
      const { at, decision, words } = target
      const old = await newestRun()
      const dies = async () => {
        await arm(service)
        const order = { connectionId, templateId, inputs }
        // The answer is not needed: early appends die before it.
        const started = service.call("POST", "/api/v1/testing/journey-runs", order).catch(() => undefined)
        const ended = await Promise.race([service.gone.then(() => "gone"), finished(service, old)])
        const killedAt = performance.now()
        await started
        const runId = await newestRun()
        if (ended === "finished") return { ended, killedAt, runId, seen: [] }
        const seen = await readLines(database, runId === old ? "" : runId)
        const untried = untriedAt(seen)
        if (!eachDecision || decision !== undefined || untried.length < 2) target = nextTarget()
        // An hour of kills does not wait for each lease: the samples do.
        if (eachDecision)
          await rows(database, "update run set lease_until = now() where run_id = $1", [runId])
        service = await boot(target)
        return { ended, killedAt, runId, seen }
      }
      const { ended, killedAt, runId, seen } = await inTurn(dies)
      const aim = words ?? String(at)
      if (ended === "finished") {
        assert.isUndefined(words, `${point}: ${aim} was never reached`)
        const undisturbed = await inspect(runId, []).catch(async (error: unknown) => {
          // An append of a run before this one may have been the one: its kill comes after the end, and hurts nobody. Its
          // connections are reset before its end is told.
          const isGone = await Promise.race([service.gone.then(() => true), sleep(2000).then(() => false)])
          if (!isGone) throw error
          service = await boot(undefined)
          return inspect(runId, [])
        })
        assert.strictEqual(undisturbed.verdict, "pass", `${point}: append ${aim} was never reached`)
        assert.deepStrictEqual(writesOf(proxy.passed, runId), itsWrites)
        break
      }
      const nothing = { last: "-", became: "no run", offered: [], decision: "-", again: [], end: "-" }
      // Killed before the very first line: there is no run, and nobody was told of one.
      const came =
        runId === old
          ? nothing
          : await recover(runId, seen, `${point} ${aim}`, decision, killedAt).catch((error: unknown) => {
              process.stdout.write(`${templateId} ${point} ${aim}: ${String(error)}\n`)
              wrong.push(error)
            })
      if (came === undefined) continue
      kills.push({ templateId, point, at: aim, ...came })
      tally.kills.push({ templateId, point, at: aim, ...came })
    }
    if (wrong.length > 0) throw wrong.length === 1 ? wrong[0] : new AggregateError(wrong, wrong.join("\n"))
  } finally {
    await service.kill()
    await partner.close()
  }

  /** Decisions that are due at this last line, and were not yet taken at it. */
  function untriedAt(seen: RunLines): ReadonlyArray<Decision> {
    if (seen.length === 0 || isOver(seen)) return []
    const tried = kills.filter(({ last }) => last === lastOf(seen)).map(({ decision }) => decision)
    return decisionsDue(stages, seen).filter((decision) => !tried.includes(decision))
  }

  async function recover(
    runId: string,
    seen: RunLines,
    where: string,
    wanted: Decision | undefined,
    killedAt: number
  ): Promise<Omit<Kill, "templateId" | "point" | "at">> {
    const last = lastOf(seen)
    const found = await settled(service, runId, ["interrupted", ...terminal])
    const took = performance.now() - killedAt
    const wasOver = isOver(seen)
    assert.strictEqual(
      found.status === "interrupted",
      !wasOver,
      `${where}, ${last}: it became ${found.status}`
    )
    const options: ReadonlyArray<any> = found.recoveryOptions
    const offered = options.map((one) => one.decision)
    assert.deepStrictEqual(
      offered,
      wasOver ? [] : [...decisionsDue(stages, seen)],
      `${where}, ${last}: what is offered`
    )
    assert.deepStrictEqual(
      options.map((one) => one.recommended),
      options.map((_, index) => index === 0)
    )
    const before = writesOf(proxy.passed, runId)
    const turns = turnsOf(kills)
    const untried = untriedAt(seen)
    const turnOf = (one: any) =>
      (eachDecision && !untried.includes(one.decision) ? kills.length : 0) + (turns.get(one.decision) ?? 0)
    const inTurn = [...options].sort((a, b) => turnOf(a) - turnOf(b))[0]
    const option = wanted === undefined ? inTurn : options.find((one) => one.decision === wanted)
    assert.isTrue(option !== undefined || (wasOver && wanted === undefined), `${where}: no ${wanted}`)
    const decision: string = option?.decision ?? "-"
    if (option !== undefined) {
      const choice = { decision, recoveryVersion: found.recoveryVersion }
      const applied = await service.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, choice)
      assert.strictEqual(applied.status, 200, `${where}, ${last}: ${applied.text}`)
    }
    const over = await inspect(runId, seen)
    assert.include(["completed", "cancelled"], over.status, `${where}, ${last}: after ${decision}`)
    let end = `${over.status} ${over.verdict}`
    let after = writesOf(proxy.passed, runId).slice(before.length)
    assert.isEmpty([...twice(before), ...twice(after)], `${where}, ${last}: sent twice in one go`)
    if (decision === "restart_as_new") {
      const successor = await inspect(over.successorRunId, [])
      end += `, successor ${successor.status} ${successor.verdict}`
      assert.strictEqual(successor.verdict, "pass", `${where}, ${last}: ${end}`)
      const its = writesOf(proxy.passed, over.successorRunId)
      assert.deepStrictEqual(its, itsWrites, `${where}, ${last}: the successor's writes`)
      after = [...after, ...its]
    }
    const again = [...new Set(after)].filter((write) => before.includes(write))
    const announced: ReadonlyArray<string> = option?.repeats ?? []
    const unasked = again.filter((write) => !announced.some((words) => `${write} `.startsWith(`${words} `)))
    assert.isEmpty(unasked, `${where}, ${last}: sent again, unasked, after ${decision}`)
    const offer = option === undefined ? {} : { offeredAfter: took }
    return { last, became: found.status, offered, ...offer, decision, again, end }
  }

  /** Waits for the run's end and holds it against the oracle. The partner is honest: nothing may be held against it. */
  async function inspect(runId: string, seen: RunLines) {
    const over = await settled(service, runId, terminal)
    const lines = await readLines(database, runId)
    const faults = ledgerFaults(runId, lines, seen)
    const report = await service.call("GET", `/api/v1/testing/runs/${over.reportId}`)
    const unlike = await unlikeTheFold(database, runId, lines, report.body.data)
    tally.events += lines.length
    tally.lost += faults.lost
    tally.duplicated += faults.duplicated
    tally.unlikeTheFold += unlike.length
    assert.deepStrictEqual(faults, { lost: 0, duplicated: 0, gaps: 0, brokenChain: 0 }, runId)
    assert.isEmpty(unlike, `${runId}: unlike the fold`)
    assert.isEmpty(unannounced(proxy.passed, runId, lines), `${runId}: sent before it was written down`)
    const blamed = lines.flatMap(({ event }) =>
      event.assertions.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
    )
    assert.deepStrictEqual(blamed, [], `${runId}: held against an honest partner`)
    return over
  }
}

const lastOf = (lines: RunLines): string => {
  const { stageId, type } = lines.at(-1)!.event
  return [type, stageId ?? []].flat().join(" ")
}

const isOver = (lines: RunLines): boolean =>
  /^run\.(completed|cancelled|failed)$/.test(lines.at(-1)!.event.type)

const twice = (writes: ReadonlyArray<string>) => writes.filter((one, index) => writes.indexOf(one) !== index)

/** From now on the next run that it creates is the doomed one. */
async function arm(service: Service): Promise<void> {
  service.process.kill("SIGUSR2")
  await until("the fault point to be armed", async () => service.output().includes("armed") || undefined)
}

const settled = (service: Service, runId: string, wanted: ReadonlyArray<string>): Promise<any> =>
  until(
    `run ${runId} to be ${wanted.join(" or ")}`,
    async () => {
      const { body } = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
      const status = body?.data?.status
      if (status === "interrupted" && !wanted.includes(status))
        throw new Error(`run ${runId} was interrupted although nobody was killed`)
      return wanted.includes(status) ? body.data : undefined
    },
    60_000
  )

/** When a run newer than `old` is over; never, when the process is gone first. */
async function finished(service: Service, old: string): Promise<"finished"> {
  for (;;) {
    const list = await service.call("GET", "/api/v1/testing/journey-runs?limit=1").catch(() => undefined)
    const newest: any = list?.body?.data?.[0]
    if (terminal.includes(newest?.status) && newest.runId !== old) return "finished"
    if (service.process.exitCode !== null || service.process.signalCode !== null) return new Promise(() => {})
    if (newest?.status === "interrupted" && newest.runId !== old)
      throw new Error(`run ${newest.runId} was interrupted although nobody was killed`)
    await sleep(50)
  }
}
