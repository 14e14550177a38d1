/** Faults in tokens that are listed, and in real-time authorization (mod_tokens). */
import type { Json } from "../../partner/objects/validity.ts"
import {
  type At,
  answering,
  both,
  copied,
  data,
  deep,
  instead,
  second,
  set,
  those,
  without
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const token = (fields: Json) => second("Token", set(fields))
const typed = "TRANS-045 TRANS-046 TRANS-047 TRANS-048"

/** Rows of what is listed. */
export const tokenFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6 } }, [
  fault("tokens.no-issuer", "TOK-002", second("Token", without("issuer")), { follows: `${typed} TOK-013` }),
  fault("tokens.uid-twice", "TOK-003", copied("Token", "uid", "type"), {
    follows: "PAGE-009 PAGE-011 PAGE-012 TOK-013 TOK-012 TOK-018"
  }),
  fault("tokens.unknown-whitelist", "TOK-004", token({ whitelist: "MAYBE" }), { follows: "TOK-002 TOK-013" }),
  fault("tokens.apps-in-local-lists", "TOK-005", token({ type: "APP_USER", whitelist: "ALLOWED" }), {
    follows: "TOK-012 TOK-013 TOK-018"
  }),
  fault("tokens.plug-and-charge", "TOK-006", token({ type: "EMAID" }), { follows: "TOK-005" }),
  fault("tokens.long-group", "TOK-007", token({ group_id: "G".repeat(30) })),
  fault("tokens.foreign-owner", "TOK-008", token({ party_id: "XYZ" })),
  fault("tokens.odd-contract", "TOK-009", {
    shows: (json, name) =>
      name === "Token" ? { ...json, ["auth_id" in json ? "auth_id" : "contract_id"]: "12345" } : json
  }),
  fault("tokens.unknown-language", "TOK-011", token({ language: "xx" }))
])

const authorizing: At = both(
  ({ method }, { below, module }) => module === "tokens" && method === "POST" && below[1] === "authorize",
  deep(2)
)
const info = (edit: (json: Json) => unknown) => data(authorizing, edit)
const query = (name: string, value: RegExp): At =>
  both(authorizing, ({ url }) => value.test(url.searchParams.get(name) ?? ""))
// 2000 alone may also be said of a body that cannot be read.
const isUnknown = (said: { http: number; code?: number }) => said.http === 404 || said.code === 2004

