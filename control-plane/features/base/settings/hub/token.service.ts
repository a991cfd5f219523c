// The token for the model hub, from three sources: the owner's setting, the environment, and the token file of the hub's own programs. The first
// one that is set is used. Each belongs to one server and is sent to no other.

import { type OriginSecret, secretFor, tieSecret } from '#control-plane/store/origin-secret.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { hubSettings } from './hub.settings.ts'
import type { TokenFile } from './token-file.ts'
import type { WhoAmI } from './whoami.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly file: TokenFile
  readonly whoAmI: WhoAmI
  /** The usual server of the models, and the token for it from the environment. */
  readonly server: string
  readonly environmentToken: string | null
}
export type HubToken = ReturnType<typeof createHubToken>
export const OFFICIAL_HUB = 'https://huggingface.co'

const TOKEN = /^[\x21-\x7e]{1,512}$/
const SHOWN = 3
/** Shorter tokens would be shown by half. */
const MASKED_FROM = 12

export function createHubToken({ settings, file, whoAmI, server, environmentToken }: Deps) {
  const isOfficial = URL.parse(server)?.origin === OFFICIAL_HUB
  const sources = () => {
    const app: OriginSecret | null = settings.read(hubSettings.token)
    return [
      { source: 'app' as const, token: secretFor(app, server), server },
      { source: 'env' as const, token: environmentToken, server },
      { source: 'hf-cli' as const, token: file.read(), server: OFFICIAL_HUB },
    ]
  }
  /** The token in use and its server; null without one. */
  function active() {
    const found = sources().find(({ token, server: of }) => token !== null && URL.parse(of)?.origin === URL.parse(server)?.origin)
    return found ? { source: found.source, token: found.token!, server: found.server } : null
  }
  async function state(isFresh: boolean) {
    const rows = await Promise.all(
      sources().map(async ({ source, token, server: of }) => {
        // A token of another server is not tried here.
        const account = token !== null && (source !== 'hf-cli' || isOfficial) ? await whoAmI(token, of, isFresh) : { ok: false, user: null }
        return { source, set: token !== null, masked: masked(token), whoami_user: account.user, whoami_ok: account.ok }
      }),
    )
    return { active: active()?.source ?? null, sources: rows }
  }
  return {
    active,
    state,
    /** Stored encrypted, and in the file of the hub's programs when the hub is the official one. Throws BAD_REQUEST, STORAGE_FULL. */
    async set(text: string) {
      const token = text.trim()
      if (!TOKEN.test(token)) throw new Failure('BAD_REQUEST', 'token must be 1 to 512 visible ASCII characters.')
      if (isOfficial) onDisk(() => file.write(token))
      await settings.write(hubSettings.token, tieSecret(token, server))
      return await state(true)
    },
    /** `alsoFile`: also signs the hub's own programs out. Throws STORAGE_FULL. */
    async clear(alsoFile: boolean) {
      if (alsoFile) onDisk(() => file.remove())
      await settings.write(hubSettings.token, null)
      return await state(false)
    },
  }
}

function onDisk(action: () => void): void {
  try {
    action()
  } catch (cause) {
    throw new Failure('STORAGE_FULL', `The token file could not be written (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  }
}

const masked = (token: string | null): string | null =>
  token && (token.length < MASKED_FROM ? '…' : `${token.slice(0, SHOWN)}…${token.slice(-SHOWN)}`)
