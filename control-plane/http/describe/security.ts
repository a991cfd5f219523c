// Describes who may call an operation, in the terms of OpenAPI. The gate in ../access/ decides; this only describes it.

import { PIN_HEADER } from '../access/share-pin.ts'
import { COOKIE } from '../access/sign-ins.ts'
import type { Access } from '../contract/contract.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The value of STUDIO_API_KEY, the key of a person (docs/people.md), or a token from POST /api/auth/session. Requests from the machine of the studio need none. Operations with x-access "admin" accept it from another machine only if STUDIO_SERVER_MODE=1. docs/access.md has all rules.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: COOKIE,
    description: 'Set by POST /api/auth/session. Requests that change something also need the header X-Svc-CSRF: 1.',
  },
  pin: {
    type: 'apiKey',
    in: 'header',
    name: PIN_HEADER,
    description: 'The PIN of the port that POST /system/network/enable opens. On that port only.',
  },
}

/** The empty requirement stands for a caller on the machine of the studio. */
const CREDENTIALS: readonly Requirement[] = [{}, { apiKey: [] }, { session: [] }]
export const SECURITY: Readonly<Record<Access, readonly Requirement[]>> = {
  open: [],
  consume: [...CREDENTIALS, { pin: [] }],
  local: CREDENTIALS,
  admin: CREDENTIALS,
  own: CREDENTIALS,
  loopback: [{}],
  native: [{}],
}

/** Callers of an operation, as a sentence of its description. */
export const ACCESS: Readonly<Record<Access, string>> = {
  open: 'Any caller may use it.',
  consume: 'For callers on the machine of the studio, and those with a credential.',
  local: 'For the user of the studio on its machine, and trusted networks with the API key.',
  admin: 'For the user of the studio on its machine, with the API key in server mode, and for people with the role operate.',
  own: 'For the user of the studio on its machine, with the API key in server mode, and for people with the role own.',
  loopback: 'Only for the user of the studio on its machine.',
  native: 'Only for the user of the studio on its machine, because it opens files there.',
}
