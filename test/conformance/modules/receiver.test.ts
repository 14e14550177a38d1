import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { probesOf } from "../../../src/conformance/catalogue/probes.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { either, probesFor } from "../../../src/conformance/model/Check.ts"
import { type Gathered, makeEvidence } from "../../../src/conformance/model/Evidence.ts"
import type { Probe } from "../../../src/conformance/model/Probe.ts"
import { outOfUse } from "../../../src/conformance/modules/locations/receiver/changedLocations.ts"
import { longest } from "../../../src/conformance/modules/locations/receiver/testLocation.ts"
import { receiver } from "../../../src/conformance/modules/shared/receivers/receiver.ts"
import {
  absent,
  given,
  needed,
  onceTaken,
  optional,
  rejected,
  same,
  taken
} from "../../../src/conformance/modules/shared/receivers/receiverProofs.ts"
import {
  creates,
  refusesUnknown,
  returns
} from "../../../src/conformance/modules/shared/receivers/receiverRules.ts"
import { type Proof, rule, script } from "../../../src/conformance/modules/shared/receivers/receiverScript.ts"
import { type Make, objectSteps } from "../../../src/conformance/modules/shared/receivers/receiverSteps.ts"
import { now, party } from "../support/honestPartner.ts"

const { del, get, patch, put } = objectSteps(() => ({
  module: "tariffs",
  nouns: ["tariff", "element"],
  cleanUp: () => ({ method: "DELETE" })
}))
const tariff: Make = ({ mark }) => ({ id: `${mark}-1`, currency: "EUR" })
const texts = { title: "a rule", sends: "requests", passes: "success" }
const facts = { module: "tariffs", noun: "tariff", roles: either, reference: "mod_tariffs", plain: "TAR-0" }

const written = put("put", tariff)
const read = get("read back", tariff)

/** Evidence with an answer to each of those steps: an HTTP status, a status_code, and data. */
const evidenceOf = (
  answers: Readonly<Record<string, readonly [number, number, unknown?]>>,
  version: (typeof versionNumbers)[number] = "2.2.1"
) => {
  const results = new Map<string, Gathered>(
    Object.entries(answers).map(([step, [httpStatus, status_code, data]]) => {
      const exchange = {
        id: step,
        module: "tariffs",
        operation: "tariff",
        startedAt: now,
        request: {
          method: step.startsWith("read") ? "GET" : "PUT",
          url: "https://partner.example",
          headers: {},
          body: null,
          truncated: false
        },
        response: { httpStatus, ocpiStatusCode: status_code, headers: {}, body: null, truncated: false }
      } as unknown as Exchange
      return [`tariffs.write#${step}`, { seen: [{ exchange, about: "", json: { status_code, data } }] }]
    })
  )
  const basis = { party, profile: profileOf(version), startedAt: now, mark: "TST-abc" }
  return makeEvidence({ ...basis, trustedPrefixes: [], graceSeconds: 0, tokens: [] }, results)
}

const judgeOf = (proofs: ReadonlyArray<Proof>, evidence: ReturnType<typeof evidenceOf>) =>
  receiver(facts, [script("write", [rule("TAR-1", { ...texts, proofs })])]).checks[0]!.judge(evidence)
const stepsOf = (probe: Probe | undefined) => (probe !== undefined && "steps" in probe ? probe.steps : [])
const scope = { profile: profileOf("2.2.1"), role: "EMSP" } as const

