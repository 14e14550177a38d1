/** A file that is dropped on a page of a run, for the page that shows it. */
import { useQueries } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { machineQuery } from "../data/queries.ts"
import { signingKeysQuery } from "../data/signingKeys.ts"

let dropped: File | undefined

/** The file that was dropped last. A reload forgets it: it stands nowhere but in this page. */
export const droppedFile = (): File | undefined => dropped

/** Takes files that are dropped anywhere on the page while the component is shown. */
export function useFileDrop(onFile: (file: File) => void): void {
  const latest = useRef(onFile)
  latest.current = onFile
  useEffect(() => {
    const allow = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
    }
    const take = (event: DragEvent) => {
      const file = event.dataTransfer?.files[0]
      if (file === undefined) return
      event.preventDefault()
      dropped = file
      latest.current(file)
    }
    window.addEventListener("dragover", allow)
    window.addEventListener("drop", take)
    return () => {
      window.removeEventListener("dragover", allow)
      window.removeEventListener("drop", take)
    }
  }, [])
}

/** What a file is shown and verified with. It is kept while the component is shown, so that it is there when the service is away. */
export function useFileQueries(enabled = true): void {
  useQueries({
    queries: [
      { ...signingKeysQuery(), enabled },
      { ...machineQuery("journeyRun"), enabled },
      { ...machineQuery("suiteRun"), enabled }
    ]
  })
}
