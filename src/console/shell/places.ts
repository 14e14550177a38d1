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
