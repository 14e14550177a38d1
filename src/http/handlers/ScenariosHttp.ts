/** `/testing/scenarios`. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/Authentication.ts"
import { Scenarios } from "../../services/runs/Scenarios.ts"
import { command, query } from "../request/commandQuery.ts"
import { linkNext } from "../request/paging.ts"

const defaultPage = 25

export const ScenariosHttp = HttpApiBuilder.group(Api, "scenarios", (handlers) =>
  Effect.map(Scenarios, (scenarios) =>
    handlers
      .handle("create", ({ payload }) =>
        command(
          201,
          Effect.flatMap(CurrentCaller, (caller) => scenarios.create(caller, payload))
        )
      )
      .handle("list", ({ urlParams }) =>
        Effect.gen(function* () {
          const limit = urlParams.limit ?? defaultPage
          const found = yield* scenarios.list(yield* CurrentCaller, { ...urlParams, limit })
          yield* linkNext({
            full: found.length === limit,
            parameter: "cursor",
            value: found.at(-1)?.id ?? ""
          })
          return found
        })
      )
      .handle("fromFile", ({ payload }) =>
        command(
          201,
          Effect.flatMap(CurrentCaller, (caller) => scenarios.importFile(caller, payload.file))
        )
      )
      .handle("validate", ({ payload }) => scenarios.validate(payload.file))
      .handle("dryRun", ({ payload }) =>
        Effect.flatMap(CurrentCaller, (caller) => scenarios.dryRun(caller, payload)).pipe(query)
      )
      .handle("read", ({ path }) =>
        Effect.flatMap(CurrentCaller, (caller) => scenarios.read(caller, path.id)).pipe(query)
      )
      .handle("change", ({ path, payload }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => scenarios.change(caller, path.id, payload))
        )
      )
      .handle("remove", ({ path }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => scenarios.remove(caller, path.id))
        )
      )
      .handle("toFile", ({ path, urlParams }) =>
        Effect.gen(function* () {
          const format = urlParams.format ?? "yaml"
          const text = yield* scenarios.exportFile(yield* CurrentCaller, path.id, format)
          return HttpServerResponse.text(text, {
            contentType: format === "json" ? "application/json" : "application/yaml"
          })
        }).pipe(query)
      )
  )
)
