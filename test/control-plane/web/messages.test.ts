// The catalogue of the pages: what English has is what Intl says, and the compiler compares the catalogue of a second language.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Reason } from '#control-plane/scheduler/objection.ts'
import { languageOf } from '#control-plane/web/messages/language.ts'
import { REMARKS, type RemarkId, type RemarkTexts } from '#control-plane/web/messages/remarks.ts'
import { SENTENCES, type SentenceId } from '#control-plane/web/messages/sentences.ts'
import type { ServerTexts } from '#control-plane/web/messages/server.ts'
import { FAILURES } from '#shared/protocol/failure.ts'
import { isLongRun } from '#test/support/long-run.ts'
import { FORMS, makeSecondLanguage } from '#test/support/web/second-language.ts'
import { ROOT } from '#test/support/world/process.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const CATALOGUES = join(ROOT, 'control-plane/web/messages')
const TAGS = readdirSync(CATALOGUES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
const read = (tag: string, file: string) => import(join(CATALOGUES, tag, file))

test('plural forms, numbers and marks of each language are those of Intl', async () => {
  for (const tag of TAGS) {
    const { plural, grouped, decimal, list, lang }: ReturnType<typeof languageOf> = await read(tag, 'language.ts')
    assert.equal(lang, tag)
    const rules = new Intl.PluralRules(tag)
    const forms = rules.resolvedOptions().pluralCategories
    const texts = Object.fromEntries(forms.map((form) => [form, form]))
    const numbers = new Intl.NumberFormat(`${tag}-u-nu-latn`)
    fc.assert(
      fc.property(fc.oneof(fc.nat({ max: 2000 }), fc.nat()), (count) => {
        assert.equal(grouped(count), numbers.format(count), tag)
        assert.equal(plural(count, texts as never), rules.select(count), tag)
      }),
    )
    assert.equal(decimal(3.25, 2), numbers.format(3.25), tag)
    // Some write no mark between units.
    const between = (type: 'unit' | 'conjunction') => new Intl.ListFormat(tag, { type }).formatToParts(['a', 'b', 'c'])[1]!.value
    assert.ok([between('unit'), between('conjunction')].includes(list(['a', 'b']).slice(1, -1)), `${tag}: ${list(['a', 'b'])}`)
  }
})

test('each other language has a sentence for each failure of the studio', async () => {
  for (const tag of TAGS.filter((one) => one !== 'en')) {
    const { server }: { server: ServerTexts } = await read(tag, 'server.ts')
    assert.deepEqual(Object.keys(server.failures).toSorted(), Object.keys(FAILURES).toSorted(), tag)
    for (const [sentence] of Object.values(server.failures))
      for (const values of [{}, { machine: 'attic', engine: 'heart', program: 'ffmpeg', host: 'a.example', limit: '5 MB', seconds: 9 }])
        assert.doesNotMatch(typeof sentence === 'string' ? sentence : sentence(values), /undefined|^$/, tag)
  }
})

test('each other language has a sentence for each limit of a person, with its amount and the moment at which it is free again', async () => {
  const limits = {
    tasks_at_once: [3, '3'],
    sound_minutes_a_day: [30, '30'],
    gpu_minutes_a_month: [90, '90'],
    disk_bytes: [5e9, '5'],
  } as const
  const free = Date.parse('2031-02-03T12:00:00Z')
  for (const tag of TAGS.filter((one) => one !== 'en')) {
    const { server }: { server: ServerTexts } = await read(tag, 'server.ts')
    const [sentence] = server.failures['QUOTA_EXCEEDED']!
    assert.ok(typeof sentence !== 'string')
    const said = new Set<string>()
    for (const [limit, [amount, shown]] of Object.entries(limits))
      for (const when of [free, 'running', 'deleted', 'never'] as const) {
        const text = sentence({ limit, amount, free: when })
        assert.match(text, new RegExp(`\\b${shown}\\b`), tag)
        assert.equal(text.includes('2031'), when === free, `${tag}: ${text}`)
        assert.doesNotMatch(text, /undefined|NaN/)
        said.add(text)
      }
    assert.equal(said.size, 16, tag)
    assert.ok(sentence({ limit: 'of_a_later_version', amount: 1, free: 'later' }).length > 5, tag)
  }
})

/** A reason of the scheduler without a translation does not compile. */
const translatedReason = (reason: Reason): (typeof SENTENCES)[SentenceId] => reason

test('the sentences that pages translate are those that the studio writes, and each language has all of them', async () => {
  const source = ['control-plane', 'agent', 'shared'].flatMap((folder) =>
    globSync('**/*.ts', { cwd: join(ROOT, folder), exclude: ['web/**'] }).map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
  )
  const raw = source.join('\n')
  // The sources twice: with `{}` for each `${…}` of a template, and unchanged.
  const written = `${raw.replaceAll(/\$\{[^}\n]{1,80}\}/g, '{}')}\n${raw}`
  assert.equal(translatedReason('busy'), SENTENCES.busy)
  for (const sentence of Object.values(SENTENCES)) {
    const parts = sentence.split(/\{\w+\}/).toSorted((one, other) => other.length - one.length)
    assert.ok(
      parts[0]!.split(/, (?:because )?/).every((part) => written.includes(part.trim())),
      sentence,
    )
  }
  // Some of these have a form of their own for each of the parts that the studio puts together.
  for (const remark of Object.values(REMARKS)) {
    const parts = remark.split(/\{\w+\}|[,.:;] /).filter((part) => part.length >= 8)
    const halvesOf = (part: string) => [...part.matchAll(/ /g)].map(({ index }) => [part.slice(0, index), part.slice(index + 1)])
    const isWritten = (part: string) =>
      written.includes(part.trim()) ||
      halvesOf(part.trim()).some((halves) => halves.every((half) => half.length >= 8 && written.includes(half)))
    assert.ok(parts.length === 0 || parts.some(isWritten), remark)
  }
  for (const tag of TAGS.filter((one) => one !== 'en')) {
    const [{ server }, { remarks }]: [{ server: ServerTexts }, { remarks: RemarkTexts }] = await Promise.all([
      read(tag, 'server.ts'),
      read(tag, 'remarks.ts'),
    ])
    const names = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).toSorted()
    for (const [id, sentence] of Object.entries({ ...SENTENCES, ...REMARKS })) {
      const own = { ...server.sentences, ...remarks }[id as SentenceId | RemarkId]
      assert.ok(own, `${tag}: ${sentence}`)
      // A language may leave out a name that its sentence does not need.
      assert.deepEqual(
        names(own).filter((name) => !names(sentence).includes(name)),
        [],
        `${tag}: ${sentence}`,
      )
    }
  }
})

