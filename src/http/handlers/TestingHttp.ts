/** `/testing`: suites, commands, runs, validation and the catalogue of journeys. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { Api } from "../../api/Api.ts"
import { Commands } from "../../services/connections/Commands.ts"
import { validateObject } from "../../services/operators/validateObject.ts"
import { readPage } from "../../services/requests/readPage.ts"
import { Catalogue } from "../../services/runs/Catalogue.ts"
import { Reports, showsPersonalData } from "../../services/runs/Reports.ts"
import { Runs } from "../../services/runs/Runs.ts"
import { listText } from "../answer/bodies.ts"
import { isNamedIn } from "../answer/compression.ts"
import { reportText } from "../answer/runTexts.ts"
import { audited } from "../request/auditEntries.ts"
import { command, query, queryText } from "../request/commandQuery.ts"
import { Draining } from "../request/Draining.ts"
import { linked } from "../request/paging.ts"
import { noteHeaders } from "../request/requestNotes.ts"
import { waitSeconds } from "../request/waitSeconds.ts"

const defaultPage = 25

interface WaitQuery {
  readonly wait?: string
  readonly until?: "end"
  readonly since?: number
}

/** Handlers of the group `testing` of the contract. */
export const TestingHttp = HttpApiBuilder.group(Api, "testing", (handlers) =>
  Effect.gen(function* () {
    const catalogue = yield* Catalogue
    const commands = yield* Commands
    const reports = yield* Reports
    const runs = yield* Runs
    const draining = yield* Draining

    /** The run as it is when the wait that the query asks for is over; at once while the service shuts down. */
    const waited = (caller: Caller, id: string, { since, until, wait }: WaitQuery) => {
      const waitFor = {
        waitSeconds: waitSeconds(wait),
        untilEnd: until === "end",
        ...(since === undefined ? {} : { since })
      }
      const now = runs.read(caller, id)
      return waitFor.waitSeconds === 0
        ? now
        : Effect.raceFirst(runs.read(caller, id, waitFor), Effect.zipRight(draining.begun, now))
    }

    return handlers
      .handle("suites", () => Effect.succeed(runs.suites))
      .handle("suite", ({ path }) => query(() => runs.suite(path.id)))
      .handle("command", ({ payload }) => command((caller) => commands.send(caller, payload)))
      .handle("draftCommand", ({ payload }) => query((caller) => commands.draft(caller, payload)))
      .handle("readCommand", ({ path }) => query((caller) => commands.read(caller, path.id)))
      .handle("startRun", ({ payload, urlParams }) =>
        command(
          (caller) => runs.start(caller, payload),
          urlParams.until === undefined
            ? undefined
            : (caller, { data }) => Effect.map(waited(caller, data._id, urlParams), reportText)
        )
      )
      .handle("runs", ({ urlParams }) =>
        queryText((caller) =>
          Effect.map(
            linked(
              readPage(
                urlParams.limit ?? defaultPage,
                (limit) => runs.list(caller, { ...urlParams, limit }),
                ({ facts }) => facts.runId
              )
            ),
            (found) => listText(found.map(reportText))
          )
        )
      )
      .handle("run", ({ path, urlParams }) =>
        queryText((caller) => Effect.map(waited(caller, path.id, urlParams), reportText))
      )
      .handle("checks", ({ path, urlParams }) => query((caller) => runs.checks(caller, path.id, urlParams)))
      .handle("compareRuns", ({ path, urlParams }) =>
        query((caller) => reports.compare(caller, path.id, urlParams.with))
      )
      .handle("exportRun", ({ path, urlParams }) =>
        query((caller) =>
          Effect.gen(function* () {
            const making = reports.export(caller, path.id, urlParams)
            // Exports with personal data of drivers are recorded in the audit log.
            const file = yield* showsPersonalData(urlParams) ? audited(caller, making) : making
            return HttpServerResponse.text(file.text, {
              contentType: file.contentType,
              // As an attachment, so that a browser never renders text of a partner under our origin.
              headers: { "content-disposition": `attachment; filename="${file.fileName}"` }
            })
          })
        )
      )
      .handle("cancelRun", ({ path }) => command((caller) => runs.cancel(caller, path.id)))
      .handle("journeys", ({ request, urlParams }) =>
        query((caller) =>
          Effect.gen(function* () {
            const found = yield* catalogue.read(caller, urlParams)
            const etag = `"${found.planVersion}"`
            yield* noteHeaders({ etag })
            return isNamedIn(request.headers["if-none-match"], etag)
              ? HttpServerResponse.empty({ status: 304 })
              : found.catalogue
          })
        )
      )
      .handle("validate", ({ payload }) => query(() => validateObject(payload)))
  })
)
