/** Places of an object that break its schema: what a rule would say of a value there comes of that flaw, which is told once. */
import type { Schema } from "effect"
import { violations } from "./violations.ts"

/**
 * Is the place, a JSON Pointer, one that breaks the schema, or a part of one? The flaws are looked for when the first place is
 * asked for. Without a schema no place is flawed.
 */
export const flawedPlaces = (schema: Schema.Schema.AnyNoContext | undefined, json: unknown) => {
  let flaws: ReadonlyArray<string> | undefined
  return (place: string): boolean => {
    flaws ??=
      schema === undefined ? [] : violations(schema, json).flatMap(({ pointer = "" }) => pointer || [])
    return flaws.some((flaw) => place === flaw || place.startsWith(`${flaw}/`))
  }
}
