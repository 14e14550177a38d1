/** Faults in the requests that a partner sends, in every module. */
import { isObject } from "../../../findings/json.ts"
import { allVersions, bothRoles, cpo, type Fault, withRoles } from "../Fault.ts"

const base = { module: "transport", versions: withRoles, roles: bothRoles, strength: "must" } as const

/** Faults in the headers and bodies of a partner's own requests, and in how it follows pages. */
export const callsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "transport.calls-reuse-ids",
    description: "Gives all its requests the same X-Request-ID",
    caughtBy: ["TRANS-028"],
    behaviour: { call: (call) => ({ ...call, requestId: "00000000-0000-4000-8000-000000000001" }) }
  },
  {
    ...base,
    id: "transport.calls-from-nobody",
    description: "Names in its requests a party that it does not have",
    caughtBy: ["TRANS-030"],
    behaviour: {
      call: (call) =>
        call.headers?.["OCPI-from-party-id"] === undefined
          ? call
          : { ...call, headers: { ...call.headers, "OCPI-from-party-id": "ZZZ" } }
    }
  },
  {
    ...base,
    id: "transport.calls-routed-everywhere",
    description: "Sends routing headers to versions and credentials too",
    caughtBy: ["TRANS-032"],
    behaviour: {
      call: (call) =>
        call.module === "versions"
          ? {
              ...call,
              headers: { ...call.headers, "OCPI-from-country-code": "NL", "OCPI-from-party-id": "SBX" }
            }
          : call
    }
  },
  {
    ...base,
    id: "transport.calls-as-text",
    versions: allVersions,
    description: "Sends its bodies with Content-Type text/plain",
    caughtBy: ["TRANS-043"],
    behaviour: {
      call: (call) =>
        call.body === undefined
          ? call
          : { ...call, headers: { ...call.headers, "Content-Type": "text/plain" } }
    }
  },
  {
    ...base,
    id: "transport.calls-guessed-urls",
    versions: allVersions,
    strength: "should",
    description: "Reads our lists at URLs that it makes up, not at those of our version details",
    caughtBy: ["TRANS-060"],
    behaviour: {
      call: (call) => {
        const url = new URL(call.url)
        if (call.method !== "GET" || call.module === "versions" || call.module === "credentials") return call
        url.pathname = url.pathname.replace(/\/ocpi\/[^/]+\//, "/ocpi/partner/")
        return { ...call, url: url.href }
      }
    }
  },
  {
    ...base,
    id: "paging.links-rebuilt",
    module: "paging",
    versions: allVersions,
    strength: "should",
    description: "Computes the URL of the next page instead of following the Link",
    caughtBy: ["PAGE-029"],
    behaviour: {
      call: (call) => {
        const url = new URL(call.url)
        const offset = url.searchParams.get("offset")
        if (call.method !== "GET" || offset === null) return call
        url.searchParams.set("offset", String(Number(offset) + 1))
        return { ...call, url: url.href }
      }
    }
  },
  {
    ...base,
    id: "transport.calls-patch-undated",
    roles: cpo,
    description: "Leaves last_updated out of its PATCH requests",
    caughtBy: ["TRANS-053"],
    behaviour: {
      call: (call) => {
        if (call.method !== "PATCH" || !isObject(call.body)) return call
        const { last_updated: _, ...body } = call.body
        return { ...call, body }
      }
    }
  }
]
