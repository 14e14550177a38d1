/** The pages of the navigation, with the letter that follows `g`. */
export const places = [
  { to: "/", label: "Home", letter: "h" },
  { to: "/connections", label: "Connections", letter: "c" },
  { to: "/suites", label: "Test", letter: "t" },
  { to: "/runs", label: "Runs", letter: "r" },
  { to: "/machines", label: "Machines", letter: "m" },
  { to: "/sandbox", label: "Sandbox", letter: "b" },
  { to: "/settings", label: "Settings", letter: "s" }
] as const

/** The place in the navigation that a path belongs to: live journeys are runs. */
export function navigationPlaceOf(pathname: string): (typeof places)[number]["to"] | undefined {
  if (pathname.startsWith("/journeys")) return "/runs"
  return places.slice(1).find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to
}
