// Every route that names a voice is a row of the test that holds recordings on this machine, or is listed here with the reason why it makes
// no voice speak. A new one fails this test until somebody has decided.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { SPEAKING_PATHS } from '#test/scenarios/voices/speaking-paths.ts'
import { allSources, typescript } from '../source.ts'

/** Fields of requests that name a voice. */
const NAMES_A_VOICE = /"(voice|voice_id|voice_map|default_voice|profile_id|profile_ids)":/
/** Reasons why these do not send the recording of a voice to a machine. */
const SILENT: Readonly<Record<string, string>> = {
  'dubbing.storeLines': 'stores which voice a line has; dubbing.generate and dubbing.previewSegment speak with it',
  'dubbing.changeBatchJob': 'stores which voice a film gets; it speaks later by the steps of dubbing.generate, which has a row',
  'dubbing.enqueueBatch': 'speaks later by the steps of dubbing.generate, which has a row',
  'personas.export': 'a download of the owner; the bundle carries stays_here',
  'marketplace.export': 'a download of the owner; the bundle carries stays_here',
  'marketplace.publish': 'a folder of this machine',
  'voices.syncHostedProfile': 'refuses a voice that stays here, see leaving.test.ts',
  'pronunciation.test': 'synthesises nothing',
  'longform.planAudiobook': 'synthesises nothing',
  'tools.planIncremental': 'compares fingerprints',
}
/** The rows of profiles and clips themselves, and their files. */
const OF_ROWS = /^(voices|gallery)\.(read|list|create|update|remove|replace|lock|unlock|record|revoke|change|save|to)/
/** The parts of other areas that resolve a voice, and the rows that cover them. */
const RESOLVERS: Readonly<Record<string, readonly string[]>> = {
  'control-plane/features/speech/speech/speech.service.ts': ['speech.speak', '/ws/tts'],
  'control-plane/features/speech/speech/generate.service.ts': ['speech.generate', 'generate_speech'],
  'control-plane/features/books/render/casting.service.ts': ['longform.renderAudiobook', 'longform.resumeAudiobook', 'longform.renderPlan'],
  'control-plane/features/dubbing/voice/speak/casting.service.ts': ['dubbing.generate', 'dubbing.previewSegment'],
  // The first seconds of a preview in a bundle; it is written by this process.
  'control-plane/features/voices/bundles/bundle/bundle-write.ts': [],
}
const covered = new Set(SPEAKING_PATHS.flatMap(({ covers }) => covers))

test('every route that names a voice is tested to keep recordings here, or is known to send none', () => {
  const missing = CONTRACTS.filter(({ id, body, query, params }) => {
    if (covered.has(id) || id in SILENT || OF_ROWS.test(id)) return false
    const schemas = [body, query, params].filter((schema) => schema !== undefined)
    return schemas.some((schema) => NAMES_A_VOICE.test(JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))))
  })
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
    'add a row to test/scenarios/voices/speaking-paths.ts',
  )
})

test('the exceptions are routes', () => {
  const ids = new Set(CONTRACTS.map(({ id }) => id))
  for (const id of Object.keys(SILENT)) assert.ok(ids.has(id), id)
})

test('a voice is resolved only where its paths are tested', () => {
  const found = typescript(allSources('control-plane'))
    .filter(
      ({ path, text }) => !path.startsWith('control-plane/features/voices/profiles/') && /\b(voicing\.of|voices\.resolve)\(/.test(text),
    )
    .map(({ path }) => path)
    .filter((path) => path !== 'control-plane/features/speech/speech/voice/voicing.ts')
  assert.deepEqual(found.toSorted(), Object.keys(RESOLVERS).toSorted())
  for (const id of Object.values(RESOLVERS).flat()) assert.ok(covered.has(id), id)
})
