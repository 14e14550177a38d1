import { useView } from "./useView.ts"

/** The parts of a page, of which one is shown; which one stands in the URL as `tab`. The first is shown without it. */
export function Tabs<Name extends string>({
  label,
  tabs,
  without
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<readonly [Name, string]>
  /** Parts of the view that mean something in one tab only. */
  readonly without?: ReadonlyArray<string>
}) {
  const [view, change] = useView()
  const shown = tabOf(tabs, view)
  return (
    <div className="chips" role="group" aria-label={label}>
      {tabs.map(([name, title], index) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={name === shown}
          onClick={() =>
            change(
              {
                ...Object.fromEntries((without ?? []).map((part) => [part, undefined])),
                tab: index === 0 ? undefined : name
              },
              true
            )
          }
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
  view: Readonly<Record<string, string>>
): Name => (tabs.find(([name]) => name === view["tab"]) ?? tabs[0]!)[0]
