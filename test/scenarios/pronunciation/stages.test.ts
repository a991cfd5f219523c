// "How a text is read": the stages that the studio shows are what the engine gets.
import assert from 'node:assert/strict'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { openWorld, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld()
const espeak = findProgram('espeak-ng', process.env['PATH'])
type Explained = {
  readonly engine: string
  readonly language: string
  readonly stages: readonly { readonly stage: string; readonly changed: boolean; readonly lines: readonly string[] }[]
  readonly notices: readonly string[]
}
const TEXTS: readonly (readonly [language: string, text: string])[] = [
  ['en', 'On **4/15** Dr. Smith paid $5.50.[1] He [[read|red]] `it` twice.\n\n- Apples\n- Pears'],
  ['de', '# Termin\n\nAm 3. Mai um 14:30 Uhr, z. B. bei Dr. Weber: 12,5 km.'],
  ['cs', 'Bylo to 3. května.'],
]

test('the last stage is the text that eSpeak NG reads', { skip: !espeak && 'espeak-ng is not installed' }, async (t) => {
  const folder = temporaryFolder(t)
  const heard = join(folder, 'heard')
  // The real program behind one that keeps its standard input.
  const spy = join(folder, 'espeak-ng')
  writeFileSync(
    spy,
    `#!/bin/sh\ncase "$*" in *--voices*|*--ipa*) exec '${espeak}' "$@";; esac\ncat > '${heard}'\nexec '${espeak}' "$@" < '${heard}'\n`,
  )
  chmodSync(spy, 0o755)
  const world = await openWorld(t, { env: { PATH: `${folder}${delimiter}${process.env['PATH']}` } })
  for (const [language, text] of TEXTS) {
    const asked = await world.post('/pronunciation/test', { text, language, engine: 'espeak-ng', stages: true })
    assert.equal(asked.status, 200, asked.body.toString())
    const { explained } = asked.json() as { explained: Explained }
    assert.deepEqual([explained.engine, explained.language], ['espeak-ng', language])
    const spoken = await world.post('/v1/audio/speech', { model: 'espeak-ng', input: text, language, response_format: 'wav' })
    assert.equal(spoken.status, 200, spoken.body.toString())
    const words = (said: string) => said.split(/\s+/).filter((word) => word !== '')
    assert.deepEqual(words(explained.stages.at(-1)!.lines.join(' ')), words(readFileSync(heard, 'utf8')))
  }
})

test('each stage is shown with its change, and what is left to the engine is said', async () => {
  const world = await open()
  const { id } = (await world.post('/pronunciation', { term: 'Nguyen', replacement: 'win' })).json()
  const stages = async (body: object): Promise<Explained> => {
    const reply = await world.post('/pronunciation/test', { stages: true, ...body })
    assert.equal(reply.status, 200, reply.body.toString())
    return reply.json().explained
  }
  const { stages: found, language } = await stages({ text: '**Nguyen** came at 9 a.m. He left.', engine: 'flite' })
  assert.equal(language, 'en')
  assert.deepEqual(found, [
    { stage: 'clean', changed: true, lines: ['Nguyen came at 9 a.m. He left.'] },
    { stage: 'pronounce', changed: true, lines: ['win came at 9 a.m. He left.'] },
    { stage: 'segment', changed: true, lines: ['win came at 9 a.m.', 'He left.'] },
    { stage: 'expand', changed: true, lines: ['win came at nine A M.', 'He left.'] },
  ])
  await world.delete(`/pronunciation/${id}`)
  const ssml = await stages({ text: '<speak>Call <say-as interpret-as="characters">AB</say-as></speak>', language: 'en' })
  assert.equal(ssml.stages[0]!.changed, true)
  assert.match(
    (await stages({ text: '12 kusů', language: 'cs', engine: 'espeak-ng' })).notices.join(),
    /eSpeak NG reads the figures of this language itself/,
  )
  assert.match((await stages({ text: '12 kusů', language: 'cs', engine: 'piper' })).notices.join(), /only whole numbers in this language/)
  assert.match(
    (await stages({ text: '12', language: 'en', engine: 'voxcpm2' })).notices.join(),
    /VoxCPM2 reads figures and abbreviations itself/,
  )
  const long = await world.post('/pronunciation/test', { text: 'a'.repeat(20_001), stages: true })
  assert.equal(long.status, 422)
  assert.match(long.body.toString(), /at most 20000 characters where stages are asked for/)
})
