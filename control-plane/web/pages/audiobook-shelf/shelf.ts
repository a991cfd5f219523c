// The books of the studio, one entry each: its manuscript, and the newest time that it was rendered. Pure.
import { metaText } from '#control-plane/web/frame/active-jobs.ts'
import type { Gets } from '#control-plane/web/lib/api-types.ts'

export type BookProject = Gets['/projects'][number]
export type RunningJob = Gets['/jobs'][number]
export type Finished = Gets['/longform/jobs']['jobs'][number]
export type Stopped = Gets['/audiobook/jobs']['jobs'][number]
export type Shelved = {
  readonly key: string
  /** '' for a book without one */
  readonly title: string
  /** '' for a book whose text is not kept */
  readonly project: string
  /** address of the picture, '' for none */
  readonly cover: string
  /** epoch seconds of its last change */
  readonly at: number
  readonly running: RunningJob | null
  readonly stopped: Stopped | null
  readonly finished: Finished | null
  /** finished files of the same book before this one */
  readonly earlier: number
}
export type Shelf = { readonly goOn: readonly Shelved[]; readonly others: readonly Shelved[]; readonly finished: readonly Shelved[] }
export type Lists = {
  readonly projects: readonly BookProject[]
  readonly running: readonly RunningJob[]
  readonly stopped: readonly Stopped[]
  readonly finished: readonly Finished[]
}

const MOST = 3

export const isBook = ({ type }: Pick<RunningJob, 'type'>) => type === 'audiobook' || type === 'story'
export const projectOfJob = (job: Pick<RunningJob, 'meta_json'>) => metaText(job, 'project')

const coverOf = ({ job_id, has_cover }: Pick<Finished, 'job_id' | 'has_cover'>) =>
  has_cover ? `/longform/jobs/${encodeURIComponent(job_id)}/cover` : ''

/** The lists are newest first. */
export function shelfOf({ projects, running, stopped, finished }: Lists): Shelf {
  const entries: Map<string, Shelved> = new Map()
  const isKnown = new Set(projects.map(({ id }) => id))
  const put = (id: string, project: string, more: (before: Shelved | undefined) => Partial<Shelved>) => {
    // A manuscript that was deleted leads nowhere.
    const own = isKnown.has(project) ? project : ''
    const key = own || id
    const before = entries.get(key)
    const empty = { key, title: '', project: own, cover: '', at: 0, running: null, stopped: null, finished: null, earlier: 0 }
    entries.set(key, { ...(before ?? empty), ...more(before) })
  }
  for (const { id, name, updated_at } of projects) put(id, id, () => ({ title: name, at: updated_at }))
  for (const one of finished)
    put(one.job_id, one.project ?? '', (before) =>
      before?.finished
        ? { earlier: before.earlier + 1 }
        : { finished: one, title: before?.title || one.title, cover: coverOf(one), at: Math.max(before?.at ?? 0, one.created_at) },
    )
  for (const one of stopped)
    put(one.job_id, one.project ?? '', (before) => {
      const isOlder = before?.finished && before.finished.job_id !== one.job_id && before.finished.created_at > (one.created_at ?? 0)
      if (before?.stopped || isOlder) return {}
      return {
        stopped: one,
        title: before?.title || one.title,
        cover: coverOf(one) || before?.cover || '',
        at: one.created_at ?? before?.at ?? 0,
      }
    })
  for (const one of running)
    put(one.id, projectOfJob(one), (before) => ({
      running: one,
      stopped: null,
      title: before?.title || metaText(one, 'title'),
      at: one.created_at,
    }))
  const all = [...entries.values()].sort((one, other) => other.at - one.at)
  const needs = ({ running: runs, stopped: stops }: Shelved) => (stops ? 0 : runs ? 1 : 2)
  // The sort keeps the order of equals.
  const work = all.filter((one) => one.running || one.stopped || !one.finished).sort((one, other) => needs(one) - needs(other))
  return { goOn: work.slice(0, MOST), others: work.slice(MOST), finished: all.filter((one) => one.finished) }
}

/** Address of the editor; '' without a manuscript. */
export const editorOf = ({ project }: Pick<Shelved, 'project'>) => (project === '' ? '' : `#/audiobook/${encodeURIComponent(project)}`)
