import type { Json } from "../../partner/objects/validity.ts"
import {
  admitting,
  answering,
  at,
  both,
  data,
  hasToken,
  isDetails,
  isList,
  isVersions,
  turning
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { registering, remembering } from "./registering.ts"

/** Rows of a first registration. */
export const firstFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "registration" }, needs: { initiative: "ours", needsModules: true } },
  [
    fault("first.details-missing", "VERS-006", turning(isDetails, { http: 200 }, { http: 404 })),
    fault(
      "first.details-without-credentials",
      "VERS-008",
      data(isDetails, (json: Json) => ({
        ...json,
        endpoints: (json["endpoints"] as ReadonlyArray<Json>).filter(
          ({ identifier }) => identifier !== "credentials"
        )
      }))
    ),
    fault(
      "first.empty-answer",
      "CRED-001",
      answering(registering, (said) =>
        said.http === 200 && (said.code ?? 0) < 2000 && said.data !== undefined
          ? { http: 200, code: 1000 }
          : said
      )
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
    fault("first.impatient", "CRED-047", { patienceMillis: 5000 }),
    fault("first.takes-strangers", "CRED-048", admitting(both(registering, hasToken)), {
      follows: "CRED-020 CRED-022 CRED-023 CRED-024"
    })
  ]
)
