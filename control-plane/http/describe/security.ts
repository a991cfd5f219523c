// Who may call an operation, in the terms of OpenAPI. The gate in ../access/gate.ts decides; this only describes it.
import { COOKIE } from '../access/sign-ins.ts'
import type { Access } from '../contract.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The value of STUDIO_API_KEY, or the token of a session. Requests from the machine of the studio need none, except those of other users that administer.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIE,
    description: 'The cookie of POST /api/auth/session. Requests that change something also need the header X-Svc-CSRF: 1.',
  },
}

/** An empty requirement stands for a caller on the machine of the studio, who needs no credential; `x-access` tells the levels apart. */
const CALLERS: readonly Requirement[] = [{}, { apiKey: [] }, { session: [] }]
export const SECURITY: Readonly<Record<Access, readonly Requirement[]>> = {
  open: [],
  consume: CALLERS,
  admin: CALLERS,
}
