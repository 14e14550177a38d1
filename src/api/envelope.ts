/** The envelope of JSON answers of the API: `{success: true, data}` or `{success: false, message}`, nothing else. */
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

/** Encodes `data` as `{success: true, data}`; handlers and the derived client see only `data`. `name`: its OpenAPI component. */
export const ok = <A, I>(name: string, data: Schema.Schema<A, I>) =>
  Schema.transform(
    Schema.Struct({ success: Schema.Literal(true), data }).annotations({ identifier: name }),
    Schema.typeSchema(data),
    { strict: true, decode: ({ data }) => data, encode: (data) => ({ success: true as const, data }) }
  )

interface Spoken {
  readonly message: string
}

/** Encodes an error class as an `ErrorBody` with a status; the derived client decodes it back to the class. */
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
