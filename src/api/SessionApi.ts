/** `/session`: signing in to the console and out of it. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { SessionView, SignIn, SignInLink } from "../../schema/Account.ts"
import { AdmittedBy, Authentication } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, forbidden, invalid, tooMany, unauthorized } from "./failures.ts"
import { IdempotencyHeaders } from "./queries.ts"

const shown = ok("SessionResponse", SessionView)

/** Operations on the session of the calling browser. */
export class SessionApi extends HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.post("signIn", "/session")
      .setPayload(SignIn)
      .addSuccess(shown, { status: 201 })
      .addError(invalid)
      .addError(unauthorized)
      .addError(forbidden)
      .addError(tooMany)
      .annotate(AdmittedBy, "anything")
      .annotate(
        OpenApi.Summary,
        "Sign in with an API key or the code of a link: sets a cookie that stands for the key"
      )
  )
  .add(
    HttpApiEndpoint.get("read", "/session")
      .addSuccess(shown)
      .addError(unauthorized)
      .addError(forbidden)
      .addError(tooMany)
      .annotate(AdmittedBy, "session")
      .annotate(OpenApi.Summary, "Read the session of the cookie")
  )
  .add(
    HttpApiEndpoint.del("signOut", "/session")
      .addSuccess(shown)
      .addError(unauthorized)
      .addError(forbidden)
      .addError(tooMany)
      .annotate(AdmittedBy, "session")
      .annotate(OpenApi.Summary, "Sign out: end the session of the cookie, and its streams within 5 seconds")
  )
  .add(
    HttpApiEndpoint.post("makeLink", "/session/links")
      .setHeaders(IdempotencyHeaders)
      .addSuccess(ok("SignInLinkResponse", SignInLink), { status: 201 })
      .addError(conflict)
      .annotate(
        OpenApi.Summary,
        "Make a link that signs a browser in with the calling API key, once, within ten minutes"
      )
      .middleware(Authentication)
  )
  .annotate(OpenApi.Description, "Signing in to the console") {}
