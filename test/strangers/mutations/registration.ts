/** Faults of credentials: what is answered, when it is taken, which tokens live (credentials). */
import type { Bend } from "../partner/Bend.ts"
import type { Json } from "../partner/validity.ts"
import type { Asked, Call, Heard } from "../partner/wire.ts"
import {
  type At,
  admitting,
  answering,
  asking,
  at,
  both,
  change,
  data,
  hasToken,
  instead,
  inTurn,
  isList,
  isVersions,
  set,
  turning,
  within,
  without
} from "./bends.ts"
import { fault, type Mutation, withAll } from "./Mutation.ts"

const credentials = at("credentials")
const given = at("credentials", "POST", "PUT")
const registering = at("credentials", "POST")
const returned = (edit: (one: Json) => Json) => data(given, edit)
const isRead = ({ method }: Call) => method === "GET"
const heard = (value: unknown): Heard => ({
  http: 200,
  json: { data: value, status_code: 1000 },
  headers: {}
})
/** Never asks for their versions or details, and guesses them. */
const unseeing = (call: Call): ReadonlyArray<Call> | Heard =>
  isRead(call)
    ? heard(
        call.url.includes("details")
          ? { endpoints: [] }
          : ["2.1.1", "2.2", "2.2.1", "2.3.0"].map((version) => ({ version, url: `${call.url}/details` }))
      )
    : [call]
const listOnly = (call: Call): ReadonlyArray<Call> | Heard =>
  isRead(call) && !/versions$/.test(call.url)
    ? heard({
        endpoints: [
          { identifier: "credentials", role: "SENDER", url: call.url },
          { identifier: "tokens", role: "SENDER", url: call.url }
        ]
      })
    : [call]
/** Calls back with Token A, and then as it should. */
const withTokenA = (): Bend => {
  let tokenA = ""
  return {
    arrives: (asked) => {
      if (asked.method === "POST" && asked.body.includes("token"))
        tokenA = asked.headers["authorization"] ?? ""
      return asked
    },
    asks: (call) =>
      isRead(call) && tokenA !== ""
        ? [{ ...call, headers: { ...call.headers, Authorization: tokenA } }, call]
        : [call]
  }
}

/** Rows of a registration by us. */
export const registrationFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "full", early: true }, needs: { initiative: "ours", needsModules: false } },
  [
    fault("registration.no-call-back", "CRED-002", asking(unseeing), {
      follows: "CRED-003 CRED-004 TRANS-030 SESS-* CMD-* LOC-0* CDR-0* JRN-* CP-* TRANS-060"
    }),
    fault("registration.list-only", "CRED-003", asking(listOnly), {
      follows: "CRED-004 SESS-* CMD-* LOC-0* CDR-0* JRN-* CP-* TRANS-060"
    }),
    fault("registration.own-token", "CRED-004", withTokenA, { follows: "TRANS-007 TRANS-008" }),
    fault(
      "registration.long-token",
      "CRED-005",
      {},
      { needs: { tokenLength: 70 as 64, tokenAlphabet: "letters" }, follows: "CRED-039" }
    ),
    fault("registration.other-url", "CRED-006", returned(change("url", (url: string) => `${url}/gone`)), {
      follows: "CRED-039"
    }),
    fault("registration.nameless-old", "CRED-007", returned(within("business_details", without("name"))), {
      follows: "CRED-039"
    }),
    fault("registration.nameless", "CRED-008", returned(within("roles.business_details", without("name"))), {
      follows: "CRED-039"
    }),
    fault(
      "registration.role-twice",
      "CRED-009",
      returned(change("roles", (all: ReadonlyArray<Json>) => [...all, all[0]])),
      { follows: "CRED-039" }
    ),
    fault("registration.hub-of-no-form", "CRED-011", returned(set({ hub_party_id: "X" })), {
      follows: "CRED-008 CRED-039"
    })
  ]
)

