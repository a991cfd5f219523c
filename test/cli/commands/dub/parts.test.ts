import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { test } from 'node:test'
import { createDubCalls } from '#cli/lib/dub/dub-calls.ts'
import type { DubRequest } from '#cli/lib/dub/dub-request.ts'
import { createDubRun } from '#cli/lib/dub/dub-run.ts'
import { eventsIn, parsedEvent, sentenceOfEvent } from '#cli/lib/dub/events.ts'
import { knownLanguages, languageNamed, nameOfLanguage } from '#cli/lib/dub/languages.ts'
import { advice, createRemarks, moment } from '#cli/lib/dub/remarks.ts'
import { createStages, type Stages } from '#cli/lib/dub/stages.ts'
import { addressOf } from '#test/support/world/cli.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

test('languages are codes or English names', () => {
  assert.deepEqual(languageNamed('es'), { code: 'es', name: 'Spanish' })
  assert.deepEqual(languageNamed(' Pt_br '), { code: 'pt-BR', name: 'Brazilian Portuguese' })
  assert.deepEqual(languageNamed('german'), { code: 'de', name: 'German' })
  assert.equal(nameOfLanguage('fr'), 'French')
  for (const wrong of ['', 'xx', 'e/s', 'klingon-klingon', '../es', 'x'.repeat(10_000)])
    assert.throws(() => languageNamed(wrong), /Unknown language/)
  assert.throws(() => languageNamed('Spanihs'), /Did you mean 'Spanish' \(es\)\?/)
  for (const foreign of ['xx', 'ee2', 'zzz', 'klingon'])
    assert.throws(() => languageNamed(foreign), /^Error: Unknown language '\w+'\. Write a code.*\.\/studio dub --languages/)
  const names = new Map(knownLanguages().map(({ code, name }) => [code, name]))
  assert.deepEqual([names.get('es'), names.get('uk'), names.has('ar')], ['Spanish', 'Ukrainian', true])
})

test('events have the name of their frame, and their sentence is that of the studio', async () => {
  const text =
    ': open\n\nevent: segments\ndata: {"progress":0.5}\n\nevent: ping\ndata: {}\n\ndata: {"type":"warning","message":"Less."}\n\n'
  const events: object[] = []
  for await (const event of eventsIn(Readable.from([text.slice(0, 30), text.slice(30)]))) events.push(event)
  assert.deepEqual(events, [{ type: 'segments', progress: 0.5 }, { type: 'ping' }, { type: 'warning', message: 'Less.' }])
  assert.deepEqual(parsedEvent('data: {"type":"done"}\n\n'), { type: 'done' })
  assert.deepEqual(
    [sentenceOfEvent({ type: 'error', error: 'CODE', reason: 'Why.' }), sentenceOfEvent({ type: 'error', detail: 'Here.' })],
    ['Why.', 'Here.'],
  )
  assert.match(sentenceOfEvent({ type: 'error' }), /log says more/)
})

test('the line of a stage is rewritten on a terminal, with the time that is left; elsewhere there is one line at its end', () => {
  let now = 0
  const shown = (isTTY: boolean) => {
    let text = ''
    const sink = new Writable({
      write: (piece, _, done) => {
        text += piece
        done()
      },
    })
    now = 0
    const stages = createStages({ output: Object.assign(new Writable(), { isTTY }), errors: sink }, () => now)
    const stage = stages.begin('Upload')
    stage.at(0.5)
    now = 10_000
    stage.at(0.75, `a\u001b[2J ${'very '.repeat(40)}`)
    stage.end('1 MB')
    return text
  }
  // A quarter took 10 s: what was there before does not count.
  assert.match(shown(true), /\r\u001b\[KUpload: 75 %, about 10 s left \(a/)
  assert.ok(
    shown(true)
      .split('\r')
      .every((line) => line.replaceAll('\u001b[K', '').length <= 80),
  )
  assert.ok(!shown(true).includes('\u001b[2J'))
  assert.equal(shown(false), 'Upload: 1 MB (10 s)\n')
})

test('remarks are counted by what they say', () => {
  const remarks = createRemarks()
  remarks.add('One voice.')
  remarks.add('One voice. ')
  for (let line = 0; line < 7; line++) remarks.addLine('were cut', { start: 3600 + line, text: 'x'.repeat(99), why: 'Too long.' })
  const [lines, sentence, ...none] = remarks.all()
  assert.match(lines!, /^7 lines were cut: 1:00:00 “x{40}…”, .* and 2 more\. Too long\.$/)
  assert.deepEqual([sentence, none, remarks.countOf('were cut'), moment(62.9)], ['One voice.', [], 7, '1:02'])
})

test('what would make a dub better is only what the studio lacks', () => {
  const model = (repo_id: string, role: string, installed: boolean) => ({ repo_id, role, installed, size_gb: 0.1 })
  const models = [
    model('onnx-community/whisper-small_timestamped', 'ASR', false),
    model('csukuangfj/sherpa-onnx-pyannote-segmentation-3-0', 'Diarisation', true),
    model('Xenova/opus-mt-en-es', 'Translation', false),
    model('Xenova/m2m100_418M', 'Translation', false),
  ]
  const engines = {
    tts: { active: 'own', backends: [{ id: 'own', display_name: 'Own', supports_cloning: true }] },
    asr: { active: 'pocketsphinx' },
  }
  const commands = (changed: object, source = 'en') =>
    advice({ engines, models, source, targets: ['es', 'de'], hasBackground: true, ...changed } as never).map(({ command }) =>
      command.split(' ').at(-1),
    )
  assert.deepEqual(commands({}), ['onnx-community/whisper-small_timestamped', 'Xenova/opus-mt-en-es', 'Xenova/m2m100_418M'])
  assert.deepEqual(commands({ engines: { ...engines, asr: { active: 'whisperx' } }, targets: ['en-GB'] }), [])
  const rich = models.map((one) => ({ ...one, installed: true }))
  assert.deepEqual(commands({ models: rich }), [])
})

test('a film that the studio refuses when it has all of it is reported with the reason', async (t) => {
  const film = join(temporaryFolder(t), 'film.mp4')
  writeFileSync(film, 'film')
  const world = await openWorld(t, { withoutAgent: true })
  const stage = { at: () => {}, end: () => {} }
  const run = createDubRun({
    env: addressOf(world),
    calls: createDubCalls(addressOf(world), '../other'),
    stages: { begin: () => stage, say: () => {}, clear: () => {} } as unknown as Stages,
    remarks: createRemarks(),
    signal: new AbortController().signal,
  })
  await assert.rejects(run.ready({ path: film, size: 4, inputType: 'video' } as DubRequest), {
    code: 'BAD_REQUEST',
    message: 'Invalid job id',
  })
})
