import { Data } from "effect"

/** The order or decision does not fit the run's state. `kind` decides the HTTP status: 409, 422 or 400. */
export class NotAccepted extends Data.TaggedError("NotAccepted")<{
  readonly kind: "state" | "stale" | "not_offered" | "choose"
  readonly message: string
}> {}
