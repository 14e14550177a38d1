// Loaded with `node --import` before the bundle, in tests only: kills the process at a chosen append of a journey run.
// KILL_WORDS: words that all stand in one line of it, e.g. "exchange.intended START_SESSION"; with KILL_AT: which append
// (with those words, if any), from 1, of the next run that is created after a SIGUSR2: until then the process works like
// any other. KILL_POINT: "before" the append is sent, or when it is "committed" but nobody knows yet.
const at = Number(process.env.KILL_AT)
const words = process.env.KILL_WORDS?.split(" ")
const point = process.env.KILL_POINT ?? "committed"

let armed = false
let doomed
let count = 0
process.on("SIGUSR2", () => {
  armed = true
  process.stderr.write("armed\n")
})

const holdsWords = ({ lines }) =>
  words === undefined || lines.some((line) => words.every((word) => JSON.stringify(line).includes(word)))

const isCounted = (append) => {
  if (!armed) return false
  if (append.expectedSequence === 0) doomed ??= append.runId
  if (append.runId !== doomed || !holdsWords(append)) return false
  count += 1
  return count === at
}

globalThis[Symbol.for("plugfest.faultPoint")] = (where, append) => {
  if (where !== point) return
  const chosen = Number.isNaN(at) ? words !== undefined && holdsWords(append) : isCounted(append)
  if (chosen) process.kill(process.pid, "SIGKILL")
}
