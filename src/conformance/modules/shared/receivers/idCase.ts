/** Whether a receiver finds an object whatever the case in which its id is written (types, CiString type). */
import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import { keyText } from "../../../../findings/json.ts"
import { given, taken } from "./receiverProofs.ts"
import { type OwnFacts, rule, type Script, script } from "./receiverScript.ts"
import type { Make, objectSteps } from "./receiverSteps.ts"

/** Versions whose ids are CiStrings. */
const ignoresCase = { isIn: ({ endpointRoles }: VersionProfile) => endpointRoles }

/** What is asked for in another case. */
interface InOtherCase extends OwnFacts {
  readonly noun: string
  /** Makes the object; its id is in mixed case. */
  readonly object: Make
  /** Field with the id that ends the address. */
  readonly idField: "id" | "uid"
  /** Why the check is not judged where the object is not accepted. */
  readonly otherwise: string
}

/**
 * The script and the rule: PUT of an object whose id is in mixed case, then GET with the id as it was sent and in upper case. What
 * cannot be read by its own id says nothing about letters.
 */
export const caseScript = (
  id: string,
  { get, put }: Pick<ReturnType<typeof objectSteps>, "get" | "put">,
  { idField, noun, object, otherwise, ...own }: InOtherCase
): Script => {
  const upper: Make = (evidence) => {
    const whole = object(evidence)
    return { ...whole, [idField]: keyText(whole[idField]).toUpperCase() }
  }
  return script("case", [
    rule(id, {
      proofs: [
        given(taken(put("put", object, ignoresCase)), otherwise),
        given(
          taken(get("read back", object, ignoresCase)),
          `the ${noun} cannot be read back by the ${idField} that it was sent with`
        ),
        taken(get("read upper", upper, ignoresCase))
      ],
      title: `A ${noun} is found whatever the case of its ${idField}`,
      reference: "types, CiString type",
      sends: `PUT of a ${noun} whose ${idField} is in mixed case, GET as it was sent and in upper case`,
      passes: `the ${noun} is found`,
      hint: "Compare ids without regard to case: they are CiStrings.",
      ...own
    })
  ])
}
