import { useEffect, useState } from "react"
import { copyText } from "./copyText.ts"

/** Copies a text, and says that it did. */
export function Copy({ label = "Copy", text }: { readonly text: string; readonly label?: string }) {
  const [said, say] = useState<string>()
  useEffect(() => {
    if (said === undefined) return
    const timer = setTimeout(() => say(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [said])
  return (
    <button
      type="button"
      className="button small"
      onClick={async ({ currentTarget }) =>
        say((await copyText(text, currentTarget)) ? "Copied" : "Not allowed")
      }
    >
      <span aria-live="polite">{said ?? label}</span>
    </button>
  )
}

/** A text to copy, e.g. a command line. */
export const CopyBlock = ({ text }: { readonly text: string }) => (
  <div className="copyable">
    <pre className="code" tabIndex={0}>
      {text}
    </pre>
    <Copy text={text} />
  </div>
)
