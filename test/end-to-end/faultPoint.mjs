// Loaded with `node --import` before the bundle, in tests only: kills the process at a chosen append of a journey run.
// KILL_AT: sequence of the line; KILL_POINT: "before" the append is sent, or when it is "committed" but nobody knows yet.
const at = Number(process.env.KILL_AT)
const point = process.env.KILL_POINT ?? "committed"

globalThis[Symbol.for("plugfest.faultPoint")] = (where, append) => {
  const first = append.expectedSequence + 1
  const last = append.expectedSequence + append.lines.length
  if (where === point && first <= at && at <= last) process.kill(process.pid, "SIGKILL")
}