describe("a receiver script", () => {
  it("sends each step once, where it is first named", () => {
    const { probes } = receiver(facts, [
      script("write", [
        put("prepare", tariff),
        rule("TAR-1", { ...texts, proofs: [taken(written), same(read)] }),
        rule("TAR-2", { ...texts, proofs: [needed(read), taken(del("delete", tariff))] })
      ])
    ])
    assert.deepStrictEqual(
      probes.map((probe) => [probe.id, ...stepsOf(probe).map(({ id }) => id)]),
      [["tariffs.write", "prepare", "put", "read back", "delete"]]
    )
  })

  it("addresses an object by its id, and cleans up after a PUT of it", () => {
    const [probe] = receiver(facts, [
      script("write", [written, patch("patch", tariff, () => ({ a: 1 }))])
    ]).probes
    const [put, patched] = stepsOf(probe).map(({ act }) => act(evidenceOf({})))
    const path = ["NL", "PLG", "TST-abc-1"]
    const request = { module: "tariffs", interfaceRole: "RECEIVER", path } as const
    assert.deepStrictEqual(put, {
      send: {
        ...request,
        operation: "PUT tariff",
        method: "PUT",
        body: { id: "TST-abc-1", currency: "EUR" }
      },
      undo: { ...request, operation: "DELETE tariff", method: "DELETE" }
    })
    assert.deepStrictEqual(patched, {
      send: { ...request, operation: "PATCH tariff", method: "PATCH", body: { a: 1 } }
    })
  })

  it("changes what is sent, but not the address of it, and leaves out what a version does not have", () => {
    const spoilt = put("spoilt", tariff, {
      change: ({ id: _, ...rest }) => ({ ...rest, currency: 978 }),
      isIn: ({ ownerFields }) => ownerFields
    })
    const { checks, probes } = receiver(facts, [script("write", [creates("TAR-1", spoilt)])])
    const [step] = stepsOf(probes[0])
    const act = step!.act(evidenceOf({}))
    const sent = act !== undefined && "send" in act ? act.send : undefined
    assert.deepStrictEqual(sent?.body, { currency: 978 })
    assert.deepStrictEqual(sent?.path, ["NL", "PLG", "TST-abc-1"])
    assert.isUndefined(step!.act(evidenceOf({}, "2.1.1")))
    assert.deepStrictEqual(checks[0]!.versions, ["2.2", "2.2.1", "2.3.0"])
    assert.deepStrictEqual(checks[0]!.needs({ ...scope, profile: profileOf("2.1.1") }), [])
  })

  it("has texts by the noun, and those of the rule itself over them", () => {
    const { checks } = receiver(facts, [
      script("write", [creates("TAR-1", written, { strength: "should" }), returns("TAR-2", read)])
    ])
    assert.include(checks[0], {
      id: "TAR-1",
      title: "PUT of a new tariff is accepted",
      strength: "should",
      reference: "mod_tariffs"
    })
    assert.include(checks[1], {
      title: "GET returns the tariff as it was sent",
      strength: "must",
      mode: "MUT"
    })
  })

  it("requires a valid request of the method where its own may be refused, of the same part if there is one", () => {
    const part = { of: tariff, below: () => ["1"], part: "/elements/*", json: tariff }
    const none: Make = () => ({})
    const ofPart = patch("part", part, none)
    const { checks } = receiver(facts, [
      script("write", [
        rule("TAR-1", { ...texts, proofs: [taken(ofPart)] }),
        rule("TAR-2", { ...texts, proofs: [taken(patch("whole", tariff, none))] }),
        refusesUnknown("TAR-3", { steps: [[patch("unknown", tariff, none), read]] }),
        rule("TAR-4", { ...texts, proofs: [rejected(patch("unknown part", part, none))] }),
        rule("TAR-5", { ...texts, proofs: [rejected(del("delete", tariff)), rejected(written)] }),
        rule("TAR-6", { ...texts, proofs: [needed(ofPart), onceTaken(ofPart, same(read))] })
      ])
    ])
    assert.deepStrictEqual(
      checks.map(({ requires }) => requires!(scope).map((one) => "answers" in one && one.answers)),
      [[], [], ["tariffs.write#whole"], ["tariffs.write#part"], [], []]
    )
  })

  it("needs the steps of its proofs, but not of the optional ones", () => {
    const proofs = [needed(read), taken(written), optional(absent(get("read late", tariff)))]
    const { checks } = receiver(facts, [script("write", [rule("TAR-1", { ...texts, proofs })])])
    assert.deepStrictEqual(checks[0]!.needs(scope), ["tariffs.write#read back", "tariffs.write#put"])
  })
})

describe("what a rule requires", () => {
  const { checks } = receiver({ ...facts, plain: "TAR-1" }, [
    script("write", [creates("TAR-1", written), rule("TAR-2", { ...texts, proofs: [same(read)] })]),
    script("special", [
      put("prepare", tariff, { isIn: ({ ownerFields }) => ownerFields }),
      put("wrong", tariff, { change: () => ({}) }),
      rule("TAR-3", { ...texts, proofs: [taken(put("extra", tariff))] }),
      put("late", tariff)
    ])
  ])
  const required = (id: string, version: (typeof versionNumbers)[number] = "2.2.1") =>
    (checks.find((one) => one.id === id)?.requires?.({ ...scope, profile: profileOf(version) }) ?? []).map(
      (one) => ("answers" in one ? [one.answers, one.check] : one.check)
    )

  it("is the plain write of the receiver, and the steps before it that prepare", () => {
    assert.deepStrictEqual(required("TAR-1"), [])
    assert.deepStrictEqual(required("TAR-2"), [["tariffs.write#put", "TAR-1"]])
    assert.deepStrictEqual(required("TAR-3"), [
      ["tariffs.write#put", "TAR-1"],
      ["tariffs.special#prepare", undefined]
    ])
    assert.deepStrictEqual(required("TAR-3", "2.1.1"), [["tariffs.write#put", "TAR-1"]])
  })

  it("is named by every rule of every receiver but the plain ones", () => {
    const scopes = versionNumbers.flatMap((version) =>
      either.map((role) => ({ profile: profileOf(version), role }))
    )
    const free = scopes.flatMap((scope) =>
      allChecks
        .filter(
          ({ needs, requires, roles, versions }) =>
            roles.includes(scope.role) &&
            versions.includes(scope.profile.version) &&
            needs(scope).some((id) =>
              /^(tokens|tariffs|sessions|cdrs|locations|objects)\.[a-z-]+#put$/.test(id)
            ) &&
            requires !== undefined &&
            requires(scope).length === 0
        )
        .map(({ id }) => id)
    )
    assert.deepStrictEqual([...new Set(free)].sort(), ["LOC-101", "SESS-101", "TAR-101", "TOK-101"])
  })
})

