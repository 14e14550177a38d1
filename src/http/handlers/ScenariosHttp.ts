/** `/testing/scenarios`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { readPage } from "../../services/requests/readPage.ts"
import { Scenarios } from "../../services/runs/Scenarios.ts"
import { command, query } from "../request/commandQuery.ts"
import { linked } from "../request/paging.ts"

const defaultPage = 25

/** Handlers of the group `scenarios` of the contract. */
export const ScenariosHttp = HttpApiBuilder.group(Api, "scenarios", (handlers) =>
  Effect.map(Scenarios, (scenarios) =>
    handlers
      .handle("create", ({ payload }) => command((caller) => scenarios.create(caller, payload)))
      .handle("list", ({ urlParams }) =>
        query((caller) =>
          linked(
            readPage(
              urlParams.limit ?? defaultPage,
              (limit) => scenarios.list(caller, { ...urlParams, limit }),
              ({ id }) => id
            )
          )
        )
      )
      .handle("fromFile", ({ payload }) => command((caller) => scenarios.importFile(caller, payload.file)))
      .handle("validate", ({ payload }) => query(() => scenarios.validate(payload.file)))
      .handle("dryRun", ({ payload }) => query((caller) => scenarios.dryRun(caller, payload)))
      .handle("read", ({ path }) => query((caller) => scenarios.read(caller, path.id)))
      .handle("change", ({ path, payload }) =>
        command((caller) => scenarios.change(caller, path.id, payload))
      )
      .handle("remove", ({ path }) => command((caller) => scenarios.remove(caller, path.id)))
      .handle("toFile", ({ path, urlParams }) =>
        query((caller) =>
          Effect.gen(function* () {
            const format = urlParams.format ?? "yaml"
            const text = yield* scenarios.exportFile(caller, path.id, format)
            return HttpServerResponse.text(text, {
              contentType: format === "json" ? "application/json" : "application/yaml"
            })
          })
        )
      )
  )
)
