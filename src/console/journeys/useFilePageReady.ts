/** The page of a file, read before there is a file. */
import { useEffect, useState } from "react"
import { useFileQueries } from "./openedFile.ts"

/** Later than this after the page is shown, its own answers are there, or long in coming. */
const idleMillis = 2_000

/**
 * Reads the page that shows a file, and what it needs, once this page has nothing else to do: a file that is dropped here is then
 * shown without the service.
 */
export function useFilePageReady(): void {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const begin = () => setIdle(true)
    // Not every browser says when it is idle.
    if (!("requestIdleCallback" in window)) {
      const timer = setTimeout(begin, idleMillis)
      return () => clearTimeout(timer)
    }
    const handle = window.requestIdleCallback(begin, { timeout: idleMillis })
    return () => window.cancelIdleCallback(handle)
  }, [])
  useEffect(() => {
    // What could not be read now is read when it is shown.
    if (isIdle) import("./FilePage.tsx").catch(() => undefined)
  }, [isIdle])
  useFileQueries(isIdle)
}
