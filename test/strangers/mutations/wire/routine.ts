/** Faults of a partner that pushes and reads by itself, while our side is away or answers wrongly (transport_and_format). */

import { asking } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

/** Rows of what a partner does by itself. */
export const routineFaults: ReadonlyArray<Mutation> = withAll(
  { needs: { routineSeconds: 20, pushes: "put", changesEach: 0 } },
  [
    fault(
      "routine.refused-push-again",
      "TRANS-056",
      { retries: ({ http }, { method }) => http >= 500 && method !== "GET" },
      { roles: ["CPO"], order: { part: "transport" } }
    ),
    fault(
      "routine.never-catches-up",
      "TRANS-057",
      asking((call) =>
        call.method === "GET" && call.url.includes("date_from=")
          ? { http: 200, json: { data: [], status_code: 1000 }, headers: {} }
          : [call]
      ),
      { roles: ["CPO"], order: { part: "transport" } }
    )
  ]
)
