// Who may call an operation, in the terms of OpenAPI. The gate in ../access.ts decides; this only describes it.
import type { Access } from '../contract.ts'

type Requirement = Readonly<Record<string, readonly string[]>>

export const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The value of STUDIO_API_KEY. Requests from the machine of the studio need none.',
  },
}

/** An empty requirement stands for a caller on the machine of the studio, who needs no credential; `x-access` tells the levels apart. */
const LOCAL: Requirement = {}
export const SECURITY: Readonly<Record<Access, readonly Requirement[]>> = {
  open: [],
  consume: [LOCAL, { apiKey: [] }],
  admin: [LOCAL],
}
