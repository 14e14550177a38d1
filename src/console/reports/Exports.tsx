import { useMutation } from "@tanstack/react-query"
import { useRef } from "react"
import type { RunReport } from "../../client/plugfest.ts"
import { client } from "../data/client.ts"
import { Failure } from "../elements/States.tsx"
import { saveFile } from "../elements/saveFile.ts"

const formats = [
  ["html", "HTML, one file", "text/html", "html"],
  ["junit", "JUnit XML", "application/xml", "xml"],
  ["json", "JSON", "application/json", "json"],
  ["markdown", "Markdown", "text/markdown", "md"],
  ["har", "HAR, the exchanges", "application/json", "har"],
  ["signed", "Ledger, signed", "application/json", "signed.json"]
] as const

/** Saves the report as a file. */
export function Exports({ report }: { readonly report: RunReport }) {
  const menu = useRef<HTMLDetailsElement>(null)
  const save = useMutation({
    mutationFn: async ([format, , type, ending]: (typeof formats)[number]) => {
      const text = await client.testing.exportRun({ path: { id: report._id }, query: { format } })
      saveFile(text, `${report._id}.${ending}`, type)
    },
    onSuccess: () => menu.current?.removeAttribute("open")
  })
  return (
    <details className="menu" ref={menu}>
      <summary className="button">Export</summary>
      <div className="card stack tight">
        {formats.map((format) => (
          <button
            key={format[0]}
            type="button"
            className="button small"
            disabled={save.isPending}
            onClick={() => save.mutate(format)}
          >
            {format[1]}
          </button>
        ))}
        {save.isError ? <Failure error={save.error} /> : null}
      </div>
    </details>
  )
}
