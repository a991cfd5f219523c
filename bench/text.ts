// Text as engines get it, against test data of other projects: `./studio bench text FOLDER`. The folder has `<language>/test_cases_<class>.txt`, the
// form of NeMo-text-processing (Apache-2.0): `written~spoken` a line, in German `spoken~written`; a class with several spoken forms has `~written`
// and one of them a line.
import { AssertionError } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { normaliseText } from '#shared/text/normalise/normalise.ts'
import { toSentences } from '#shared/text/sentences.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { compareBook, everyForm } from '#test/support/archive/book-words.ts'
import { sentenceCases } from '#test/support/texts/sentence-cases.ts'
import { title } from './support/rounds.ts'
import { REJECTED, reasonsOf } from './support/text/rejected.ts'

type Case = { readonly written: string; readonly spoken: readonly string[] }
/** Languages whose files have the spoken form first. */
const SPOKEN_FIRST = new Set(['de'])

function casesOf(text: string, isSpokenFirst: boolean): Case[] {
  const lines = text.split('\n').map((line) => line.trim())
  if (lines.filter((line) => line.startsWith('~') && line.length > 1).length > lines.length / 10) {
    const cases: { written: string; spoken: string[] }[] = []
    for (const line of lines) {
      if (line.startsWith('~')) cases.push({ written: line.slice(1), spoken: [] })
      else if (line !== '') cases.at(-1)?.spoken.push(line)
    }
    return cases
  }
  return lines.flatMap((line) => {
    const at = line.indexOf('~')
    if (at <= 0) return []
    const [first, second] = [line.slice(0, at), line.slice(at + 1)]
    return [isSpokenFirst ? { written: second, spoken: [first] } : { written: first, spoken: second.split('~') }]
  })
}

const BRITISH: readonly (readonly [RegExp, string])[] = [
  [/\b(kilo|centi|milli|micro|nano)?metre/g, '$1meter'],
  [/\b(milli)?litre/g, '$1liter'],
]

/** Letters and figures alone: case, punctuation, blanks, accents of joints and optional words do not count. */
export function loose(text: string, language: string): string {
  let words = composed(text).toLowerCase().replace(/ß/g, 'ss')
  if (language === 'en') {
    for (const [from, to] of BRITISH) words = words.replace(from, to)
    words = words
      .replace(/\bnegative\b/g, 'minus')
      .replace(/\boh\b/g, 'o')
      .replace(/\bzero\b/g, 'o')
      .replace(/\ba (hundred|thousand|million|half|quarter)\b/g, 'one $1')
      .replace(/\band\b/g, '')
      .replace(/\b([ap]) m\b/g, '$1m')
  }
  if (language === 'de') words = words.replace(/und/g, '')
  if (language === 'it')
    words = composed(words, 'NFD')
      .replace(/\p{M}/gu, '')
      .replace(/\bminuti\b|\bin punto\b|\be\b/g, '')
      .replace(/pence/, 'penny')
  if (language === 'pt') words = words.replace(/catorze/g, 'quatorze')
  if (language === 'es') words = words.replace(/\bcon\b/g, '')
  return words.replace(/[^\p{L}\p{N}]/gu, '')
}

/** Sentences of the tables of the tests, by language, and generated books of which no word is lost and nothing else is read. */
function ownCases(): void {
  const found = new Map<string, { right: number; all: number }>()
  for (const { language, text, sentences } of sentenceCases()) {
    const { right, all } = found.get(language) ?? { right: 0, all: 0 }
    const isRight = toSentences(text, language).join('\n') === sentences.join('\n')
    found.set(language, { right: right + Number(isRight), all: all + 1 })
  }
  for (const [language, { right, all }] of found) row(language, 'sentences', right, all)
  const forms = everyForm()
  row('-', 'books', forms.filter(({ plan, notes }) => isWhole(plan, notes)).length, forms.length)
}

function isWhole(...book: Parameters<typeof compareBook>): boolean {
  try {
    compareBook(...book)
    return true
  } catch (error) {
    if (error instanceof AssertionError) return false
    throw error
  }
}

const row = (language: string, kind: string, right: number, all: number, more = ''): void =>
  void process.stdout.write(
    `${language.padEnd(2)} ${kind.padEnd(24)} ${String(right).padStart(4)}/${String(all).padEnd(4)} ${percent(right, all)}${more}\n`,
  )

export async function run(): Promise<void> {
  const folder = process.env['STUDIO_BENCH_TEXT'] ?? ''
  if (folder === '') {
    process.stderr.write('bench: Name the folder of the test data: ./studio bench text FOLDER.\n')
    process.exitCode = 2
    return
  }
  title('Text for engines: right, or rejected with a reason, of all cases; sentences and books are our own cases')
  ownCases()
  const total = new Map<string, { right: number; rejected: number; all: number }>()
  const missed: string[] = []
  for (const language of readdirSync(folder).filter((name) => /^[a-z]{2}$/.test(name))) {
    for (const file of readdirSync(join(folder, language)).sort()) {
      const kind = /^test_cases_(\w+)\.txt$/.exec(file)?.[1]
      if (!kind) continue
      const count = { right: 0, rejected: 0, all: 0 }
      for (const { written, spoken } of casesOf(readFileSync(join(folder, language, file), 'utf8'), SPOKEN_FIRST.has(language))) {
        count.all++
        const ours = normaliseText(written, language)
        if (spoken.some((one) => loose(one, language) === loose(ours, language))) count.right++
        else if (REJECTED.has(`${language} ${written}`)) count.rejected++
        else missed.push(`${language} ${kind}: ${written} → ${ours} | ${spoken[0]}`)
      }
      const { right, rejected, all } = count
      row(language, kind, right + rejected, all, rejected > 0 ? `  ${rejected} rejected` : '')
      const sum = total.get(language) ?? { right: 0, rejected: 0, all: 0 }
      if (kind !== 'electronic') total.set(language, { right: sum.right + right, rejected: sum.rejected + rejected, all: sum.all + all })
    }
  }
  for (const [language, { right, rejected, all }] of total)
    process.stdout.write(
      `${language} without electronic: ${right + rejected}/${all} ${percent(right + rejected, all)}, ${rejected} rejected (${percent(rejected, all)})\n`,
    )
  for (const language of total.keys()) process.stdout.write([`rejected, ${language}:`, ...reasonsOf(language), ''].join('\n'))
  if (process.env['STUDIO_BENCH_MISSED']) process.stdout.write(`${missed.join('\n')}\n`)
}

const percent = (part: number, all: number): string => `${((100 * part) / Math.max(1, all)).toFixed(0)} %`
