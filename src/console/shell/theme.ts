/** Light, dark, or as the system has it. Kept in the browser; it is no secret. */

export const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const place = "plugfest.theme"

export function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(place)
    return themes.find((theme) => theme === kept) ?? "system"
  } catch {
    return "system"
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
  try {
    localStorage.setItem(place, theme)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
}
