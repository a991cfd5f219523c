// @ts-check
// One generation at a time: requested, played while it arrives, cancelled, done or failed. It belongs to the tab and not to the page, so
// it continues on every page; a take also continues after a reload, because it is a job of the studio.
import { changeGeneration as change, generationNow, IDLE, isBusy, TAKE_KEY } from '../../frame/generation.js'
import { cancelJob } from '../../frame/tray.js'
import { ApiError, messageOf, post } from '../../lib/api.js'
import { claimSound } from '../../look/sound.js'
import { followEvents, readSound } from './live-take.js'
import { createPlayer } from './player.js'
import { generateFile, startTake } from './request.js'
import { strings } from './strings.js'

/** @import { TakeEvent, TakeNotice } from '../../lib/api-types.ts' */
/** @import { Generation } from '../../frame/generation.js' */
/** @import { Player } from './player.js' */
/** @import { Draft } from './draft.js' */
/** @typedef {{ abort: AbortController, sound: AbortController, player: Player | null }} Run sound: ends the reading of the sound */

/** @type {Run | null} */
let current = null
/** The job survives a reload of the tab. @param {{ job: string, text: string } | null} take */
function remember(take) {
  try {
    if (take) sessionStorage.setItem(TAKE_KEY, JSON.stringify(take))
    else sessionStorage.removeItem(TAKE_KEY)
  } catch {} // a full storage only loses the connection on reload
}

/** @param {string} text @param {string | null} job @returns {Run} */
function begin(text, job) {
  current?.abort.abort()
  stopSound(current)
  const mine = { abort: new AbortController(), sound: new AbortController(), player: null }
  current = mine
  change({ phase: 'waiting', text, job }, IDLE)
  return mine
}

/** @param {Run | null} run */
function stopSound(run) {
  run?.sound.abort()
  run?.player?.stop()
}

/** @param {unknown} error */
const failed = (error) =>
  change({
    phase: 'failed',
    error: error instanceof ApiError ? { message: error.message, hint: error.hint } : { message: messageOf(error), hint: '' },
  })

/** Without the substitute engine, which is named below the form. @param {TakeNotice | null} notice */
function informationOf(notice) {
  if (notice === null) return []
  const { routing, reason, information = [] } = notice
  // Without a substitute the reason may be the information itself.
  return routing === 'stand_in' ? information : [reason, ...information.filter((sentence) => !reason.includes(sentence))]
}

/**
 * The generation after an event of its job. Pure.
 * @param {Generation} now
 * @param {TakeEvent} event
 * @returns {Partial<Generation>}
 */
export function afterEvent(now, event) {
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
      return { phase: 'failed', error: { message: event.error, hint: event.hint } }
    case 'cancelled':
      return { phase: 'cancelled' }
    case 'done':
      return { phase: 'done', took: event.gen_time }
    default:
      return {} // an event of a later version
  }
}

/** @param {Run} mine @param {string} job @param {string} text */
function follow(mine, job, text) {
  const { signal } = mine.abort
  const events = new AbortController()
  signal.addEventListener('abort', () => events.abort())
  const onEvent = (/** @type {TakeEvent} */ event) => {
    if (signal.aborted) return
    change(afterEvent(generationNow(), event))
    if (event.type === 'done') {
      const { id, audio_path: file } = event
      change({ take: { id, file, url: `/audio/${file}`, text, autoplay: false } })
    }
    if (isBusy(generationNow())) return
    remember(null)
    events.abort()
    if (event.type !== 'done') stopSound(mine)
  }
  const onGone = (/** @type {unknown} */ error) => {
    remember(null)
    stopSound(mine)
    failed(error)
  }
  followEvents(job, onEvent, onGone, events.signal)
}

/** @param {Run} mine @param {string} job @param {number} pressedAt */
async function play(mine, job, pressedAt) {
  const { signal } = mine.sound
  const isMine = () => current === mine && mine.sound.signal === signal
  /** @type {Player | null} */
  let player = null
  change({ isPlaying: true })
  claimSound(silence)
  await readSound(
    job,
    {
      start(sampleRate) {
        player = createPlayer({
          sampleRate,
          onFirst: () => isMine() && change({ firstSound: (performance.now() - pressedAt) / 1000 }),
          onEnd: () => isMine() && change({ isPlaying: false }),
        })
        mine.player = player
      },
      piece: (pcm) => player?.push(pcm),
    },
    signal,
  )
  if (player) /** @type {Player} */ (player).end()
  else if (isMine()) change({ isPlaying: false })
}

/** @param {Draft} draft */
export async function speak(draft) {
  const pressedAt = performance.now()
  const mine = begin(draft.text, null)
  const { signal } = mine.abort
  try {
    if (draft.kind === 'wav') {
      const job = await startTake(draft)
      if (signal.aborted) return void (await cancelJob(job)) // cancelled before it had an id
      change({ job })
      remember({ job, text: draft.text })
      follow(mine, job, draft.text)
      await play(mine, job, pressedAt)
    } else {
      const { notices, ...file } = await generateFile(draft, signal)
      const took = (performance.now() - pressedAt) / 1000
      change({ phase: 'done', notices, took, take: { ...file, text: draft.text, autoplay: true } })
    }
  } catch (error) {
    if (!signal.aborted) failed(error)
  }
}

/** Plays a running take that this page has not played, after a reload. */
export function listen() {
  const { job, isPlaying } = generationNow()
  if (!current || !job || isPlaying) return
  current.sound = new AbortController()
  void play(current, job, performance.now())
}

/** Stops the sound. The generation continues. */
export const silence = () => stopSound(current)

/** Ends the generation. Nothing of it is kept. */
export async function cancel() {
  const { job } = generationNow()
  stopSound(current)
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
    /** @type {unknown} */
    const saved = JSON.parse(sessionStorage.getItem(TAKE_KEY) ?? 'null')
    if (typeof saved !== 'object' || saved === null) return
    const { job, text } = /** @type {Record<string, unknown>} */ (saved)
    if (typeof job === 'string' && typeof text === 'string') follow(begin(text, job), job, text)
  } catch {
    remember(null)
  }
}
