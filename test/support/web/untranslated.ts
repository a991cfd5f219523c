// Finds English sentences of the studio that a page in another language shows untranslated.
import type { Page, Response } from 'playwright-core'

/** Names and texts of people and products, which are the same in every language. */
const NAMES: ReadonlySet<string> = new Set([
  ...[
    'id',
    'name',
    'display_name',
    'title',
    'label',
    'filename',
    'text',
    'version',
    'path',
    'licence',
    'license',
    'model',
    'model_id',
    'repo_id',
  ],
  ...[
    'engine',
    'voice',
    'author',
    'attribution',
    'about',
    'url',
    'code',
    'error_class',
    'key',
    'device',
    'hostname',
    'platform',
    'meta_json',
    'payload',
  ],
])
/** Fields whose words are sentences for people, however short. */
const WORDS: ReadonlySet<string> = new Set(['reason', 'detail', 'stage', 'notice', 'hint'])
/** Three words of which one is small. */
const SENTENCE = /\b[A-Za-z']+ (?:[a-z']+ )+[A-Za-z']+/
/** The English message of a failure follows its translation, after this mark. */
const DETAILS = /(?:Details|Einzelheiten): /

/** Sentences in an answer, by the place where they were first seen. */
function collect(value: unknown, place: string, found: Map<string, string>): void {
  if (typeof value === 'string') {
    const key = place.slice(place.lastIndexOf('.') + 1)
    if (!NAMES.has(key) && value.length < 500 && (SENTENCE.test(value) || (WORDS.has(key) && /^[a-z]{3,}/i.test(value))))
      if (!found.has(value)) found.set(value, place)
  } else if (Array.isArray(value)) for (const one of value) collect(one, place, found)
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) collect(one, `${place}.${key}`, found)
}

const SHOWN = `[...document.querySelectorAll('main, main *, .top *, .dock *')].flatMap((one) => [
  ...[...one.childNodes].flatMap((node) => (node.nodeType === 3 ? [node.data] : [])),
  ...['title', 'aria-label', 'placeholder'].flatMap((name) => one.getAttribute(name) ?? []),
])`

/** Follows the answers that a page reads. `add`: an answer that it reads in a stream. `left`: what it shows of them now. */
export function followAnswers(page: Page) {
  const found = new Map<string, string>()
  const reading: Promise<unknown>[] = []
  const add = (place: string, value: unknown) => collect(value, place, found)
  page.on('response', (response: Response) => {
    if (!response.headers()['content-type']?.includes('application/json')) return
    const place = new URL(response.url()).pathname
    reading.push(
      response.json().then(
        (value) => add(place, value),
        () => {},
      ),
    ) // the page went on
  })
  return {
    add,
    async left(): Promise<string[]> {
      await Promise.all(reading.splice(0))
      const shown = (await page.evaluate<string[]>(SHOWN)).map((text) => text.split(DETAILS, 1)[0]!.trim())
      return [...found].flatMap(([sentence, place]) => {
        const isShown = SENTENCE.test(sentence) ? shown.some((text) => text.includes(sentence)) : shown.includes(sentence)
        return isShown ? [`${place}: ${sentence}`] : []
      })
    },
  }
}
