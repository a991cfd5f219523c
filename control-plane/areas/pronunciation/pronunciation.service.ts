// The pronunciation dictionary: its entries, and the text that is sent to an engine.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createDictionary, type Dictionary } from '#shared/text/pronunciation/dictionary.ts'
import { phoneObjection } from '#shared/text/pronunciation/phones.ts'
import { pronounce } from '#shared/text/pronunciation/pronounce.ts'
import { EntryBody, type EntryChange, type EntryRow, MOST_ENTRIES } from './pronunciation.schema.ts'
import type { Entry, PronunciationStore } from './pronunciation.store.ts'

type Deps = {
  readonly store: PronunciationStore
  /** Whether texts are changed by the dictionary; inline pronunciations always are. */
  readonly isEnabled: () => boolean
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
export type Pronunciation = ReturnType<typeof createPronunciation>
const ID_BYTES = 6
/** Compiled dictionaries that are kept: a text names one of at most some dozen languages. */
const MOST_COMPILED = 16

export function createPronunciation({ store, isEnabled, clock, random }: Deps) {
  // By language; emptied by every change.
  const compiled = new Map<string, Dictionary>()

  const usable = (): Entry[] => store.list().filter(({ enabled, replacement }) => enabled === 1 && replacement !== '')
  const respellings = (): Entry[] => usable().filter(({ type }) => type === 'respelling')
  /** In the form of engines that take CMU symbols within a text. */
  const inBrackets = (): Entry[] =>
    usable()
      .filter(({ type }) => type === 'cmu')
      .map((entry) => ({ ...entry, replacement: `[${entry.replacement.toUpperCase().split(/\s+/).join(' ')}]` }))

  function dictionaryFor(language: string): Dictionary {
    const known = compiled.get(language)
    if (known) return known
    const dictionary = createDictionary(respellings(), language)
    if (compiled.size >= MOST_COMPILED) compiled.clear()
    compiled.set(language, dictionary)
    return dictionary
  }

  const entryOf = (body: EntryBody): Entry => ({
    ...checked(body),
    id: random.hex(ID_BYTES),
    created_at: clock.now() / 1000,
  })

  function refuseMoreThan(count: number): void {
    if (count > MOST_ENTRIES)
      throw new Failure('CONFLICT', `The dictionary may have ${MOST_ENTRIES} entries. Remove some that are not needed.`)
  }

  return {
    list: (): EntryRow[] => store.list().map(rowOf),

    /** Throws BAD_REQUEST for an invalid entry, CONFLICT for too many. */
    add(body: EntryBody): EntryRow {
      const entry = entryOf(body)
      refuseMoreThan(store.count() + 1)
      store.add([entry])
      compiled.clear()
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
      compiled.clear()
      return rowOf(entry)
    },

    remove(id: string): { deleted: boolean } {
      const deleted = store.remove(id)
      compiled.clear()
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
      compiled.clear()
      return { imported: entries.length, replaced: replace }
    },

    test(input: string, language: string | null) {
      const text = input.normalize('NFC')
      const { text: substituted, applied } = pronounce(text, dictionaryFor(dictionaryLanguage(language)))
      return { input, substituted, changed: substituted !== text, applied_terms: [...applied] }
    },

    /**
     * The text that an engine receives. `text`: in NFC. `language`: as a request names it; null if it does not. `dictionary`: false applies
     * inline pronunciations only.
     */
    spoken: (text: string, language: string | null, dictionary = true): string =>
      pronounce(text, dictionary && isEnabled() ? dictionaryFor(dictionaryLanguage(language)) : null).text,
    /**
     * Like `spoken`, for the many texts of one work. `lexicon`: replacements by term that win over equal terms of the dictionary. Later changes
     * of the dictionary have no effect. `takesCmu`: the engine speaks CMU symbols in square brackets. `unused`: terms of a text whose
     * pronunciation in a phonetic alphabet the engine does not take, so that they are spoken as they are written.
     */
    speaker(language: string | null, lexicon: Readonly<Record<string, string>>, takesCmu = false) {
      const named = dictionaryLanguage(language)
      const own = Object.entries(lexicon)
        .map(([term, replacement]) => ({ term, replacement, language: named }))
        .filter(({ term }) => term.trim() !== '')
      const taken = isEnabled() ? [...(takesCmu ? inBrackets() : []), ...respellings()] : []
      const others = isEnabled() ? usable().filter(({ type }) => type === 'ipa' || (type === 'cmu' && !takesCmu)) : []
      const dictionary = createDictionary([...taken, ...own], named)
      // A term that has a respelling too is not left unused.
      const known = new Set([...taken, ...own].map(({ term }) => term.toLowerCase()))
      const unusable = createDictionary(
        others.filter(({ term }) => !known.has(term.toLowerCase())),
        named,
      )
      return {
        spoken: (text: string): string => pronounce(text, dictionary).text,
        unused: (text: string): readonly string[] => (others.length === 0 ? [] : pronounce(text, unusable).applied),
      }
    },
  }
}

/** Throws BAD_REQUEST. */
function termOf(text: string): string {
  const term = text.trim().normalize('NFC')
  if (term === '') throw new Failure('BAD_REQUEST', 'The term must not be blank.')
  return term
}

/** Throws BAD_REQUEST. */
function checked(body: EntryBody): Omit<Entry, 'id' | 'created_at'> {
  const term = termOf(body.term)
  const { type } = body
  if (type !== 'respelling' && type !== 'ipa' && type !== 'cmu')
    throw new Failure('BAD_REQUEST', 'The type must be respelling, ipa or cmu.')
  const replacement = body.replacement.trim().normalize('NFC')
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
