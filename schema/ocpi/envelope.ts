/** The envelope of every OCPI response body and its status codes (transport_and_format, Response format; status_codes). */
import { Schema } from "effect"
import { optional } from "./types.ts"

/** OCPI status codes by our names. 19xx, 29xx, 39xx and 49xx are reserved for agreements between two parties. */
export const ocpiStatus = {
  success: 1000,
  clientError: 2000,
  invalidParameters: 2001,
  notEnoughInformation: 2002,
  unknownLocation: 2003,
  unknownToken: 2004,
  serverError: 3000,
  unableToUseApi: 3001,
  unsupportedVersion: 3002,
  noMatchingEndpoints: 3003,
  hubError: 4000,
  unknownReceiver: 4001,
  requestTimedOut: 4002,
  receiverNotConnected: 4003
} as const

/** Is it a client error, 2xxx? */
export const isClientErrorCode = (code: number): boolean => code >= 2000 && code < 3000

/** Is it a server error, 3xxx? */
export const isServerErrorCode = (code: number): boolean => code >= 3000 && code < 4000

/** Four digits, as a JSON number. */
const OcpiStatusCode = Schema.Number.pipe(
  Schema.filter((code) => Number.isInteger(code) && code >= 1000 && code <= 9999),
  Schema.annotations({ description: "an OCPI status code: a whole number of four digits, 1000 to 9999" })
)

/** The envelope as every version has it: `data` is any value or absent, `timestamp` any text. */
export const Envelope = Schema.Struct({
  data: Schema.optional(Schema.Unknown),
  status_code: OcpiStatusCode,
  status_message: optional(Schema.String),
  timestamp: Schema.String
}).annotations({ identifier: "Envelope" })

/** The envelope as it is read and as it is written. */
export interface Envelope<Data = unknown> {
  readonly data?: Data
  readonly status_code: number
  readonly status_message?: string | null
  readonly timestamp: string
}