/** Rows of credentials that are read. */
export const credentialFaults: ReadonlyArray<Mutation> = [
  fault("credentials.lists-refused", "CRED-012", instead(isList, { http: 401, code: 2001 }), {
    follows: "*"
  }),
  fault(
    "credentials.other-url",
    "CRED-039",
    data(at("credentials", "GET"), set({ url: "http://127.0.0.1:9/versions" }))
  ),
  fault(
    "credentials.other-party",
    "CRED-039",
    data(at("credentials", "GET"), (one: Json) =>
      "roles" in one ? within("roles", set({ party_id: "XYZ" }))(one) : { ...one, party_id: "XYZ" }
    )
  ),
  fault("credentials.masked-token", "CRED-040", data(at("credentials", "GET"), set({ token: "********" }))),
  fault(
    "credentials.encoded-token",
    "CRED-040",
    data(
      at("credentials", "GET"),
      change("token", (token: string) => Buffer.from(token).toString("base64"))
    )
  )
]

/** Tokens that were once valid are taken for ever. */
const remembering =
  (there: At, until = Number.POSITIVE_INFINITY) =>
  () => {
    const known = new Set<string>()
    let used = 0
    return {
      says: (said: Parameters<NonNullable<ReturnType<typeof turning>["says"]>>[0], asked: Asked) => {
        if (said.http === 200) known.add(asked.headers["authorization"] ?? "")
        return said
      },
      admits: (asked: Asked, where: Parameters<At>[1]) => {
        if (!there(asked, where) || !known.has(asked.headers["authorization"] ?? "")) return false
        used += 1
        return used < until
      }
    }
  }
const otherToken = change("token", (token: string) => `${token.slice(0, -3)}xyz`)

/** Rows of what may end the registration. */
export const renewalFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "credentials" }, needs: { initiative: "ours", needsModules: false } },
  [
    fault(
      "renewal.post-again",
      "CRED-015",
      {
        arrives: (asked) =>
          asked.method === "POST" &&
          /credentials|^\/x/.test(asked.url.pathname) &&
          asked.headers["authorization"] !== undefined
            ? { ...asked, method: "PUT" }
            : asked
      },
      {
        needs: { paths: "version first" },
        follows: "CRED-016 CRED-019 CRED-0*"
      }
    ),
    fault(
      "renewal.second-post-ends-it",
      "CRED-016",
      () => {
        let over = false
        return {
          says: (said, asked, where) => {
            if (where.module === "credentials" && asked.method === "POST" && said.http === 405) {
              over = true
              return said
            }
            return over ? { http: 401 } : said
          }
        }
      },
      { follows: "CRED-0*" }
    ),
    fault(
      "renewal.anybody",
      "CRED-019",
      answering(
        (asked, where) => credentials(asked, where) && asked.method !== "GET",
        (said) => (said.http === 401 ? { http: 200, code: 1000 } : said)
      ),
      { follows: "CRED-038" }
    ),
    fault("renewal.put-refused", "CRED-027", instead(at("credentials", "PUT"), { http: 405 }), {
      follows: "CRED-028 CRED-029 CRED-03*"
    }),
    fault("renewal.unseeing", "CRED-028", asking(unseeing), { follows: "CRED-034 CRED-032 CRED-033" }),
    fault("renewal.impudent", "CRED-034", asking(unseeing), { follows: "CRED-028 CRED-032 CRED-033" }),
    fault("renewal.wrong-token", "CRED-029", data(at("credentials", "PUT"), otherToken), {
      follows: "CRED-0*"
    }),
    fault("renewal.old-token-lives", "CRED-030", remembering(isVersions), {
      follows: "CRED-036 CRED-038 CRED-016"
    }),
    fault("renewal.delete-refused", "CRED-035", instead(at("credentials", "DELETE"), { http: 405 }), {
      follows: "CRED-036 CRED-037 CRED-038"
    }),
    fault(
      "renewal.lists-for-all",
      "CRED-036",
      {
        says: (said, asked, where) =>
          isList(asked, where) && said.http === 401 && asked.headers["authorization"] !== undefined
            ? { http: 200, code: 1000, data: [] }
            : said
      },
      { follows: "CRED-0*" }
    ),
    fault(
      "renewal.absent-is-changed",
      "CRED-038",
      answering(
        both(
          (asked, where) => credentials(asked, where) && ["PUT", "DELETE"].includes(asked.method),
          hasToken
        ),
        (said) => (said.http === 401 ? { http: 200, code: 1000 } : said)
      ),
      { follows: "CRED-019" }
    )
  ]
)

