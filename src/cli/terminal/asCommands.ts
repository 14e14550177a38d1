/** Messages of the service, which name requests, in the words of the command line. Pure. */

/** What the service says about a request, and what it means on the command line. */
const sayings: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /A valid API key is required: send the header Authorization: Bearer <API_KEY>\. Keys are made under Settings/g,
    "The service does not take this API key (PLUGFEST_API_KEY or --key). With the --data-dir or DATABASE_URL that the service has, make one: plugfest keys create --name me"
  ],
  [
    /run POST \/connections\/\S+\/handshake first/g,
    "plugfest connections shows the command that registers it"
  ],
  [
    /The connection is not registered; run its handshake first/g,
    "The connection is not registered; plugfest connections shows the command that registers it"
  ],
  [
    /POST the connection's invitation, and give its token to the partner/g,
    "make one with plugfest connect … --invite, and give its token to the partner"
  ],
  [/and set partnerBaseUrl to it/g, "and give it to plugfest connect"],
  [/partnerBaseUrl must be the partner's versions URL/g, "plugfest connect takes the partner's versions URL"],
  [/run POST \/connections\/\S+\/handshake with/g, "repeat plugfest connect with PARTNER_TOKEN set to"],
  [/ \(POST \/connections\/\S+\/invitation\)/g, " (plugfest connect … --invite)"],
  [/renew its tokens with POST …\/handshake, or make a new connection/g, "make a new one with --another"],
  [
    /checks, modules and clauses select nothing of the suite (\S+); GET \/testing\/suites\/\S+ lists its checks/g,
    "--check, --module and --clause select nothing of the suite $1; plugfest suites $1 lists its checks"
  ],
  [/\(listenSeconds\)/g, "(--listen <seconds>)"],
  [/order listenSeconds/g, "give --listen <seconds>"],
  [/order more checks with it, or listenSeconds/g, "order more checks with it, or give --listen <seconds>"],
  [/for listenSeconds/g, "for as long as --listen says"],
  [
    /make one without the partner's Token A, POST \/connections\/\S+\/invitation, and let/g,
    "make one with plugfest connect … --invite, and let"
  ],
  [
    /POST \/connections\/\S+\/invitation of a connection that is not registered, let/g,
    "make a connection with plugfest connect … --invite, let"
  ],
  [
    /\(POST \/connections with a Token A of its own and environment test\)/g,
    "(plugfest connect … --another, with a Token A of its own)"
  ],
  [
    /There is no such run among those of this key's owner/g,
    "There is no such run among those of this key's owner; plugfest runs lists them"
  ],
  [/GET \/testing\/suites lists them/g, "plugfest suites lists them"],
  [/GET \/testing\/journeys lists them/g, "plugfest journeys lists them"],
  [/GET \/testing\/journeys\?connectionId=(\S+) lists/g, "plugfest journeys $1 lists"],
  [/ordered with "needs": \[\], a run does/g, "with --need nothing a run does"],
  [
    /graded only when the order names it, "checks": \["(\S+)"\], or asks for "needs": \["risk"\]/g,
    "graded only with --check $1 or --need risk"
  ]
]

/** The text with commands and flags in place of requests and fields; other texts stay as they are. */
export const asCommands = (text: string): string =>
  sayings.reduce((said, [request, command]) => said.replace(request, command), text)
