// eSpeak NG where it is installed, and the capability where it is not. Common behaviour of voices: test/conformance/engine.test.ts.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { espeakNg } from '#agent/engine/tts/espeak/engine.ts'
import { ESPEAK_SAMPLE_RATE } from '#agent/engine/tts/espeak/speech.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { annotated } from '#shared/text/pronunciation/annotation.ts'
import { audioOf, eventsOf, resultOf, rmsOf } from '#test/agent/engine/audio/recording.ts'
import { failsWith, oneSegment, openPool } from '#test/agent/engine/host/open-pool.ts'
import { speaksAsDeclared } from '#test/agent/engine/speech/tts-run.ts'
import { programFolder } from '#test/support/world/programs.ts'

const path = process.env['PATH'] ?? ''
const options = { skip: !findProgram('espeak-ng', path) && 'espeak-ng is not installed' }
const engine = espeakNg.create({ path })
const { signal } = new AbortController()
type Result = { voice: string; notices: string[]; parts: { samples: number }[] }
async function say(text: string, more: object = {}) {
  const events = await eventsOf(engine.run('tts', { segments: [{ text }], ...more }, signal, new Map()))
  return { events, samples: audioOf(events), ...resultOf<Result>(events) }
}

test('a missing program is reported with a remedy', async (t) => {
  const [row] = espeakNg.create({ path: '' }).describe()
  assert.ok(row && !row.installed && !row.downloaded && row.supported && row.voices.length === 0)
  assert.match(row.reason!, /not installed\. Run \.\/studio setup/)
  const { pool, tts } = await openPool(t, { environment: { PATH: '/nowhere' } })
  assert.equal((await pool.capabilities()).find(({ engine: id }) => id === 'espeak-ng')!.installed, false)
  const refused = await failsWith(tts(oneSegment('Hallo'), { engine: 'espeak-ng' }), 'MODEL_NOT_INSTALLED')
  assert.match(refused.message, /espeak-ng is not installed/)
})

test('a program that is broken is not offered', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-espeak-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const broken = espeakNg.create({ path: programFolder(join(folder, 'broken'), { 'espeak-ng': 'exit 1' }, []) }).describe()[0]!
  assert.ok(!broken.installed && /does not start/.test(broken.reason!))
  const empty = espeakNg.create({ path: programFolder(join(folder, 'empty'), { 'espeak-ng': 'echo Pty' }, []) }).describe()[0]!
  assert.ok(!empty.installed && /no voices/.test(empty.reason!))
})

test('speaks the requested languages differently', options, async () => {
  const german = await say('Die Universität', { language: 'de' })
  const french = await say('Die Universität', { language: 'fr-CA' })
  assert.equal(german.voice, 'de')
  assert.equal(french.voice, 'fr-fr')
  assert.deepEqual(german.notices, [])
  assert.ok(rmsOf(german.samples) > 0.02 && rmsOf(french.samples) > 0.02)
  assert.notDeepEqual(german.samples, french.samples)
  assert.equal((await say('Olá', { language: 'German', voice: 'pt-br' })).voice, 'pt-br')
  await assert.rejects(say('hello', { language: 'xx' }), (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS')
})

test('equal requests give equal audio with any seed, which is no deviation', options, async () => {
  const seeded = await say('Guten Tag', { segments: [{ text: 'Guten Tag', seed: 5 }], language: 'de' })
  assert.deepEqual(seeded.notices, [])
  assert.deepEqual(seeded.samples, (await say('Guten Tag', { language: 'de' })).samples)
})

test('follows the speed, with a notice at its limit', options, async () => {
  const text = 'Das ist ein Satz, der lang genug ist, um seine Dauer zu messen.'
  const natural = (await say(text, { language: 'de' })).samples.length
  for (const speed of [0.6, 1.5, 3]) {
    const got = (await say(text, { language: 'de', speed })).samples.length
    assert.ok(Math.abs((got * speed) / natural - 1) < 0.08, `at ${speed} it took ${got} of ${natural}`)
  }
  assert.match((await say(text, { language: 'de', speed: 0.25 })).notices.join(), /lowest speed/)
})

test('streams its audio', options, async () => {
  const { events } = await say('Ein Satz nach dem anderen. '.repeat(40), { language: 'de' })
  assert.ok(events.filter(({ kind }) => kind === 'audio').length > 5)
})

test('text is never interpreted as commands', options, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-espeak-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const plain = await say('Haus', { language: 'de' })
  for (const text of [
    `$(touch ${folder}/a)`,
    `\`touch ${folder}/b\``,
    `; touch ${folder}/c`,
    '--phonout=/tmp/x -f /etc/passwd',
    '<audio src="/etc/passwd"/>',
  ]) {
    const { samples } = await say(`${text} Haus`, { language: 'de' })
    assert.ok(samples.length > plain.samples.length, 'it is read out')
  }
  assert.deepEqual(readdirSync(folder), [])
  await assert.rejects(say('x', { voice: 7 }), (error) => error instanceof Failure && error.code === 'INVALID_TASK_PARAMS')
  const injected = await say('Haus', { language: 'de', voice: '../../../etc/passwd' })
  assert.equal(injected.voice, 'de')
})

test('a segment without words keeps its part', options, async () => {
  const { parts } = await say('', {
    segments: [{ text: 'eins' }, { text: ' \u0000 ' }, { text: 'zwei', pause_after_ms: 500 }],
    language: 'de',
  })
  assert.equal(parts.length, 3)
  assert.ok(parts[1]!.samples >= 0.2 * ESPEAK_SAMPLE_RATE)
  assert.ok(parts[2]!.samples > parts[0]!.samples)
})

test('a pronunciation in IPA is spoken exactly as the respelled word, and one that is not known is said', options, async () => {
  const respelled = await say('I live in redding now.')
  const annotation = annotated('Reading', 'ˈrɛd.ɪŋ')
  const spoken = await say(`I live in ${annotation} now.`)
  assert.deepEqual(spoken.samples, respelled.samples)
  assert.notDeepEqual(spoken.samples, (await say('I live in Reading now.')).samples)
  assert.deepEqual(spoken.notices, [])
  const refused = await say(`I live in ${annotated('Reading', 'ǃ')} now.`)
  assert.deepEqual(refused.samples, (await say('I live in Reading now.')).samples)
  assert.match(refused.notices.join(), /does not know all sounds of these pronunciations.*: Reading\./)
  assert.deepEqual((await say("I [[n'oU]] it")).samples, (await say("I [ [n'oU]] it")).samples, 'a text has no phoneme input of its own')
})

test('the default voice is the declared one', options, async () => {
  await speaksAsDeclared(engine, 'A.', ['', 'en', 'en-GB', 'de-AT', 'zh', 'no', 'fr', 'pt', 'pt-BR', 'es', 'chr'])
})
