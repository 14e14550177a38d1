/** Faults as systems have them, to be put together. */
import type { Bend, Gate } from "../partner/Bend.ts"
import type { Asked, Call, Said } from "../partner/wire.ts"

type Front = NonNullable<Bend["fronts"]>

/** The module that a request is about, and what is below it, in a stranger whose paths begin with the version. */
export const placeIn = ({
  url
}: Asked): { readonly module: string; readonly below: ReadonlyArray<string> } => {
  const [, version = "", module = "", ...below] = url.pathname.split("/")
  return version === "versions" || module === ""
    ? { module: "versions", below: [] }
    : { module, below: below.filter((segment) => segment !== "") }
}

/** Is it about credentials or versions? */
export const isConfiguration = (asked: Asked): boolean =>
  ["versions", "credentials"].includes(placeIn(asked).module)

/** One gateway before the other; the first is the outermost. */
export const inTurn =
  (...fronts: ReadonlyArray<Front>): Front =>
  (asked, gate) =>
    fronts.reduceRight<(asked: Asked) => Promise<Said>>(
      (inner, front) => (next) => front(next, { ...gate, proceed: inner }),
      gate.proceed
    )(asked)

/** Changes every answer. */
export const answering =
  (edit: (said: Said, asked: Asked, gate: Gate) => Said): Front =>
  async (asked, gate) =>
    edit(await gate.proceed(asked), asked, gate)

/** A body that is no OCPI answer. */
export const page = (http: number, type: string, body: string, headers: Said["headers"] = {}): Said => ({
  http,
  headers,
  file: { type, bytes: Buffer.from(body, "utf8") }
})

/** JSON without an envelope. */
export const bare = (
  http: number,
  json: unknown,
  headers: Said["headers"] = {},
  type = "application/json"
): Said => page(http, type, JSON.stringify(json), headers)

/** Answers that are no success are written by the framework: `write` says how. */
export const errorsAs = (write: (said: Said, asked: Asked) => Said): Front =>
  answering((said, asked) => (said.http >= 400 || (said.code ?? 1000) >= 2000 ? write(said, asked) : said))

/** Answers without these headers; names in any case. */
export const withoutHeaders = (isGone: (name: string) => boolean): Front =>
  answering((said) => ({
    ...said,
    headers: Object.fromEntries(Object.entries(said.headers ?? {}).filter(([name]) => !isGone(name)))
  }))

/** Requests of the stranger without these headers. */
export const sentWithout =
  (isGone: (name: string) => boolean) =>
  (call: Call): Call => ({
    ...call,
    headers: Object.fromEntries(Object.entries(call.headers).filter(([name]) => !isGone(name)))
  })
