/** Naming a place inside JSON. */

export type Path = ReadonlyArray<PropertyKey>

/** JSON Pointer, RFC 6901; the whole document is the empty string. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The same place as people write it: `evses[0].status`; the whole is "the value". */
export const placeInWords = (path: Path): string =>
  path.length === 0
    ? "the value"
    : path
        .map((step, index) =>
          typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`
        )
        .join("")

/** A JSON Pointer as people write it: `/evses/0/status` as `evses[0].status`. */
export const pointerInWords = (pointer: string): string =>
  placeInWords(stepsOf(pointer).map((step) => (/^\d+$/.test(step) ? Number(step) : step)))

const stepsOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

/** What stands at a JSON Pointer; undefined when nothing does. */
export const atPointer = (json: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string, unknown>>)[step]
        : undefined,
    json
  )
