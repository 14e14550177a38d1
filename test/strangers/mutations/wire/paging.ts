/** Faults of lists: pages, filters (transport_and_format, Pagination). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  crashing,
  data,
  every,
  header,
  headers,
  isList,
  noHeader,
  page,
  parameters,
  refusing,
  set
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const dropping = (...names: ReadonlyArray<string>) =>
  parameters((all) => {
    for (const name of names) all.delete(name)
  })
const asks =
  (name: string, pattern: RegExp) =>
  (asked: Parameters<typeof isList>[0], where: Parameters<typeof isList>[1]) =>
    isList(asked, where) && pattern.test(asked.url.searchParams.get(name) ?? "")
const link = (edit: (value: string) => string | undefined) => header("Link", isList, edit)
const total = (edit: (value: string) => string | undefined) => header("X-Total-Count", isList, edit)
const shifted = (name: string, millis: number) =>
  parameters((all) => {
    const text = all.get(name)
    if (text !== null && !Number.isNaN(Date.parse(text)))
      all.set(name, new Date(Date.parse(text.endsWith("Z") ? text : `${text}Z`) + millis).toISOString())
  })

/** Rows of lists. */
export const pagingFaults: ReadonlyArray<Mutation> = withAll(
  {
    needs: {
      objects: 12,
      pageMax: 5,
      pageUsual: 5,
      listOrder: "created",
      changesEach: 0,
      digits: 0,
      openBounds: false
    }
  },
  [
    fault("paging.no-total", "PAGE-001", noHeader("X-Total-Count", isList)),
    fault("paging.no-limit", "PAGE-002", noHeader("X-Limit", isList), { follows: "PAGE-014 PAGE-015" }),
    fault("paging.limit-ignored", "PAGE-003", dropping("limit")),
    fault(
      "paging.no-link",
      "PAGE-004",
      link(() => undefined),
      { follows: "LOC-019" }
    ),
    fault(
      "paging.link-on-last-page",
      "PAGE-005",
      headers(isList, (all, { url }) =>
        all["Link"] === undefined
          ? {
              ...all,
              Link: `<${url.href.replace(/offset=\d+&?/, "")}${url.search === "" ? "?" : "&"}offset=999>; rel="next"`
            }
          : { ...all }
      ),
      { follows: "PAGE-023" }
    ),
    fault(
      "paging.relative-link",
      "PAGE-006",
      link((value) => value.replaceAll(/<https?:\/\/[^/]+/g, "<")),
      { follows: "LOC-019" }
    ),
    fault(
      "paging.link-without-filters",
      "PAGE-007",
      link((value) => value.replaceAll(/date_(from|to)=[^&>]*&?/g, "")),
      { follows: "PAGE-019 PAGE-020 PAGE-021 PAGE-022 PAGE-024" }
    ),
    fault(
      "paging.link-without-date-to",
      "PAGE-007",
      link((value) => value.replaceAll(/date_to=[^&>]*&?/g, "")),
      { follows: "PAGE-020 PAGE-022 PAGE-024" }
    ),
    fault(
      "paging.total-too-high",
      "PAGE-008",
      total((value) => String(Number(value) + 3)),
      { follows: "PAGE-023" }
    ),
    fault(
      "paging.twice",
      "PAGE-009",
      page((all, said) => ({
        ...said,
        data: all.flatMap((one, index) => (index === 0 ? [one, one] : [one]))
      })),
      { follows: "LOC-010 SESS-018 CDR-003 TAR-003 TOK-003 PAGE-003 PAGE-005 PAGE-008 PAGE-012 PAGE-014" }
    ),
    fault(
      "paging.any-order",
      "PAGE-010",
      () => {
        let turns = 0
        return page((all, said) => {
          turns += 1
          const at = turns % Math.max(1, all.length)
          return { ...said, data: [...all.slice(at), ...all.slice(0, at)] }
        })
      },
      { follows: "PAGE-011 PAGE-012" }
    ),
    fault(
      "paging.lost-between-pages",
      "PAGE-011",
      page((all, said, { url }) =>
        url.searchParams.get("limit") === "7" ? { ...said, data: all.slice(1) } : said
      )
    ),
    fault(
      "paging.offset-off",
      "PAGE-012",
      parameters((all) => {
        const offset = all.get("offset")
        if (offset !== null && all.get("limit") === "1" && Number(offset) > 0)
          all.set("offset", String(Number(offset) + 1))
      }),
      { follows: "PAGE-011" }
    ),
    fault(
      "paging.offset-as-page",
      "PAGE-012",
      parameters((all) => {
        const [offset, limit] = ["offset", "limit"].map((name) => Number(all.get(name) ?? Number.NaN))
        if (offset! > 0 && limit! > 0) all.set("offset", String(offset! * limit!))
      })
    ),
    fault(
      "paging.total-of-the-rest",
      "PAGE-013",
      headers(isList, (all, { url }) => ({
        ...all,
        ...(all["X-Total-Count"] === undefined
          ? {}
          : {
              "X-Total-Count": String(
                Math.max(0, Number(all["X-Total-Count"]) - Number(url.searchParams.get("offset") ?? 0))
              )
            })
      })),
      { needs: { link: "offset" }, follows: "PAGE-005" }
    ),
    fault(
      "paging.limit-exceeded",
      "PAGE-014",
      header("X-Limit", isList, () => "2"),
      { follows: "PAGE-015 PAGE-003" }
    ),
    fault(
      "paging.limit-is-count",
      "PAGE-015",
      answering(isList, (said) => ({
        ...said,
        headers: {
          ...said.headers,
          ...(Array.isArray(said.data) ? { "X-Limit": String(Math.max(1, said.data.length)) } : {})
        }
      }))
    ),
    fault(
      "paging.beyond-is-missing",
      "PAGE-016",
      page((all, said, { url }) =>
        all.length === 0 && url.searchParams.has("offset") ? { http: 404, code: 2000 } : said
      ),
      { follows: "PAGE-015" }
    ),
    fault(
      "paging.by-last-change",
      "PAGE-030",
      page((all, said) => ({
        ...said,
        data: all.toSorted((a, b) => (String(a["last_updated"]) < String(b["last_updated"]) ? -1 : 1))
      })),
      {
        roles: ["CPO"],
        needs: { pageMax: 1000, pageUsual: 1000, listOrder: "by id" },
        follows: "PAGE-010 PAGE-012"
      }
    ),
    fault("paging.no-number-crashes", "PAGE-017", crashing(asks("limit", /[a-z]/))),
    fault("paging.zero-crashes", "PAGE-018", crashing(asks("limit", /^0$/))),
    fault("paging.from-excluded", "PAGE-019", shifted("date_from", 1000)),
    fault("paging.to-included", "PAGE-020", shifted("date_to", 1000)),
    fault("paging.from-ignored", "PAGE-023", dropping("date_from"), { needs: { needsDateFrom: false } }),
    fault("paging.dates-ignored", "PAGE-023", dropping("date_from", "date_to"), {
      needs: { needsDateFrom: false }
    }),
    // By more than the days from one object of a list to the next, so that another one comes.
    fault("paging.from-too-early", "PAGE-021", shifted("date_from", -50 * 86_400_000)),
    fault("paging.to-ignored", "PAGE-022", dropping("date_to"), { versions: "2.2+" }),
    fault(
      "paging.total-unfiltered",
      "PAGE-023",
      headers(isList, (all, { url }) => ({
        ...all,
        ...(url.searchParams.has("date_from") ? { "X-Total-Count": "12" } : {})
      }))
    ),
    fault(
      "paging.windows-overlap",
      "PAGE-024",
      parameters((all) => {
        const [from, to] = [all.get("date_from"), all.get("date_to")]
        if (from !== null && to !== null && Date.parse(to) - Date.parse(from) > 0)
          all.set(
            "date_to",
            new Date(Date.parse(to.endsWith("Z") ? to : `${to}Z`) + 86_400_000 * 20).toISOString()
          )
      }),
      // Lists that need a date_from are asked with both bounds there, too.
      { follows: "PAGE-022" }
    ),
    fault("paging.no-date-crashes", "PAGE-025", crashing(asks("date_from", /^yesterday|-13-/))),
    fault(
      "paging.turned-window-crashes",
      "PAGE-026",
      crashing((asked, where) => {
        const [from, to] = ["date_from", "date_to"].map((name) => asked.url.searchParams.get(name))
        return isList(asked, where) && !!from && !!to && Date.parse(from) > Date.parse(to)
      })
    ),
    fault("paging.owner-unknown", "PAGE-027", every("Tariff", set({ party_id: "XYZ" })), {
      roles: ["CPO"],
      follows: "LOC-019 CDR-014 CDR-016 SESS-010"
    }),
    fault(
      "paging.list-in-object",
      "LOC-001",
      data(
        (asked, where) => isList(asked, where) && where.module === "locations",
        (all: ReadonlyArray<Json>) => ({ locations: all })
      ),
      { roles: ["CPO"], follows: "TRANS-015" }
    ),
    fault(
      "paging.locations-refused",
      "LOC-001",
      refusing((asked, where) => isList(asked, where) && where.module === "locations"),
      {
        roles: ["CPO"],
        follows: "CRED-012"
      }
    ),
    ...[
      ["sessions", "SESS-001", "CPO"],
      ["cdrs", "CDR-001", "CPO"],
      ["tariffs", "TAR-001", "CPO"],
      ["tokens", "TOK-001", "EMSP"]
    ].map(([module, check, role]) =>
      fault(
        `paging.${module}-null`,
        check!,
        data(
          (asked, where) => isList(asked, where) && where.module === module,
          () => null
        ),
        { roles: [role as "CPO" | "EMSP"], follows: "TRANS-015" }
      )
    )
  ]
)
