// One table per language is the specification of the normaliser: a line "text => words" per case.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { dutch } from '#shared/text/normalise/languages/dutch.ts'
import { american } from '#shared/text/normalise/languages/english.ts'
import { french } from '#shared/text/normalise/languages/french.ts'
import { german } from '#shared/text/normalise/languages/german.ts'
import { italian } from '#shared/text/normalise/languages/italian.ts'
import { polish } from '#shared/text/normalise/languages/polish.ts'
import { brazilian } from '#shared/text/normalise/languages/portuguese.ts'
import { russian } from '#shared/text/normalise/languages/russian.ts'
import { spanish } from '#shared/text/normalise/languages/spanish.ts'
import { normaliseText } from '#shared/text/normalise/normalise.ts'

const TABLES = {
  en: 'english',
  'en-GB': 'british',
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  'pt-BR': 'brazilian',
  'pt-PT': 'european',
  nl: 'dutch',
  pl: 'polish',
  ru: 'russian',
  /** The first word of a line is its language. */
  '': 'others',
}

for (const [language, name] of Object.entries(TABLES)) {
  test(`the table of ${name} cases holds`, () => {
    const lines = readFileSync(new URL(`./tables/${name}.txt`, import.meta.url), 'utf8').split('\n')
    for (const line of lines.filter((each) => each.includes(' => '))) {
      const [text, words] = line.split(' => ') as [string, string]
      const [, tag, rest] = language === '' ? /^(\w+) (.*)$/.exec(text)! : [text, language, text]
      const spoken = normaliseText(rest!, tag!)
      assert.equal(spoken, words)
      assert.equal(normaliseText(spoken, tag!), spoken)
    }
  })
}

test('a tag selects its variety, in any case and with an underscore', () => {
  assert.equal(normaliseText('101', 'EN_gb'), 'one hundred and one')
  assert.equal(normaliseText('101', 'en-ZA'), 'one hundred one')
})

test('each abbreviation that is spelled out has a rule for its full stop', () => {
  for (const [name, { abbreviations, sentences }] of Object.entries({
    american,
    french,
    german,
    italian,
    brazilian,
    spanish,
    dutch,
    polish,
    russian,
  })) {
    const { open, numbered, short, closing } = sentences
    const listed = new Set([open, numbered, short, closing].flatMap((list) => [...list].map((word) => word.toLowerCase())))
    const isListed = (key: string) => listed.has(key.toLowerCase())
    const written = [abbreviations.name, abbreviations.any].flatMap((table) => Object.keys(table))
    assert.deepEqual(
      written.filter((key) => ![key.replace(' ', ''), key.split(' ').at(-1)!].some(isListed) && !/^\p{L}[. ]|-\p{Lu}$/u.test(key)),
      [],
      name,
    )
  }
})
