/** Why the checks of CDRs, tariffs and payments matter in practice: a sentence, and the ids of the checks of which it is true. */
export const moneyReasons: ReadonlyArray<readonly [sentence: string, checks: string]> = [
  [
    "A CDR is the bill between two companies: one that cannot be read is refused, and the charge is not paid.",
    `CDR-001 CDR-002 CDR-004 CDR-016 CDR-017 CDR-032`
  ],
  [
    "The price depends on when each part of a charge took place: with wrong times the bill cannot be followed, and the driver pays too much or too little.",
    `CDR-005 CDR-006 CDR-007 CDR-033`
  ],
  [
    "The sums of the bill do not follow from its parts: the provider refuses it, or somebody pays the wrong amount.",
    `CDR-008 CDR-009 CDR-010 CDR-011 CDR-012 CDR-013 CDR-030`
  ],
  [
    "An amount of which the currency or the form is wrong cannot be booked, or is read as another amount.",
    `SESS-014 CDR-015 TAR-004 TAR-022`
  ],
  [
    "Drivers are shown one price and pay another, or VAT is charged twice, not at all, or cannot be claimed back.",
    `SESS-015 TAR-008 TAR-009 TAR-010`
  ],
  [
    "A correction that cannot be matched with the first bill is refused, or leaves the charge paid twice.",
    `CDR-018 CDR-019 CDR-107`
  ],
  ["The driver saw other figures in the app than are on the bill, and disputes it.", `CDR-021 JRN-005`],
  [
    "A bill that changes after it was sent, or comes in two forms, is paid wrongly, and the books of the two companies no longer agree.",
    `CDR-028 CDR-029 CDR-034 CDR-037 CDR-105 CDR-106 CDR-109`
  ],
  [
    "Where the law asks for signed meter values, a driver cannot check the bill, and the operator may not charge for it.",
    `CDR-031`
  ],
  ["The driver gets the receipt late or never, and the operator the money.", `CDR-036`],
  [
    "The provider does not take the bill over as it was sent, or the operator cannot see that it did: the charge is not paid, or is paid wrongly.",
    `CDR-101 CDR-102 CDR-103 CDR-108`
  ],
  [
    "A provider that cannot read or apply a tariff shows drivers no price, or calculates another one than the operator.",
    `TAR-001 TAR-002 TAR-005 TAR-006 TAR-007 TAR-011 TAR-012 TAR-013 TAR-014 TAR-015 TAR-016 TAR-017
    TAR-018`
  ],
  [
    "Drivers see no price before they charge, or one that does not hold at this plug.",
    `LOC-019 LOC-020 LOC-021 TAR-020 TAR-030 TAR-031 TAR-032 TAR-033`
  ],
  [
    "What the operator says of a tariff is not taken over as it was sent: the app shows another price than the driver pays.",
    `TAR-101 TAR-102 TAR-103 TAR-104 TAR-106 TAR-108 TAR-109`
  ],
  [
    "A payment at a terminal cannot be matched with its charge: the driver gets no receipt, and the operator cannot settle the charge.",
    `PAY-002 PAY-004`
  ]
]
