import { useView } from "../hooks/useView.ts"
import { TextInput } from "./TextInput.tsx"

/** The search of a list, whose words stand in the URL. `of`: what is searched. `by`: where the words are looked for. */
export function SearchField({
  by,
  of,
  part = "q"
}: {
  readonly of: string
  readonly by: string
  /** The part of the URL. */
  readonly part?: string
}) {
  const [view, change] = useView()
  return (
    <TextInput
      type="search"
      className="search"
      aria-label={`Search ${of}`}
      placeholder={`Search ${by}`}
      value={view[part] ?? ""}
      change={(words) => change({ [part]: words })}
    />
  )
}
