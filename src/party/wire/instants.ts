/** Times of a party: OCPI DateTime on the wire, ISO 8601 with milliseconds in our own records. */
import { Clock, Effect } from "effect"
import { dateTimeMillis, dateTimeOf } from "../../../schema/ocpi/DateTime.ts"

/** Now, for our records: `2026-01-01T00:00:00.000Z`. */
export const nowIso: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, (millis) => isoOf(millis))

/** Now, as an OCPI DateTime for the wire. */
export const nowDateTime: Effect.Effect<string> = Effect.map(Clock.currentTimeMillis, dateTimeOf)

/** Milliseconds since the epoch as ISO 8601 UTC. */
export const isoOf = (millis: number): string => {
  if (millis !== written.millis) written = { millis, text: new Date(millis).toISOString() }
  return written.text
}

/** What was written last: calls that come together have the same time. */
let written: { readonly millis: number; readonly text: string } = {
  millis: 0,
  text: "1970-01-01T00:00:00.000Z"
}

/**
 * An OCPI DateTime as ISO 8601 UTC with milliseconds, so that texts compare as instants; undefined for any other value.
 */
export const instantOf = (value: unknown): string | undefined => {
  const millis = dateTimeMillis(value)
  return millis === undefined ? undefined : isoOf(millis)
}
