/** Worked examples of `/settings` and `/session` for the OpenAPI document. */
const at = "2026-11-21T10:00:00.000Z"

const key = {
  _id: "key_0193a5c0000070008000000000000007",
  name: "pipeline",
  prefix: "pf_live_7Kq2",
  last4: "x9Zt",
  scopes: ["read", "run"],
  createdAt: at,
  expiresAt: "2027-02-19T10:00:00.000Z",
  lastUsedAt: at,
  revokedAt: null
}
/** No valid key: its checksum is wrong. */
const shownOnce = { ...key, lastUsedAt: null, key: "pf_live_7Kq2EXAMPLEEXAMPLEEXAMPLEEXAMPLEEx9Zt" }
const a = (per: string, limit: number, used: number | null) => ({ limit, used, per })

const session = {
  keyId: key._id,
  name: key.name,
  scopes: key.scopes,
  expiresAt: "2026-11-28T10:00:00.000Z"
}

/** The entries of `examples` for the operations of `/settings` and `/session`. */
export const settingsExamples = {
  "settings.account": {
    data: {
      _id: "own_0193a5c0000070008000000000000008",
      account: "default",
      plan: "integrate",
      capabilities: ["sandbox", "connections", "handshake", "commands", "conformance", "journeys"],
      limits: {
        requests: a("minute and key", 120, 3),
        commands: a("minute and key", 30, 0),
        connectionCommands: a("minute and connection", 6, null),
        partnerCalls: a("minute and connection", 6000, null),
        partnerKilobytes: a("minute and connection", 8192, null),
        accountCalls: a("minute and account", 30_000, 12),
        accountKilobytes: a("minute and account", 32_768, 3),
        runs: a("account", 5, 1),
        streams: a("account", 20, 1),
        connections: a("account", 100, 4),
        sandboxPartners: a("account", 100, 2),
        keys: a("account", 50, 2)
      }
    }
  },
  "settings.keys": { data: [key] },
  "settings.createKey": {
    request: { name: "pipeline", scopes: ["read", "run"], expiresInDays: 90 },
    data: shownOnce
  },
  "settings.rollKey": { request: { overlapDays: 2 }, data: shownOnce },
  "settings.audit": {
    data: [
      {
        _id: "aud_0193a5c0000070008000000000000009",
        at,
        key: { _id: key._id, name: key.name },
        action: "connections.create",
        target: null,
        result: "conn_0193a5c0000070008000000000000001",
        status: 201,
        requestId: "0f8e1d2c-3b4a-4c5d-8e6f-7a8b9c0d1e2f",
        replay: false
      }
    ]
  },
  "settings.egress": {
    request: { url: "http://192.168.1.20/ocpi/versions" },
    data: {
      allowed: false,
      rule: "address",
      message:
        "The address is not public (private); private ranges are reachable only when EGRESS_ALLOW_CIDRS lists them"
    }
  },
  "session.signIn": { request: { apiKey: shownOnce.key }, data: session },
  "session.read": { data: session },
  "session.signOut": { data: session },
  "session.makeLink": {
    data: {
      url: "http://127.0.0.1:8080/sign-in#code=EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE0",
      expiresAt: "2026-11-21T10:10:00.000Z"
    }
  },
  "settings.revokeKey": { data: { ...key, revokedAt: at } }
}
