/** Which conformance runs change the registration of their connection. */
import { risksAskedFor, type Selection, selected } from "./selection.ts"
import { isFirstRegistration, suiteById } from "./suites.ts"

/** Whether a run of the suite changes the registration when it grades these RISK checks. */
export const risksChange = (suiteId: string, risks: ReadonlyArray<string>): boolean =>
  isFirstRegistration(suiteId) ||
  (suiteById(suiteId)?.checks ?? []).some(({ id, module }) => module === "credentials" && risks.includes(id))

/** Whether a run of the suite with this selection changes the registration. */
export const suiteChanges = (suiteId: string, selection: Selection): boolean =>
  risksChange(suiteId, risksAskedFor(selected(suiteById(suiteId)?.checks ?? [], selection), selection))
