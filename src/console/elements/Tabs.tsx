import { useView } from "../hooks/useView.ts"

/**
 * The parts of a page, of which one is shown; which one stands in the URL as `tab`. The first is shown without it. The arrow keys
 * go from one to the next.
 */
export function Tabs<Name extends string>({
  label,
  part = "tab",
  tabs,
  without
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<readonly [Name, string]>
  /** The part of the URL that says which one is shown. */
  readonly part?: string
  /** Parts of the view that mean something in one tab only. */
  readonly without?: ReadonlyArray<string>
}) {
  const [view, change] = useView()
  const shown = tabOf(tabs, view, part)
  const choose = (name: Name) =>
    change(
      {
        ...Object.fromEntries((without ?? []).map((each) => [each, undefined])),
        [part]: name === tabs[0]?.[0] ? undefined : name
      },
      { push: true }
    )
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
        if (by === 0) return
        event.preventDefault()
        const at = (tabs.findIndex(([name]) => name === shown) + by + tabs.length) % tabs.length
        choose(tabs[at]![0])
        event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")[at]?.focus()
      }}
    >
      {tabs.map(([name, title]) => (
        <button
          key={name}
          type="button"
          className="tab"
          role="tab"
          aria-selected={name === shown}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => choose(name)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

/** The tab that the view asks for, or the first. */
export const tabOf = <Name extends string>(
  tabs: ReadonlyArray<readonly [Name, string]>,
  view: Readonly<Record<string, string>>,
  part = "tab"
): Name => (tabs.find(([name]) => name === view[part]) ?? tabs[0]!)[0]
