/** How late our own process is while it waits for an answer: time that no partner takes. */

const everyMillis = 50
/** A timer may be this late on any machine. */
const usualMillis = 10

/** Begins to watch. The function that it returns ends that and gives the milliseconds by which our event loop was late in all. */
export const watchLateness = (): (() => number) => {
  let due = performance.now() + everyMillis
  let late = 0
  const look = () => {
    const now = performance.now()
    if (now - due > usualMillis) late += now - due
    due = now + everyMillis
  }
  const timer = setInterval(look, everyMillis).unref()
  return () => {
    clearInterval(timer)
    look()
    return Math.round(late)
  }
}
