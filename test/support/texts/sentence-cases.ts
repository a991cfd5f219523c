// The tables of sentences: a line "language kind: sentence | sentence" per case.
import { readFileSync } from 'node:fs'

const TABLES = ['germanic', 'romance', 'others']
const WITHOUT_BLANKS = new Set(['zh', 'ja'])

export type SentenceCase = {
  readonly language: string
  readonly kind: string
  readonly text: string
  readonly sentences: readonly string[]
}
const casesOf = (table: string): SentenceCase[] =>
  readFileSync(new URL(`../../shared/text/sentences/tables/${table}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, language, kind, written] = /^(\w+) ([\w-]+): (.+)$/.exec(line)!
      const between = WITHOUT_BLANKS.has(language!) ? '' : ' '
      return {
        language: language!,
        kind: kind!,
        text: written!.replaceAll(/ ?\| ?/g, between).replaceAll(/ [⏎↵] /g, '\n'),
        sentences: written!.replaceAll(' ↵ ', ' ').split(/ ?[|⏎] ?/),
      }
    })

export const sentenceCases = (): SentenceCase[] => TABLES.flatMap(casesOf)
