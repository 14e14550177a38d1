/** What every answer looks like: `{success: true, data}` or `{success: false, message}`, never anything else. */
import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"

/** The body of every 4xx and 5xx of the API. */
export const ErrorBody = Schema.Struct({
  success: Schema.Literal(false),
  message: Schema.String
}).annotations({
  identifier: "Error",
  examples: [{ success: false, message: "No such connection among those that this key's owner has" }]
})

/** `{success: true, data}` on the wire, plain `data` for handlers and for the derived client. `name` is its OpenAPI name. */
export const ok = <A, I>(name: string, data: Schema.Schema<A, I>) =>
  Schema.transform(
    Schema.Struct({ success: Schema.Literal(true), data }).annotations({ identifier: name }),
    Schema.typeSchema(data),
    { strict: true, decode: ({ data }) => data, encode: (data) => ({ success: true as const, data }) }
  )

interface Spoken {
  readonly message: string
}

/** An error class as the error body with a status; the derived client gets the class back. */
export const failure = <E extends Spoken>(
  make: { new (input: never): E },
  from: (message: string) => E,
  status: number,
  description: string
) =>
  Schema.transform(
    ErrorBody,
    Schema.declare((input: unknown): input is E => input instanceof make),
    {
      strict: true,
      decode: ({ message }) => from(message),
      encode: ({ message }) => ({ success: false as const, message })
    }
  ).annotations(HttpApiSchema.annotations({ status, description }))
