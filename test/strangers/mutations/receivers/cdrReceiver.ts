import {
  both,
  change,
  deep,
  header,
  isNowhere,
  keeping,
  noHeader,
  receiving,
  refusing,
  saying,
  storing,
  taking,
  turning
} from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

/** Rows of CDRs at an EMSP. */
export const cdrReceiverFaults: ReadonlyArray<Mutation> = withAll({ roles: ["EMSP"] }, [
  fault("post-cdrs.refused", "CDR-101", refusing(receiving("cdrs", "POST")), {
    follows: "TRANS-020"
  }),
  fault(
    "post-cdrs.pushed-session-refused",
    "JRN-010",
    refusing(both(receiving("cdrs", "POST"), saying(/-J1"/)))
  ),
  // Read from where it was posted, the URL leads past the endpoint, to a router that knows nothing of OCPI.
  fault("post-cdrs.relative-location", "CDR-102", {
    says: (said, asked, where) => {
      if (isNowhere(asked, where)) return { http: 404, headers: {} }
      const location = said.headers?.["Location"]
      return receiving("cdrs", "POST")(asked, where) && location !== undefined
        ? { ...said, headers: { ...said.headers, Location: `../${location.split("/").at(-1)}` } }
        : said
    }
  }),
  fault("post-cdrs.no-location", "CDR-102", noHeader("Location", receiving("cdrs", "POST")), {
    follows: "CDR-103 CDR-105"
  }),
  fault(
    "post-cdrs.location-nowhere",
    "CDR-102",
    header("Location", receiving("cdrs", "POST"), (url) => `${url}-gone`),
    { follows: "CDR-105 CDR-106 CDR-109" }
  ),
  fault(
    "post-cdrs.rounds-energy",
    "CDR-103",
    keeping(
      "cdrs",
      change("total_energy", (kwh: number) => Math.round(kwh) + 1)
    )
  ),
  fault("post-cdrs.anything-taken", "CDR-104", taking(receiving("cdrs", "POST")), {
    follows: "CDR-106 TRANS-019 TRANS-021 CDR-105 CDR-102"
  }),
  fault("post-cdrs.refused-and-stored", "CDR-104", storing(receiving("cdrs", "POST")), {
    follows: "TRANS-019 TRANS-020 TRANS-021"
  }),
  fault(
    "post-cdrs.stored-twice",
    "CDR-105",
    () => {
      let count = 0
      return header("Location", receiving("cdrs", "POST"), (url) => {
        count += 1
        return `${url}?copy=${count}`
      })
    },
    { follows: "CDR-103 CDR-102" }
  ),
  fault(
    "post-cdrs.overwritten",
    "CDR-106",
    turning(both(receiving("cdrs", "POST"), deep(0)), { code: 2001 }, { http: 200, code: 1000 }),
    { follows: "CDR-104 TRANS-019 TRANS-021 CDR-102 CDR-109" }
  ),
  fault(
    "post-cdrs.credit-refused",
    "CDR-107",
    refusing(both(receiving("cdrs", "POST"), saying(/"credit":\s*true/)))
  ),
  fault("post-cdrs.reservation-refused", "CDR-108", refusing(both(receiving("cdrs", "POST"), saying(/#NA/)))),
  fault(
    "cdrs.can-be-deleted",
    "CDR-109",
    turning(receiving("cdrs", "PUT", "PATCH", "DELETE"), { http: 405 }, { http: 200, code: 1000 }),
    { follows: "TRANS-022" }
  ),
  fault(
    "post-cdrs.any-driver",
    "CDR-111",
    turning(receiving("cdrs", "POST"), { code: 2004 }, { code: 1000 }),
    { versions: "2.2.1,2.3.0" }
  ),
  fault(
    "post-cdrs.unknown-place-refused",
    "CDR-110",
    refusing(both(receiving("cdrs", "POST"), saying(/HOME/)))
  ),
  fault(
    "post-cdrs.session-required",
    "CDR-112",
    refusing(both(receiving("cdrs", "POST"), ({ body }) => !body.includes("session_id"))),
    { follows: "CDR-108 TRANS-020" }
  )
])
