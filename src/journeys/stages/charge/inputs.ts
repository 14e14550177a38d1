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

/** Who charges at a place of ours. */
export const tokenFields = {
  tokenUid: optional(OcpiId).annotations({
    description: "Token of the partner to charge with; default: the first valid RFID card of its list"
  })
}

/** How fast a story of ours is told. */
export const stepFields = {
  stepSeconds: optional(Schema.Int.pipe(Schema.between(0, 3_600))).annotations({
    description: "Seconds between two updates of a session that we tell; default: 2"
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
