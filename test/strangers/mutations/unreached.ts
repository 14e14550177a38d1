/** Checks that no mutation of a stranger reaches, and why. */

/**
 * Why. `driver`: somebody shows a card, starts from an app or cancels at a console, which strangers do not do by themselves.
 * `second connection`: it needs another connection of ours at the same partner. `journey`: it is judged in journeys alone.
 * `recorded`: it only records what the partner does. `refused by us`: our side refuses the fault during the registration, so
 * that there is no run. `module`: strangers do not have the module. `network`: it needs TLS, or a partner that is silent or
 * slow by a real clock. `away`: it needs a partner that calls by itself while we are away or misbehave. `hub`: it needs
 * connections of ours on both sides of a hub.
 */
export type Unreached =
  | "driver"
  | "second connection"
  | "journey"
  | "recorded"
  | "refused by us"
  | "module"
  | "network"
  | "away"
  | "hub"

const by = (kind: Unreached, ids: string) => ids.split(" ").map((check) => ({ check, kind }))

/** One line for each check. */
export const unreached: ReadonlyArray<{ readonly check: string; readonly kind: Unreached }> = [
  ...by("recorded", "VERS-018 TRANS-006 TRANS-036 TRANS-040 PAGE-018 LOC-005 LOC-115 SESS-003 SESS-111"),
  ...by("refused by us", "CRED-041 CRED-042 CRED-043 CRED-044 CRED-046"),
  ...by("network", "TRANS-010 CRED-047"),
  ...by("away", "CRED-031 CRED-032 CRED-033 CRED-037 TRANS-056 TRANS-057 TRANS-058 PAGE-029"),
  ...by("driver", "TOK-028 TOK-029 TOK-120 TOK-121 TOK-122 TOK-123 TOK-124 TOK-125 TOK-126"),
  ...by("driver", "CMD-024 CMD-025 CMD-037 CP-011 CP-012 CP-101 CP-102"),
  ...by(
    "driver",
    "CMD-101 CMD-102 CMD-103 CMD-104 CMD-105 CMD-106 CMD-107 CMD-108 CMD-109 CMD-110 CMD-111 CMD-112"
  ),
  ...by("hub", "HUB-004 HUB-101 HUB-102 HUB-103 HUB-104 HUB-105"),
  ...by("second connection", "CMD-027 CMD-036"),
  ...by("module", "PAY-002 PAY-004"),
  ...by("journey", "JRN-001 JRN-002 JRN-006 JRN-008 JRN-012 JRN-013")
]
