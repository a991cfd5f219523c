// The waveform of a sound that fits into memory, as the slider of its position; and a short recording with it: play, seek, length.

import { strings } from '#messages/shared.ts'
import { messageOf, request } from '../lib/api.ts'
import { fieldValue } from '../lib/controls.tsx'
import { clock } from '../lib/format.ts'
import { useEffect, useState } from '../lib/html.ts'
import { notify } from '../lib/notices.ts'
import { PlayButton } from './play-button.tsx'
import { playSound, useDock, useSound } from './sound.ts'

const BARS = 56
/** Rate of the decoder; the waveform needs no more. */
const RATE = 8000
/** Half the height of the drawing. */
const HALF = 12

/** Bars from 0 to 1, the loudest 1. */
export function barsOf(samples: Float32Array, count: number) {
  const step = Math.max(1, Math.floor(samples.length / count))
  const levels = Array.from({ length: count }, (_, bar) => {
    let sum = 0
    for (let at = bar * step; at < (bar + 1) * step; at++) sum += (samples[at] ?? 0) ** 2
    return Math.sqrt(sum / step)
  })
  const most = Math.max(...levels) || 1
  return levels.map((level) => level / most)
}

/** The samples of the first channel. */
export async function decoded(blob: Blob): Promise<{ samples: Float32Array; seconds: number }> {
  const buffer = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await blob.arrayBuffer())
  return { samples: buffer.getChannelData(0), seconds: buffer.duration }
}

/** length: seconds, 0 until it is known */
export type Waveform = { address: string; bars: readonly number[]; length: number; blob: Blob | null; isBroken: boolean }

/** Reads a sound and measures its waveform. `wanted`: its address, null for none. `own`: the sound, when the page has it already. `count`: of the bars */
export function useWaveform(wanted: string | null, own: Blob | null, count: number): Waveform {
  const address = wanted ?? ''
  const unread = { address, bars: [], length: 0, blob: own, isBroken: false }
  const [state, set] = useState(unread as Waveform)
  useEffect(() => {
    const ending = new AbortController()
    const read = async () => {
      const blob = own ?? (await (await request('GET', address, { signal: ending.signal })).blob())
      const { samples, seconds } = await decoded(blob)
      if (!ending.signal.aborted) set({ address, bars: barsOf(samples, count), length: seconds, blob, isBroken: false })
    }
    set(unread)
    if (wanted === null) return
    read().catch(() => ending.signal.aborted || set({ ...unread, isBroken: true }))
    return () => ending.abort()
  }, [address, own, count])
  return state.address === address ? state : unread
}

const path = (bars: readonly number[], from: number, to: number) =>
  bars
    .slice(from, to)
    .map((bar, at) => `M${(from + at) * 4 + 2} ${HALF - Math.max(1, bar * 10)}v${Math.max(1, bar * 10) * 2}`)
    .join('')

/** The waveform, with a slider over it. `at`: seconds. text: the position in words */
export function Track({
  wave: { bars, length },
  at,
  label,
  text,
  onSeek,
}: {
  wave: Waveform
  at: number
  label: string
  text: string
  onSeek: (at: number) => void
}) {
  const played = length > 0 ? Math.round((at / length) * bars.length) : 0
  return (
    <span class="track">
      <svg viewBox={`0 0 ${Math.max(1, bars.length) * 4} ${2 * HALF}`} preserveAspectRatio="none" aria-hidden="true">
        <path class="played" d={path(bars, 0, played)} />
        <path d={path(bars, played, bars.length)} />
      </svg>
      <input
        type="range"
        min={0}
        max={length || 1}
        step={0.01}
        value={at}
        disabled={length === 0}
        aria-label={label}
        aria-valuetext={text}
        onInput={(event: Event) => onSeek(Number(fieldValue(event)))}
      />
    </span>
  )
}

/** `own`: the recording itself, before the studio has it. `path`: its address, or another unique name */
export function Sample({ path: address, name, own = null }: { path: string; name: string; own?: Blob | null }) {
  const wave = useWaveform(address, own, BARS)
  const now = useSound()
  useDock(address)
  const isHere = now.path === address
  const at = isHere ? now.at : 0
  // Without a waveform it can still be played; if that fails too, the player says why.
  const play = (from: number | undefined) =>
    playSound(address, { ...(from !== undefined && { from }), blob: wave.blob, title: name, href: own ? '' : location.hash }).catch(
      (error) => notify(messageOf(error), 'error'),
    )
  return (
    <div class="sample">
      <PlayButton
        path={address}
        label={strings.playOf(name)}
        pauseLabel={strings.pauseOf(name)}
        kind="main play"
        onPress={() => play(undefined)}
      />
      <Track wave={wave} at={at} label={strings.positionOf(name)} text={`${clock(at)} / ${clock(wave.length)}`} onSeek={play} />
      <span class="caption number">{clock(isHere && at > 0 ? at : wave.length)}</span>
    </div>
  )
}
