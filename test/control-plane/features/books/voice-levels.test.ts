import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chaptersOfScript, manifestFor } from '#control-plane/features/books/book/manifest.rules.ts'
import { castingSentence, voiceGain } from '#control-plane/features/books/levels/casting-sentence.rules.ts'
import { createVoiceLevels } from '#control-plane/features/books/levels/voice-levels.ts'
import { createCasting } from '#control-plane/features/books/render/casting.service.ts'
import { createPrepare } from '#control-plane/features/books/render/prepare.ts'
import { amplified } from '#control-plane/features/books/render/sound.rules.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { engineRow } from '#shared/engines.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { withoutReactions } from '#shared/text/script/reactions.ts'
import { spokenSamples } from '#test/support/audio/spoken.ts'

const OFFER: Offer = {
  workerId: 'local',
  engine: 'clones',
  model: '',
  operation: 'tts',
  implementation: 'clones-1',
  stands_in: '',
  languages: ['*'],
  voices: [],
  cloning: true,
  model_digest: 'aa',
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  permits: 1,
  sample_rate: 24_000,
}
const RATE = 24_000

/** Books over an engine that invents the speaker of each task; `peakOf`: the level at which a voice speaks. */
function open(offers: Offer[] = [OFFER], peakOf: (voice: string | null) => number = () => 0.05) {
  const rendered: { readonly key: string; readonly voice: string | null }[] = []
  const kept: Uint8Array[] = []
  let failure: Failure | null = null
  const speech = {
    voicing: {
      of: async ({ model, voice }: { model: string; voice: string | null }) => ({
        model,
        seed: null,
        params: { voice, instruct: null, language: 'en', ref_text: null },
        reference: null,
        target: null,
        speaker: { profileId: null, kind: null, name: voice ?? '' },
        preset: voice,
        remarks: [],
      }),
    },
    synthesis: { choiceOf: () => ({ engine: 'clones', language: 'en' }), engineOf: () => 'clones' },
  }
  const casting = createCasting({
    voices: { find: () => null, list: () => [] } as never,
    speech: speech as never,
    offered: () => offers,
    target: () => 'auto',
    clock: systemClock,
  })
  const prepare = createPrepare({
    casting,
    pronunciation: { speaker: () => ({ spoken: (text: string) => text, unused: () => [] }) } as never,
  })
  const levels = createVoiceLevels({
    cache: {
      read: async (key) => {
        const { voice } = rendered.find((one) => one.key === key)!
        return { sampleRate: RATE, pcm: Buffer.from(toS16(spokenSamples({ rate: RATE, peak: peakOf(voice) }))) }
      },
      used: async () => {},
    },
    renderer: {
      render: ({ segments }) => ({
        ready: async (key) => {
          if (failure) throw failure
          rendered.push({ key, voice: segments.find((segment) => segment.key === key)!.speaker.params.voice ?? null })
        },
        again: () => {},
        close: async () => {},
      }),
    },
    inference: {
      keepInput: async (name, bytes) => {
        kept.push(bytes)
        return { name, size: bytes.length, sha256: 'ff' }
      },
    },
  })
  const signal = new AbortController().signal
  const prepared = async (text: string) => prepare(manifestFor('audiobook', await chaptersOfScript(text), {}, null), signal)
  const sampling = { num_step: null, guidance_scale: null, position_temperature: null, class_temperature: null, postprocess_output: null }
  const book = async (text: string) => levels(await prepared(text), { sampling, priority: 1, signal })
  const fail = (reason: Failure) => {
    failure = reason
  }
  return { prepared, book, rendered, kept, fail }
}
const speakers = (book: Awaited<ReturnType<ReturnType<typeof open>['book']>>) =>
  book.chapters.flatMap(({ segments }) => segments.map(({ speaker }) => speaker))

test('gains are steps of half a decibel within nine, and silence has none', () => {
  assert.deepEqual([-20, -23.3, -16.9, -60, 0, null].map(voiceGain), [0, 3.5, -3, 9, -9, 0])
  assert.notEqual(castingSentence('de-AT'), castingSentence('en'))
  assert.equal(castingSentence('xx'), castingSentence(null))
})

test('voices of different level are brought to one, each measured once', async () => {
  const { book, rendered } = open([{ ...OFFER, voices: [{ id: 'a', name: 'A', language: 'en' }] }], (voice) => (voice === 'a' ? 0.1 : 0.2))
  const made = await book('[voice:a]First line.\n[voice:b]Second line.\n[voice:a]Third line.')
  const [first, second, third] = speakers(made)
  assert.equal(rendered.length, 2)
  assert.equal(first!.gainDb, third!.gainDb)
  // Six decibels between the peaks.
  assert.ok(Math.abs(first!.gainDb - second!.gainDb - 6) <= 0.5, `${first!.gainDb} and ${second!.gainDb} dB`)
  assert.equal(first!.openReference, null)
})

