// Listening to a book chapter by chapter, also while others are made: the player goes on to the next chapter, and waits for it if it must.
import { get } from '#control-plane/web/lib/api.ts'
import { reportFailure } from '#control-plane/web/lib/notices.ts'
import { chosenSound, playSound, renameSound } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/create/audiobook.ts'
import type { Report } from './render.ts'
import { reportOf } from './render.ts'

const AGAIN_MS = 2000
const LIVE = ['pending', 'running']

/** Sound of a finished chapter. */
export const chapterSound = (job: string, index: number) => `/longform/jobs/${encodeURIComponent(job)}/chapters/${index}`

/** The first chapter after this one that is made; null if there is none yet. Pure. */
export const nextChapter = ({ chapters }: Pick<Report, 'chapters'>, after: number) =>
  chapters.find(({ index, error }) => index > after && error === '') ?? null

type Chapter = { index: number; title: string }
/** The chapters that a page has shown, by job. */
const made: Map<string, readonly Chapter[]> = new Map()
export const listChapters = (job: string, { chapters }: Pick<Report, 'chapters'>) =>
  made.set(
    job,
    chapters.filter(({ error }) => error === ''),
  )

/** Plays a chapter of a book, and then those after it. A second press pauses it. `href`: address of its page. Throws ApiError. */
export function listen(job: string, { index, title }: Chapter, href: string): Promise<void> {
  const list = () => (made.get(job) ?? []).map((one) => ({ path: chapterSound(job, one.index), play: () => listen(job, one, href) }))
  const onEnd = () => void goOn(job, index, href).catch(reportFailure)
  return playSound(chapterSound(job, index), { title: title || strings.chapter(index + 1), href, isLong: true, onEnd, list })
}

/** Ends when another sound is chosen, or the player is closed. */
async function goOn(job: string, index: number, href: string) {
  const path = chapterSound(job, index)
  while (chosenSound() === path) {
    const read = await get(`/jobs/${encodeURIComponent(job)}/events`).catch(() => null) // a studio that is away comes back
    if (chosenSound() !== path) return
    const next = read && nextChapter(reportOf(read.events), index)
    if (next) return listen(job, next, href)
    if (read && !LIVE.includes(read.job.status)) return
    renameSound(strings.waitsFor(index + 2))
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}
