/** What makes a shape of a drawing a button. */
export const buttonFor = (label: string, isPressed: boolean, press: () => void) => ({
  role: "button",
  tabIndex: 0,
  "aria-label": label,
  "aria-pressed": isPressed,
  onClick: press,
  onKeyDown: (event: { readonly key: string; readonly preventDefault: () => void }) => {
    if (event.key !== "Enter" && event.key !== " ") return
    event.preventDefault()
    press()
  }
})
