// The server that models are downloaded from: the usual one, a mirror that the owner named, or the one that answered fastest. Files are verified
// by the digests of the catalogue, so a mirror cannot change them.

import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { trimEndOf } from '#shared/text/trim.ts'
import { hubSettings } from './hub.settings.ts'
import type { Race } from './race.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write' | 'stored'>
  /** The usual server: STUDIO_MODELS_URL or its default. */
  readonly official: string
  readonly race: Race
  readonly clock: Clock
}
export type Mirror = ReturnType<typeof createMirror>

/** A public mirror that a community runs. */
const COMMUNITY_HOST = 'hf-mirror.com'
export const COMMUNITY_MIRROR = `https://${COMMUNITY_HOST}`
const LOCAL_HOST = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/
const RACE_VALID_MS = 7 * 24 * 3600 * 1000

export function createMirror({ settings, official, race, clock }: Deps) {
  const { read, write } = settings
  const presets = [
    { label: 'Official', url: '' },
    { label: 'Community mirror', url: COMMUNITY_MIRROR },
  ]

  /** The decision of the newest race while it is valid; null otherwise. A clock that was set back makes it invalid. */
  function decision(): string | null {
    const result = read(hubSettings.race)
    if (!result?.reachable) return null
    const age = clock.now() - result.checked_at * 1000
    return age >= 0 && age < RACE_VALID_MS ? result.endpoint : null
  }
  function effective(): string {
    const { url, mode } = read(hubSettings.mirror)
    if (mode === 'auto') return decision() ?? official
    return url || official
  }
  function state() {
    const { url, mode } = read(hubSettings.mirror)
    return {
      configured: url,
      effective: effective(),
      presets,
      mode,
      auto: read(hubSettings.race),
      auto_opt_out: settings.stored(hubSettings.mirror)?.mode === 'manual',
    }
  }
  const runRace = async () => write(hubSettings.race, await race([official, COMMUNITY_MIRROR]))

  return {
    state,
    effective,
    /** `mode` auto runs the race. An address always means manual. Throws BAD_REQUEST. */
    async change({ url, mode }: { readonly url: string; readonly mode: string }) {
      if (mode !== 'auto' && mode !== 'manual') throw new Failure('BAD_REQUEST', 'mode must be auto or manual.')
      const address = checkedMirror(url.trim())
      const chosen = address === '' ? mode : 'manual'
      const before = effective()
      if (chosen === 'auto') await runRace()
      await write(hubSettings.mirror, { url: address, mode: chosen })
      // In effect for the next download; nothing has to be restarted.
      return { ...state(), restart_required: false, changed: effective() !== before }
    },
    /** Runs the race again in automatic mode; does nothing in manual mode. */
    async test() {
      if (read(hubSettings.mirror).mode === 'auto') await runRace()
      return state()
    },
  }
}

/** Without trailing slashes. The agent downloads over https, or over http from this machine. Throws BAD_REQUEST without repeating the text. */
function checkedMirror(text: string): string {
  if (text === '') return ''
  const url = URL.parse(text)
  const isLocal = LOCAL_HOST.test(url?.hostname ?? '')
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal)
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new Failure(
      'BAD_REQUEST',
      'url must be an https address without a password, a query or a fragment. http is possible on this machine.',
    )
  return trimEndOf(text, '/')
}
