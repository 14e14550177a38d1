/** Words of a partner that tell nothing of their cause. */

/** The phrases that servers send with an HTTP status, and routers of frameworks where there is no route. */
const phrases: Readonly<Record<string, ReadonlyArray<string>>> = {
  400: ["bad request"],
  401: ["unauthorized"],
  403: ["forbidden"],
  404: [
    "not found",
    "404 page not found",
    "no message available",
    "the requested resource could not be found",
    "the requested resource could not be found but may be available again in the future"
  ],
  405: ["method not allowed"],
  409: ["conflict"],
  415: ["unsupported media type"],
  422: ["unprocessable entity", "unprocessable content"],
  501: ["not implemented"],
  502: ["bad gateway"],
  503: ["service unavailable"]
}

/**
 * Are these words that a server has for every answer of its kind: `Internal Server Error`, or the phrase of an HTTP status that is
 * all the answer has? Two answers with them need not have one cause. `result`: as `HTTP 404`, or with the status_code behind it.
 */
export const saysNothingOwn = (words: string, result = ""): boolean =>
  /^(?:an? )?(?:(?:generic|internal|unexpected|unhandled|unknown|server|system|service|application) ?)*(?:error|exception|failure|fault)(?: (?:has )?occurred)?[.!]?$/i.test(
    words
  ) ||
  /^(?:oops[,!.]? )?something went wrong[.!]?$/i.test(words) ||
  (phrases[/^HTTP (\d{3})$/.exec(result)?.[1] ?? ""] ?? []).includes(words.replace(/[.!]$/, "").toLowerCase())
