/**
 * The checks of the suites `core` and `smoke`, by id. A suite contains those of them that apply to its version and role.
 */

const numbered = (prefix: string, from: number, to: number): ReadonlyArray<string> =>
  Array.from({ length: to - from + 1 }, (_, index) => `${prefix}-${`${from + index}`.padStart(3, "0")}`)

/** The checks of a first contact. They only read, and take about five minutes with a slow partner. */
export const core: ReadonlyArray<string> = [
  ...numbered("VERS", 1, 14),
  "VERS-018",
  "CRED-039",
  ...numbered("TRANS", 1, 5),
  ...numbered("TRANS", 11, 13),
  ...["TRANS-023", "TRANS-025", "TRANS-026", "TRANS-029"],
  ...numbered("PAGE", 1, 9),
  ...["PAGE-021", "PAGE-023"],
  ...numbered("LOC", 1, 14),
  "LOC-019",
  ...["SESS-001", "SESS-002"],
  ...numbered("CDR", 1, 12),
  ...numbered("TAR", 1, 7),
  ...numbered("TOK", 1, 4),
  ...["TOK-012", "TOK-015"]
]

/** The checks of a quick health test: a few read requests. */
export const smoke: ReadonlyArray<string> = [
  ...["VERS-001", "VERS-002", "VERS-006", "VERS-008", "CRED-039"],
  ...["TRANS-004", "TRANS-005", "TRANS-011", "TRANS-012"],
  ...["PAGE-001", "LOC-001", "SESS-001", "CDR-001", "TAR-001", "TOK-001"]
]
