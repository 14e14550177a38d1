/** Reads the versions list; for any other answer says what came and what to do about it. */
import { Effect } from "effect"
import { isObject, type JsonObject, objectsIn, textIn } from "../../findings/json.ts"
import { RegistrationError } from "../wire/RegistrationError.ts"

/** The entries of the list: at least one, and each names a version. `url`: the address that was asked. */
export const versionEntries = (
  data: unknown,
  url: string
): Effect.Effect<ReadonlyArray<JsonObject>, RegistrationError> => {
  const entries = objectsIn(data).filter(({ version }) => textIn(version) !== undefined)
  if (entries.length > 0) return Effect.succeed(entries)
  const isDetails = isObject(data) && Array.isArray(data["endpoints"])
  const message = `GET versions answered with ${dataInWords(data)}, not with a list of versions; `
  const next = isUnnamed(data)
    ? "each entry must have version and url, by these names"
    : Array.isArray(data) && data.length === 0
      ? "the partner must list the versions that it offers"
      : nextStep(url)
  return Effect.fail(
    new RegistrationError({ kind: isDetails ? "config" : "protocol", message: message + next })
  )
}

/** A list whose objects lead somewhere, and do not say to which version; those of version details have an identifier. */
const isUnnamed = (data: unknown): boolean => {
  const entries = objectsIn(data)
  return entries.length > 0 && entries.every((entry) => "url" in entry && !("identifier" in entry))
}

/** Adds the next step to a `RegistrationError` of the versions URL, when the URL itself may be wrong. */
export const atVersionsUrl =
  (url: string) =>
  (failure: RegistrationError): RegistrationError => {
    const status = failure.httpStatus ?? 0
    const isElsewhere =
      failure.statusCode === undefined &&
      (status === 404 || status === 405 || (status >= 200 && status < 300))
    return isElsewhere
      ? new RegistrationError({ ...failure, message: `${failure.message}; ${nextStep(url)}` })
      : failure
  }

function nextStep(url: string): string {
  const looksRight = /\/versions\/?$/i.test(URL.canParse(url) ? new URL(url).pathname : url)
  return looksRight
    ? "ask the partner for its versions URL and set partnerBaseUrl to it"
    : "partnerBaseUrl must be the partner's versions URL, which usually ends in /versions"
}

/** Describes data by its shape and field names, never by its values, which may be secret. */
export function dataInWords(data: unknown): string {
  if (data === undefined || data === null) return "no data"
  if (Array.isArray(data)) {
    if (data.length === 0) return "an empty list"
    const [first] = data as ReadonlyArray<unknown>
    return isObject(first) ? `a list of objects with ${fields(first)}` : `a list of ${typeof first}s`
  }
  if (!isObject(data)) return `a ${typeof data}`
  if (!Array.isArray(data["endpoints"])) return `an object with ${fields(data)}`
  const version = textIn(data["version"])?.slice(0, 20)
  return `the details of ${version === undefined ? "one version" : `version ${version}`}`
}

const mostFields = 6

function fields(object: JsonObject): string {
  const names = Object.keys(object)
  if (names.length === 0) return "no fields"
  const shown = names.slice(0, mostFields).map((name) => name.slice(0, 30))
  return `the fields ${shown.join(", ")}${names.length > mostFields ? ", …" : ""}`
}
