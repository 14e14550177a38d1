// Loaded with `node --import` before the bundle, in tests only: kills the process at a chosen append of a journey run.
// KILL_AT: sequence of the line; or KILL_WORDS: words that all stand in one line, e.g. "exchange.intended START_SESSION".
// KILL_POINT: "before" the append is sent, or when it is "committed" but nobody knows yet.
const at = Number(process.env.KILL_AT)
const words = process.env.KILL_WORDS?.split(" ")
const point = process.env.KILL_POINT ?? "committed"

globalThis[Symbol.for("plugfest.faultPoint")] = (where, append) => {
  const first = append.expectedSequence + 1
  const last = append.expectedSequence + append.lines.length
  const chosen =
    words === undefined
      ? first <= at && at <= last
      : append.lines.some((line) => words.every((word) => JSON.stringify(line).includes(word)))
  if (where === point && chosen) process.kill(process.pid, "SIGKILL")
}