test('a language has the plural forms of its own rules', () => {
  const polish = languageOf({
    lang: 'pl',
    name: 'Polski',
    forms: FORMS,
    marks: { decimal: ',', list: ', ', groups: '\u00a0' },
    groupsFrom: 10_000,
  })
  assert.deepEqual(new Intl.PluralRules('pl').resolvedOptions().pluralCategories.toSorted(), [...FORMS].sort())
  const forms = { one: '# plik', few: '# pliki', many: '# plików', other: '# pliku' }
  const expected = {
    0: '0 plików',
    1: '1 plik',
    3: '3 pliki',
    12: '12 plików',
    22: '22 pliki',
    1234: '1234 pliki',
    12345: '12\u00a0345 plików',
  }
  for (const [count, text] of Object.entries(expected)) assert.equal(polish.plural(Number(count), forms), text)
  assert.equal(polish.decimal(3.25, 1), '3,3')
})

/** Errors of the compiler in a catalogue, one line each. With the pages it takes 20 s of processor time. */
function compiled(folder: string, { withPages = false } = {}): Promise<string[]> {
  const config = {
    extends: join(ROOT, 'control-plane/web/tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(ROOT, 'node_modules/@types')],
      paths: { '#messages/*': [join(folder, '*')], '#*': [join(ROOT, '*')] },
    },
    include: ['.', ...(withPages ? [join(ROOT, 'control-plane/web/app.tsx')] : [])],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  return new Promise((resolve) => {
    execFile(join(ROOT, 'node_modules/.bin/tsc'), ['-p', folder], (_error, output) =>
      resolve(output.split('\n').filter((line) => /^\S.*error TS/.test(line))),
    )
  })
}

test('the catalogue of a second language compiles, and the compiler names each text and form that is missing', async (t) => {
  const folder = temporaryFolder(t)
  makeSecondLanguage(folder)
  assert.deepEqual(await compiled(folder), [])
  const without = (path: string, text: RegExp) => {
    const before = readFileSync(join(folder, path), 'utf8')
    assert.match(before, text)
    writeFileSync(join(folder, path), before.replace(text, ''))
  }
  without('frame.ts', /^ {2}greeting: .*\n/m)
  without('create/dub.ts', /few: "few: # lines", /)
  const errors = await compiled(folder)
  assert.equal(errors.length, 2, errors.join('\n'))
  assert.match(errors.find((line) => line.includes('catalogue.ts')) ?? '', /Property 'greeting' is missing/)
  assert.match(errors.find((line) => line.includes('create/dub.ts')) ?? '', /Property 'few' is missing/)
})

test('the pages compile with a second language', { skip: isLongRun ? false : 'a long test' }, async (t) => {
  const folder = temporaryFolder(t)
  makeSecondLanguage(folder)
  assert.deepEqual(await compiled(folder, { withPages: true }), [])
})
