/** Faults in how lists are answered, in each module that has one. */
import type { Fault } from "../Fault.ts"
import { allVersions, cpo, emsp } from "../Fault.ts"
import { aboutList, editData, when } from "../replies.ts"

const nothing = (module: string, check: string, roles: Fault["roles"]): Fault => ({
  id: `${module}.null-for-a-list`,
  module,
  versions: allVersions,
  roles,
  strength: "must",
  description: `Answers null instead of a list of ${module}`,
  caughtBy: [check],
  behaviour: {
    reply: when(
      aboutList(module),
      editData(() => null)
    )
  }
})

/** One fault per module: `data` is null instead of the list. */
export const listAnswersFaults: ReadonlyArray<Fault> = [
  nothing("sessions", "SESS-001", cpo),
  nothing("cdrs", "CDR-001", cpo),
  nothing("tariffs", "TAR-001", cpo),
  nothing("tokens", "TOK-001", emsp)
]
