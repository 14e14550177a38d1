/** The page `/docs`. Its script is the largest text of the service, so this module is loaded at the first request for it. */
import { HttpBody, HttpLayerRouter, HttpServerResponse } from "@effect/platform"
// Not from the package's index, which would make the bundler load it at start.
import * as HttpApiScalar from "@effect/platform/HttpApiScalar"
import { Effect, Layer } from "effect"
import { Api } from "../../api/Api.ts"

/** The page fetches nothing from other origins and has no button that sends the document, or its address, to the vendor's service. */
const scalar: HttpApiScalar.ScalarConfig & {
  readonly hideClientButton: true
  readonly showToolbar: "never"
} = {
  hideClientButton: true,
  withDefaultFonts: false,
  favicon: "data:image/svg+xml,<svg/>",
  showToolbar: "never"
}

/** An effect that answers with the page. It has its own router, because the library offers the page only as a route. */
export const docsPage = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.make
  yield* Layer.build(HttpApiScalar.layerHttpLayerRouter({ api: Api, path: "/docs", scalar })).pipe(
    Effect.provideService(HttpLayerRouter.HttpRouter, router),
    Effect.scoped // it holds nothing
  )
  return Effect.map(router.asHttpEffect(), inEnglish)
})

/** The library's page does not say its language, by which a screen reader chooses how to read it. */
function inEnglish(page: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse {
  if (page.body._tag !== "Uint8Array") return page
  const text = new TextDecoder().decode(page.body.body).replace("<html>", '<html lang="en">')
  return HttpServerResponse.setBody(page, HttpBody.text(text, page.body.contentType))
}
