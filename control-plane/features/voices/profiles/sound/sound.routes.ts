import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import type { Content, Ranged } from '#control-plane/http/contract/respond.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Profiles, seedOf } from '../store/profiles.service.ts'
import type { createLocks } from './lock.service.ts'
import { soundContracts } from './sound.contract.ts'
import type { createSounds } from './sound.service.ts'
import type { createStatements } from './statement.service.ts'

export type SoundParts = {
  readonly sounds: ReturnType<typeof createSounds>
  readonly locks: ReturnType<typeof createLocks>
  readonly statements: ReturnType<typeof createStatements>
  readonly profiles: Pick<Profiles, 'read'>
  readonly makers: Pick<Makers, 'requireMaker'>
}

/** Players and clients of this route expect the reason as plain text. */
async function orPlainText(type: string, found: Promise<Ranged>): Promise<Content> {
  try {
    return { type, body: await found, cache: 'no-cache' }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'NOT_FOUND') throw error
    return { status: 404, type: 'text/plain; charset=utf-8', body: Buffer.from(error.message) }
  }
}

export const soundRoutes = ({ sounds, locks, statements, profiles, makers }: SoundParts): Route[] => [
  handle(soundContracts.audio, ({ params, signal }) => orPlainText('audio/wav', sounds.audio(params.profile_id, signal))),
  handle(soundContracts.clip, async ({ params, signal }) => ({
    type: 'audio/wav',
    body: await sounds.clip(params.filename, signal),
    cache: 'no-cache',
  })),
  handle(
    soundContracts.replaceAudio,
    async ({ params: { profile_id: id }, body, uploads, signal }) => {
      await sounds.replace(id, uploads['ref_audio']!, body.ref_text?.trim() ?? '', signal)
      return profiles.read(id)
    },
    ({ params }) => profiles.read(params.profile_id),
  ),
  handle(soundContracts.image, ({ params }) => orPlainText('image/jpeg', sounds.image(params.profile_id))),
  handle(
    soundContracts.replaceImage,
    async ({ params: { profile_id: id }, uploads, signal }) => {
      await sounds.replaceImage(id, uploads['image']!, signal)
      return profiles.read(id)
    },
    ({ params }) => profiles.read(params.profile_id),
  ),
  handle(soundContracts.lock, async ({ params, body, signal }) => {
    makers.requireMaker('take', body.history_id)
    return locks.lock(params.profile_id, body.history_id, seedOf(body.seed), signal)
  }),
  handle(soundContracts.unlock, ({ params }) => locks.unlock(params.profile_id)),
  handle(soundContracts.state, ({ params, body, uploads }) =>
    statements.state(params.profile_id, body.consent_text, uploads['consent_audio']!),
  ),
  handle(soundContracts.revoke, ({ params }) => statements.revoke(params.profile_id)),
]
