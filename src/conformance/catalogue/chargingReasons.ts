/**
 * Why the checks of locations, sessions, tokens, commands and charging profiles matter in practice:
 * a sentence, and the ids of the checks of which it is true.
 */
export const chargingReasons: ReadonlyArray<readonly [sentence: string, checks: string]> = [
  [
    "A provider leaves out stations that it cannot read: they are missing in the drivers' apps, or shown with wrong details.",
    `LOC-001 LOC-002 LOC-003 LOC-004 LOC-005 LOC-013`
  ],
  [
    "A provider that asks again for one station gets something else than the list said: the app shows a state, plug or price that is not true.",
    `LOC-034 LOC-035 LOC-036 LOC-037`
  ],
  ["Drivers are led to the wrong place, or do not find the station on the map.", `LOC-006 LOC-007 LOC-008`],
  [
    "Opening hours and prices by time of day are read in the wrong hours: drivers arrive at a closed station, or pay another price than they expected.",
    `LOC-009`
  ],
  [
    "Drivers arrive at a station that is closed, or stay away from one that is open.",
    `LOC-024 LOC-025 LOC-026 LOC-027 LOC-038`
  ],
  [
    "Drivers, partners and old bills name a plug by its id: when that is missing, malformed, doubled or changed, they find the wrong plug, or none.",
    `LOC-016 LOC-017 LOC-047`
  ],
  [
    "Drivers are sent to a plug that is gone, or no longer find one that is there.",
    `LOC-018 LOC-046 LOC-048 LOC-113`
  ],
  ["A private station is shown to everybody, or hidden from those who may use it.", `LOC-022 LOC-023`],
  ["Drivers and companies that choose or report green energy rely on these figures.", `LOC-028 LOC-029`],
  [
    "Drivers choose a plug that does not fit their car, or charge much slower than they were promised.",
    `LOC-030 LOC-031`
  ],
  [
    "Drivers get broken pictures or links, or a text that is doubled, malformed or in a language that they do not read.",
    `LOC-032 LOC-033 TAR-019 TAR-021 TOK-011`
  ],
  [
    "Drivers, above all those with a large vehicle or a disability, cannot tell whether they can park at the plug.",
    `LOC-039 LOC-040 LOC-041`
  ],
  [
    "Apps show what was pushed last: when a push is missing, late or cannot be read, drivers go to a plug that is taken or out of order.",
    `LOC-042 LOC-043 LOC-044`
  ],
  [
    "What the operator says of a station is not taken over as it was sent: the app shows a plug, state or price that is not true any more.",
    `LOC-101 LOC-102 LOC-103 LOC-104 LOC-105 LOC-106 LOC-109`
  ],
  [
    "A provider that cannot read a session can neither show the driver the charge nor check the bill for it.",
    `SESS-001 SESS-002 SESS-004 SESS-009`
  ],
  [
    "Drivers see a duration or an energy that cannot be, and dispute the bill.",
    `SESS-005 SESS-006 SESS-007 SESS-008`
  ],
  [
    "Driver and provider cannot tell for certain at which plug, or by which tariff, a charge took place.",
    `SESS-010 SESS-011 SESS-012 CDR-014 CDR-023 CDR-024 CDR-025 CDR-026`
  ],
  [
    "The plug's state and its use contradict each other: drivers are sent to a plug that is taken, or kept away from a free one.",
    `SESS-016 CMD-029 JRN-004`
  ],
  [
    "Drivers follow a charge in the app: a session that goes backwards, counts twice or changes after its end has other figures than the bill.",
    `SESS-017 SESS-026 SESS-027 SESS-028 SESS-029 SESS-030 SESS-031`
  ],
  ["The app does not show that the charge has begun, or how it goes on.", `SESS-024 SESS-025`],
  [
    "Without this link the provider cannot tell to which driver, authorization or command a charge belongs, and does not pay for it.",
    `SESS-032 CDR-020 CDR-027 CDR-038 CMD-021 CMD-022 JRN-003 TOK-025 TOK-126`
  ],
  [
    "The driver's wish, such as a cheap charge or a full battery by a certain time, is ignored, or seems to be accepted although it is not.",
    `SESS-019 SESS-020 SESS-021 SESS-022 SESS-023`
  ],
  [
    "What the operator reports of a charge is not taken over as it was sent: the app shows wrong figures, and the bill cannot be checked against them.",
    `SESS-101 SESS-102 SESS-103 SESS-104 SESS-105 SESS-106 SESS-110 JRN-010 JRN-011`
  ],
  [
    "An operator that cannot read a card turns its driver away at the station, or treats it otherwise than the provider wants.",
    `TOK-001 TOK-002 TOK-004 TOK-005 TOK-006 TOK-007 TOK-009`
  ],
  [
    "The station waits for this answer: where it is missing or cannot be used, a driver with a good card is turned away.",
    `TOK-010 TOK-012 TOK-013 TOK-014 TOK-015 TOK-016 TOK-019 TOK-020 TOK-021 TOK-022 TOK-023 TOK-027 TOK-032`
  ],
  [
    "Somebody charges at the provider's expense with a card that is blocked or unknown.",
    `TOK-017 TOK-018 TOK-124`
  ],
  ["A driver at the station waits for this answer, and drives on when it takes too long.", `TOK-026`],
  [
    "Operators do not learn of a card, or that it was blocked: its driver is turned away, or the card goes on opening stations.",
    `TOK-028 TOK-029`
  ],
  [
    "The operator does not take over a card as it was sent: its driver is turned away, or a blocked card goes on opening stations.",
    `TOK-101 TOK-102 TOK-103 TOK-104 TOK-105 TOK-106`
  ],
  [
    "The operator does not do as the provider orders for this card: drivers are turned away without need, or charge without the provider's consent.",
    `TOK-120 TOK-121 TOK-122 TOK-123 TOK-125`
  ],
  [
    "The driver presses a button in the app and does not learn what came of it, presses again or drives on.",
    `CMD-001 CMD-002 CMD-003 CMD-004 CMD-005 CMD-006 CMD-007 CMD-008 CMD-010 CMD-039 CMD-107 CMD-108
    CMD-111 CMD-112`
  ],
  [
    "A command that cannot be carried out has to be refused at once: otherwise the wrong plug is used, or the driver waits for what will never happen.",
    `CMD-011 CMD-012 CMD-013 CMD-014 CMD-015 CMD-016 CMD-017 CMD-018 CMD-019 CMD-032 CMD-034`
  ],
  [
    "The driver stands at the plug, and the charge does not begin or end, or the cable stays locked, although the app says otherwise.",
    `CMD-020 CMD-023 CMD-026 CMD-038`
  ],
  [
    "The app has let the driver in already: a second question costs time, and its answer may turn the driver away at the plug.",
    `CMD-024 CMD-025`
  ],
  [
    "The driver relies on a reserved plug and finds it taken, or pays for more than the reservation.",
    `CMD-028 CMD-030 CMD-031 CMD-033 CMD-035 CMD-036 CMD-037 JRN-007`
  ],
  [
    "A command that is incomplete, or names what is not there, has to be refused, or its result is taken for that of another one: the driver presses the button in vain.",
    `CMD-101 CMD-102 CMD-104 CMD-105 CMD-106`
  ],
  [
    "The car charges faster or slower than agreed: the building's connection is overloaded, or the car is not ready in time, and nobody is warned.",
    `CP-001 CP-002 CP-003 CP-004 CP-005 CP-006 CP-007 CP-008 CP-009 CP-010 CP-011 CP-012 CP-101
    CP-102 CP-103`
  ]
]
