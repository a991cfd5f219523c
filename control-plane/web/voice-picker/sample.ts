// A sample of a voice: the recording of a saved one, and a sentence that a built-in one speaks, made once for this page.

import { lang } from '#messages/language.ts'
import { strings } from '#messages/library/voice-picker.ts'
import { messageOf, request } from '../lib/api.ts'
import { useEffect, useRef, useState } from '../lib/html.ts'
import { playSound, stopSound, useDock, useSound } from '../look/sound.ts'
import { isSameLanguage } from '../pages/dub/languages.ts'
import type { VoiceChoice } from './rows.ts'

/** Said in words by every engine, in the language of the voice. */
const FIGURES = '1, 2, 3, 4, 5, 6, 7.'
/** Sounds that are kept. */
const MOST = 40
const made: Map<string, Blob> = new Map()
let speaking: AbortController | null = null

/** Address of the sample for the one sound of the pages. */
export const samplePath = ({ value, sample }: VoiceChoice) =>
  sample?.engine === '' ? `/profiles/${encodeURIComponent(sample.voice)}/audio` : `voice:${value}`

async function spoken({ value, language, sample }: VoiceChoice, signal: AbortSignal): Promise<Blob> {
  const before = made.get(value)
  if (before) return before
  const input = language === '' || isSameLanguage(language, lang) ? strings.spoken : FIGURES
  const body = { model: sample?.engine, voice: sample?.voice, input, response_format: 'wav' }
  const sound = await (await request('POST', '/v1/audio/speech', { body, signal })).blob()
  made.set(value, sound)
  for (const [oldest] of made) if (made.size > MOST) made.delete(oldest)
  return sound
}

/** Plays the sample; a second call pauses it. Throws ApiError. */
async function playSample(voice: VoiceChoice) {
  endSpeaking()
  if (!voice.sample) return
  const own = new AbortController()
  speaking = own
  try {
    const blob = voice.sample.engine === '' ? null : await spoken(voice, own.signal)
    if (!own.signal.aborted) await playSound(samplePath(voice), { blob, title: voice.name })
  } catch (error) {
    if (!own.signal.aborted) throw error
  }
}

/** Ends what is being made for a sample. */
const endSpeaking = () => speaking?.abort()

/** The samples of these rows: one sounds at a time, and ends with the list. */
export function useSamples(rows: readonly VoiceChoice[]) {
  const now = useSound()
  const [{ waiting, trouble }, set] = useState({ waiting: '', trouble: '' })
  const sounding = rows.find((row) => row.sample && samplePath(row) === now.path) ?? null
  const path = sounding ? samplePath(sounding) : ''
  useDock(path)
  const end = () => {
    endSpeaking()
    if (path !== '') stopSound(path)
  }
  const newest = useRef(end)
  newest.current = end
  useEffect(() => () => newest.current(), [])
  return {
    now,
    sounding,
    isPlaying: sounding !== null && now.isPlaying,
    /** value of the row whose sample is made */
    waiting,
    trouble,
    async play(row: VoiceChoice | undefined) {
      if (!row?.sample) return
      set({ waiting: row.value, trouble: '' })
      let failure = ''
      try {
        await playSample(row)
      } catch (error) {
        failure = messageOf(error)
      }
      set((before) => (before.waiting === row.value ? { waiting: '', trouble: failure } : before))
    },
    /** Returns false if there is nothing to end. */
    stop() {
      if (path === '' && waiting === '') return false
      set({ waiting: '', trouble: '' })
      end()
      return true
    },
  }
}
