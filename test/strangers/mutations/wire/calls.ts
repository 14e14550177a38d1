/** Faults in the headers and URLs of what a stranger sends (transport_and_format). */
import type { Json } from "../../partner/objects/validity.ts"
import type { Call } from "../../partner/wire.ts"
import { json, sending, sentHeaders, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

const all = () => true
const isPush = (call: Call) => call.method !== "POST" || !("result" in ((call.json ?? {}) as Json))
const raw = (value: string) => `Token ${Buffer.from(value.replace("Token ", ""), "base64").toString("utf8")}`
const encoded = (value: string) =>
  `Token ${Buffer.from(value.replace("Token ", ""), "utf8").toString("base64")}`
const authorized = (edit: (value: string) => string) => ({
  asks: (call: Call) => [
    { ...call, headers: { ...call.headers, Authorization: edit(call.headers["Authorization"]!) } }
  ]
})

/** Rows of headers and of URLs. */
export const callFaults: ReadonlyArray<Mutation> = withAll(
  { roles: ["CPO"], needs: { changesEach: 0, pushes: "put", objects: 6, bareRouting: false } },
  [
    fault("calls.raw-token", "TRANS-007", authorized(raw)),
    fault("calls.encoded-token", "TRANS-008", authorized(encoded), {
      versions: "2.1.1"
    }),
    fault(
      "calls.no-request-id",
      "TRANS-028",
      sending(
        all,
        sentHeaders(({ "X-Request-ID": _, ...rest }) => rest)
      )
    ),
    fault(
      "calls.one-request-id",
      "TRANS-028",
      sending(
        all,
        sentHeaders((some) => ({ ...some, "X-Request-ID": "always-the-same" }))
      )
    ),
    fault(
      "calls.from-nobody",
      "TRANS-030",
      sending(
        all,
        sentHeaders((some) => ({ ...some, "OCPI-from-party-id": "ZZZ" }))
      )
    ),
    fault(
      "calls.as-text",
      "TRANS-043",
      sending(
        all,
        sentHeaders((some) => ({ ...some, "Content-Type": "text/plain" }))
      )
    ),
    fault(
      "calls.patch-undated",
      "TRANS-053",
      sending((call) => call.method === "PATCH", json(without("last_updated"))),
      {
        needs: { pushes: "patch" },
        follows: "LOC-043 SESS-029 SESS-031 LOC-045"
      }
    ),
    fault(
      "calls.patch-as-list",
      "SESS-025",
      sending(
        (call) => call.method === "PATCH",
        (call) => ({ ...call, json: [call.json] as never })
      ),
      { needs: { pushes: "patch" }, follows: "LOC-043" }
    ),
    fault(
      "calls.guessed-urls",
      "TRANS-060",
      sending(isPush, (call) => ({
        ...call,
        url: call.url.replace(/\/(sessions|cdrs|locations)/, "/guess/$1")
      }))
    ),
    fault(
      "calls.routed-registration",
      "TRANS-032",
      {
        asks: (call) => [
          { ...call, headers: { ...call.headers, "OCPI-from-party-id": "ST0", "OCPI-to-party-id": "XXX" } }
        ]
      },
      { order: { part: "full", early: true }, follows: "TRANS-030" }
    )
  ]
)
