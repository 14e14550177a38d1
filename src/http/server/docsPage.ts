/** The page `/docs`. Its script is the largest text of the service: this module is loaded with the page's first reader. */
import { HttpLayerRouter } from "@effect/platform"
// Not by the package's index: the bundler would take it for what a start needs.
import * as HttpApiScalar from "@effect/platform/HttpApiScalar"
import { Effect, Layer } from "effect"
import { Api } from "../../api/Api.ts"

/** Nothing that the page would fetch from elsewhere, and no way to hand the document to its maker's service. */
const scalar: HttpApiScalar.ScalarConfig & { readonly showToolbar: "never" } = {
  withDefaultFonts: false,
  favicon: "data:image/svg+xml,<svg/>",
  showToolbar: "never"
}

/** Answers with the page, whose text is made once. A router of its own: the library's page comes as a route. */
export const docsPage = Effect.gen(function* () {
  const router = yield* HttpLayerRouter.make
  yield* Layer.build(HttpApiScalar.layerHttpLayerRouter({ api: Api, path: "/docs", scalar })).pipe(
    Effect.provideService(HttpLayerRouter.HttpRouter, router),
    Effect.scoped // it holds nothing
  )
  return router.asHttpEffect()
})
