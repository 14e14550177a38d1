import { useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { egressQuery } from "../data/settingsQueries.ts"
import { EgressRemedy } from "../elements/EgressRemedy.tsx"

/** Whether the service may call the URL, while it is typed. Nothing is said of what is no URL yet, or where it cannot be asked. */
export function EgressVerdict({ url }: { readonly url: string }) {
  const wanted = /^https?:\/\/[^/\s]+/.test(url.trim()) ? url.trim() : undefined
  const [asked, ask] = useState(wanted)
  useEffect(() => {
    const timer = setTimeout(() => ask(wanted), 400)
    return () => clearTimeout(timer)
  }, [wanted])
  const { data } = useQuery(egressQuery(asked))
  return (
    <div aria-live="polite">
      {data === undefined || asked === undefined || asked !== wanted ? null : (
        <div className="stack tight">
          <p className={`note small ${!data.allowed ? "bad" : data.rule === "none" ? "warn" : "good"}`}>
            {data.allowed ? "plugfest may call this address. " : "plugfest may not call this address. "}
            {data.message}
          </p>
          <EgressRemedy rule={data.rule} url={asked} />
        </div>
      )}
    </div>
  )
}
