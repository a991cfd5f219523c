// Faults of the past, and others of their kind: each line of the tables is a test against a real studio.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { ffmpeg, ffprobe } from '../control-plane/media/film/corpus.ts'
import { sharedWorld, type World } from '../support/world/world.ts'
import type { Case, Entrance, Values } from './case.ts'
import { spoken } from './entrances/dictionary.ts'
import { filmOf, tracksOf } from './entrances/films.ts'
import { transcriptOf } from './entrances/recordings.ts'
import { importedSubtitles, subtitlesOf } from './entrances/subtitles.ts'
import { DICTIONARY } from './tables/dictionary.ts'
import { FILMS } from './tables/films.ts'
import { RECORDINGS } from './tables/recordings.ts'
import { SUBTITLES } from './tables/subtitles.ts'

const open = sharedWorld()
const FILES = join(import.meta.dirname, 'files')
/** Input of a case: the bytes of a file or a text. */
type Given = { readonly path: string; readonly name: string; readonly text: string; readonly with: Readonly<Record<string, string>> }
const bytesOf = ({ path, text }: Given) => (path === '' ? new TextEncoder().encode(text) : new Uint8Array(readFileSync(path)))

const ENTRANCES: { readonly [E in Entrance]: (world: World, given: Given) => Promise<Values[E]> } = {
  subtitles: (world, { text }) => subtitlesOf(world, text),
  'subtitle file': (world, given) => importedSubtitles(world, bytesOf(given), given.name),
  transcript: (world, given) => transcriptOf(world, bytesOf(given), given.name),
  film: (world, { path, name }) => filmOf(world, path, name),
  tracks: (world, { path, name }) => tracksOf(world, path, name),
  dictionary: (world, given) => spoken(world, given.text, given.with),
}
const withFilms = ffmpeg && ffprobe ? false : 'ffmpeg or ffprobe is not on PATH'
const SKIPPED: { readonly [E in Entrance]?: string | false } = {
  'subtitle file': withFilms,
  film: withFilms,
  tracks: withFilms,
  transcript: findProgram('pocketsphinx_continuous', process.env['PATH']) ? false : 'pocketsphinx is not on PATH',
}

function givenOf(input: Case): Given {
  const own = { with: input.with ?? {} }
  if ('file' in input) return { ...own, path: join(FILES, input.file), name: input.file, text: '' }
  return { ...own, path: '', name: 'case.txt', text: input.text }
}

for (const one of [...SUBTITLES, ...DICTIONARY, ...RECORDINGS, ...FILMS])
  test(`${one.entrance}: ${one.kind}`, { skip: SKIPPED[one.entrance] ?? false }, async () => {
    assert.deepEqual(await ENTRANCES[one.entrance](await open(), givenOf(one)), one.right)
  })
