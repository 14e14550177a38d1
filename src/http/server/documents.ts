/** `/openapi.json` and `/docs`, each made at its first request. */
import { HttpLayerRouter, HttpServerResponse, OpenApi } from "@effect/platform"
import { Effect, Layer } from "effect"
import { Api } from "../../api/Api.ts"
import { shared } from "../../database/shared.ts"

/** The OpenAPI document that `/openapi.json` serves. */
export const openApiDocument = () => OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" })

const openApi = shared(
  Effect.sync(() =>
    HttpServerResponse.text(JSON.stringify(openApiDocument()), { contentType: "application/json" })
  )
)

const docs = shared(
  Effect.flatMap(
    Effect.promise(() => import("./docsPage.ts")),
    ({ docsPage }) => docsPage
  )
)

/** The routes of both documents. */
export const documents = Layer.unwrapEffect(
  Effect.map(Effect.all([openApi, docs]), ([document, page]) =>
    Layer.merge(
      HttpLayerRouter.add("GET", "/openapi.json", document),
      HttpLayerRouter.add("GET", "/docs", Effect.flatten(page))
    )
  )
)