describe("the judgement of a rule", () => {
  const stored = { id: "TST-abc-1", currency: "EUR" }

  it("passes with what the last proof says", () => {
    const evidence = evidenceOf({ put: [201, 1000], "read back": [200, 1000, stored] })
    assert.deepStrictEqual(judgeOf([taken(written)], evidence), {
      is: "pass",
      actual: "HTTP 201, status_code 1000"
    })
    assert.deepStrictEqual(judgeOf([taken(written), same(read)], evidence), { is: "pass" })
  })

  it("ends at a precondition that does not pass", () => {
    const evidence = evidenceOf({ put: [200, 2000], "read back": [200, 1000, {}] })
    const judgement = judgeOf([taken(written), same(read)], evidence)
    assert.deepStrictEqual(
      judgement.is === "fail" ? judgement.findings.map(({ exchangeId }) => exchangeId) : judgement.is,
      ["put"]
    )
    const blocked = judgeOf([given(taken(written), "not accepted"), same(read)], evidence)
    assert.isTrue(blocked.is === "inconclusive" && blocked.outcome === "not_tested")
    assert.deepStrictEqual(blocked.is === "inconclusive" ? blocked.blockedBy : undefined, {
      exchangeId: "put",
      what: "not accepted: PUT tariffs (tariff) was answered HTTP 200, status_code 2000"
    })
  })

  it("has the findings of all other proofs", () => {
    const evidence = evidenceOf({ put: [200, 1000, stored], "read back": [200, 1000, { id: "other" }] })
    const judgement = judgeOf([absent(written), same(read)], evidence)
    assert.deepStrictEqual(
      judgement.is === "fail" ? judgement.findings.map(({ exchangeId }) => exchangeId) : judgement.is,
      ["put", "read back", "read back"]
    )
  })

  it("is inconclusive where an answer is missing or cannot be judged, unless the proof is optional", () => {
    const evidence = evidenceOf({ put: [200, 1000], "read back": [405, 2000] })
    assert.strictEqual(judgeOf([taken(written), same(read)], evidence).is, "inconclusive")
    assert.strictEqual(judgeOf([taken(written), same(get("never", tariff))], evidence).is, "inconclusive")
    assert.strictEqual(judgeOf([taken(written), optional(same(read))], evidence).is, "pass")
    assert.strictEqual(judgeOf([same(read, { main: true })], evidence).is, "fail")
  })
})

describe("an object that is read back", () => {
  const stored = { id: "TST-abc-1", currency: "EUR" }
  const other = get("read other", tariff)
  const judgeBoth = (answers: Parameters<typeof evidenceOf>[0]) => {
    const scripts = [script("write", [written, rule("TAR-1", { ...texts, proofs: [same(read)] }), other])]
    return receiver(facts, scripts).checks[0]!.judge(evidenceOf(answers)).is
  }

  it("is missing where GET answers 404 and the receiver returns others", () => {
    const returned = { "read other": [200, 1000, stored] } as const
    assert.strictEqual(judgeBoth({ put: [200, 1000], "read back": [404, 2003], ...returned }), "fail")
    assert.strictEqual(judgeBoth({ put: [200, 1000], "read back": [405, 2000], ...returned }), "inconclusive")
  })

  it("is not held against a receiver that returns none at all, or that did not take the object", () => {
    assert.strictEqual(judgeBoth({ put: [200, 1000], "read back": [404, 2003] }), "inconclusive")
    const returned = { "read other": [200, 1000, stored] } as const
    assert.strictEqual(judgeBoth({ put: [200, 2001], "read back": [404, 2003], ...returned }), "inconclusive")
  })

  it("is absent when GET is refused or brings nothing, and unknown when the server fails", () => {
    const judged = (answer: readonly [number, number, unknown?]) =>
      judgeOf([absent(read)], evidenceOf({ "read back": answer })).is
    assert.deepStrictEqual(
      [[404, 2003] as const, [200, 2003] as const, [200, 1000, null] as const].map(judged),
      ["pass", "pass", "pass"]
    )
    assert.strictEqual(judged([500, 3000]), "inconclusive")
    assert.strictEqual(judged([200, 1000, stored]), "fail")
    assert.strictEqual(judged([200, Number.NaN, stored]), "fail")
  })
})