/** Rows of authorization. */
export const authorizeFaults: ReadonlyArray<Mutation> = withAll(
  { needs: { objects: 6, needsLocation: false } },
  [
    fault("authorize.cannot-be-asked", "TOK-010", instead(authorizing, { http: 405 })),
    fault("authorize.unknown-verdict", "TOK-012", info(set({ allowed: "PERHAPS" })), {
      follows: "TOK-018 TOK-019 TOK-020 TOK-021 TOK-027"
    }),
    fault("authorize.without-token", "TOK-013", info(without("token"))),
    fault(
      "authorize.other-token",
      "TOK-013",
      info((json) => ({ ...json, token: { ...(json["token"] as Json), visual_number: "other" } })),
      { needs: { changesEach: 0 } }
    ),
    fault(
      "authorize.allowed-elsewhere",
      "TOK-014",
      info(set({ location: { location_id: "ELSEWHERE", evse_uids: [] } }))
    ),
    fault(
      "authorize.unknown-is-no-404",
      "TOK-015",
      answering(authorizing, (said) => (isUnknown(said) ? { ...said, http: 200 } : said)),
      {
        needs: { notFound: "envelope" }
      }
    ),
    fault(
      "authorize.unknown-without-code",
      "TOK-016",
      answering(authorizing, (said) => (isUnknown(said) ? { ...said, code: 2001 } : said))
    ),
    fault(
      "authorize.strangers-allowed",
      "TOK-017",
      answering(authorizing, (said) =>
        isUnknown(said) ? { http: 200, code: 1000, data: { allowed: "ALLOWED" } } : said
      ),
      { needs: { notFound: "envelope" }, follows: "TOK-022" }
    ),
    fault("authorize.everybody-allowed", "TOK-018", info(set({ allowed: "ALLOWED" }))),
    fault(
      "authorize.needs-a-body",
      "TOK-019",
      instead(
        both(authorizing, ({ body }) => body === ""),
        { http: 400, code: 2001 }
      ),
      { follows: "TOK-021" }
    ),
    fault(
      "authorize.known-places-only",
      "TOK-020",
      instead(
        both(authorizing, ({ body }) => /TST|NEVER|never/.test(body)),
        { http: 500 }
      ),
      { follows: "TOK-012 TOK-015 TOK-016 TOK-023" }
    ),
    fault(
      "authorize.type-must-be-said",
      "TOK-021",
      answering(
        both(authorizing, ({ url }) => !url.searchParams.has("type") && !url.searchParams.has("token_type")),
        (said) =>
          said.http === 200 && said.code! < 2000
            ? { ...said, data: { ...(said.data as Json), allowed: "BLOCKED" } }
            : said
      )
    ),
    fault(
      "authorize.by-case",
      "TOK-032",
      answering(authorizing, (said, { url }) => {
        const [, uid = ""] = /\/([^/]+)\/authorize/.exec(url.pathname) ?? []
        const isVerdict = said.http === 200 && said.code! < 2000
        return !isVerdict || JSON.stringify(said.data).includes(`"uid":"${decodeURIComponent(uid)}"`)
          ? said
          : { http: 404, code: 2004 }
      })
    ),
    fault(
      "authorize.type-overlooked",
      "TOK-022",
      {
        reads: (asked, where) => {
          if (!authorizing(asked, where)) return asked
          const url = new URL(asked.url)
          url.searchParams.delete("type")
          return { ...asked, url }
        }
      },
      { follows: "TOK-012 TOK-013 TOK-018" }
    ),
    fault(
      "authorize.any-place",
      "TOK-023",
      answering(authorizing, (said) =>
        said.code === 2001 && said.http !== 401
          ? { http: 200, code: 1000, data: { allowed: "ALLOWED" } }
          : said
      ),
      {
        follows: "TOK-019"
      }
    ),
    fault(
      "authorize.takes-posts",
      "TOK-024",
      instead(
        both(({ method }, { module }) => module === "tokens" && method === "POST", deep(1)),
        { http: 200, code: 1000 }
      ),
      {
        follows: "TRANS-022"
      }
    ),
    fault("authorize.one-reference-for-all", "TOK-025", info(set({ authorization_reference: "ALWAYS" }))),
    fault("authorize.slow", "TOK-026", {}, { needs: { latency: 5000 }, follows: "VERS-017" }),
    fault("authorize.judges-by-state", "TOK-027", () => {
      const shut = new Map<string, boolean>()
      return {
        reads: (asked, where) => {
          if (where.module === "locations" && !where.isSender && asked.method === "PUT")
            shut.set(where.below[2] ?? "", /INOPERATIVE|exceptional_closings/.test(asked.body))
          return asked
        },
        says: (said, asked, where) =>
          authorizing(asked, where) &&
          said.http === 200 &&
          (said.code ?? 0) < 2000 &&
          [...shut].some(([id, is]) => is && asked.body.includes(`"${id}"`))
            ? { ...said, data: { ...(said.data as Json), allowed: "NOT_ALLOWED" } }
            : said
      }
    }),
    fault(
      "tokens.type-other-refused",
      "TOK-022",
      instead(query("type", /BANANA/), { http: 200, code: 1000, data: { allowed: "ALLOWED" } }),
      {
        versions: "2.2+"
      }
    ),
    fault(
      "tokens.group-of-two",
      "TOK-007",
      those("Token", (json) => json["type"] === "RFID", set({ group_id: "G".repeat(40) })),
      { follows: "TOK-013 TRANS-046" }
    )
  ]
)
