/** `/testing/journey-runs`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Invalid } from "../../../schema/Errors.ts"
import type { Decision } from "../../../schema/Recovery.ts"
import { Api } from "../../api/Api.ts"
import { readPage, readPageOfLines } from "../../services/requests/readPage.ts"
import { Journeys } from "../../services/runs/Journeys.ts"
import { listText } from "../answer/bodies.ts"
import { statusesText, statusText } from "../answer/runTexts.ts"
import { command, query, queryText } from "../request/commandQuery.ts"
import { linked } from "../request/paging.ts"
import { eventStream, resumeAfter } from "./eventStream.ts"

const defaultPage = 25
const defaultEvents = 100

interface DecisionRequest {
  readonly decision?: Decision
  readonly recoveryVersion?: number
}

/** The decision that query and body name; both may, if they say the same. No decision is chosen between two. */
function oneDecision(query: DecisionRequest, body: DecisionRequest): Effect.Effect<DecisionRequest, Invalid> {
  for (const field of ["decision", "recoveryVersion"] as const) {
    const [inQuery, inBody] = [query[field], body[field]]
    if (inQuery !== undefined && inBody !== undefined && inQuery !== inBody) {
      return new Invalid({
        message: `${field}: is ${inQuery} in the query and ${inBody} in the body; give one`
      })
    }
  }
  return Effect.succeed({ ...query, ...body })
}

/** Handlers of the group `journeyRuns` of the contract. */
export const JourneyRunsHttp = HttpApiBuilder.group(Api, "journeyRuns", (handlers) =>
  Effect.map(Journeys, (journeys) =>
    handlers
      .handle("start", ({ payload }) => command((caller) => journeys.start(caller, payload)))
      .handle("list", ({ urlParams }) =>
        queryText((caller) =>
          Effect.map(
            linked(
              readPage(
                urlParams.limit ?? defaultPage,
                (limit) => journeys.list(caller, { ...urlParams, limit }),
                ({ facts }) => facts.runId
              )
            ),
            statusesText
          )
        )
      )
      .handle("read", ({ path }) =>
        queryText((caller) => Effect.map(journeys.read(caller, path.id), statusText))
      )
      .handle("events", ({ path, urlParams }) =>
        queryText((caller) =>
          Effect.gen(function* () {
            const { after = 0, limit: most = defaultEvents, ...filter } = urlParams
            const lines = yield* linked(
              readPageOfLines(most, (limit) => journeys.events(caller, path.id, { after, limit, filter }))
            )
            // The lines are JSON text already, the same text that the feed sends.
            return listText(lines.map(({ line }) => line))
          })
        )
      )
      .handle("stream", ({ headers, path, urlParams }) =>
        query((caller) =>
          Effect.gen(function* () {
            const row = yield* journeys.run(caller, path.id)
            const head = row.snapshot.view.lastSequence
            const after = yield* resumeAfter(headers["last-event-id"], urlParams.lastEventId, head)
            return yield* eventStream(caller, row, after)
          })
        )
      )
      .handle("recovery", ({ path, payload, urlParams }) =>
        command((caller) =>
          oneDecision(urlParams, payload).pipe(
            // A run that the caller does not have is a 404, however wrong the decision is.
            Effect.catchTag("Invalid", (wrong) => Effect.zipRight(journeys.read(caller, path.id), wrong)),
            Effect.flatMap((request) => journeys.recover(caller, path.id, request))
          )
        )
      )
      .handle("checkpoint", ({ path, payload }) =>
        command((caller) => journeys.attest(caller, path.id, payload))
      )
      .handle("cancel", ({ path }) => command((caller) => journeys.cancel(caller, path.id)))
  )
)
