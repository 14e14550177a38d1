/** Inputs that several templates have. */
import { Schema } from "effect"

/** An id of OCPI: at most 36 characters. */
export const OcpiId = Schema.NonEmptyString.pipe(Schema.maxLength(36))

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The input for waiting times. */
export const waitFields = {
  waitSeconds: optional(Schema.Int.pipe(Schema.between(1, 86_400))).annotations({
    description: "How long to wait for each message of the partner, instead of the stage's own time"
  })
}

/** The input for the token that charges at our place. */
export const tokenFields = {
  tokenUid: optional(OcpiId).annotations({
    description: "uid of the partner's token to charge with; default: the first valid RFID card of its list"
  })
}

/** The input for the pace of our updates. */
export const stepFields = {
  stepSeconds: optional(Schema.Int.pipe(Schema.between(0, 3_600))).annotations({
    description: "Seconds between two updates of our session; default: 2"
  })
}

/** The inputs for the place of a charge. */
export const placeFields = {
  locationId: optional(OcpiId).annotations({
    description:
      "Id of the location to charge at; default: the first with a free EVSE that has the needed capabilities"
  }),
  evseUid: optional(OcpiId).annotations({ description: "uid of the EVSE to charge at" }),
  connectorId: optional(OcpiId).annotations({ description: "Id of the connector to use" })
}

/** The inputs of a journey that charges at the partner. */
export const PlaceInputs = Schema.Struct({ ...placeFields, ...waitFields })
