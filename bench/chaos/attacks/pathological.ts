/** Texts that are cheap to send and may be expensive to parse: JSON values, YAML files, URL parameters. */

/** One such text. */
export interface Shape {
  readonly name: string
  /** The text of one value of at most about so many bytes. */
  readonly of: (bytes: number) => string
}

const times = (part: string, bytes: number) =>
  part.repeat(Math.max(1, Math.floor(bytes / Buffer.byteLength(part))))
const text = (name: string, of: (bytes: number) => string): Shape => ({
  name,
  of: (bytes) => JSON.stringify(of(bytes))
})
const list = (item: string, bytes: number) => `[${times(`${item},`, bytes - item.length - 2)}${item}]`
const nested = (open: string, inner: string, close: string, levels: number) =>
  open.repeat(levels) + inner + close.repeat(levels)

/** An object with as many fields as fit; `last` is one more. */
const fields = (bytes: number, last = "") => {
  const parts: Array<string> = []
  for (let size = last.length; size < bytes - 12; size += parts.at(-1)!.length + 1)
    parts.push(`"${parts.length.toString(36)}":0`)
  return `{${[...parts, ...(last === "" ? [] : [last])].join(",")}}`
}

/** Lists and objects, by depth and by width. */
export const structures: ReadonlyArray<Shape> = [
  { name: "lists 60 deep", of: () => nested("[", "", "]", 60) },
  { name: "lists 65 deep", of: () => nested("[", "", "]", 65) },
  { name: "lists 5000 deep", of: () => nested("[", "", "]", 5000) },
  { name: "lists as deep as fits", of: (bytes) => nested("[", "", "]", Math.floor(bytes / 2)) },
  { name: "objects 60 deep", of: () => nested('{"a":', "0", "}", 60) },
  { name: "objects as deep as fits", of: (bytes) => nested('{"a":', "0", "}", Math.floor(bytes / 6)) },
  { name: "lists 60 deep in a wide list", of: (bytes) => list(nested("[", "", "]", 60), bytes) },
  { name: "a list of empty objects", of: (bytes) => list("{}", bytes) },
  { name: "a list of empty lists", of: (bytes) => list("[]", bytes) },
  { name: "a list of zeros", of: (bytes) => list("0", bytes) },
  { name: "a list of nulls", of: (bytes) => list("null", bytes) },
  { name: "a list of empty texts", of: (bytes) => list('""', bytes) },
  { name: "a list of short texts", of: (bytes) => list('"ab"', bytes) },
  { name: "a list of objects with a field each", of: (bytes) => list('{"id":"1"}', bytes) },
  { name: "an object of many fields", of: (bytes) => fields(bytes) },
  { name: "an object of many fields, one twice", of: (bytes) => fields(bytes, '"0":1') },
  { name: "an object with __proto__", of: () => '{"__proto__":{"a":1}}' }
]

/** Numbers at and beyond the limits of their types. */
export const numbers: ReadonlyArray<Shape> = [
  { name: "1e400", of: () => "1e400" },
  { name: "minus zero", of: () => "-0" },
  { name: "2^31", of: () => String(2 ** 31) },
  { name: "2^53 + 1", of: () => "9007199254740993" },
  { name: "2^63", of: () => "9223372036854775808" },
  { name: "a number of 400 digits", of: () => "7".repeat(400) },
  { name: "a number of as many digits as fit", of: (bytes) => "7".repeat(bytes) },
  { name: "a fraction of as many digits as fit", of: (bytes) => `0.${"3".repeat(bytes - 2)}` }
]

/** One character repeated, then another one: a careless regular expression backtracks from each position. */
const almost = (name: string, part: string, end: string) =>
  text(name, (bytes) => times(part, bytes - 8) + end)

