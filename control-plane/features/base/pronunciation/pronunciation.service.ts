// The pronunciation dictionary: its entries, and the text that is sent to an engine.

import type { Alphabet } from '#control-plane/inference/offers.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { annotated, withoutMarks } from '#shared/text/pronunciation/annotation.ts'
import { ipaOfCmu } from '#shared/text/pronunciation/cmu-ipa.ts'
import { comparedTerm, createDictionary, type Dictionary, type Respelling } from '#shared/text/pronunciation/dictionary.ts'
import { phoneObjection } from '#shared/text/pronunciation/phones.ts'
import { hasInlineIpa, pronounce } from '#shared/text/pronunciation/pronounce.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { EntryBody, type EntryChange, type EntryRow, MAX_ENTRIES } from './pronunciation.schema.ts'
import type { Entry, PronunciationStore } from './pronunciation.store.ts'

type Deps = {
  readonly store: PronunciationStore
  /** True if texts are changed by the dictionary; inline pronunciations always are. */
  readonly isEnabled: () => boolean
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
/** The engine that will speak, and the alphabet that it takes within a text. */
export type EngineAlphabet = { readonly engine: string; readonly alphabet: Alphabet | null }
export type Speller = {
  /** The text that the engine receives. `text`: in NFC. */
  readonly spoken: (text: string) => string
  /** Terms of a text whose pronunciation in a phonetic alphabet the engine does not take, so that they are spoken as they are written. */
  readonly unused: (text: string) => readonly string[]
}
/** `notices`: sentences for the listener. */
type PronouncedText = { readonly text: string; readonly notices: readonly string[] }
type Spelling = { readonly dictionary: Dictionary | null; readonly unused: Dictionary | null }
export type Pronunciation = ReturnType<typeof createPronunciation>
const ID_BYTES = 6
/** Compiled dictionaries that are kept: a text names one of at most some dozen languages. */
const MAX_COMPILED = 16

export function createPronunciation({ store, isEnabled, clock, random }: Deps) {
  // By language and alphabet; emptied by every change.
  const compiled = new Map<string, Spelling>()
  /** True if an entry in a phonetic alphabet may apply; null if it must be looked up. */
  let hasPhonetic: boolean | null = null
  const forget = () => {
    compiled.clear()
    hasPhonetic = null
  }

  const usable = (): Entry[] => store.list().filter(({ enabled, replacement }) => enabled === 1 && replacement !== '')

  /** `own`: replacements by term that win over equal terms of the dictionary. */
  function spellingOf(language: string, alphabet: Alphabet | null, entries: readonly Entry[], own: readonly Respelling[]): Spelling {
    const taken: Respelling[] = []
    const left: Respelling[] = []
    for (const entry of entries) {
      const { type } = entry
      if (type === 'respelling') continue
      const replacement = inAlphabet(entry, alphabet)
      if (replacement === null) left.push(entry)
      else taken.push({ ...entry, replacement })
    }
    const respellings = entries
      .filter(({ type }) => type === 'respelling')
      .map((entry) => ({ ...entry, replacement: withoutMarks(entry.replacement) }))
    const all = [...taken, ...respellings, ...own]
    // A term that has a respelling too is not left unused.
    const known = new Set(all.map(({ term }) => comparedTerm(term)))
    const unused = left.filter(({ term }) => !known.has(comparedTerm(term)))
    return { dictionary: createDictionary(all, language), unused: unused.length === 0 ? null : createDictionary(unused, language) }
  }

  /** `isOn`: false applies inline pronunciations only. */
  function spellingFor(language: string, alphabet: Alphabet | null, isOn: boolean): Spelling {
    if (!isOn || !isEnabled()) return { dictionary: null, unused: null }
    const name = `${language} ${alphabet}`
    const known = compiled.get(name)
    if (known) return known
    const spelling = spellingOf(language, alphabet, usable(), [])
    if (compiled.size >= MAX_COMPILED) compiled.clear()
    compiled.set(name, spelling)
    return spelling
  }

  const entryOf = (body: EntryBody): Entry => ({
    ...checked(body),
    id: random.hex(ID_BYTES),
    created_at: clock.now() / 1000,
  })

  function refuseMoreThan(count: number): void {
    if (count > MAX_ENTRIES)
      throw new Failure('CONFLICT', `The dictionary may have ${MAX_ENTRIES} entries. Remove some that are not needed.`)
  }

  return {
    list: (): EntryRow[] => store.list().map(rowOf),

    /** Throws BAD_REQUEST for an invalid entry, CONFLICT for too many. */
    add(body: EntryBody): EntryRow {
      const entry = entryOf(body)
      refuseMoreThan(store.count() + 1)
      store.add([entry])
      forget()
      return rowOf(entry)
    },

    /** Throws NOT_FOUND, and BAD_REQUEST for no change or an invalid one. */
    change(id: string, change: EntryChange): EntryRow {
      const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<EntryBody>
      if (Object.keys(changes).length === 0) throw new Failure('BAD_REQUEST', 'The request changes nothing. Send at least one field.')
      if (changes.term !== undefined) termOf(changes.term)
      const before = store.find(id)
      if (!before) throw new Failure('NOT_FOUND', 'Pronunciation entry not found')
      const entry = { ...before, ...checked({ ...before, enabled: before.enabled === 1, ...changes }) }
      store.change(entry)
      forget()
      return rowOf(entry)
    },

    remove(id: string): { deleted: boolean } {
      const deleted = store.remove(id)
      forget()
      return { deleted }
    },

    export: () => ({ entries: store.list().map(({ id, created_at, enabled, ...entry }) => ({ ...entry, enabled: enabled === 1 })) }),

    /** Throws BAD_REQUEST with the number of the first invalid entry, CONFLICT for too many. Entries with a blank term are skipped. */
    import(rows: readonly unknown[], replace: boolean): { imported: number; replaced: boolean } {
      const entries = rows.flatMap((row, index) => {
        const parsed = EntryBody.safeParse(withoutOthers(row))
        const place = `Entry ${index + 1} of the import`
        if (!parsed.success) {
          const [issue] = parsed.error.issues
          throw new Failure('BAD_REQUEST', `${place} is invalid: ${[...issue!.path, issue!.message].join(': ')}. Nothing was imported.`)
        }
        if (parsed.data.term.trim() === '') return []
        try {
          return [entryOf(parsed.data)]
        } catch (error) {
          throw new Failure('BAD_REQUEST', `${place} is invalid. ${(error as Failure).message} Nothing was imported.`, { cause: error })
        }
      })
      refuseMoreThan(entries.length + (replace ? 0 : store.count()))
      store.add(entries, replace)
      forget()
      return { imported: entries.length, replaced: replace }
    },

    /** A text as an engine without an alphabet receives it, also where the dictionary is off. */
    test(input: string, language: string | null) {
      const text = composed(input)
      const { text: substituted, applied } = pronounce(text, spellingOf(dictionaryLanguage(language), null, usable(), []).dictionary)
      return { input, substituted, changed: substituted !== text, applied_terms: [...applied] }
    },

    /**
     * Spoken form of one text. `language`: as a request names it; null if it does not. `engineOf` is called only if the dictionary or the
     * text has a pronunciation in a phonetic alphabet. `isOn`: false applies inline pronunciations only.
     */
    pronounced(text: string, language: string | null, engineOf: () => EngineAlphabet, isOn = true): PronouncedText {
      hasPhonetic ??= usable().some(({ type }) => type !== 'respelling')
      const needsAlphabet = (hasPhonetic && isOn && isEnabled()) || hasInlineIpa(text)
      const { engine, alphabet } = needsAlphabet ? engineOf() : { engine: '', alphabet: null }
      const speaker = speakerOf(spellingFor(dictionaryLanguage(language), alphabet, isOn), alphabet)
      const unused = speaker.unused(text)
      return { text: speaker.spoken(text), notices: unused.length === 0 ? [] : [unusedNotice(engine, unused)] }
    },

    unusedNotice,
    /**
     * Speller for the many texts of one work. `lexicon`: replacements by term that win over equal terms of the dictionary. Later changes of
     * the dictionary have no effect.
     */
    speaker(language: string | null, lexicon: Readonly<Record<string, string>>, alphabet: Alphabet | null = null): Speller {
      const named = dictionaryLanguage(language)
      const own = Object.entries(lexicon)
        .map(([term, replacement]) => ({ term, replacement: withoutMarks(replacement), language: named }))
        .filter(({ term }) => term.trim() !== '')
      return speakerOf(spellingOf(named, alphabet, isEnabled() ? usable() : [], own), alphabet)
    },
  }
}

const speakerOf = ({ dictionary, unused }: Spelling, alphabet: Alphabet | null): Speller => ({
  spoken: (text) => pronounce(text, dictionary, alphabet).text,
  unused(text) {
    if (unused === null && !hasInlineIpa(text)) return []
    const { applied, unspoken } = pronounce(text, unused, alphabet)
    return [...applied, ...unspoken]
  },
})

/** The form in which an engine takes a phonetic entry; null if it does not. */
function inAlphabet({ term, type, replacement }: Entry, alphabet: Alphabet | null): string | null {
  if (alphabet === 'ipa') return annotated(term, type === 'cmu' ? ipaOfCmu(replacement) : replacement)
  if (alphabet === 'cmu' && type === 'cmu') return `[${replacement.toUpperCase().split(/\s+/).join(' ')}]`
  return null
}

const MAX_NAMED = 5
/** Notice for the listener: these terms are spoken as they are written. */
function unusedNotice(engine: string, terms: readonly string[]): string {
  const more = terms.length > MAX_NAMED ? ` and ${terms.length - MAX_NAMED} more` : ''
  return `${engine} does not take these pronunciations in a phonetic alphabet: ${terms.slice(0, MAX_NAMED).join(', ')}${more}. Add respellings of these words to the dictionary.`
}

/** Throws BAD_REQUEST. */
function termOf(text: string): string {
  const term = composed(text.trim())
  if (term === '') throw new Failure('BAD_REQUEST', 'The term must not be blank.')
  return term
}

/** Throws BAD_REQUEST. */
function checked(body: EntryBody): Omit<Entry, 'id' | 'created_at'> {
  const term = termOf(body.term)
  const { type } = body
  if (type !== 'respelling' && type !== 'ipa' && type !== 'cmu')
    throw new Failure('BAD_REQUEST', 'The type must be respelling, ipa or cmu.')
  const replacement = composed(body.replacement.trim())
  const objection = type === 'respelling' ? null : phoneObjection(type, replacement)
  if (objection) throw new Failure('BAD_REQUEST', `An entry of type ${type} ${objection}.`)
  return { term, replacement, type, language: dictionaryLanguage(body.language), enabled: body.enabled ? 1 : 0 }
}

/** Two lower-case letters, or '*' for every language. 'en-US' is 'en'. */
function dictionaryLanguage(language: string | null): string {
  const tag = language?.trim().toLowerCase().split(/[-_]/, 1)[0] ?? ''
  return tag === '' || tag === '*' || tag === 'auto' ? '*' : tag.slice(0, 2)
}

const rowOf = ({ enabled, ...entry }: Entry): EntryRow => ({ ...entry, enabled: enabled === 1, scope: entry.language })

/** Exports of other versions may have fields that are not known here. */
function withoutOthers(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  const { term, replacement, type, language, enabled } = row as Record<string, unknown>
  return { term, replacement, type, language, enabled }
}
