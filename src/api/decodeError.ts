/** A request that breaks its schema, in words: the field, the value seen, the rule. Never a secret. */
import { HttpApiError, HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import { ErrorBody } from "./envelope.ts"

const secretive = /token|secret|password|authorization|key/i
const longestValue = 120

/** One issue as `field: what is wrong`. A value is shown only where the field cannot be a secret. */
export const describeIssue = (path: ReadonlyArray<PropertyKey>, message: string): string => {
  const field = path.map(String).join(".")
  const at = message.indexOf(", actual ")
  if (field === "") {
    return `the request: ${at < 0 ? message : `${message.slice(0, at)}, and got something else`}`
  }
  if (at < 0) return `${field}: ${message}`
  const rule = message.slice(0, at)
  if (secretive.test(field)) return `${field}: ${rule} (the value is not shown)`
  const value = message.slice(at + ", actual ".length)
  const shown = value.length > longestValue ? `${value.slice(0, longestValue)}…` : value
  return `${field}: ${rule}, actual ${shown}`
}

/** Stands in for the platform's own decode error on the wire, in the document and in the derived client. */
export const DecodeErrorWire = Schema.transform(
  ErrorBody,
  Schema.declare(
    (input: unknown): input is HttpApiError.HttpApiDecodeError =>
      input instanceof HttpApiError.HttpApiDecodeError
  ),
  {
    strict: true,
    decode: ({ message }) => new HttpApiError.HttpApiDecodeError({ issues: [], message }),
    encode: ({ issues, message }) => ({
      success: false as const,
      message:
        issues.length === 0
          ? message
          : issues.map((issue) => describeIssue(issue.path, issue.message)).join("; ")
    })
  }
).annotations(
  HttpApiSchema.annotations({
    status: 400,
    description: "Malformed, or against the schema: the message names the field, the value seen and the rule"
  })
)
