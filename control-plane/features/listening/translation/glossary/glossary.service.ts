// The glossary of a project: terms of the owner, and terms that a language model proposed.

import { currentViewer } from '#control-plane/clients/client.ts'
import { LlmFailure } from '#control-plane/llm/failure.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { type ClientId, OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { FilmNotes } from '../llm/film-notes.ts'
import type { Term } from '../terms.ts'
import { type ExtractBody, MAX_TERMS, type TermBody, type TermChange, type TermRow } from './glossary.schema.ts'
import type { GlossaryStore, StoredTerm } from './glossary.store.ts'

type Deps = {
  readonly store: GlossaryStore
  readonly makers: Pick<Makers, 'record' | 'makerOf'>
  readonly notes: FilmNotes
  /** The lines of a dub; null without such a dub. */
  readonly linesOf: (projectId: string) => readonly string[] | null
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
/** `viewer`: only terms that this client made are seen; null for all. */
type Extracting = { readonly client: ClientId; readonly viewer: ClientId | null; readonly signal: AbortSignal }
export type Glossary = ReturnType<typeof createGlossary>
const ID_BYTES = 6
/** UTF-16 units that a language model reads. */
const READ_CHARS = 12_000

export function createGlossary({ store, makers, notes, linesOf, clock, random }: Deps) {
  const list = (project: string, viewer: ClientId | null): TermRow[] => store.list(project, viewer).map(rowOf)
  function add(terms: readonly StoredTerm[], madeBy: ClientId): void {
    for (const { id } of terms) makers.record('term', id, madeBy)
    store.add(terms)
  }
  const entry = (project: string, { source, target, note }: TermBody, auto: 0 | 1): StoredTerm => ({
    ...checkedTerm({ source, target, note }),
    id: random.hex(ID_BYTES),
    project_id: project,
    auto,
    created_at: clock.now() / 1000,
  })

  return {
    list,
    /** Terms for a translation by the current client: its own, and in the glossary of a dub, which is its own, those of the owner. */
    terms(project: string): Term[] {
      const viewer = currentViewer()
      const isDub = linesOf(project) !== null
      const isTheirs = (id: string) => {
        const maker = viewer && makers.makerOf('term', id)
        return maker === viewer || (isDub && maker === OWNER_ID)
      }
      return store.list(project, null).flatMap(({ id, source, target, note }) => (isTheirs(id) ? [{ source, target, note }] : []))
    },

    /** The reply repeats the texts as they were sent. Throws BAD_REQUEST for a blank text, CONFLICT for too many terms. */
    add(project: string, body: TermBody, madeBy: ClientId): TermRow {
      const term = entry(project, body, 0)
      if (store.count(project) >= MAX_TERMS) throw tooMany()
      add([term], madeBy)
      return { ...rowOf(term), source: body.source, target: body.target, note: body.note }
    },

    /** Throws NOT_FOUND, and BAD_REQUEST for no change or a blank text. */
    change(project: string, id: string, change: TermChange): TermRow {
      const changes = Object.fromEntries(Object.entries(change).filter(([, value]) => value != null)) as Partial<TermBody>
      if (Object.keys(changes).length === 0) throw new Failure('BAD_REQUEST', 'The request changes nothing. Send source, target or note.')
      const checked = checkedTerm(changes)
      const before = store.find(project, id)
      if (!before) throw new Failure('NOT_FOUND', 'Glossary term not found')
      // Otherwise removing the proposed terms would remove the correction.
      const after: StoredTerm = { ...before, ...checked, auto: 0 }
      store.change(after)
      return rowOf(after)
    },

    remove: (project: string, id: string): { deleted: boolean } => ({ deleted: store.remove(project, id) }),
    /** `viewer`: only terms that this client made; null for all. */
    clear: (project: string, onlyAuto: boolean, viewer: ClientId | null): { deleted: number } => ({
      deleted: store.clear(project, onlyAuto, viewer),
    }),

    /** Throws LANGUAGE_MODEL_MISSING, REMOTE_SERVICE_FAILED, CONFLICT for too many terms, or the reason of the signal. */
    async extract(project: string, { source_lang, target_lang, segments, max_terms }: ExtractBody, { client, viewer, signal }: Extracting) {
      if (!notes.isReady()) throw new Failure('LANGUAGE_MODEL_MISSING', 'No language model is configured for the extraction of a glossary.')
      const lines = segments?.map(({ text }) => text) ?? linesOf(project) ?? []
      const text = lines.join('\n').slice(0, READ_CHARS)
      if (text.trim() === '') return list(project, viewer)
      const { terms } = await notes
        .read({ text, source: source_lang, target: target_lang, mostTerms: max_terms }, signal)
        .catch((cause) => {
          if (!(cause instanceof LlmFailure)) throw cause
          throw new Failure('REMOTE_SERVICE_FAILED', cause.message, { cause })
        })
      const taken = new Set(store.list(project, null).map((term) => term.source.toLowerCase()))
      const fresh = terms.filter(({ source }) => !taken.has(source.toLowerCase()) && taken.add(source.toLowerCase()))
      if (store.count(project) + fresh.length > MAX_TERMS) throw tooMany()
      const added = fresh.map((term) => entry(project, term, 1))
      add(added, client)
      const rows = list(project, viewer)
      const ordered = [...rows.filter(({ auto }) => auto), ...rows.filter(({ auto }) => !auto)]
      return { project_id: project, proposed: terms.length, inserted: fresh.length, terms: ordered }
    },
  }
}

/** The texts without blanks around them. Throws BAD_REQUEST. */
function checkedTerm<T extends Partial<TermBody>>(texts: T): T {
  const term = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as T
  for (const field of ['source', 'target'] as const)
    if (term[field] === '') throw new Failure('BAD_REQUEST', `The ${field} of a glossary term must not be blank.`)
  return term
}

const tooMany = () => new Failure('CONFLICT', `A glossary may have ${MAX_TERMS} terms. Remove some that are not needed.`)
const rowOf = ({ auto, ...term }: StoredTerm): TermRow => ({ ...term, auto: auto === 1 })
