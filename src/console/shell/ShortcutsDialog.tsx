import { Dialog } from "../elements/Dialog.tsx"
import { places } from "./places.ts"

const keys: ReadonlyArray<readonly [string, string]> = [
  ["Ctrl K", "Go to a page, a connection or a run"],
  ["?", "This list"],
  ...places.map(({ label, letter }) => [`g ${letter}`, label] as const),
  ["j", "Report: next check. Journey: next event"],
  ["k", "Report: previous check. Journey: previous event"],
  ["f", "Next failure"],
  ["F", "Previous failure"],
  ["p", "Play the run again"],
  ["Esc", "Close a dialog"]
]

/** All shortcuts. */
export const ShortcutsDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <dl className="facts">
      {keys.map(([key, does]) => (
        <div key={key} className="contents">
          <dt>
            {key.split(" ").map((part) => (
              <kbd key={part}>{part}</kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  </Dialog>
)
