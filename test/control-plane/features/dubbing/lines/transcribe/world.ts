// A transcription of a silent film on a database that can be killed at any write: recognisers and the identification of speakers are doubles.

import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { SpeechSpans } from '#control-plane/features/dubbing/film/reading/speech-spans.ts'
import { createTranscribeJobs } from '#control-plane/features/dubbing/lines/transcribe/transcribe-job.ts'
import { createTranscribeSteps } from '#control-plane/features/dubbing/lines/transcribe/transcribe-steps.ts'
import { createTranscribeStream, type TranscribeQuery } from '#control-plane/features/dubbing/lines/transcribe/transcribe-stream.ts'
import { createAbort } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { withSpeakers } from '#control-plane/features/listening/recognition/transcript/speakers.ts'
import { writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { SpeakerTurn } from '#shared/operations/diarize.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { offer } from '#test/support/doubles/offers.ts'

const SECONDS = 60
const RATE = 8_000
const [SOUND, SPEECH] = ['b'.repeat(64), 'c'.repeat(64)]
export const never = new AbortController().signal
const hang = new Promise<never>(() => {})
/** Two lines of six seconds in each part. */
export const recognised = (): AsrResult => ({
  text: '',
  language: 'en',
  segments: [
    { start: 1, end: 7, text: 'one two' },
    { start: 12, end: 18, text: 'three.' },
  ],
  duration: 30,
  notices: [],
})
type RecognisePart = (part: number) => Promise<AsrResult>
type Change = {
  recognisePart?: RecognisePart
  turns?: SpeakerTurn[] | null
  require?: () => void
  spans?: SpeechSpans
  diarised?: (wav: Buffer) => void
  /** The result of a diarisation instead of `turns`. */
  diarise?: (request: unknown) => unknown
  seconds?: number
  rate?: number
}

export async function open(
  t: TestContext,
  folder: string,
  { killAt = null, change = {} }: { killAt?: KillPoint | null; change?: Change } = {},
) {
  const { recognisePart = async () => recognised(), turns = null, require = () => {}, spans = async () => [], diarised = () => {} } = change
  const { diarise = () => ({ segments: turns, voices: [] }), seconds: length = SECONDS, rate = RATE } = change
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const calls: string[] = []
  const alive = <R>(name: string, run: () => Promise<R>): Promise<R> => {
    if (world.isDead()) return hang
    calls.push(name)
    return run()
  }
  const rows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  if (!store.dubs.find('one')) {
    for (const [name, channels] of [
      [SOUND, 2],
      [SPEECH, 1],
    ] as const) {
      const blocks = await writeBlocks(files.pathOf(name), { sampleRate: rate, channels, encoding: 's16' })
      await blocks.writeSilence(length * rate)
      await blocks.seal()
    }
    store.dubs.create({ id: 'one', filename: 'f.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
    store.dubs.change('one', { sound: { durationUs: length * 1e6, sound: SOUND, speech: SPEECH } })
  }
  const core = {
    store,
    files,
    rows,
    saved: () => {},
    makerOf: () => OWNER_ID,
    dub(id: string) {
      const dub = store.dubs.find(id)
      if (!dub) throw new Failure('NOT_FOUND', 'There is no dub with this id.')
      return dub
    },
  } as unknown as DubCore
  const partwise = {
    require,
    choose: () => alive('choose', async () => ({ engine: 'e', model: 'm', language: '', notices: [] })),
    recognisePart: (_: unknown, { seconds }: { seconds: number }) => {
      const part = calls.filter((name) => name.startsWith('recognisePart')).length
      return alive(`recognisePart ${seconds.toFixed(1)}`, () => recognisePart(part))
    },
  }
  const { jobs } = world
  const abort = createAbort({ stopExports: () => false, jobs })
  const recognition = { partwise, withSpeakers } as never
  const inference = {
    keepInput: async (_: string, wav: Buffer) => diarised(wav),
    run: (request: unknown) => alive('diarize', async () => diarise(request)),
  } as never
  const offered = () => [offer({ engine: 'd', operation: turns ? 'diarize' : 'asr' })]
  const steps = createTranscribeSteps({
    core,
    recognition,
    inference,
    offered,
    speechSpans: spans,
    requireSound: async () => {},
    clock: systemClock,
  })
  const transcriptions = createTranscribeJobs({ core, jobs, steps, abort, recognition, clock: systemClock })
  const stream = createTranscribeStream({ core, jobs, transcriptions, clock: systemClock })
  const query: TranscribeQuery = { num_speakers: null, per_segment_refs: true }
  const events = (id = 'one', signal = never, more: Partial<TranscribeQuery> = {}) => stream.events(id, { ...query, ...more }, signal)
  return { world, calls, store, files, rows, abort, transcriptions, stream, steps, events }
}
export type Event = readonly [name: string, data: { readonly [field: string]: unknown }]
/** Nothing for a ping: how many there are depends on the machine. */
export const eventOf = (frame: string): Event[] => {
  const found = /^event: (\w+)\ndata: (.*)\n\n$/.exec(frame)
  return found && found[1] !== 'ping' ? [[found[1]!, JSON.parse(found[2]!)]] : []
}
export async function all(frames: AsyncIterable<string>): Promise<Event[]> {
  const events: Event[] = []
  for await (const frame of frames) events.push(...eventOf(frame))
  return events
}
export const names = (events: readonly Event[]) => events.map(([name]) => name)
