/** A question to a person in the console. No journey of the catalogue asks one: another process, this test, works on the run. */

import { Effect, Layer, ManagedRuntime } from "effect"
import pg from "pg"
import type { Locator } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import type { RunId } from "../../schema/Ids.ts"
import { SharedTime } from "../../src/database/SharedTime.ts"
import { journeyKind } from "../../src/journeys/recovery/journeyKind.ts"
import { type EventDraft, Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerPostgres } from "../../src/ledger/postgres/LedgerPostgres.ts"
import { chromium } from "../support/chromium.ts"
import { aliveProcess } from "../support/runs/aliveProcess.ts"
import { draft, newFacts, writerOf } from "../support/runs/sampleRun.ts"
import { migratedDatabase, rows } from "../support/service/database.ts"
import { type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"
import { isClean } from "./support/isClean.ts"

const question = "Is the light of the charge point green?"

/** How high it is in a narrow and in a wide window. */
async function heightsOf(place: Locator): Promise<ReadonlyArray<number>> {
  const heights: Array<number> = []
  for (const width of [375, 1280]) {
    await place.page().setViewportSize({ width, height: 900 })
    heights.push(Math.round((await place.boundingBox())?.height ?? 0))
  }
  return heights
}

describe.runIf(chromium !== undefined)("a checkpoint in the console", () => {
  let service: Service
  let console: ConsoleBrowser
  let runId: RunId
  let append: (drafts: ReadonlyArray<EventDraft>) => Promise<void>
  /** The answer that the service has passed on to the process that works on the run. */
  let forwarded: () => Promise<{ readonly answer: string; readonly note?: string }>
  const closers: Array<() => Promise<unknown>> = []

  beforeAll(async () => {
    const database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    const order = { target: "sandbox", templateId: "first-reads" }
    const { body } = await service.call("POST", "/api/v1/testing/journey-runs", order)
    const at = `/api/v1/testing/journey-runs/${body.data.runId}/events?limit=4`
    const [likeIt] = await rows(database, "select * from run where run_id = $1", [body.data.runId])
    await service.call("GET", `/api/v1/testing/runs/${body.data.reportId}?wait=30&until=end`)
    const begun = (await service.call("GET", at)).body.data as ReadonlyArray<any>

    forwarded = () =>
      until("the answer", async () => {
        const sql = "select json from party_object where module = $1"
        const [found] = await rows(database, sql, [`answers:${runId}`])
        if (found === undefined) return undefined
        const { answer, note } = found.json
        return note === undefined ? { answer } : { answer, note }
      })
    const pool = new pg.Pool({ connectionString: database })
    await aliveProcess(pool, "elsewhere")
    const ledger = ManagedRuntime.make(
      LedgerPostgres.layer({ pool: Effect.succeed(pool), owner: "elsewhere", leaseSeconds: 600 }).pipe(
        Layer.provide(SharedTime.layer)
      )
    )
    closers.push(
      () => ledger.dispose(),
      () => pool.end()
    )
    const facts = newFacts({
      ownerId: likeIt.owner_id,
      connectionId: likeIt.connection_id,
      connectionLabel: likeIt.connection_label,
      subjectId: likeIt.subject_id,
      plan: JSON.parse(likeIt.plan)
    })
    runId = facts.runId
    const { create, next } = writerOf(facts, journeyKind)
    const stage = begun.findIndex(({ type }) => type === "stage.started")
    const beginning = begun
      .slice(0, stage + 1)
      .map(({ data, stageId, type }) => draft(type, { stageId, data }))
    const { stageId } = begun[stage]
    await ledger.runPromise(Effect.flatMap(Ledger, (to) => create(to, beginning.slice(0, 1))))
    append = (drafts) =>
      ledger.runPromise(
        Effect.flatMap(Ledger, (to) =>
          to.append(
            next(
              1,
              drafts.map((one) => ({ ...one, stageId }) as EventDraft)
            )
          )
        )
      )
    await append(beginning.slice(1))
    const deadline = new Date(Date.now() + 600_000).toISOString()
    const expects = { method: "POST", url: `/${runId}`, headers: {}, body: null, curl: `curl -d ${runId}` }
    const asked = { attempt: 1, instruction: question, deadline, answers: ["yes", "not_at_all"], expects }
    await append([draft("checkpoint.requested", { data: asked })])
    console = await openConsole(service)
  }, 120_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
    for (const close of closers) await close()
  })

  it("is found among what needs a person, and answered with a note that the ledger keeps", async () => {
    const { page, trouble } = console
    await show(page, `${service.url}/`)
    const needs = page.getByRole("listitem").filter({ hasText: question })
    await needs.getByText("You have to act").waitFor()
    await needs.getByRole("link").click()
    await page.waitForURL(new RegExp(runId))
    const waiting = page.getByRole("region", { name: "Waiting" })
    await waiting.getByRole("heading", { name: "You have to act" }).waitFor()
    await waiting.getByText(question).waitFor()
    await isClean(page, "journey-checkpoint", { isPictured: true, narrowAt: ".waiting-place" })

    const heights = await heightsOf(waiting)
    await waiting.getByText("The request that would satisfy it").click()
    await waiting.getByText(`curl -d ${runId}`).waitFor()
    await waiting.getByText(`You send POST /${runId}`).waitFor()
    await isClean(page, "checkpoint with its request")
    await waiting.getByText("The request that would satisfy it").click()
    await waiting.getByText("Add a note").click()
    await waiting.getByLabel("Note for the ledger").fill("seen from the gate")
    const asking = page.waitForRequest((request) => request.method() === "POST")
    const answering = page.waitForResponse((response) => response.request().method() === "POST")
    await waiting.getByRole("button", { name: "Not at all" }).click()
    const request = await asking
    assert.match(request.url(), new RegExp(`/journey-runs/${runId}/checkpoint$`))
    const answer = { answer: "not_at_all", note: "seen from the gate" }
    assert.deepStrictEqual(request.postDataJSON(), answer)
    assert.deepStrictEqual(await forwarded(), answer)
    await append([draft("checkpoint.answered", { data: { attempt: 1, ...answer } })])
    assert.strictEqual((await answering).status(), 200)
    await waiting.waitFor({ state: "detached", timeout: 30_000 })
    await page.locator(".ledger-row", { hasText: "An operator answered: Not at all" }).waitFor()
    const over = page.getByRole("region", { name: "Last wait" })
    assert.deepStrictEqual(await heightsOf(over), heights, "what stands below does not jump")
    assert.deepStrictEqual(trouble, [])
  }, 90_000)

  it("that was answered by somebody else says so, and is not asked any more", async () => {
    const { page } = console
    const deadline = new Date(Date.now() + 600_000).toISOString()
    const asked = { attempt: 2, instruction: question, deadline, answers: ["yes", "no"] }
    await append([draft("checkpoint.requested", { key: "asked again", data: asked })])
    await show(page, `${service.url}/journeys/${runId}`)
    const waiting = page.getByRole("region", { name: "Waiting" })
    const answering = page.waitForResponse((response) => response.request().method() === "POST")
    await waiting.getByRole("button", { name: "Yes" }).click()
    assert.deepStrictEqual(await forwarded(), { answer: "yes" })
    await append([draft("checkpoint.answered", { key: "no", data: { attempt: 2, answer: "no" } })])
    assert.strictEqual((await answering).status(), 409)
    await waiting.waitFor({ state: "detached", timeout: 30_000 })
    await page.getByRole("alert").getByText("asks nothing of an operator any more").waitFor()
    await page.locator(".ledger-row", { hasText: "An operator answered: No" }).last().waitFor()
    // The browser notes the refusal itself.
    assert.match(console.trouble.splice(0).join("\n"), /^Failed to load.* 409 \(Conflict\)$/)
  }, 90_000)
})
