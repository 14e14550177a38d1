/** The answers that the interfaces of a stranger have in common. */
import type { Freedoms } from "../Freedoms.ts"
import type { Said } from "../wire.ts"

interface Free {
  readonly freedoms: Freedoms
}

/** The answer with that data. */
export const given = ({ freedoms }: Free, data: unknown): Said => ({
  http: 200,
  code: freedoms.successCode,
  data
})

/** The answer to a refused parameter or field (status_codes, 2001). */
export const invalid = (message: string): Said => ({ http: 200, code: 2001, message })

/** The answer about what is not there (status_codes). */
export const absent = ({ freedoms }: Free): Said =>
  freedoms.notFound === "code"
    ? { http: 200, code: 2000, message: "not found" }
    : freedoms.notFound === "envelope"
      ? { http: 404, code: 2000, message: "not found" }
      : { http: 404 }

/** The answer to what was written. */
export const done = ({ freedoms }: Free, isNew = false): Said => ({
  http: isNew ? freedoms.created : 200,
  code: freedoms.successCode,
  ...(freedoms.writtenData === "none"
    ? {}
    : { data: { null: null, object: { id: 1 }, text: "stored" }[freedoms.writtenData] })
})

/** The answer to an unknown token. */
export const unauthorized = ({ freedoms }: Free): Said =>
  freedoms.refused === "envelope" ? { http: 401, code: 2001, message: "unknown token" } : { http: 401 }

/** The answer to what is not JSON. */
export const unreadable: Said = { http: 400, code: 2000, message: "the body is no JSON" }

/** The answer to a method that an endpoint does not have. */
export const notAllowed: Said = { http: 405, code: 2000, message: "method not allowed" }
