import { type ComponentProps, useEffect, useRef, useState } from "react"

/**
 * A text field whose text is kept elsewhere, as in the URL. What is typed is shown at once, so that the caret stays, and what
 * keeps it follows. A text that comes from there, as after the way back, replaces what was typed.
 */
export function TextInput({
  change,
  value,
  ...rest
}: Omit<ComponentProps<"input">, "onBlur" | "onChange" | "value"> & {
  readonly value: string
  readonly change: (text: string) => void
}) {
  const [typed, setTyped] = useState<string>()
  /** Texts that were typed and have not come back as the value. */
  const onTheirWay = useRef<ReadonlyArray<string>>([])
  useEffect(() => {
    const index = onTheirWay.current.indexOf(value)
    onTheirWay.current = onTheirWay.current.slice(index + 1)
    if (index < 0) setTyped(undefined)
  }, [value])
  return (
    <input
      {...rest}
      value={typed ?? value}
      onChange={({ target }) => {
        onTheirWay.current = [...onTheirWay.current, target.value]
        setTyped(target.value)
        change(target.value)
      }}
      onBlur={() => setTyped(undefined)}
    />
  )
}
