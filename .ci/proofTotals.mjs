/**
 * The matrix of proofs as a table: for each family of checks how many faults of the sandbox it was held against, in how
 * many pairs of check and fault (over versions and roles) it caught or missed them, and how often it was a false alarm.
 * `tests` are the assertion results of vitest's JSON report; undefined when there is no proof among them.
 */
export function proofTotals(tests) {
  const proofs = tests.flatMap(({ meta }) => (meta?.proof === undefined ? [] : [meta.proof]))
  if (proofs.length === 0) return undefined
  const families = new Map()
  const add = (name, change) => {
    const line = families.get(name) ?? { faults: new Set(), caught: 0, missed: 0, falseAlarms: 0 }
    families.set(name, line)
    change(line)
  }
  for (const proof of proofs)
    for (const kind of ["caught", "missed", "falseAlarms"])
      for (const check of proof[kind])
        for (const name of [check.split("-")[0], "all"])
          add(name, (line) => {
            line[kind] += 1
            if (kind !== "falseAlarms") line.faults.add(proof.fault)
          })
  const row = (cells) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(8) : cell.padStart(14))).join("")
  const { all, ...others } = Object.fromEntries(families)
  return [
    row(["proof", "faults", "caught", "missed", "false alarms"]),
    ...[...Object.entries(others), ["all", all]].map(([name, { caught, falseAlarms, faults, missed }]) =>
      row([name, ...[faults.size, caught, missed, falseAlarms].map(String)])
    )
  ].join("\n")
}
