/** Messages of the service, which name requests and fields, in the words of the pages. Pure. */

/** What the service says about a request or a field, and where a page has it. */
const sayings: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /send the header Authorization: Bearer <API_KEY>\. Keys are made under Settings[^.]*/g,
    "sign in with one; keys are made under Settings"
  ],
  [/run POST \/connections\/\S+\/handshake first/g, "register it first, on its page under Connections"],
  [/run POST \/connections\/\S+\/handshake with its Token A/g, "register with its Token A"],
  [
    /run POST \/connections\/\S+\/handshake with the partner's Token A/g,
    "register with the partner's Token A, on its page under Connections"
  ],
  [/and set partnerBaseUrl to it/g, "and make a connection with it"],
  [/partnerBaseUrl must be the partner's versions URL/g, "make a connection with the partner's versions URL"],
  [/run its handshake first/g, "register it first, on its page under Connections"],
  [
    /POST the connection's invitation, and give its token to the partner/g,
    "invite the partner, on the connection's page"
  ],
  [/ \(POST \/connections\/\S+\/invitation\)/g, " (Invite the partner, on the connection's page)"],
  [
    /make one without the partner's Token A, POST \/connections\/\S+\/invitation, and let/g,
    "make a new connection, invite the partner there, and let"
  ],
  [
    /POST \/connections\/\S+\/invitation of a connection that is not registered, let/g,
    "invite the partner on a connection that is not registered, let"
  ],
  [
    /renew its tokens with POST …\/handshake, or make a new connection/g,
    "rotate its tokens on its page, or make a new connection"
  ],
  [
    /\(POST \/connections with a Token A of its own and environment test\)/g,
    "(New connection, with a Token A of its own, not as a production system)"
  ],
  [
    /checks, modules and clauses select nothing of the suite (\S+); GET \/testing\/suites\/\S+ lists its checks/g,
    "Nothing of the suite $1 is selected: choose other modules, checks or clauses"
  ],
  [/; GET \/machines lists them/g, "; the page Machines lists them"],
  [/; GET \/testing\/\S+ lists (them|those that are)/g, "; the page Test lists $1"],
  [/ \(listenSeconds\)/g, " (set a time to listen under Test)"],
  [/order listenSeconds, and/g, "set a time to listen when you start the run, and"],
  [/order listenSeconds, then/g, "set a time to listen when you start the run, then"],
  [/\bfor listenSeconds/g, "for as long as the run listens"],
  [/\bor listenSeconds/g, "or set a time to listen"],
  [
    /graded only when the order names it, "checks": \["(\S+)"\], or asks for "needs": \["risk"\]/g,
    "graded only when the run is started with $1 under Only these checks, or with the checks that may end the registration"
  ],
  [
    /ordered with "needs": \[\], a run does/g,
    "started with nothing ticked below The verdict is also about, a run does"
  ],
  [/\(made with hub: true\)/g, "(made by the API or the command line, as a hub)"],
  [/Sign in with POST \/api\/v1\/session/g, "Sign in again"],
  [/ or make one with initiate/g, " or make one that registers by itself"]
]

/** The text with pages and their fields in place of requests; other texts stay as they are. */
export const asPages = (text: string): string =>
  sayings.reduce((said, [request, page]) => said.replace(request, page), text)
