import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChapterFile } from '#control-plane/features/books/assembly/chapter-files.ts'
import { type ChapterPlan, createMakeChapters } from '#control-plane/features/books/assembly/chapters.ts'
import type { Rendering } from '#control-plane/features/books/render/renderer.ts'
import type { ChapterOptions, ChapterSource } from '#control-plane/media/book/book.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventually } from '#test/support/world/world.ts'

const RATE = 8_000
const PCM = Buffer.from(toS16(Float32Array.from({ length: RATE }, (_, at) => Math.sin(at / 5) / 4)))

/** Chapters of these segments. A segment is rendered by `render`; the encoder only reads its source. */
function open(chapters: readonly (readonly string[])[], loudness: 'podcast' | null, rendered: readonly string[] = []) {
  const waiters = new Map(chapters.flat().map((key) => [key, Promise.withResolvers<void>()]))
  for (const { promise } of waiters.values()) promise.catch(() => {})
  const cached = new Set(rendered)
  const log: string[] = []
  const render = (key: string) => {
    cached.add(key)
    waiters.get(key)!.resolve()
  }
  for (const key of rendered) render(key)
  const encodeChapter = async (source: ChapterSource, { to }: ChapterOptions) => {
    log.push(`encode ${to}${source.isAwaited ? ' while it is spoken' : ''}`)
    for await (const _ of source.open());
    log.push(`${to} is encoded`)
    return { samples: 1, seconds: 1, bytes: 1, sampleRate: RATE, loudness: { integrated: null } }
  }
  type Deps = Parameters<typeof createMakeChapters>[0]
  const makeChapters = createMakeChapters({
    cache: {
      find: async (keys: readonly string[]) => new Map(keys.filter((key) => cached.has(key)).map((key) => [key, {}])),
      read: async (key: string) => {
        log.push(`read ${key}`)
        return { pcm: PCM, sampleRate: RATE }
      },
      used: async () => {},
    } as unknown as Deps['cache'],
    files: {
      find: async () => null,
      pathOf: (name: string) => name,
      add: (path: string) => ({ path }) as ChapterFile,
    } as unknown as Deps['files'],
    bookMedia: { encodeChapter, measureChapter: async () => ({}) } as unknown as Deps['bookMedia'],
    markOf: () => ({ key: new Uint8Array(), payload: 0 }),
    withdrawals: { claim: () => () => false },
  })
  const plans = chapters.map((keys, index) => ({
    index,
    digest: `chapter ${index + 1}`,
    segments: keys.map((key) => ({ key, gapMs: 0, speaker: { gainDb: 0, engine: 'tone', reference: null } })),
  }))
  const rendering = { ready: (key: string) => waiters.get(key)!.promise, again() {} } as unknown as Rendering
  const book = { output: { loudness, bitrateKbps: 64 }, codec: 'mp3', sampleRate: RATE } as Parameters<typeof makeChapters>[1]
  const made = (async () => {
    const failures: (string | null)[] = []
    for await (const { failure } of makeChapters(plans as unknown as ChapterPlan[], book, rendering, new AbortController().signal))
      failures.push(failure === null ? null : Failure.from(failure).message)
    return failures
  })()
  return { made, render, log, fail: (key: string) => waiters.get(key)!.reject(new Failure('WORKER_FAILED', 'It cannot be said.')) }
}

test('chapters without a loudness preset are encoded one after the other while they are spoken', async () => {
  const { made, render, log } = open([['a', 'b'], ['c']], null)
  render('a')
  await eventually(() => log.includes('read a'))
  assert.deepEqual(log, ['encode chapter 1 while it is spoken', 'read a'])
  render('b')
  render('c')
  assert.deepEqual(await made, [null, null])
  assert.deepEqual(log.slice(2), [
    'read b',
    'chapter 1 is encoded',
    'encode chapter 2 while it is spoken',
    'read c',
    'chapter 2 is encoded',
  ])
})

test('a chapter that is rendered waits for no other, and one whose loudness is set is encoded when it is complete', async () => {
  const early = open([['a', 'b'], ['c']], null, ['c'])
  await eventually(() => early.log.includes('chapter 2 is encoded'))
  early.render('a')
  early.fail('b')
  assert.deepEqual(await early.made, ['It cannot be said.', null])

  const late = open([['a', 'b']], 'podcast')
  late.render('b')
  late.render('a')
  assert.deepEqual(await late.made, [null])
  assert.deepEqual(late.log, ['encode chapter 1', 'read a', 'read b', 'chapter 1 is encoded'])
})
