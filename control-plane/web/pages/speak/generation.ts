// One generation at a time: requested, played while it arrives, cancelled, done or failed. It belongs to the tab and not to the page, so
// it continues on every page; a take also continues after a reload, because it is a job of the studio.

import type { TakeEvent, TakeNotice } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'
import { cancelJob } from '#control-plane/web/frame/active-jobs.ts'
import type { Generation } from '#control-plane/web/frame/generation.ts'
import { changeGeneration as change, generationNow, IDLE, isBusy, TAKE_KEY } from '#control-plane/web/frame/generation.ts'
import { ApiError, explained, messageOf, post } from '#control-plane/web/lib/api.ts'
import { strings } from '#messages/create/speak.ts'
import { playLive, stopLive } from '../speak-sound/live-sound.ts'
import { followEvents } from '../speak-sound/live-take.ts'
import type { Draft } from './draft.ts'
import { startTake } from './request.ts'

type Run = { abort: AbortController }

let current: Run | null = null
/** The job survives a reload of the tab. */
function remember(take: { job: string; text: string } | null) {
  try {
    if (take) sessionStorage.setItem(TAKE_KEY, JSON.stringify(take))
    else sessionStorage.removeItem(TAKE_KEY)
  } catch {} // a full storage only loses the connection on reload
}

function begin(text: string, job: string | null): Run {
  current?.abort.abort()
  stopLive()
  const mine = { abort: new AbortController() }
  current = mine
  change({ phase: 'waiting', text, job }, IDLE)
  return mine
}

const failed = (error: unknown) =>
  change({
    phase: 'failed',
    error:
      error instanceof ApiError
        ? { message: error.message, hint: error.hint, needs: error.needs }
        : { message: messageOf(error), hint: '' },
  })

/** Without the substitute engine, which is named below the form. */
function informationOf(notice: TakeNotice | null) {
  if (notice === null) return []
  const { routing, reason, information = [] } = notice
  // Without a substitute the reason may be the information itself.
  return routing === 'stand_in' ? information : [reason, ...information.filter((sentence) => !reason.includes(sentence))]
}

/** The generation after an event of its job. Pure. */
export function afterEvent(now: Generation, event: TakeEvent): Partial<Generation> {
  switch (event.type) {
    case 'machine':
      return { machine: event }
    case 'start': {
      const notices = [...new Set([...now.notices, ...informationOf(event.notice)])]
      return { phase: 'generating', total: event.total_chunks, notices }
    }
    case 'progress':
      return { done: Math.max(now.done, event.chunk), total: event.total_chunks }
    case 'warning':
      return { notices: [...new Set([...now.notices, strings.silentParts(event.count, event.text.join(' | '))])] }
    case 'error':
      return { phase: 'failed', error: explained(event, event.error, event.hint) }
    case 'cancelled':
      return { phase: 'cancelled' }
    case 'done':
      return { phase: 'done', took: event.gen_time }
    default:
      return {} // an event of a later version
  }
}

function follow(mine: Run, job: string, text: string) {
  const { signal } = mine.abort
  const events = new AbortController()
  signal.addEventListener('abort', () => events.abort())
  const onEvent = (event: TakeEvent) => {
    if (signal.aborted) return
    change(afterEvent(generationNow(), event))
    if (event.type === 'done') {
      const { id, audio_path: file } = event
      change({ take: { id, file, url: `/audio/${file}`, text, autoplay: false } })
    }
    if (isBusy(generationNow())) return
    remember(null)
    events.abort()
    if (event.type !== 'done' && current === mine) stopLive()
  }
  const onGone = (error: unknown) => {
    remember(null)
    if (current === mine) stopLive()
    failed(error)
  }
  followEvents(job, onEvent, onGone, events.signal)
}

async function play(mine: Run, job: string, pressedAt: number) {
  const isMine = () => current === mine
  change({ isPlaying: true })
  await playLive(job, {
    onFirst: () => isMine() && generationNow().firstSound === null && change({ firstSound: (performance.now() - pressedAt) / 1000 }),
    onEnd: () => isMine() && change({ isPlaying: false }),
  })
}

/** A studio is ready again so soon that its start is not mentioned. */
const START_MS = 2_000
const mayShow = (code: string, since: number) => code === 'QUEUE_FULL' || performance.now() - since >= START_MS

export async function speak(draft: Draft, keepFrom: string) {
  const pressedAt = performance.now()
  const mine = begin(draft.text, null)
  const { signal } = mine.abort
  try {
    const job = await startTake(draft, keepFrom, {
      signal,
      onHeld: (code, ms) => mayShow(code, pressedAt) && change({ held: { code, ms } }),
    })
    if (signal.aborted) return void (await cancelJob(job)) // cancelled before it had an id
    change({ job, held: null })
    remember({ job, text: draft.text })
    follow(mine, job, draft.text)
    await play(mine, job, pressedAt)
  } catch (error) {
    if (!signal.aborted) failed(error)
  }
}

/** Plays a running take that this page has not played, after a reload. */
export function listen() {
  const { job, isPlaying } = generationNow()
  if (!current || !job || isPlaying) return
  void play(current, job, performance.now())
}

/** Stops the sound. The generation continues. */
export const silence = () => stopLive()

/** Ends the generation. Nothing of it is kept. */
export async function cancel() {
  const { job } = generationNow()
  stopLive()
  if (job) return void (await cancelJob(job)) // the event of the job ends it here
  current?.abort.abort()
  change({ phase: 'cancelled', isPlaying: false })
}

/** Keeps the finished parts and generates the others on this machine. */
export async function finishHere() {
  const { job } = generationNow()
  if (job) await post(`/jobs/${job}/move`, {})
}

/** Connects with the take that was running when the page was loaded again. Called once. */
export function resume() {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(TAKE_KEY) ?? 'null')
    if (typeof saved !== 'object' || saved === null) return
    const { job, text } = saved as Record<string, unknown>
    if (typeof job === 'string' && typeof text === 'string') follow(begin(text, job), job, text)
  } catch {
    remember(null)
  }
}
