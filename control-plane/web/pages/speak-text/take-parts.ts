// The parts of the selected take: read from the studio, compared with the text of the field, and given other sounds.

import { get, messageOf, post, put } from '#control-plane/web/lib/api.ts'
import type { SpokenTake } from '#control-plane/web/lib/api-types.ts'
import { useEffect, useMemo, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/create/speak.ts'
import type { Draft } from '../speak/draft.ts'
import type { Take } from '../speak/request.ts'
import { followEvents } from '../speak-sound/live-take.ts'
import type { Compared, Sentence } from './sentences.ts'
import { compared, hasSettingsOf } from './sentences.ts'

export type PartsOfTake = {
  /** null without a take, and until they are read */
  take: SpokenTake | null
  /** null if the text of the field is another one */
  compared: Compared | null
  /** sentences to speak, 0 if all or none of the text is to be spoken */
  changes: number
  /** speaks a sentence again */
  sayAgain: (sentence: Sentence) => Promise<void>
  /** `by`: 1 for the next sound of a sentence, -1 for the one before */
  turn: (sentence: Sentence, by: number) => Promise<void>
}

const pathOf = (id: string): `/history/${string}/parts` => `/history/${encodeURIComponent(id)}/parts`

/** Resolves when the job has ended well. */
const ended = (job: string) =>
  new Promise<void>((resolve, reject) => {
    const over = new AbortController()
    const end = (run: () => void) => {
      over.abort()
      run()
    }
    followEvents(
      job,
      (event) => {
        if (event.type === 'done') end(resolve)
        if (event.type === 'error') end(() => reject(new Error(event.error)))
        if (event.type === 'cancelled') end(() => reject(new Error(strings.cancelled)))
      },
      (error) => end(() => reject(error)),
      over.signal,
    )
  })

/** `onSound`: the take has another sound, which is heard from `at` seconds on */
export function useTakeParts(selected: Take | null, draft: Draft, onSound: (take: SpokenTake, at: number) => void): PartsOfTake {
  const [take, setTake] = useState<SpokenTake | null>(null)
  const id = selected?.id ?? ''
  /** Ends when another take is chosen, or the page is left. */
  const shown = useRef<AbortSignal | null>(null)
  useEffect(() => {
    setTake(null)
    if (id === '') return
    const ending = new AbortController()
    shown.current = ending.signal
    // Without them the take can still be heard.
    get(pathOf(id), ending.signal).then(setTake, () => {})
    return () => ending.abort()
  }, [id])
  const own = take?.id === id ? take : null
  const found = useMemo(() => own && compared(draft.text, own), [own, draft.text])
  const isRepeatable = own?.repeatable === true && found !== null && hasSettingsOf(draft, own.settings)
  const playNext = (next: SpokenTake, { part, from }: Sentence, signal: AbortSignal | null) => {
    // The new sound waits in its take.
    if (signal?.aborted) return
    setTake(next)
    onSound(next, next.parts.find((one) => one.part === part && one.from === from)?.start ?? 0)
  }
  return {
    take: own,
    compared: found,
    changes: isRepeatable ? found.changed : 0,
    async sayAgain(sentence) {
      const signal = shown.current
      try {
        await ended((await post(`${pathOf(id)}/${sentence.part}/again`, {})).id)
        const next = await get(pathOf(id))
        if (next.parts.find((one) => one.part === sentence.part)?.sounds === sentence.sounds) notify(strings.saysTheSame)
        playNext(next, sentence, signal)
      } catch (error) {
        notify(messageOf(error), 'error')
      }
    },
    async turn(sentence, by) {
      const chosen = (sentence.chosen + by + sentence.sounds) % sentence.sounds
      if (chosen === sentence.chosen) return
      const signal = shown.current
      try {
        playNext(await put(`${pathOf(id)}/${sentence.part}`, { chosen }), sentence, signal)
      } catch (error) {
        notify(messageOf(error), 'error')
      }
    },
  }
}