/** Long texts, and texts of unusual characters. */
export const texts: ReadonlyArray<Shape> = [
  text("a long text", (bytes) => "x".repeat(bytes)),
  { name: "a long text of escapes", of: (bytes) => `"${times("\\u0041", bytes)}"` },
  { name: "a long text of NUL", of: (bytes) => `"${times("\\u0000", bytes)}"` },
  { name: "a long text of half surrogate pairs", of: (bytes) => `"${times("\\ud800", bytes)}"` },
  text("a long text of quotes", (bytes) => times('"\\', bytes / 2)),
  text("a long text of emoji", (bytes) => times("😀", bytes)),
  text("a letter with many accents", (bytes) => `e${times("\u0301", bytes - 1)}`),
  text("a long text of line ends", (bytes) => times("\r\n", bytes / 2)),
  almost("slashes and then none", "/", "x"),
  almost("blanks and then none", " ", "x"),
  almost("dots and then none", ".", "!"),
  almost("digits and then none", "1", "x"),
  almost("hyphens and then none", "-", "!"),
  almost("a for a nested quantifier", "a", "!"),
  almost("equals signs and then none", "=", "!"),
  almost("angles that open", "<", "x"),
  almost("at signs", "a@", "!"),
  text("a date with a long fraction", (bytes) => `2026-01-01T00:00:00.${"0".repeat(bytes - 24)}x`),
  text("a URL with a long host", (bytes) => `http://${times("a.", bytes - 8)}`),
  text("a URL with a long path", (bytes) => `http://127.0.0.1:9/${times("a/", bytes - 20)}x`),
  text("a URL with a long query", (bytes) => `http://127.0.0.1:9/?${times("a=b&", bytes - 22)}`),
  text("a glob of 20 stars", () => `${"*a".repeat(20)}b`),
  text("a glob of as many stars as fit", (bytes) => `${times("*a", bytes - 4)}b`),
  text("a glob of 20 stars and then none", () => `${"*".repeat(20)}!`),
  text("stars only", (bytes) => "*".repeat(bytes)),
  text("a regular expression", (bytes) => `(${times("(a+)+", bytes / 2)})+$${"a".repeat(bytes / 2)}`)
]

/** Values for any place. */
export const values: ReadonlyArray<Shape> = [...structures, ...numbers, ...texts]

/** One of each kind, for places that occur often. */
export const few: ReadonlyArray<Shape> = values.filter(({ name }) =>
  [
    "lists 60 deep in a wide list",
    "a list of empty objects",
    "a list of short texts",
    "an object of many fields",
    "a number of 400 digits",
    "1e400",
    "a long text",
    "a glob of 20 stars and then none",
    "slashes and then none",
    "blanks and then none"
  ].includes(name)
)

const lines = (line: (index: number) => string, bytes: number) => {
  const parts: Array<string> = []
  for (let size = 0; size < bytes - 40; size += parts.at(-1)!.length + 1) parts.push(line(parts.length))
  return parts.join("\n")
}
const head = "name: a\ntemplateId: remote-start\n"
/** A YAML file in a JSON text; a line break takes two bytes there. */
const yaml = (name: string, of: (bytes: number) => string): Shape =>
  text(`YAML: ${name}`, (bytes) => of(Math.floor(bytes * 0.75)))