test('an invented voice is fixed by its first sentence, and only by that', async () => {
  const { book, prepared, rendered, kept } = open()
  const plain = await prepared('One sentence.')
  const made = await book('One sentence.\n# Two\nAnother one.')
  const [speaker] = speakers(made)
  assert.equal(rendered.length, 1)
  assert.equal((await speaker!.openReference!()).name, 'reference')
  assert.equal(Buffer.from(kept[0]!).toString('latin1', 0, 4), 'RIFF')
  assert.equal(speaker!.params.ref_text, castingSentence('en'))
  assert.equal(speaker!.casting.speaker.openReference, null, 'the sentence itself has no recording')
  // Its key is known before the sentence is rendered, so a resumed book finds its segments.
  assert.equal(made.chapters[0]!.segments[0]!.key, plain.chapters[0]!.segments[0]!.key)
  const only = [{ ...OFFER, voices: [{ id: 'default', name: 'A new voice for every seed', language: '*' }] }]
  assert.equal(speakers(await open(only).book('One sentence.'))[0]!.params.ref_text, castingSentence('en'), 'as OmniVoice announces it')
  const preset = await open([{ ...OFFER, voices: [{ id: 'a', name: 'A', language: 'en' }] }]).prepared('[voice:a]One sentence.')
  assert.equal(preset.chapters[0]!.segments[0]!.speaker.isInvented, false)
})

test('a voice that cannot say the sentence keeps its level, unless it is invented', async () => {
  const withPreset = open([{ ...OFFER, cloning: false }])
  withPreset.fail(new Failure('WORKER_FAILED', 'broken'))
  const made = await withPreset.book('One sentence.')
  assert.equal(speakers(made)[0]!.gainDb, 0)
  assert.match(made.notices.join(), /level of a voice could not be measured/)
  const invented = open()
  invented.fail(new Failure('WORKER_FAILED', 'broken'))
  await assert.rejects(invented.book('One sentence.'), /broken/)
})

test('a machine with another model that connects later receives no task of the book', async () => {
  const offers = [OFFER]
  const { prepared } = open(offers)
  const { speaker } = (await prepared('One sentence.')).chapters[0]!.segments[0]!
  assert.equal(speaker.targetNow(), 'auto')
  offers.push({ ...OFFER, workerId: 'borrowed', model_digest: 'bb' })
  assert.equal(speaker.targetNow(), 'local')
  offers.shift()
  assert.throws(() => speaker.targetNow(), /No connected machine has the model/)
})

test('a gain never lifts peaks beyond full scale', () => {
  const loud = spokenSamples({ rate: RATE, peak: 0.9 })
  const louder = amplified(loud, 9, RATE)
  assert.equal(louder.length, loud.length)
  assert.ok(louder.every((sample) => Math.abs(sample) <= 0.9))
  assert.equal(amplified(loud, 0, RATE), loud)
})

test('sounds that an engine does not make are left out with one notice, and other brackets stay', async () => {
  const { prepared } = open()
  const book = await prepared('He said [laughter] nothing [sic] at all.\n\n[sighs]\n\nShe did too [clears throat].')
  assert.deepEqual(
    book.chapters[0]!.segments.map(({ text }) => text),
    ['He said nothing [sic] at all.', 'She did too.'],
  )
  assert.equal(book.notices.filter((notice) => /\[laughter\]/.test(notice)).length, 1)
  const { reactions } = engineRow('svc-engine')!
  const tagged = reactions!.map((name) => `[${name}]`).join(' ')
  assert.deepEqual(withoutReactions(tagged, reactions!), { text: tagged, removed: false })
  assert.equal(withoutReactions(tagged, []).text, '')
})

test('titles are spoken on request, by the default voice and with a pause', async () => {
  const chapters = await chaptersOfScript('# One\n[voice:Ann]Words.\n#  \nMore.')
  const spans = (speak_titles: boolean) =>
    manifestFor('audiobook', chapters, { speak_titles }, null).chapters.map((chapter) => chapter.spans)
  assert.deepEqual(spans(true)[0]![0], {
    voice: null,
    text: 'One',
    pauseMs: 900,
    speed: null,
    endsParagraph: true,
    endsLine: true,
    kinds: ['heading'],
  })
  assert.equal(spans(true)[0]!.length, spans(false)[0]!.length + 1)
  assert.deepEqual(spans(true)[1], spans(false)[1])
})
