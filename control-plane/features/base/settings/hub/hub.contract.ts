// Token and mirror of the model hub.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { RaceResult } from './hub.settings.ts'

const source = z.enum(['app', 'env', 'hf-cli'])
export const TokenState = z
  .object({
    active: source.nullable(),
    sources: z.array(
      z.object({
        source,
        set: z.boolean(),
        masked: z.string().nullable(),
        whoami_user: z.string().nullable(),
        whoami_ok: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'HubTokenState' })
const MirrorState = z
  .object({
    configured: z.string(),
    effective: z.string(),
    presets: z.array(z.object({ label: z.string(), url: z.string() })),
    mode: z.enum(['auto', 'manual']),
    auto: RaceResult.nullable(),
    auto_opt_out: z.boolean(),
  })
  .meta({ id: 'HubMirror' })
const flag = booleanText().default(false)
const access = 'admin' as const

export const hubContracts = {
  setToken: contract({
    id: 'settings.setHubToken',
    method: 'POST',
    path: '/api/settings/hf-token',
    access: 'own',
    summary: 'Stores the token for the model hub, encrypted, and signs the programs of the official hub in with it.',
    body: z.strictObject({ token: z.string().min(1).max(1_000) }),
    reply: TokenState,
  }),
  clearToken: contract({
    id: 'settings.clearHubToken',
    method: 'DELETE',
    path: '/api/settings/hf-token',
    access: 'own',
    summary: 'Removes the stored token; with also_clear_hf_cli=true also the token file of the hub.',
    query: z.strictObject({ also_clear_hf_cli: flag }),
    reply: TokenState,
  }),
  readToken: contract({
    id: 'settings.readHubToken',
    method: 'GET',
    path: '/api/settings/hf-token/state',
    access,
    summary: 'Returns the three sources of the token, masked, and whether the hub accepts each. Answers of the hub are kept for 300 s.',
    query: z.strictObject({ fresh: flag }),
    reply: TokenState,
  }),
  readMirror: contract({
    id: 'settings.readHubMirror',
    method: 'GET',
    path: '/api/settings/hf-mirror',
    access,
    summary: 'Returns the server that models are downloaded from.',
    reply: MirrorState,
  }),
  changeMirror: contract({
    id: 'settings.changeHubMirror',
    method: 'PUT',
    path: '/api/settings/hf-mirror',
    access: 'own',
    summary: 'Chooses the server for models. mode auto compares the known servers and uses the fastest one for seven days.',
    body: z.strictObject({ url: z.string().max(2_048).default(''), mode: z.string().max(16).default('manual') }),
    reply: MirrorState.extend({ restart_required: z.boolean(), changed: z.boolean() }).meta({ id: 'HubMirrorChanged' }),
  }),
  testMirror: contract({
    id: 'settings.testHubMirror',
    method: 'POST',
    path: '/api/settings/hf-mirror/test',
    access,
    summary: 'Compares the known servers again in automatic mode. Does nothing in manual mode.',
    reply: MirrorState,
  }),
}
