/**
 * The envelope of the API as JSON text, where no endpoint's encoder writes it. `src/api/envelope.ts` has its schema, which is left out
 * on purpose: it would check and copy our own data on its way out, at several times the cost (decision 29).
 */

/** `{"success":true,"data":…}`. */
export const bodyOf = (data: unknown): string => JSON.stringify({ success: true, data })

/** The same around what is JSON text already. */
export const okText = (data: string): string => `{"success":true,"data":${data}}`

/** JSON texts as a JSON list. */
export const listText = (items: ReadonlyArray<string>): string => `[${items.join(",")}]`

/** `{"success":false,"message":"…"}`. */
export const errorBody = (message: string): string => JSON.stringify({ success: false, message })
