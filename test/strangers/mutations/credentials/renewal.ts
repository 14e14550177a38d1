import type { Json } from "../../partner/objects/validity.ts"
import {
  answering,
  asking,
  at,
  both,
  change,
  data,
  hasToken,
  instead,
  isList,
  isVersions,
  set,
  within
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { credentials, remembering, unseeing } from "./registering.ts"

/** Rows of credentials that are read. */
export const credentialFaults: ReadonlyArray<Mutation> = [
  fault("credentials.lists-refused", "CRED-012", instead(isList, { http: 401, code: 2001 })),
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
        follows: "CRED-016 CRED-019"
      }
    ),
    fault("renewal.second-post-ends-it", "CRED-016", () => {
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
    }),
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
      follows: "CRED-028 CRED-029"
    }),
    fault("renewal.unseeing", "CRED-028", asking(unseeing), { follows: "CRED-034 CRED-032 CRED-033" }),
    fault("renewal.impudent", "CRED-034", asking(unseeing), { follows: "CRED-028 CRED-032 CRED-033" }),
    fault("renewal.wrong-token", "CRED-029", data(at("credentials", "PUT"), otherToken)),
    fault("renewal.old-token-lives", "CRED-030", remembering(isVersions), {
      follows: "CRED-036 CRED-038 CRED-016"
    }),
    fault("renewal.delete-refused", "CRED-035", instead(at("credentials", "DELETE"), { http: 405 }), {
      follows: "CRED-036 CRED-037 CRED-038"
    }),
    fault("renewal.lists-for-all", "CRED-036", {
      says: (said, asked, where) =>
        isList(asked, where) && said.http === 401 && asked.headers["authorization"] !== undefined
          ? { http: 200, code: 1000, data: [] }
          : said
    }),
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

/** Rows of what a partner that calls by itself does after its registration was renewed or ended. */
export const afterRenewalFaults: ReadonlyArray<Mutation> = withAll(
  {
    order: { part: "credentials" },
    needs: { initiative: "ours", needsModules: false, routineSeconds: 20, pushes: "put" }
  },
  [
    fault("renewal.keeps-token", "CRED-031", { keepsOld: { token: true } }),
    fault(
      "renewal.keeps-endpoints",
      "CRED-032",
      { keepsOld: { endpoints: true } },
      {
        // Where the partner lists another version of ours too.
        follows: "CRED-033"
      }
    ),
    fault(
      "renewal.stays-in-version",
      "CRED-033",
      () => {
        let own: string | undefined
        return {
          says: (said, asked, where) => {
            if (!isList(asked, where) || said.http !== 200) return said
            own ??= where.version
            return where.version === own ? said : { http: 401, code: 2001 }
          }
        }
      },
      { needs: { otherVersions: ["2.1.1", "2.2", "2.2.1", "2.3.0"] } }
    ),
    fault("renewal.calls-on", "CRED-037", { staysAfterDelete: true })
  ]
)
