/** Answers of a partner that are expensive to parse. Shares no code with src/. */
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { books } from "../../../test/support/ocpi/books.ts"
import { few, placed, type Shape, structures } from "./pathological.ts"

/** The endpoint of the partner that gives the answer. */
export type Where =
  | "versions"
  | "details"
  | "credentials"
  | "locations"
  | "sessions"
  | "cdrs"
  | "tariffs"
  | "commands"

/** One expensive answer. */
export interface Hostility {
  readonly where: Where
  readonly name: string
  /** It succeeded in the past. */
  readonly known?: true
  readonly answer: (asked: URL, response: ServerResponse) => void
}

/** The longest answer that is read whole, in bytes. */
const most = 1024 * 1024 - 200
const envelope = (data: string, more = "") =>
  `{${more}"data":${data},"status_code":1000,"timestamp":"2026-01-01T00:00:00Z"}`

const page =
  (
    text: (asked: URL) => string | Buffer,
    headers: (asked: URL) => Record<string, string | Array<string>> = () => ({})
  ) =>
  (asked: URL, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json", ...headers(asked) })
    response.end(text(asked))
  }

/** Answers for any endpoint. */
const anywhere: ReadonlyArray<Omit<Hostility, "where">> = [
  ...[...structures, ...few].map(({ name, of }) => ({
    name: `data = ${name}`,
    answer: page(() => envelope(of(most)))
  })),
  { name: "60 KB of empty objects", answer: page(() => envelope(`[${"{},".repeat(20_000)}{}]`)) },
  { name: "a body of nested lists", answer: page(() => "[".repeat(most)) },
  { name: "a body of blanks", answer: page(() => " ".repeat(most)) },
  { name: "a body of digits", answer: page(() => "7".repeat(most)) },
  {
    name: "a long status_message",
    answer: page(() => envelope("[]", `"status_message":"${"x".repeat(most)}",`))
  },
  {
    name: "a status_message of slashes",
    answer: page(() => envelope("[]", `"status_message":"${"/".repeat(most)}x",`))
  },
  {
    name: "a gzip bomb",
    answer: page(
      () => gzipSync(Buffer.alloc(20_000_000, 91)),
      () => ({ "content-encoding": "gzip" })
    )
  },
  {
    name: "1500 headers of one name",
    answer: page(
      () => envelope("[]"),
      () => ({ "x-a": Array(1500).fill("1") })
    )
  },
  {
    name: "1500 headers",
    answer: page(
      () => envelope("[]"),
      () => Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`x-${n}`, "1"]))
    )
  },
  {
    name: "a content type of blanks",
    answer: page(
      () => envelope("[]"),
      () => ({ "content-type": `a${" ".repeat(20_000)}b` })
    )
  },
  {
    name: "Retry-After of 400 digits",
    answer: (_, response) => response.writeHead(429, { "retry-after": "7".repeat(400) }).end(envelope("[]"))
  }
]

const link = (name: string, value: (asked: URL) => string) => ({
  name: `Link: ${name}`,
  answer: page(
    () => envelope("[{}]"),
    (asked) => ({ link: value(asked) })
  )
})
const nextPage = ({ origin, pathname, searchParams }: URL) =>
  `<${origin}${pathname}?offset=${Number(searchParams.get("offset") ?? 0) + 1}>; rel="next"`

const listWhere = ["locations", "sessions", "cdrs", "tariffs"] as const
const objectIn = { locations: "Location", sessions: "Session", cdrs: "CDR", tariffs: "Tariff" } as const
/** Lists in a location, and what they are of, that held the event loop up in the past. */
const dear = ["evses 0", "evses.0.connectors 2"]
const innerLists = {
  locations: [["evses"], ["evses", 0, "connectors"], ["images"], ["opening_times", "exceptional_openings"]],
  sessions: [["charging_periods"], ["charging_periods", 0, "dimensions"]],
  cdrs: [["charging_periods"], ["tariffs"], ["charging_periods", 0, "dimensions"]],
  tariffs: [["elements"], ["elements", 0, "price_components"], ["tariff_alt_text"]]
} as const

const objectsWithIds = (example: Record<string, unknown>): Shape => ({
  name: "many different ones",
  of: (bytes) => {
    const items: Array<string> = []
    for (let size = 0; size < bytes - 12_000; size += items.at(-1)!.length + 1)
      items.push(JSON.stringify({ ...example, id: String(items.length) }))
    return `[${items.join(",")}]`
  }
})

