import type { Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { asking, change, isDetails, isVersions, json, set, within, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"
import { guessing, inLowest, listOnly, returned, unseeing, withTokenA } from "./registering.ts"

/** Rows of a registration by us. */
export const registrationFaults: ReadonlyArray<Mutation> = withAll(
  { order: { part: "full", early: true }, needs: { initiative: "ours", needsModules: false } },
  [
    fault("registration.no-call-back", "CRED-002", asking(unseeing), {
      follows: "CRED-003 CRED-004 TRANS-030 TRANS-060"
    }),
    fault("registration.list-only", "CRED-003", asking(listOnly), {
      follows: "CRED-004 TRANS-060"
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
    fault(
      "registration.hub-among-others",
      "CRED-010",
      returned(change("roles", (all: ReadonlyArray<Json>) => [...all, { ...all[0], role: "HUB" }])),
      { follows: "CRED-039" }
    ),
    fault("registration.hub-of-no-form", "CRED-011", returned(set({ hub_party_id: "X" })), {
      follows: "CRED-008 CRED-039"
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
        follows: "CMD-008 TRANS-007 TRANS-008"
      }
    )
  ]
)

const isRegistration = ({ json: body, method }: Call) =>
  method === "POST" && typeof (body as Json | undefined)?.["token"] === "string"

/** Rows of a registration by the partner while a run goes on. */
export const invitedFaults: ReadonlyArray<Mutation> = withAll(
  {
    order: { part: "registration", invited: true },
    needs: { initiative: "theirs", needsModules: true, otherVersions: [] }
  },
  [
    fault("invited.unseeing", "CRED-041", asking(guessing)),
    fault(
      "invited.credentials-in-part",
      "CRED-042",
      asking((call) => [isRegistration(call) ? json(without("url"))(call) : call])
    ),
    fault("invited.opens-late", "CRED-043", {
      says: (said, asked, where) =>
        isVersions(asked, where) || isDetails(asked, where) ? { http: 401, code: 2001 } : said
    }),
    fault("invited.lowest-version", "CRED-044", inLowest, { versions: "2.2+" }),
    fault("invited.with-anybody", "CRED-046", {}, { needs: { needsModules: false } })
  ]
)
