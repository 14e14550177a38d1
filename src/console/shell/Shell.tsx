import { useMutation, useQuery } from "@tanstack/react-query"
import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router"
import { useEffect, useRef, useState } from "react"
import { healthQuery, queries, sessionQuery } from "../data/queries.ts"
import { signOut } from "../data/session.ts"
import { Chip } from "../elements/Chips.tsx"
import { Failure, Loading } from "../elements/States.tsx"
import { useKeys } from "../hooks/useKeys.ts"
import { Palette } from "./Palette.tsx"
import { navigationPlaceOf, places } from "./places.ts"
import { ShortcutsDialog } from "./ShortcutsDialog.tsx"
import { applyTheme, readTheme, type Theme, themes } from "./theme.ts"

const isMac = /^Mac|^iP/.test(navigator.platform)

/** What is around every page: navigation, palette, shortcuts, and whether the service answers. */
export function Shell() {
  const session = useQuery(sessionQuery())
  if (session.data === null) return <LeadToSignIn />
  if (session.data === undefined)
    return (
      <main className="alone">
        {session.isError ? (
          <Failure error={session.error} retry={() => void session.refetch()} />
        ) : (
          <Loading />
        )}
      </main>
    )
  return <SignedIn name={session.data.name} />
}

/** Leads to the page for signing in, and from there back to the page that was asked for. */
function LeadToSignIn() {
  const { href } = useLocation()
  // The address changes while this is still shown: it is read once.
  const [next] = useState(href)
  const navigate = useNavigate()
  useEffect(() => void navigate({ to: "/sign-in", search: { next }, replace: true }), [navigate, next])
  return null
}

function SignedIn({ name }: { readonly name: string }) {
  const [dialog, setDialog] = useState<"palette" | "shortcuts">()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const hasPrefix = useRef(false)
  const main = useRef<HTMLElement>(null)
  const nav = useRef<HTMLElement>(null)
  const place = navigationPlaceOf(pathname)
  useEffect(() => {
    // On a narrow screen the navigation scrolls: the page that is shown is in sight.
    if (place !== undefined)
      nav.current
        ?.querySelector('[aria-current="page"]')
        ?.scrollIntoView({ block: "nearest", inline: "nearest" })
  }, [place])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k") return
      event.preventDefault()
      setDialog("palette")
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  useKeys({
    "?": () => setDialog("shortcuts"),
    g: () => {
      hasPrefix.current = true
      setTimeout(() => {
        hasPrefix.current = false
      }, 1_500)
    },
    ...Object.fromEntries(
      places.map(({ letter, to }) => [letter, () => void (hasPrefix.current && navigate({ to }))])
    )
  })

  return (
    <div className="shell">
      <button type="button" className="skip button" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <header className="top">
        <Link to="/" className="brand">
          plugfest
        </Link>
        <nav aria-label="Pages" ref={nav}>
          {places.slice(1).map(({ label, to }) => (
            <Link key={to} to={to} aria-current={to === place ? "page" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
        <div className="row top-tools">
          <button type="button" className="button small" onClick={() => setDialog("palette")}>
            Go to <kbd>{isMac ? "⌘ K" : "Ctrl K"}</kbd>
          </button>
          <Account name={name} onShortcuts={() => setDialog("shortcuts")} />
        </div>
      </header>
      <ServiceState />
      <main id="main" ref={main} tabIndex={-1}>
        <Outlet />
      </main>
      {dialog === "palette" ? <Palette onClose={() => setDialog(undefined)} /> : null}
      {dialog === "shortcuts" ? <ShortcutsDialog onClose={() => setDialog(undefined)} /> : null}
    </div>
  )
}

/** Says when the service is away, and when it is back. */
function ServiceState() {
  const { data, isError } = useQuery(healthQuery())
  const isAway = isError || data?.isReady === false
  const wasAway = useRef(false)
  useEffect(() => {
    if (!isAway && wasAway.current) void queries.invalidateQueries()
    wasAway.current = isAway
  }, [isAway])
  return (
    <div aria-live="polite">
      {isAway ? (
        <p className="note warn away">
          The service does not answer. What you see is from before; this page asks again by itself.
        </p>
      ) : null}
    </div>
  )
}

function Account({ name, onShortcuts }: { readonly name: string; readonly onShortcuts: () => void }) {
  const [theme, setTheme] = useState<Theme>(readTheme)
  const leave = useMutation({
    mutationFn: signOut,
    onSettled: () => {
      queries.setQueryData(sessionQuery().queryKey, null)
      // Nothing of this key is shown to the next one.
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "session" })
    }
  })
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => menu.current?.removeAttribute("open")
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key === "Escape") close()
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close()
      }}
    >
      <summary
        className="button small"
        aria-label={`Signed in with the key ${name}: colours, shortcuts, sign out`}
      >
        <span className="account">{name}</span>
        <i aria-hidden="true" className="caret" />
      </summary>
      <div className="card stack tight">
        <p className="small quiet">
          Signed in with the API key “{name}”{" "}
          <Link to="/settings" onClick={close}>
            API keys
          </Link>
        </p>
        <fieldset>
          <legend className="small">Colours</legend>
          <div className="chips">
            {themes.map((each) => (
              <Chip
                key={each}
                isOn={each === theme}
                press={() => {
                  setTheme(each)
                  applyTheme(each)
                }}
              >
                {each}
              </Chip>
            ))}
          </div>
        </fieldset>
        <button
          type="button"
          className="button small"
          onClick={() => {
            close()
            onShortcuts()
          }}
        >
          Shortcuts <kbd>?</kbd>
        </button>
        <a className="button small" href="/docs">
          API documentation
        </a>
        <button type="button" className="button small" onClick={() => leave.mutate()}>
          Sign out
        </button>
      </div>
    </details>
  )
}