/** Rows of a first registration. */
export const firstFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "registration" }, needs: { initiative: "ours", needsModules: true, twoPorts: false } },
  [
    fault(
      "first.empty-answer",
      "CRED-001",
      answering(registering, (said) =>
        said.http === 200 && (said.code ?? 0) < 2000 && said.data !== undefined
          ? { http: 200, code: 1000 }
          : said
      ),
      { follows: "CRED-0*" }
    ),
    fault("first.token-a-lives", "CRED-013", remembering(isVersions)),
    fault("first.lists-with-token-a", "CRED-014", {
      says: (said, asked, where) =>
        isList(asked, where) && said.http === 401 && asked.headers["authorization"] !== undefined
          ? { http: 200, code: 1000, data: [] }
          : said
    }),
    fault(
      "first.put-changes-nothing",
      "CRED-017",
      turning(at("credentials", "PUT"), { http: 405 }, { http: 200, code: 1000 })
    ),
    fault(
      "first.delete-changes-nothing",
      "CRED-018",
      turning(at("credentials", "DELETE"), { http: 405 }, { http: 200, code: 1000 })
    ),
    fault(
      "first.takes-incomplete",
      "CRED-020",
      answering(registering, (said) =>
        said.code === 2001
          ? {
              http: 200,
              code: 1000,
              data: { token: "incomplete-token", url: "http://127.0.0.1:9/versions", roles: [] }
            }
          : said
      ),
      { follows: "CRED-048" }
    ),
    fault("first.garbage-crashes", "CRED-021", turning(registering, { http: 400 }, { http: 500 })),
    fault("first.vague-about-silence", "CRED-022", turning(registering, { code: 3001 }, { code: 2000 }), {
      follows: "CRED-023"
    }),
    fault("first.vague-about-errors", "CRED-023", turning(registering, { code: 3001 }, { code: 3000 }), {
      follows: "CRED-022"
    }),
    fault("first.vague-about-version", "CRED-024", turning(registering, { code: 3002 }, { code: 2000 })),
    fault("first.vague-about-endpoints", "CRED-025", turning(registering, { code: 3003 }, { code: 2000 })),
    fault(
      "first.forgets-token-a",
      "CRED-026",
      () => {
        let failed = false
        return {
          says: (said, asked, where) => {
            if (failed && registering(asked, where) && (said.code ?? 0) < 2000 && said.http === 200)
              return { http: 401, code: 2001 }
            if (registering(asked, where) && (said.code ?? 0) >= 3000) failed = true
            return said
          }
        }
      },
      { follows: "CRED-001 CRED-047 CRED-013 CRED-014" }
    ),
    fault("first.takes-strangers", "CRED-048", admitting(both(registering, hasToken)), {
      follows: "CRED-020 CRED-022 CRED-023 CRED-024"
    })
  ]
)

/** Rows of a registration by the partner. */
export const theirFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "full", early: true }, needs: { initiative: "theirs" } },
  [
    fault(
      "theirs.old-token",
      "CRED-045",
      () => {
        let first: string | undefined
        return {
          asks: (call) => {
            first ??= call.headers["Authorization"]!
            return [{ ...call, headers: { ...call.headers, Authorization: first } }]
          }
        }
      },
      {
        roles: ["CPO"],
        needs: { pushes: "put" },
        follows: "TRANS-007 TRANS-008 SESS-02* SESS-03* CDR-03* JRN-0* LOC-04* CMD-0* CP-0*"
      }
    ),
    fault(
      "theirs.nameless",
      "CRED-042",
      {
        asks: (call) => {
          if (call.method !== "POST") return [call]
          const nameless = inTurn(
            within("roles.business_details", without("name")),
            within("business_details", without("name"))
          )(call.json as Json)
          return [{ ...call, json: nameless }, call]
        }
      },
      { follows: "CRED-041 CRED-043" }
    )
  ]
)