/** Scenario files, as JSON texts. */
export const yamlFiles: ReadonlyArray<Shape> = [
  yaml("many keys", (bytes) => lines((n) => `k${n}: 1`, bytes)),
  yaml("many keys below one", (bytes) => `${head}inputs:\n${lines((n) => `  k${n}: 1`, bytes * 0.9)}`),
  yaml("many keys in braces", (bytes) => `{${lines((n) => `k${n}: 1,`, bytes)}}`),
  yaml("many keys without a value", (bytes) => lines((n) => `? k${n}`, bytes)),
  yaml("one key many times", (bytes) => lines(() => "k: 1", bytes)),
  yaml("many keys that are lists", (bytes) => lines((n) => `? [${n}, [a]]\n: 1`, bytes)),
  yaml("a list of many", (bytes) => lines(() => "- a", bytes)),
  yaml("lists in brackets, deep", (bytes) => nested("[", "", "]", Math.floor(Math.min(bytes / 2, 5000)))),
  yaml("lists in brackets, as deep as fits", (bytes) => nested("[", "", "]", Math.floor(bytes / 2))),
  yaml("braces that are not closed", (bytes) => times("{a: ", bytes)),
  yaml("brackets that are not closed", (bytes) => times("[", bytes)),
  yaml("indented deeper and deeper", (bytes) =>
    Array.from({ length: Math.floor(Math.sqrt(bytes * 1.8)) }, (_, n) => `${" ".repeat(n)}a:`).join("\n")
  ),
  // Deep enough to exhaust the stack: compiling a regular expression there would end the process.
  yaml("1000 hyphens in one line", () => "- ".repeat(1000)),
  yaml("1000 brackets", () => nested("[", "", "]", 1000)),
  yaml("1000 braces", () => nested("{a: ", "b", "}", 1000)),
  yaml("1000 question marks in one line", () => "? ".repeat(1000)),
  yaml("hyphens in one line", (bytes) => times("- ", bytes)),
  yaml("anchors that grow", () =>
    ["a0: &a0 [x]", ...Array.from({ length: 24 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]`)].join(
      "\n"
    )
  ),
  yaml("many anchors and names for them", (bytes) => lines((n) => `k${n}: &a${n} 1\nl${n}: *a${n}`, bytes)),
  yaml("one anchor and many names", (bytes) => `a: &a {b: 1}\n${lines((n) => `k${n}: *a`, bytes)}`),
  yaml("names for no anchor", (bytes) => lines((n) => `- *a${n}`, bytes)),
  yaml("merged keys", (bytes) => `a: &a {b: 1}\n${lines((n) => `k${n}:\n  <<: *a`, bytes)}`),
  yaml("many tags", (bytes) => lines(() => "- !!str a", bytes)),
  yaml("many documents", (bytes) => lines(() => "---\na: 1", bytes)),
  yaml("many comments", (bytes) => lines(() => "# a", bytes)),
  yaml("a text over many lines", (bytes) => `name: a\n${lines(() => "  b", bytes)}`),
  yaml("a quoted text over many lines", (bytes) => `name: "a\n${lines(() => "  b", bytes)}`),
  yaml("a block of many lines", (bytes) => `name: |\n${lines(() => "  b", bytes)}`),
  yaml("a folded block of many lines", (bytes) => `name: >\n${lines(() => "  b", bytes)}`),
  yaml("many mistakes", (bytes) => lines(() => "a: b: c: ]", bytes)),
  yaml("tabs", (bytes) => times("\t", bytes)),
  yaml("blanks and then none", (bytes) => `name: a${" ".repeat(bytes - 10)}b`),
  yaml("colons", (bytes) => times(":", bytes)),
  yaml("a long number", (bytes) => `name: ${"7".repeat(bytes - 8)}`),
  yaml(
    "a glob",
    (bytes) => `${head}assertions:\n${lines((n) => `  "*a*a*a*a*a*a*a*a*a*a${n}": off`, bytes * 0.9)}`
  )
]

/** The longest request target that is accepted, in bytes. */
const targetBytes = 7000

/** Queries for a parameter of that name. */
export const queries = (name: string): ReadonlyArray<readonly [name: string, query: string]> => {
  const one = (what: string, value: string) => [`${name} ${what}`, `${name}=${value}`] as const
  return [
    one("as a long text", "x".repeat(targetBytes)),
    one("of escapes", times("%41", targetBytes)),
    one("of half escapes", times("%", targetBytes)),
    one("of NUL", "%00".repeat(1000)),
    one("of accents", times("e%CC%81", targetBytes)),
    one("as a glob", `${times("*a", targetBytes)}b`),
    one("of blanks and then none", `${times("+", targetBytes)}x`),
    one("of slashes and then none", `${times("/", targetBytes)}x`),
    one("of commas", times("a,", targetBytes)),
    one("as 2^31", String(2 ** 31)),
    one("as 2^53 + 1", "9007199254740993"),
    one("as 2^63", "9223372036854775808"),
    one("as 400 digits", "7".repeat(400)),
    one("as 1e400", "1e400"),
    one("as minus one", "-1"),
    one("as a cursor", Buffer.from(`{"after":"${"x".repeat(5000)}"}`).toString("base64url")),
    [`${name} many times`, times(`${name}=1&`, targetBytes)],
    [`${name} as a list`, times(`${name}[]=1&`, targetBytes)],
    [`${name} and many others`, `${name}=1&${lines((n) => `k${n}=1`, targetBytes).replaceAll("\n", "&")}`]
  ]
}

/** Texts for one segment of a path. */
export const segments: ReadonlyArray<readonly [name: string, segment: string]> = [
  ["a long id", "x".repeat(targetBytes)],
  ["an id of escapes", times("%41", targetBytes)],
  ["an id of half escapes", "%".repeat(100)],
  ["an id of NUL", "%00"],
  ["an id of half a surrogate pair", "%ed%a0%80"],
  ["an id of slashes", times("%2f", targetBytes)],
  ["an id of accents", times("e%CC%81", targetBytes)],
  ["an id as a glob", times("*a", targetBytes)],
  ["an id of dots", "%2e%2e%2f".repeat(100)]
]

const place = "\u0001place\u0001"

/** The JSON text of `base` with `value` at that place. `base` may lack it, but not what holds it. */
export const placed = (base: unknown, path: ReadonlyArray<string | number>, value: string): string => {
  if (path.length === 0) return value
  const copy = structuredClone(base) as any // JSON of any shape
  let at = copy
  for (const step of path.slice(0, -1)) at = at[step]
  at[path.at(-1)!] = place
  return JSON.stringify(copy).replace(JSON.stringify(place), () => value)
}

/** The paths of all places in a JSON value, without the value itself; of a list only the first item. */
export const placesIn = (
  value: unknown,
  path: ReadonlyArray<string | number> = []
): Array<ReadonlyArray<string | number>> => {
  if (typeof value !== "object" || value === null) return []
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.slice(0, 1).map((item) => [0, item] as const)
    : Object.entries(value)
  return entries.flatMap(([step, inner]) => [[...path, step], ...placesIn(inner, [...path, step])])
}

/** A shuffled copy; the same order for the same seed. */
export function shuffled<A>(all: ReadonlyArray<A>, seed: number): Array<A> {
  const order = [...all]
  let state = seed
  for (let last = order.length - 1; last > 0; last--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (last + 1)
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}
