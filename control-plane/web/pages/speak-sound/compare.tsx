// Two takes that are compared: one is heard, and a press goes on with the other one at the same place.

import { messageOf, request } from '#control-plane/web/lib/api.ts'
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { clock } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { claimSound, releaseSound, volumeNow } from '#control-plane/web/look/sound.ts'
import { strings } from '#messages/library/takes.ts'
import { strings as shared } from '#messages/shared.ts'
import type { TwoSounds } from './two-sounds.ts'
import { createTwoSounds } from './two-sounds.ts'

const TICK_MS = 100
const LETTERS = ['A', 'B'] as const

async function readBoth(takes: readonly HistoryTake[], signal: AbortSignal, onEnd: () => void) {
  const device = new AudioContext()
  try {
    const read = async ({ audio_path: file }: HistoryTake) =>
      device.decodeAudioData(await (await request('GET', `/audio/${file}`, { signal })).arrayBuffer())
    const [first, second] = await Promise.all(takes.slice(0, 2).map(read))
    if (first && second && !signal.aborted) return createTwoSounds(device, [first, second], volumeNow(), onEnd)
  } catch (error) {
    void device.close()
    throw error
  }
  void device.close()
  return null
}

/** Both sounds once they are read; null before. */
function useTwoSounds(takes: readonly HistoryTake[], onChange: () => void) {
  const [{ both, error }, set] = useState({ both: null as TwoSounds | null, error: '' })
  const [one, other] = takes
  useEffect(() => {
    set({ both: null, error: '' })
    if (!one || !other) return
    const ending = new AbortController()
    let own: TwoSounds | null = null
    readBoth([one, other], ending.signal, onChange).then(
      (read) => {
        own = read
        if (ending.signal.aborted) read?.end()
        else set({ both: read, error: '' })
      },
      (failure) => ending.signal.aborted || set({ both: null, error: messageOf(failure) }),
    )
    return () => {
      ending.abort()
      own?.end()
    }
  }, [one?.id, other?.id])
  return { both, error }
}

/** `takes`: one or two */
export function Compare({ takes, onClose }: { takes: readonly HistoryTake[]; onClose: () => void }) {
  const [, draw] = useState(0)
  const changed = () => draw((count) => count + 1)
  const { both, error } = useTwoSounds(takes, changed)
  const newest = useRef(both)
  newest.current = both
  const silence = useRef(() => {
    newest.current?.pause()
    changed()
  })
  const isPlaying = both?.isPlaying() === true
  useEffect(() => {
    if (!isPlaying) return releaseSound(silence.current)
    const timer = setInterval(changed, TICK_MS)
    return () => clearInterval(timer)
  }, [isPlaying])
  useEffect(() => () => releaseSound(silence.current), [])
  const toggle = () => {
    if (!both) return
    if (both.isPlaying()) silence.current()
    else {
      claimSound(silence.current, {
        toggle,
        seekBy: (by) => both.seek(Math.max(0, Math.min(1, both.share() + by / both.length()))),
        setVolume: both.setVolume,
      })
      void both.play().then(changed)
    }
  }
  const choose = (which: 0 | 1) => {
    both?.choose(which)
    changed()
  }
  const which = both?.which() ?? 0
  const name = isPlaying ? shared.pause : shared.play
  const [at, length] = both ? [both.seconds(), both.length()] : [0, 0]
  return (
    <section class="compare" aria-label={strings.compareTakes}>
      <div class="row">
        <button type="button" class="main play" title={name} aria-label={name} disabled={both === null} onClick={toggle}>
          <Icon of={isPlaying ? 'pause' : 'play'} isSolid />
        </button>
        <div class="row segments" role="group" aria-label={strings.compareTakes}>
          {LETTERS.map((letter, index) => (
            <button
              key={letter}
              type="button"
              class="quiet"
              aria-pressed={both !== null && which === index}
              disabled={both === null}
              title={takes[index]?.text.slice(0, 60)}
              onClick={() => choose(index === 0 ? 0 : 1)}
            >
              {letter}
            </button>
          ))}
        </div>
        <span class="text one-line grow" dir="auto">
          {both ? takes[which]?.text : ''}
        </span>
        <button type="button" class="quiet icon-only" title={strings.compareEnd} aria-label={strings.compareEnd} onClick={onClose}>
          <Icon of="close" />
        </button>
      </div>
      {both ? (
        <div class="row strip">
          <input
            type="range"
            min={0}
            max={1}
            step={0.001}
            value={both.share()}
            aria-label={shared.positionOf(strings.compareTakes)}
            aria-valuetext={`${clock(at)} / ${clock(length)}`}
            onInput={(event: Event) => {
              both.seek(Number(fieldValue(event)))
              changed()
            }}
          />
          <span class="caption number">
            {clock(at)} / {clock(length)}
          </span>
        </div>
      ) : (
        <p class="soft" role={error ? 'alert' : 'status'}>
          {error || (takes.length < 2 ? strings.compareWith : shared.loading)}
        </p>
      )}
    </section>
  )
}
