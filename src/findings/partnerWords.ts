/** What a partner's refusal says of itself, taken from the forms that frameworks give to error bodies. */
import type { ExchangeResponse } from "../../schema/Exchange.ts"
import { isObject, type JsonObject, numberFrom, objectIn, textIn } from "./json.ts"
import { readJson } from "./readJson.ts"

/** Longest quotation of a partner, in UTF-16 units. */
const longest = 300
/** Longest body that is read, in UTF-16 units. */
const longestBody = 64 * 1024
/** Most entries of a list of errors that are quoted. */
const mostErrors = 5
/** How deep errors inside of errors are looked into. */
const deepest = 4

/**
 * The partner's own words in the body of an answer that refuses a request (HTTP 4xx or 5xx, or an OCPI status code of 2000 and
 * more), at most 300 characters on one line; undefined when the answer refuses nothing, or says nothing. Takes redacted
 * bodies only: partners often repeat the token.
 */
export const partnerWords = (
  response: Pick<ExchangeResponse, "body" | "httpStatus"> | null
): string | undefined => {
  const body = response?.body ?? ""
  if (response === null || body.length > longestBody) return undefined
  const { excess, json } = readJson(body)
  const code = numberFrom(objectIn(json)["status_code"])
  return response.httpStatus >= 400 || code >= 2000
    ? quoted(json === undefined && excess === undefined ? plainText(body) : wordsIn(json))
    : undefined
}

/** What a JSON error body says: OCPI, RFC 9457, FastAPI, ASP.NET, Spring, Express and others; undefined when it says nothing. */
export const wordsIn = (json: unknown, depth = 0): string | undefined => {
  if (typeof json === "string") return quoted(json)
  if (!isObject(json) || depth > deepest) return undefined
  const [first] = [
    "status_message",
    "detail",
    "message",
    "error_description",
    "error",
    "title",
    "reason"
  ].flatMap((field) => messageIn(json[field], depth) ?? [])
  const listed = [json["errors"], json["invalid-params"], json["invalid_params"], json["violations"]].flatMap(
    (list) => listIn(list, depth) ?? []
  )
  const said = [...new Set([...(first === undefined ? [] : [first]), ...listed.slice(0, 1)])].join(": ")
  return said === "" ? undefined : quoted(said)
}

/** A text, an error object, or a list of them. */
function messageIn(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return textIn(value)
  if (Array.isArray(value)) return listIn(value, depth)
  return isObject(value) ? wordsIn(value, depth + 1) : undefined
}

/** The entries of a list of errors, or of an object with the errors of each field. */
function listIn(value: unknown, depth: number): string | undefined {
  const entries = Array.isArray(value)
    ? value
        .slice(0, mostErrors)
        .flatMap((entry: unknown) => (isObject(entry) ? (entryIn(entry) ?? []) : (textIn(entry) ?? [])))
    : isObject(value)
      ? Object.entries(value)
          .slice(0, mostErrors)
          .flatMap(([field, said]) =>
            [messageIn(said, depth + 1)].flatMap((words) =>
              words === undefined ? [] : [`${field}: ${words}`]
            )
          )
      : []
  return entries.length === 0 ? undefined : entries.join("; ")
}

/** One error of a list, after the place that it names: `body.state: Field required`. */
function entryIn(entry: JsonObject): string | undefined {
  const { field, loc, name, path, pointer, property } = entry
  const where = Array.isArray(loc)
    ? loc.map(String).join(".")
    : (textIn(field) ?? textIn(name) ?? textIn(path) ?? textIn(pointer) ?? textIn(property))
  const said = ["msg", "message", "detail", "reason", "description", "error", "title"].flatMap(
    (key) => textIn(entry[key]) ?? []
  )[0]
  return said === undefined ? undefined : where === undefined ? said : `${where}: ${said}`
}

/** A body that is no JSON: the title of a page, or the text itself when it is short. */
function plainText(body: string): string | undefined {
  const title = /<title[^<>]*>([^<]{1,300})</i.exec(body)?.[1]
  return title ?? (/^\s*</.test(body) ? undefined : body)
}

/** On one line, without control characters, and cut. */
function quoted(text: string | undefined): string | undefined {
  const line = (text ?? "")
    .slice(0, longestBody)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
  if (line === "") return undefined
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
