/** The time, for what is shown relative to it. */
import { useSyncExternalStore } from "react"

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let now = Date.now()

function listen(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** While nothing on the page shows a time no timer runs, and `now` grows old. */
function current(): number {
  if (timer === undefined && Date.now() - now >= 1000) now = Date.now()
  return now
}

/** Milliseconds since 1970, anew each second: one timer for the whole page. */
export const useNow = (): number => useSyncExternalStore(listen, current)
