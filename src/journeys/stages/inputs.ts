/** Inputs that several templates take. */
import { Schema } from "effect"

export const OcpiId = Schema.NonEmptyString.pipe(Schema.maxLength(36))

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** How long to wait. */
export const waitFields = {
  waitSeconds: optional(Schema.Int.pipe(Schema.between(1, 86_400))).annotations({
    description: "How long to wait for each message of the partner, instead of the stage's own time"
  })
}

/** Where to charge. */
export const placeFields = {
  locationId: optional(OcpiId).annotations({
    description: "Location to charge at; default: the first with a free EVSE that can do what is needed"
  }),
  evseUid: optional(OcpiId).annotations({ description: "EVSE to charge at" }),
  connectorId: optional(OcpiId).annotations({ description: "Connector to use" })
}

export const PlaceInputs = Schema.Struct({ ...placeFields, ...waitFields })
