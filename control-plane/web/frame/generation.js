// @ts-check
// The generation of this tab, for every page. The modules that generate and play are loaded when they are needed.
import { messageOf } from '../lib/api.js'
import { html, useEffect, useState } from '../lib/html.js'
import { whenOpened } from '../lib/later.js'

/** @import { TakeMachine } from '../lib/api-types.ts' */
/** @import { Draft } from '../pages/speak/draft.js' */
/** @import { Take } from '../pages/speak/request.js' */
/**
 * @typedef {object} Generation
 * @property {'idle' | 'waiting' | 'generating' | 'done' | 'failed' | 'cancelled'} phase
 * @property {string | null} job id of the job that generates a take
 * @property {string} text
 * @property {number} done parts that are complete
 * @property {number} total
 * @property {number | null} firstSound seconds until the first sound left the device
 * @property {number} took seconds until it was complete
 * @property {boolean} isPlaying
 * @property {readonly string[]} notices
 * @property {TakeMachine | null} machine null until one has it
 * @property {Take | null} take the result
 * @property {{ message: string, hint: string } | null} error
 */

/** The running take, which survives a reload of the tab. */
export const TAKE_KEY = 'voice-studio-take'
/** @type {Generation} */
export const IDLE = {
  phase: 'idle',
  job: null,
  text: '',
  done: 0,
  total: 0,
  firstSound: null,
  took: 0,
  isPlaying: false,
  notices: [],
  machine: null,
  take: null,
  error: null,
}
/** @type {Generation} */
let state = IDLE
/** @type {Set<(state: Generation) => void>} */
const watchers = new Set()

export const generationNow = () => state

/** @param {Partial<Generation>} more @param {Generation} [from] */
export function changeGeneration(more, from = state) {
  state = { ...from, ...more }
  for (const watch of watchers) watch(state)
}

/** @param {Generation} generation */
export const isBusy = ({ phase }) => phase === 'waiting' || phase === 'generating'

/** The component is drawn again with every change. */
export function useGeneration() {
  const [now, set] = useState(state)
  useEffect(() => {
    watchers.add(set)
    set(state)
    return () => void watchers.delete(set)
  }, [])
  return now
}

/** With the view of what is spoken, which is shown at once. */
const load = () => import('../pages/speak/status.js')
/** Loads what speaks, before it is needed. */
export const prepareSpeaking = () => void load().catch(() => {})
/** Ends the sound. */
export const silence = async () => (await load()).silence()
/** Cancels what is generated. */
export const cancelSpeaking = async () => (await load()).cancel()

/** @param {Draft} draft */
export async function startSpeaking(draft) {
  try {
    const { speak } = await load()
    await speak(draft)
  } catch (error) {
    changeGeneration({ phase: 'failed', error: { message: messageOf(error), hint: '' } }, IDLE)
  }
}

/** Connects with the take that was running when the page was loaded again. Called once. */
export function resumeGeneration() {
  if (sessionStorage.getItem(TAKE_KEY) === null) return
  // Without an answer the sound is lost; the studio keeps the take.
  void load().then(
    ({ resume }) => resume(),
    () => {},
  )
}

const Bar = whenOpened(() => import('../pages/speak/status.js').then(({ GenerationBar }) => GenerationBar), { isQuiet: true })
/** At the bottom of every page but Speak: what is generated or played. */
export function GenerationDock() {
  const generation = useGeneration()
  return isBusy(generation) || generation.isPlaying ? html`<${Bar.View} />` : null
}