/** Answers for endpoints of lists. */
const lists: ReadonlyArray<Hostility> = listWhere.flatMap((where): ReadonlyArray<Hostility> => {
  const example = books["2.2.1"].example(objectIn[where], true)
  const small = books["2.2.1"].example(objectIn[where], false)
  const at = (path: ReadonlyArray<string | number>) =>
    JSON.stringify(path.reduce((value: any, step) => value[step], example)[0])
  const inner = innerLists[where].flatMap((path) =>
    ["{}", '""', at(path)].map((item, index) => ({
      where,
      name: `one object with ${path.join(".")} of ${["empty objects", "empty texts", "valid items"][index]}`,
      ...(where === "locations" && dear.includes(`${path.join(".")} ${index}`)
        ? { known: true as const }
        : {}),
      answer: page(() =>
        envelope(
          `[${placed(example, path, `[${`${item},`.repeat(Math.floor((most - 12_000) / (item.length + 1)))}${item}]`)}]`
        )
      )
    }))
  )
  const pages = [
    link("angles that open", () => "<".repeat(15_000)),
    link("blanks after semicolons", () => `<a>${"; ".repeat(7000)}`),
    link("many blanks", () => `<a>;${" ".repeat(15_000)}x`),
    link("quotes", () => `<a>;a${'"'.repeat(15_000)}`),
    link("many links", () => '<a>; rel="x",'.repeat(2000)),
    link("a long target", ({ origin }) => `<${origin}/${"a/".repeat(7000)}>; rel="next"`),
    link("a next page for ever", nextPage),
    {
      name: "pages of 60 KB of empty objects for ever",
      answer: page(
        () => envelope(`[${"{},".repeat(20_000)}{}]`),
        (asked) => ({ link: nextPage(asked), "x-total-count": "9".repeat(400), "x-limit": "1e400" })
      )
    },
    {
      name: "pages of 200 KB of valid objects for ever",
      answer: page(
        () => envelope(objectsWithIds(small).of(200_000)),
        (asked) => ({ link: nextPage(asked) })
      )
    },
    {
      name: "a megabyte of different objects",
      answer: page(() => envelope(objectsWithIds(example).of(most)))
    },
    { name: "a megabyte of small objects", answer: page(() => envelope(objectsWithIds(small).of(most))) }
  ]
  return [...inner, ...pages.map((one) => ({ where, ...one }))]
})

const many = (count: number, item: (index: number, origin: string) => string) =>
  page((asked) => envelope(`[${Array.from({ length: count }, (_, n) => item(n, asked.origin)).join(",")}]`))
const endpoints = (count: number, item: (index: number, origin: string) => string) =>
  page(({ origin }) =>
    envelope(
      `{"version":"2.2.1","endpoints":[${Array.from({ length: count }, (_, n) => item(n, origin)).join(",")}]}`
    )
  )

/** Answers for endpoints of the registration and of commands. */
const registration: ReadonlyArray<Hostility> = [
  {
    where: "versions",
    name: "10,000 versions",
    answer: many(10_000, (n, origin) => `{"version":"9.${n}","url":"${origin}/details"}`)
  },
  {
    where: "versions",
    name: "10,000 times our version",
    answer: many(10_000, (_, origin) => `{"version":"2.2.1","url":"${origin}/details"}`)
  },
  {
    where: "versions",
    name: "one version with a long name",
    answer: many(1, () => `{"version":"${"9".repeat(900_000)}","url":"x"}`)
  },
  { where: "details", name: "100,000 empty endpoints", answer: endpoints(100_000, () => "{}") },
  {
    where: "details",
    name: "10,000 endpoints",
    answer: endpoints(10_000, (n, origin) => `{"identifier":"m${n}","role":"SENDER","url":"${origin}/m${n}"}`)
  },
  {
    where: "details",
    name: "10,000 credentials endpoints",
    answer: endpoints(
      10_000,
      (n, origin) => `{"identifier":"credentials","role":"SENDER","url":"${origin}/${n}"}`
    )
  },
  {
    where: "details",
    name: "20,000 endpoints without a role",
    answer: endpoints(20_000, () => '{"identifier":"locations","url":"/locations"}')
  },
  {
    where: "credentials",
    name: "10,000 roles",
    answer: page(({ origin }) =>
      envelope(
        `{"token":"abc","url":"${origin}/versions","roles":[${Array.from(
          { length: 10_000 },
          (_, n) =>
            `{"role":"CPO","party_id":"${(n % 1296).toString(36).padStart(3, "A")}","country_code":"DE","business_details":{"name":"a"}}`
        ).join(",")}]}`
      )
    )
  },
  {
    where: "credentials",
    name: "300,000 empty roles",
    answer: page(({ origin }) =>
      envelope(`{"token":"abc","url":"${origin}/versions","roles":[${"{},".repeat(300_000)}{}]}`)
    )
  },
  {
    where: "credentials",
    name: "a token of a megabyte",
    answer: page(({ origin }) =>
      envelope(`{"token":"${"x".repeat(most - 400)}","url":"${origin}/versions","roles":[]}`)
    )
  },
  ...few.map(
    ({ name, of }): Hostility => ({
      where: "commands",
      name: `result = ${name}`,
      answer: page(() => envelope(`{"result":${of(most)},"timeout":30}`))
    })
  ),
  {
    where: "commands",
    name: "20,000 messages",
    answer: page(() =>
      envelope(
        `{"result":"ACCEPTED","timeout":1e400,"message":[${'{"language":"en","text":"a"},'.repeat(20_000)}{}]}`
      )
    )
  }
]

const everywhere: ReadonlyArray<Where> = ["versions", "details", "credentials", ...listWhere, "commands"]

/** All of them: registration and lists first, then those for any endpoint. */
export const hostilities: ReadonlyArray<Hostility> = [
  ...registration,
  ...lists,
  ...everywhere.flatMap((where) => anywhere.map((one): Hostility => ({ where, ...one })))
]
