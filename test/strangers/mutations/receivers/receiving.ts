import { instead, keeping, without, writing } from "../bends.ts"

/** Is it what is said of what is not there? */
export const absent = (said: { http: number; code?: number }) => said.http === 404 || said.code === 2000
/** A field is not stored. */
export const dropsFieldOn = (module: string, field: string) => keeping(module, without(field))
/** Does not find an id with reserved characters. */
export const marksLost = instead(
  (asked, where) =>
    writing("PUT", "GET")(asked, where) && where.below.some((one) => /TST[^/]*[:+*]/.test(one)),
  { http: 404 }
)
