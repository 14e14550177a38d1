/** What the checks of receivers import from here. */
export { success as notSuccess } from "../../../findings/expectations.ts"
export { at, repeated } from "../../../findings/finding.ts"
