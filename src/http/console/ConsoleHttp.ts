/**
 * The console: its page at `/` and at the paths that it knows itself, and its files. Without a browser `/` is an index in JSON. A
 * browser at a path that is nobody's gets the page, too, with status 404: there it says that there is no such page.
 */
import {
  Headers,
  HttpLayerRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { Effect } from "effect"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { errorAnswer, jsonText } from "../answer/answers.ts"
import { encodingsFor, isNamedIn } from "../answer/compression.ts"
import { notThere } from "../answer/EarlyRefusal.ts"
import { asksForPage } from "../request/accept.ts"
import { consoleSegments, isNobodysPath } from "../request/routes.ts"
import { builtConsole, type ConsoleFile, type ConsoleFiles, readConsole } from "./consoleFiles.ts"

/** What the console is served with. */
interface ConsoleOptions {
  /** Root of the URLs in the index. */
  readonly publicUrl: string
  /** Its files; undefined: `dist/console`. */
  readonly folder?: string | undefined
}

const protection = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}
/** The build puts a hash into the names of these. */
const immutable = "public, max-age=31536000, immutable"
/** Caches may store it but must revalidate it by its ETag. */
const revalidated = "no-cache"

const notBuilt = errorAnswer(
  404,
  "The console is not built: run npm run build and reload this page. The API needs no console: /docs describes it",
  { vary: "Accept" }
)

/** The routes of the console. */
export const ConsoleHttp = (options: ConsoleOptions) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const folder = options.folder ?? builtConsole()
      const root = withoutEndSlashes(options.publicUrl)
      let known: ConsoleFiles = new Map()
      // Until the console is built every request looks for it, so that a build needs no restart.
      const files = Effect.suspend(() =>
        known.size > 0
          ? Effect.succeed(known)
          : Effect.tap(readConsole(folder), (found) =>
              Effect.sync(() => {
                known = found
              })
            )
      )

      const index = jsonText(
        JSON.stringify({
          success: true,
          data: {
            name: "plugfest",
            console: `${root}/`,
            docs: `${root}/docs`,
            openapi: `${root}/openapi.json`,
            discovery: `${root}/ocpi/versions`,
            health: `${root}/health/ready`
          }
        }),
        200,
        { vary: "Accept" }
      )
      const pageFor = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.map(files, (read) => {
          const file = read.get("index.html")
          return file === undefined
            ? notBuilt
            : fileAnswer(file, request, revalidated, "Accept, Accept-Encoding")
        })
      const page = Effect.flatMap(HttpServerRequest.HttpServerRequest, pageFor)
      const pageOr = <E>(other: Effect.Effect<HttpServerResponse.HttpServerResponse, E>) =>
        Effect.flatMap(
          HttpServerRequest.HttpServerRequest,
          ({
            headers
          }): Effect.Effect<HttpServerResponse.HttpServerResponse, E, HttpServerRequest.HttpServerRequest> =>
            asksForPage(headers["accept"]) ? page : other
        )
      const asset = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const file = (yield* files).get(request.url.split("?", 1)[0]!.slice(1))
        return file === undefined ? yield* missing : fileAnswer(file, request, immutable, "Accept-Encoding")
      })
      const noPage = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        asksForPage(request.headers["accept"]) && isNobodysPath(request.url.split("?", 1)[0]!)
          ? // A 404 has no 304.
            pageFor(request.modify({ headers: Headers.remove(request.headers, "if-none-match") })).pipe(
              Effect.map(HttpServerResponse.setStatus(404))
            )
          : Effect.fail(new HttpServerError.RouteNotFound({ request }))
      )

      yield* router.add("GET", "/", pageOr(Effect.succeed(index)))
      yield* router.add("GET", "/console", Effect.succeed(toPage))
      yield* router.add("GET", "/assets/*", asset)
      for (const segment of consoleSegments) {
        yield* router.add("GET", `/${segment}`, pageOr(missing))
        // Below it is the OCPI side of sandbox partners.
        yield* router.add("GET", segment === "sandbox" ? "/sandbox/:id" : `/${segment}/*`, pageOr(missing))
      }
      yield* router.add("GET", "/*", noPage)
    })
  )

const missing = Effect.fail(notThere)

/** The contract names the console by this path; its pages are at the root. */
const toPage = HttpServerResponse.empty({ status: 302, headers: { location: "/" } })

/** The file in the best form that the client accepts; 304 when If-None-Match names it. */
function fileAnswer(
  { compressed, plain, tag, type }: ConsoleFile,
  { headers }: HttpServerRequest.HttpServerRequest,
  cacheControl: string,
  vary: string
): HttpServerResponse.HttpServerResponse {
  const encoding = encodingsFor(headers["accept-encoding"]).find((one) => compressed.has(one))
  const etag = `"${tag}${encoding === undefined ? "" : `-${encoding}`}"`
  const own = { ...protection, etag, vary, "cache-control": cacheControl }
  if (isNamedIn(headers["if-none-match"], etag))
    return HttpServerResponse.empty({ status: 304, headers: own })
  const body = encoding === undefined ? plain : compressed.get(encoding)! // found above
  return HttpServerResponse.uint8Array(body, {
    contentType: type,
    headers: { ...own, ...(encoding === undefined ? {} : { "content-encoding": encoding }) }
  })
}
