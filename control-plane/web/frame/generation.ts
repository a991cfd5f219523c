// The generation of this tab, for every page. The modules that generate and play are loaded when they are needed.

import type { TakeMachine } from '#control-plane/features/speech/speech/stream/take-events.schema.ts'
import { messageOf } from '../lib/api.ts'
import type { NeedEntry } from '../lib/api-types.ts'
import { useEffect, useState } from '../lib/html.ts'
import type { Draft } from '../pages/speak/draft.ts'
import type { Take } from '../pages/speak/request.ts'

export type Generation = {
  phase: 'idle' | 'waiting' | 'generating' | 'done' | 'failed' | 'cancelled'
  /** id of the job that generates a take */
  job: string | null
  text: string
  /** parts that are complete */
  done: number
  total: number
  /** seconds until the first sound left the device */
  firstSound: number | null
  /** seconds until it was complete */
  took: number
  isPlaying: boolean
  notices: readonly string[]
  /** null until one has it */
  machine: TakeMachine | null
  /** The studio does not accept it yet: the code of its failure, and milliseconds until it is sent again. */
  held: { code: string; ms: number } | null
  /** the result */
  take: Take | null
  error: { message: string; hint: string; needs?: NeedEntry | null } | null
}

/** The running take, which survives a reload of the tab. */
export const TAKE_KEY = 'voice-studio-take'
export const IDLE: Generation = {
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
  held: null,
  take: null,
  error: null,
}
let state: Generation = IDLE
const watchers: Set<(state: Generation) => void> = new Set()

export const generationNow = () => state

export function changeGeneration(more: Partial<Generation>, from: Generation = state) {
  state = { ...from, ...more }
  for (const watch of watchers) watch(state)
}

export const isBusy = ({ phase }: Generation) => phase === 'waiting' || phase === 'generating'

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

/** Loads the view of what is spoken as well, which is shown at once. */
const load = () => import('../pages/speak/status.tsx')
/** Loads what speaks, before it is needed. */
export const prepareSpeaking = () => void load().catch(() => {})
/** Ends the sound. */
export const silence = async () => (await load()).silence()
/** Cancels what is generated. */
export const cancelSpeaking = async () => (await load()).cancel()

/** `keepFrom`: id of a take of which only other sentences are spoken */
export async function startSpeaking(draft: Draft, keepFrom: string = '') {
  try {
    const { speak } = await load()
    await speak(draft, keepFrom)
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
