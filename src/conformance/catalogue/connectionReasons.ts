/**
 * Why the checks of versions, credentials, transport, paging and hubs matter in practice:
 * a sentence, and the ids of the checks of which it is true.
 */
export const connectionReasons: ReadonlyArray<readonly [sentence: string, checks: string]> = [
  [
    "Every connection begins with the versions and their details: where they are wrong or unsteady, the two platforms cannot be connected, or settle on a version that one of them does not serve.",
    `VERS-001 VERS-002 VERS-003 VERS-006 VERS-007 VERS-015 VERS-017`
  ],
  [
    "A platform finds each module by this list of endpoints: what is missing, doubled or wrong in it is asked for at the wrong address, or not at all.",
    `VERS-008 VERS-009 VERS-010 VERS-011 VERS-012 VERS-013 VERS-016`
  ],
  ["A module that nobody has tested is tried first by real drivers, with real bills.", `VERS-018`],
  [
    "Where a request without a valid token is not clearly refused, strangers may read or change what belongs to the partnership, and a partner with a wrong token cannot see that the token is the cause.",
    `VERS-004 VERS-005 VERS-014 CRED-019 CRED-048 CRED-049 CRED-051 TRANS-001 TRANS-002 TRANS-003
    CMD-110`
  ],
  [
    "A token that has ended, or that is for the registration only, has often passed through e-mails and other hands: as long as it opens anything, whoever has it can act as the partner.",
    `CRED-013 CRED-014 CRED-030 CRED-036 CRED-038`
  ],
  [
    "Where the two sides write or read the token differently, every request is refused, although both have the right one.",
    `CRED-050 TRANS-004 TRANS-005 TRANS-006 TRANS-007 TRANS-008 TRANS-009`
  ],
  [
    "A registration hands over tokens and addresses: when one of its steps goes wrong, the two sides hold different ones, and nothing works until people at both companies repeat it by hand.",
    `CRED-001 CRED-002 CRED-003 CRED-004 CRED-005 CRED-006 CRED-012 CRED-027 CRED-028 CRED-029
    CRED-031 CRED-032 CRED-033 CRED-040 CRED-041 CRED-043 CRED-045 CRED-046 CRED-047`
  ],
  [
    "Registrations often fail at the first try: an unclear answer costs both companies hours of search, and a token that is lost by it cuts the partnership off until a new one is handed over.",
    `CRED-016 CRED-020 CRED-021 CRED-022 CRED-023 CRED-024 CRED-025 CRED-026 CRED-034`
  ],
  [
    "Where it is unclear who is registered, a working partnership is overwritten by mistake, or data goes on flowing to a company with which the contract has ended.",
    `CRED-015 CRED-017 CRED-018 CRED-035 CRED-037`
  ],
  [
    "The credentials say which companies the partner speaks for: with wrong or missing ones, charges and bills are put down to the wrong company, or refused.",
    `CRED-007 CRED-008 CRED-009 CRED-010 CRED-011 CRED-039 CRED-042`
  ],
  [
    "The two platforms then work with an older version, and drivers and operators lack what the newer one can do.",
    `CRED-044`
  ],
  [
    "Without encryption, everybody on the way can read tokens, movements of drivers and prices, and change them.",
    `TRANS-010`
  ],
  [
    "Every client reads the status and the time around the data first: where these are wrong, a good answer is thrown away, or an error is taken for success, and data is missing without anybody noticing.",
    `TRANS-011 TRANS-012 TRANS-013 TRANS-015 TRANS-016 TRANS-017`
  ],
  [
    "A clock that runs wrong makes old data look new: real changes are thrown away as outdated, and times no longer fit those of the partner.",
    `TRANS-014 LOC-015`
  ],
  [
    "An unclear answer to a faulty request sends people after the wrong cause: errors stay hidden, or requests that can never succeed are repeated.",
    `TRANS-020 TRANS-021 TRANS-022 TRANS-023 TRANS-024 TRANS-040 PAGE-017 PAGE-018 PAGE-025 SESS-107
    TOK-024 CMD-109`
  ],
  [
    "What is stored although it is wrong shows up later as a wrong station, price or bill, when nobody knows any more where it came from; and without the right code the sender does not learn that its data was at fault.",
    `TRANS-018 TRANS-019 TRANS-052 LOC-111 LOC-112 SESS-109 CDR-104 TAR-107 TOK-108`
  ],
  [
    "A sender whose change of an unknown object seems to succeed goes on believing that both sides hold the same.",
    `LOC-110 SESS-108 TOK-107 TAR-105`
  ],
  [
    "Objects under a wrong id or owner are put down to the wrong company, or overwrite those of another one.",
    `TRANS-049 TRANS-050 TRANS-051 PAGE-027 TOK-008 CMD-103`
  ],
  [
    "One provider sees, stops or pays for what belongs to the drivers of another one.",
    `SESS-013 SESS-114 CDR-022 CDR-111 CMD-027`
  ],
  [
    "Without these ids nobody can find one failed message in the logs of both companies, and a support case takes days in place of minutes.",
    `TRANS-025 TRANS-026 TRANS-027 TRANS-028`
  ],
  [
    "Behind a hub, the routing headers are the address on the envelope: where they are wrong, or not read as they should be, messages reach the wrong company, or nobody.",
    `TRANS-029 TRANS-030 TRANS-031 TRANS-032 TRANS-033 TRANS-034 HUB-105`
  ],
  [
    "Through a hub many companies share one connection: their requests stay without an answer, or stations, charges and bills of one are put down to another.",
    `HUB-101 HUB-102 HUB-103 HUB-104`
  ],
  [
    "Charges and commands are sent to a company behind the hub that cannot be reached, or withheld from one that can.",
    `HUB-001 HUB-002 HUB-003 HUB-004 HUB-106 HUB-107`
  ],
  [
    "A receiver that refuses or changes what the version allows loses good data of each partner that is built a little differently: stations, charges or bills are missing.",
    `TRANS-035 TRANS-037 TRANS-038 TRANS-041 TRANS-042 TRANS-044 TRANS-061 LOC-114 LOC-116 SESS-112 SESS-113
    CDR-110 CDR-112 TOK-110 TOK-111`
  ],
  [
    "OCPI leaves open what a receiver does here: two platforms that expect different things of each other end up with different data.",
    `TRANS-036 LOC-115 LOC-117 SESS-003 SESS-111`
  ],
  [
    "Some systems write ids in capitals and others do not: where case matters, a known station, charge, tariff or card is taken for an unknown one.",
    `TRANS-039 LOC-118 SESS-115 CMD-041 TAR-110 TOK-109`
  ],
  [
    "What is missing, or has another form than agreed, makes the receiver refuse the whole object or read it wrongly: a station, charge or price is then missing or wrong.",
    `TRANS-043 TRANS-045 TRANS-046 TRANS-047 TRANS-048 TRANS-053`
  ],
  [
    "By this code a sender sees whether the receiver knew its object: with a wrong one it does not notice that the two sides have drifted apart.",
    `TRANS-054 TRANS-055`
  ],
  [
    "What is sent a second time burdens a receiver that is in trouble already, and can be carried out or booked twice.",
    `TRANS-056 CDR-035 CMD-009 CMD-040`
  ],
  [
    "Pushes get lost: a platform that does not find everything in the lists, or does not read them to the end, never catches up, so that drivers see old states and prices, and charges are missing from the bills.",
    `TRANS-057 TRANS-058 PAGE-028 PAGE-029 JRN-009`
  ],
  [
    "A request that ends at another address than the announced one is lost or refused, and may carry the token to where it does not belong.",
    `TRANS-059 TRANS-060`
  ],
  [
    "Long lists are read page by page: where the pages do not fit together, stations are missing on the map and charges on the bill, or the reading never ends.",
    `PAGE-001 PAGE-002 PAGE-003 PAGE-004 PAGE-005 PAGE-006 PAGE-007 PAGE-008 PAGE-009 PAGE-010
    PAGE-011 PAGE-012 PAGE-013 PAGE-014 PAGE-015 PAGE-016 PAGE-030`
  ],
  [
    "A platform asks for what has changed since it read last: where that is not answered exactly, changes are missed for good, or everything is read again each time.",
    `PAGE-019 PAGE-020 PAGE-021 PAGE-022 PAGE-023 PAGE-024 PAGE-026`
  ],
  [
    "Two objects with one id overwrite each other at the receiver: a station, charge, bill, price or card is lost, or takes the place of another.",
    `LOC-010 LOC-011 LOC-012 SESS-018 CDR-003 TAR-003 TOK-003`
  ],
  [
    "last_updated says whether an object is new: where it does not move with each change, partners keep old data; where it moves without one, they read everything again and again.",
    `LOC-014 LOC-045 LOC-049 LOC-050 LOC-051 LOC-107 LOC-108 TAR-034 TAR-035 TOK-030 TOK-031`
  ]
]
