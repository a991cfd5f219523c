// Puts the names and figures of a sentence of the studio into its translation. Loaded with the texts of the studio.
import { SENTENCES, type SentenceId } from './sentences.ts'

const NAME = /\{(\w+)\}/
/** Between two sentences. */
const BETWEEN = /(?<=\.) (?=\p{Lu})/u
/** The value of this name is a sentence or a word of the table itself. */
const INNER = 'reason'

/** Names and figures of a sentence that has the form of a template; null for another one. `template`: text, name, text, name, … */
function valuesIn(sentence: string, [first = '', ...rest]: readonly string[]): Map<string, string> | null {
  if (!sentence.startsWith(first)) return null
  const values = new Map<string, string>()
  let from = first.length
  for (let at = 0; at < rest.length; at += 2) {
    const [name = '', next = ''] = rest.slice(at)
    const isLast = at + 2 >= rest.length
    const to = isLast ? sentence.length - next.length : sentence.indexOf(next, from)
    if (to < from || !sentence.startsWith(next, to)) return null
    values.set(name, sentence.slice(from, to))
    from = to + next.length
  }
  return from === sentence.length ? values : null
}
/** This one may be such a sentence. */
const CAUSE = 'why'

type Template = readonly [template: readonly string[], translation: readonly string[]]
const templateOf = (english: string, own: string): Template => [english.split(NAME), own.split(NAME)]

/** Milliseconds after which remarks that could not be loaded may be asked for again. */
const AGAIN_MS = 10_000
/** Rarer sentences, in a file of their own. */
let remarks: readonly Template[] | null = null
async function loadRemarks(onMore: () => void) {
  remarks = []
  try {
    const folder = new URL(document.documentElement.dataset['texts'] ?? '', document.baseURI)
    const response = await fetch(new URL('remarks.txt', folder))
    if (!response.ok) throw new Error(String(response.status))
    const lines = (await response.text()).split('\n')
    remarks = Array.from({ length: lines.length >> 1 }, (_, at) => templateOf(lines[2 * at]!, lines[2 * at + 1]!))
    onMore()
  } catch {
    // A later sentence asks for them again.
    setTimeout(() => (remarks = null), AGAIN_MS)
  }
}

/** `onMore`: called when more sentences can be translated than before. */
export function translatorOf(own: Readonly<Partial<Record<SentenceId, string>>>, onMore: () => void): (text: string) => string {
  const templates = Object.entries(own).map(([id, text]) => templateOf(SENTENCES[id as SentenceId], text))
  // English has a part of the sentences, and no remarks.
  const hasRemarks = templates.length === Object.keys(SENTENCES).length

  /** Null without a translation. */
  function translated(sentence: string): string | null {
    for (const [template, translation] of [...templates, ...(remarks ?? [])]) {
      const values = valuesIn(sentence, template)
      const inner = values?.get(INNER)
      const reason = inner === undefined ? '' : translated(inner)
      if (values === null || reason === null) continue
      const cause = values.get(CAUSE)
      if (cause !== undefined) values.set(CAUSE, translated(cause) ?? cause)
      return translation.map((part, at) => (at % 2 === 0 ? part : part === INNER ? reason : (values.get(part) ?? ''))).join('')
    }
    return null
  }

  return (text) => {
    const whole = translated(text)
    if (whole !== null) return whole
    const all = text.split(BETWEEN).map(translated)
    if (!all.includes(null)) return all.join(' ')
    if (remarks === null && hasRemarks) void loadRemarks(onMore)
    return text
  }
}