describe("the catalogue", () => {
  const scopes = versionNumbers.flatMap((version) =>
    either.map((role) => ({ profile: profileOf(version), role }))
  )

  it("has steps with ids of their own", () => {
    const twice = scopes.flatMap(({ profile, role }) =>
      [...probesOf(profile, role).values()].flatMap((probe) => {
        const ids = stepsOf(probe).map(({ id }) => id)
        return ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${probe.id}#${id}`)
      })
    )
    assert.deepStrictEqual(twice, [])
  })

  it("has checks that need probes and steps which there are", () => {
    const missing = scopes.flatMap((scope) => {
      const probes = probesOf(scope.profile, scope.role)
      return allChecks
        .filter(
          ({ roles, versions }) => roles.includes(scope.role) && versions.includes(scope.profile.version)
        )
        .flatMap((check) => probesFor(check, scope).map((need) => ({ id: check.id, need })))
        .filter(({ need }) => {
          const [probe = "", step] = need.split("#")
          return (
            !probes.has(probe) ||
            (step !== undefined && !stepsOf(probes.get(probe)).some(({ id }) => id === step))
          )
        })
        .map(({ id, need }) => `${id} needs ${need}`)
    })
    assert.deepStrictEqual([...new Set(missing)], [])
  })

  it("has no reading check that makes the run write, by what it requires", () => {
    const writing = scopes.flatMap((scope) => {
      const probes = probesOf(scope.profile, scope.role)
      return allChecks
        .filter(({ mode }) => mode === "RO")
        .flatMap((check) =>
          (check.requires?.(scope) ?? []).flatMap((one) =>
            "answers" in one && one.ifGathered !== true ? [one.answers] : []
          )
        )
        .filter((id) => stepsOf(probes.get(id.split("#")[0]!)).length > 0)
    })
    assert.deepStrictEqual(writing, [])
  })

  it("has each check once", () => {
    const ids = allChecks.map(({ id }) => id)
    assert.deepStrictEqual(ids, [...new Set(ids)])
  })
})

describe("an object whose PUT was answered with HTTP 202", () => {
  const rules = receiver(facts, [script("write", [creates("TAR-0", written), returns("TAR-1", read)])])
  const judged = (answers: Parameters<typeof evidenceOf>[0]) =>
    rules.checks.find(({ id }) => id === "TAR-1")!.judge(evidenceOf(answers))
  const acts = (answers: Parameters<typeof evidenceOf>[0]) =>
    stepsOf(rules.probes[0])
      .slice(2)
      .map(({ act }) => act(evidenceOf(answers)))
  const whole = { id: "TST-abc-1", currency: "EUR" }

  it("is read again a while later when it is not there, and once only", () => {
    const [wait, again] = acts({ put: [202, 1000], "read back": [404, 2003] })
    assert.isTrue(wait !== undefined && "pause" in wait)
    assert.isTrue(again !== undefined && "send" in again && again.send.method === "GET")
    assert.deepStrictEqual(acts({ put: [202, 1000], "read back": [200, 1000, whole] }), [
      undefined,
      undefined
    ])
    assert.deepStrictEqual(acts({ put: [200, 1000], "read back": [404, 2003] }), [undefined, undefined])
  })

  it("was stored late when it is there then, by one of two readings of the text", () => {
    const before = { put: [202, 1000], "read back": [404, 2003] } as const
    const late = judged({ ...before, "read back, later": [200, 1000, whole] })
    const never = judged({ ...before, "read back, later": [404, 2003] })
    assert.isTrue(late.is === "fail" && never.is === "fail")
    const [found, lost] = [late, never].map((one) => (one.is === "fail" ? one.findings[0] : undefined))
    assert.match(found?.message ?? "", /10 s later/)
    assert.isDefined(found?.ambiguous)
    assert.isUndefined(lost?.ambiguous)
  })
})

