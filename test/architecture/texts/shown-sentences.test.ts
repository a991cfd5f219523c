// Sentences that the studio or an engine writes for people have an entry in the tables that pages in other languages show.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REMARKS } from '#control-plane/web/messages/remarks.ts'
import { SENTENCES } from '#control-plane/web/messages/sentences.ts'
import { allSources, typescript } from '../source.ts'
import { sentencesIn } from './shown-sentences.ts'

/** Modules whose sentences no page shows, or shows with a text of its own, with the reason. */
const ELSEWHERE: readonly (readonly [path: RegExp, reason: string])[] = [
  [/^shared\/protocol\/failure\.ts$|^control-plane\/http\//, 'failures and refusals: each has a code, and its own table'],
  [/^control-plane\/(?:studio|trust\/enrolment)\.ts$|^agent\/(?:program|lending\/lending)\.ts$/, 'lines of the terminal and of the log'],
  [/^shared\/runtime\/|^shared\/link\/|^agent\/engine\/host\//, 'lines of the log'],
  [/^control-plane\/features\/operate\/mcp\//, 'descriptions for assistants'],
  [/\.settings\.ts$/, 'settings have a table of their own'],
  [/\/(?:explain|wyoming|tailscale|preview|sonitranslate|sidecar|endpoint|loaded)\//, 'answers that no page reads'],
  [/\/web\.routes\.ts$/, 'a page that could not be bundled'],
  [/^shared\/models\//, 'descriptions of models: names, licences and figures as in the card of the publisher'],
  [/\/engines\/translation\.ts$/, 'translators have texts of their own on the pages'],
  [/^agent\/engine\/runtimes\/|gpu-causes\.ts$/, 'causes with names of libraries and drivers, which the owner looks up as they are'],
  [/^agent\/models\/install\.ts$|\/licences\/cards\.ts$|\/media\/ffmpeg\/delivery\.ts$/, 'parts of the message of a failure'],
  [/\/transcribe-stream\.ts$|\/transcribe\.routes\.ts$/, 'events that the pages do not show'],
  [/\/tts\/tone\//, 'the voice of tests'],
  [/\/reading\/text\/markdown\.ts$/, 'markup'],
]
/** Words that a sentence of a table has as one of its values, or whose whole sentence is in a table under each of its forms. */
const PARTS: ReadonlySet<string> = new Set([
  ...[' and {} more', ' Its last activity was {}.', 'this job', 'these jobs', 'sound of the film', 'books that are read', 'Untitled part'],
  ...['the engine', 'no graphics card', 'unknown reason', 'download {}', '{}: it {}', '{} s of sound', '{} that are not read: {}.'],
  ...['does not support "{}"', 'is not installed on this machine'],
  ...['{} of {} speech engines can be used. {}', 'The selected engine, {}, cannot: {}', ' or ', ' (did you mean {}?)', 'Use {}'],
  ...['Use a code such as "en"', '{} left out.', 'One drawing was', '{} drawings were', ', which was assumed', ' as in the film'],
  ...['The times of this file are numbers of pictures, at {} in a second{}.', '{} of the file cannot be read in this encoding.'],
  ...['One character', '{} was not read as {}', '{}{} in the language {}.', ' in the format {}', 'this studio has no operation {}'],
  ...['The studio ended before the film was in the batch.', 'The film was deleted before it was started.'],
  ...['{} Install a Whisper model that translates speech itself, such as small or base; {} models lists the models.'],
  'No program on this machine translates {} to English.',
])
const BETWEEN = /(?<=\.) (?=\p{Lu})/u
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const FORMS = Object.values({ ...SENTENCES, ...REMARKS }).map(
  (one) =>
    new RegExp(
      `^${one
        .split(/\{\w+\}/)
        .map(escaped)
        .join('.*')}$`,
      's',
    ),
)

const isKnown = (text: string) => FORMS.some((form) => form.test(text))
/** True if the pages find it: as a whole, else sentence by sentence. A value may be one word or nothing. */
const isTranslated = (sentence: string) =>
  [sentence.replaceAll('{}', 'X'), sentence.replaceAll('{}', '')].some(
    (one) => isKnown(one) || one.split(BETWEEN).every((part) => isKnown(part)),
  )

const modules = typescript(['control-plane', 'agent', 'shared'].flatMap((folder) => allSources(folder))).filter(
  ({ path }) => !path.startsWith('control-plane/web/') && !/\.(?:contract|schema)\.ts$/.test(path),
)

test('every sentence that a page may show has an entry in the tables of sentences', () => {
  const written = modules.flatMap(sentencesIn)
  assert.ok(written.length > 200, `${written.length} sentences`)
  const missing = written.filter(({ sentence }) => !isTranslated(sentence) && !PARTS.has(sentence))
  assert.deepEqual(
    missing.flatMap(({ path, sentence }) => (ELSEWHERE.some(([place]) => place.test(path)) ? [] : [`${path}: ${sentence}`])),
    [],
  )
  for (const [place, reason] of ELSEWHERE)
    assert.ok(
      missing.some(({ path }) => place.test(path)),
      `no longer needed: ${reason}`,
    )
  for (const part of PARTS)
    assert.ok(
      written.some(({ sentence }) => sentence === part),
      `no longer written: ${part}`,
    )
})

test('a sentence is found where a page would show it, and a failure or a line of the log is not', () => {
  const found = (text: string) => sentencesIn({ path: 'a.ts', text }).map(({ sentence }) => sentence)
  assert.deepEqual(found('const notices = [x ? `It took ${n} s.` : null]; notices.push(LATE); const LATE = "It came too late."'), [
    'It took {} s.',
    'It came too late.',
  ])
  assert.deepEqual(found('const a = { hint: adviceOf(x), title: "No hint here" }; function adviceOf() { return "Try it again." }'), [
    'Try it again.',
  ])
  assert.deepEqual(found('f({ reason: new Failure("X", "It has failed.") }); log.warn({ notice: "Not for people here" })'), [])
  assert.deepEqual(found('checkRow("ram", "The memory here", "ok", `${n} is free.`)'), ['{} is free.'])
})
