// A book whose studio is killed while it writes a file: the bytes are those of an undisturbed run, and no unfinished file stays.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, watch, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { allEnded } from '#test/support/world/tasks.ts'
import { eventually, type World } from '#test/support/world/world.ts'
import { eventOf, openBook, render, script } from '../book-client.ts'

/** Place of the file that a book writes in each stage. */
const STAGES = {
  segment: ['longform_cache', /^[0-9a-f]{2}\/.*\.new$/],
  chapter: ['longform_cache/chapters', /\.new$/],
  sound: ['outputs', /^audiobook_.*\.mp3\..*\.new$/],
  readalong: ['outputs', /^audiobook_.*\.epub\.new$/],
} as const
export type Stage = keyof typeof STAGES
export const ALL_STAGES = Object.keys(STAGES) as Stage[]

const files = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
const cacheOf = (world: World) => join(world.dataDir, 'longform_cache')
const unfinished = (world: World) =>
  [...files(cacheOf(world)), ...files(join(world.dataDir, 'outputs'))].filter((name) => /\.new|\.parts/.test(name))
const bytesOf = async (world: World, name: string) => (await world.get(`/audio/${name}`)).body

/** Resolves when something whose path matches is created below `folder`. */
function created(folder: string, pattern: RegExp): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watch(folder, { recursive: true }, (_, name) => {
    if (name !== null && pattern.test(name)) resolve()
  })
  return promise.finally(() => watcher.close())
}

/** Renders the same book with a kill at each of the stages. The last one must write below `outputs`: the kill there finds what earlier ones left. */
export async function killedAtStages(world: World, stages: readonly Stage[]): Promise<void> {
  const request = { text: script(1, 2), format: 'mp3', loudness: 'podcast', keep_running: true, readalong: true }
  const undisturbed = (await render(world, '/audiobook', request)).at(-1)!
  assert.equal(undisturbed.type, 'done', JSON.stringify(undisturbed))
  const wanted = await bytesOf(world, undisturbed['output'])

  /** Files that only a kill at the worst moment leaves. */
  let strays: readonly string[] = []
  const plantStrays = (id: string) => {
    const shelf = join(cacheOf(world), readdirSync(cacheOf(world)).find((name) => name.length === 2)!)
    strays = [
      join(shelf, `${shelf.slice(-2)}${'0'.repeat(62)}`),
      join(shelf, `${shelf.slice(-2)}${'1'.repeat(62)}.4.new`),
      join(cacheOf(world), 'chapters', `${'2'.repeat(64)}.77-1.new`),
      join(world.dataDir, 'outputs', 'audiobook_0123456789abcdef.m4b.77-2.new'),
      join(world.dataDir, 'outputs', 'audiobook_0123456789abcdef.m4b.77-2.new.tags'),
      join(world.dataDir, 'outputs', 'audiobook_0123456789abcdef.epub.parts', '0.m4a'),
      // Of a book that has no output yet.
      join(world.dataDir, 'outputs', `audiobook_${id}.m4b`),
    ]
    mkdirSync(dirname(strays.at(-2)!))
    for (const stray of strays) writeFileSync(stray, 'half a file')
  }
  for (const stage of stages) {
    const [folder, pattern] = STAGES[stage]
    for (const file of files(cacheOf(world))) rmSync(file)
    const reached = created(join(world.dataDir, folder), pattern)
    const { events, leave } = await openBook(world, '/audiobook', request)
    const { job_id: id } = await eventOf(events, 'started')
    leave()
    await reached
    if (folder === 'outputs' && strays.length === 0) plantStrays(id)
    await world.restart('SIGKILL')
    const followed = (await world.get(`/tasks/stream/${id}`)).body.toString()
    const frames = followed.split('\n\n').flatMap((frame) => (frame === '' ? [] : [JSON.parse(frame.slice('data: '.length))]))
    const types = frames.map(({ type }) => type).filter((type) => type !== 'routing_notice')
    assert.deepEqual(types, ['started', 'chapter', 'assembling', 'mastering', 'done'], `${stage} ${followed}`)
    assert.ok((await bytesOf(world, frames.at(-1).output)).equals(wanted), `the bytes after a kill at ${pattern}`)
    assert.equal((await bytesOf(world, frames.at(-1).readalong)).toString('latin1', 30, 58), 'mimetypeapplication/epub+zip')
    await allEnded(world)
    assert.deepEqual(unfinished(world), [])
  }
  assert.equal(strays.length, 7)
  await eventually(() => strays.every((stray) => !files(world.dataDir).includes(stray)))
}