describe("an object that must not be there", () => {
  const unknown = refusesUnknown("TAR-1", { steps: [[patch("patch", tariff, () => ({ a: 1 })), read]] })
  const judged = (httpStatus: number, code: number, data?: unknown) =>
    receiver(facts, [script("write", [unknown])]).checks[0]!.judge(
      evidenceOf({ patch: [404, 2003], "read back": [httpStatus, code, data] })
    ).is

  it("is not there where GET brings nothing: no data, null, an empty list or an empty object", () => {
    for (const data of [undefined, null, [], {}]) {
      assert.strictEqual(judgeOf([absent(read)], evidenceOf({ "read back": [200, 1000, data] })).is, "pass")
      assert.strictEqual(judged(200, 1000, data), "pass")
    }
    assert.strictEqual(judged(404, 2003), "pass")
  })

  it("is there where GET brings it after a PATCH of an unknown object", () => {
    assert.strictEqual(judged(200, 1000, { id: "TST-abc-1", a: 1 }), "fail")
  })

  it("is not judged where GET fails at the server", () => {
    assert.strictEqual(judged(500, 3000), "inconclusive")
  })
})

describe("an EVSE that was taken out of use", () => {
  const judged = (httpStatus: number, data?: unknown) =>
    judgeOf([outOfUse(read)], evidenceOf({ "read back": [httpStatus, 1000, data] })).is

  it("is REMOVED, or not found", () => {
    assert.strictEqual(judged(200, { uid: "1", status: "REMOVED" }), "pass")
    assert.strictEqual(judged(404), "pass")
    assert.strictEqual(judged(200, {}), "pass")
    assert.strictEqual(judged(200, { uid: "1", status: "AVAILABLE" }), "fail")
  })

  it("is not judged by an object that is no EVSE", () => {
    assert.strictEqual(judged(200, { id: "LOC1", evses: [] }), "inconclusive")
  })
})

describe("the location with the longest texts", () => {
  const beyondAscii = (version: (typeof versionNumbers)[number]) =>
    /[^ -~]/.test(
      JSON.stringify(longest(evidenceOf({}, version) as unknown as Parameters<typeof longest>[0]))
    )

  it("has letters beyond ASCII where the version has UTF-8", () => {
    assert.isFalse(beyondAscii("2.1.1"))
    assert.isTrue(beyondAscii("2.2.1"))
  })
})

describe("a receiver that does not return one field of a plain object as it was sent", () => {
  const whole: Make = () => ({ id: "T", currency: "EUR", language: "en", last_updated: now })
  const other: Make = (evidence) => ({ ...whole(evidence), currency: "SEK" })
  const readOther = get("read other", other)
  const { checks } = receiver({ ...facts, returned: "TAR-2" }, [
    script("write", [
      returns("TAR-2", get("read back", whole)),
      rule("TAR-3", { ...texts, proofs: [same(readOther)] }),
      rule("TAR-4", {
        ...texts,
        proofs: [
          same(
            get("read lean", () => ({ id: "T" })),
            { gone: ["language"] }
          )
        ]
      })
    ])
  ])
  const [, changes, removes] = checks
  const outcomes = (plain: object, later: object, lean: object) => {
    const evidence = evidenceOf({
      "read back": [200, 1000, { ...whole(evidenceOf({})), ...plain }],
      "read other": [200, 1000, { ...other(evidenceOf({})), ...later }],
      "read lean": [200, 1000, { id: "T", ...lean }]
    })
    return [changes, removes].map((check) => {
      const judgement = check!.judge(evidence)
      return judgement.is === "inconclusive" ? judgement.blockedBy?.check : judgement.is
    })
  }

  it("is judged by every other field", () => {
    const loud = { language: "EN" }
    assert.deepStrictEqual(outcomes(loud, loud, {}), ["pass", "pass"])
    assert.deepStrictEqual(outcomes(loud, { ...loud, currency: "EUR" }, {}), ["fail", "pass"])
    assert.deepStrictEqual(outcomes(loud, { ...loud, last_updated: null }, loud), ["fail", "fail"])
  })

  it("is not judged by a rule about that field", () => {
    assert.deepStrictEqual(outcomes({ currency: null }, { currency: null }, {}), ["TAR-2", "pass"])
    assert.deepStrictEqual(outcomes({ language: null }, { language: null }, {}), ["pass", "TAR-2"])
  })

  it("is not judged at all where it returns another object", () => {
    const isOpen = (plain: unknown) =>
      changes!.requires!(scope).some(
        (one) => "unless" in one && one.unless?.(evidenceOf({ "read back": [200, 1000, plain] })) === true
      )
    assert.deepStrictEqual([{ id: "T" }, { id: "U" }, [{ id: "T" }], {}, null].map(isOpen), [
      true,
      false,
      false,
      false,
      false
    ])
  })
})
