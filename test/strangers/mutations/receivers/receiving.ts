import { keeping, without } from "../bends.ts"

/** Is it what is said of what is not there? */
export const absent = (said: { http: number; code?: number }) => said.http === 404 || said.code === 2000
/** A field is not stored. */
export const dropsFieldOn = (module: string, field: string) => keeping(module, without(field))
