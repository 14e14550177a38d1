/** Which journeys change the registration of their connection. */
import type { PlannedTemplate } from "./order.ts"

/** Whether a journey with these stages changes the registration, by our requests or by those of the partner. */
export const stagesChange = (
  stages: ReadonlyArray<Pick<PlannedTemplate["stages"][number], "actor" | "module" | "writes">>
): boolean =>
  stages.some(({ actor, module, writes }) => module === "credentials" && (writes || actor === "partner"))

/** Whether the journey waits for the partner to renew an existing registration. */
export const partnerRenews = ({ begins, stages }: Pick<PlannedTemplate, "begins" | "stages">): boolean =>
  begins === undefined && stages.some(({ actor, module }) => module === "credentials" && actor === "partner")
