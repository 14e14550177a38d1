/** The page `/docs`. Its script is the largest text of the service, so this module is loaded at the first request for it. */
import { HttpLayerRouter } from "@effect/platform"
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
  return router.asHttpEffect()
})
