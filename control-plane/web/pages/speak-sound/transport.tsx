// The one strip of sound of the page: play, seek in the waveform, speed and volume of the selected take, or of the one that is being made.

import { fieldValue } from '#control-plane/web/lib/controls.tsx'
import { clock } from '#control-plane/web/lib/format.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Track, useWaveform } from '#control-plane/web/look/sample.tsx'
import { SPEEDS, seekTo, setSpeed, speedNow, togglePlaying, useDock, useSound } from '#control-plane/web/look/sound.ts'
import { Volume } from '#control-plane/web/look/volume.tsx'
import { useIsPhone } from '#control-plane/web/look/windowed.ts'
import { strings } from '#messages/create/speak.ts'
import { strings as shared } from '#messages/shared.ts'
import { sendToSpeak } from '../speak/draft.ts'
import type { Take } from '../speak/request.ts'
import type { PartsOfTake } from '../speak-text/take-parts.ts'
import { pauseLive, seekLive, stopLive, useLiveSound } from './live-sound.ts'
import { playTake, takeTitle } from './play-take.ts'
import { SentenceStrip } from './sentence-strip.tsx'

const BARS = 160
const PHONE_BARS = 80

const CUT_CHARS = 200
/** False if the text may be cut: the studio lists takes with 200 characters, but for the one that was just made here. */
const isWhole = ({ text }: Take) => text.length < CUT_CHARS - 1 || text.length > CUT_CHARS

/** Takes that began by themselves; they do so once. */
const startedTakes: WeakSet<Take> = new WeakSet()

/** At most `count` bars from 0 to 1, the loudest 1. */
export function fewerBars(bars: readonly number[], count: number) {
  const step = Math.max(1, bars.length / count)
  const most = Math.max(...bars.slice(0, 1), 0)
  const levels = Array.from({ length: Math.min(count, bars.length) }, (_, at) => {
    let level = 0
    for (let bar = Math.floor(at * step); bar < Math.floor((at + 1) * step); bar++) level = Math.max(level, bars[bar] ?? 0)
    return level
  })
  const loudest = levels.reduce((level, one) => Math.max(level, one), most) || 1
  return levels.map((level) => level / loudest)
}

function Speed({ disabled }: { disabled: boolean }) {
  const [speed, choose] = useState(speedNow)
  const change = (event: Event) => {
    setSpeed(Number(fieldValue(event)))
    choose(speedNow())
  }
  return (
    <select
      class="speed"
      aria-label={strings.playSpeed}
      title={strings.playSpeed}
      value={String(speed)}
      disabled={disabled}
      onChange={change}
    >
      {SPEEDS.map((one) => (
        <option key={one} value={String(one)}>
          {strings.times(one)}
        </option>
      ))}
    </select>
  )
}

/** `take`: null until one is selected. `parts`: of it */
export function Transport({ take, parts, children }: { take: Take | null; parts: PartsOfTake; children?: preact.ComponentChildren }) {
  const count = useIsPhone() ? PHONE_BARS : BARS
  const wave = useWaveform(take?.url ?? null, null, count)
  const live = useLiveSound()
  const now = useSound()
  const isLive = live.job !== null
  // A sound of another page, which has no other controls here.
  const isOther = !isLive && now.path !== '' && now.path !== take?.url && (now.isPlaying || take === null)
  useDock(now.path)
  const isTake = take !== null && now.path === take.url
  const at = isLive ? live.at : isOther || isTake ? now.at : 0
  const length = isLive ? live.length : isOther ? now.length : wave.length
  const isPlaying = isLive ? !live.isPaused : (isOther || isTake) && now.isPlaying
  const isReady = take !== null && wave.length > 0
  const play = (from: number | undefined) => take && playTake(take, { from, blob: wave.blob })
  const seek = (to: number) => {
    if (isOther) return seekTo(to)
    if (!isLive) return void play(to)
    // The file of a complete take has all of it.
    if (isReady && to > live.length) return void play(to)
    seekLive(to)
  }
  const press = () => {
    if (isLive) pauseLive()
    else if (isOther) togglePlaying()
    else void play(undefined)
  }
  useEffect(() => {
    if (!take || !isReady || !take.autoplay || startedTakes.has(take)) return
    startedTakes.add(take)
    void play(0)
  }, [take, isReady])
  const text = parts.take?.whole ? parts.take.text : take && isWhole(take) ? take.text : null
  const isEmpty = !isLive && !isOther && !take
  const shown = isLive && !isReady ? { ...wave, bars: fewerBars(live.bars, count), length } : isOther ? { ...wave, bars: [], length } : wave
  const title = isLive && !isReady ? strings.beingMade : isOther ? now.title : take ? takeTitle(take) : strings.nothingToPlay
  const name = isPlaying ? shared.pause : shared.play
  return (
    <section class="transport" aria-label={strings.selectedTake} data-ready={isReady}>
      <div class="row">
        <span class={isEmpty ? 'text one-line soft' : 'text one-line name'} dir="auto">
          {title}
        </span>
        <span class="spread"></span>
        {isLive && (
          <button type="button" class="quiet" title={strings.stopNote} onClick={stopLive}>
            {strings.stop}
          </button>
        )}
        <Speed disabled={isLive || isEmpty} />
        <Volume />
        {take && text !== null && (
          <button
            type="button"
            class="quiet icon-only"
            title={strings.editText}
            aria-label={strings.editText}
            onClick={() => sendToSpeak(text)}
          >
            <Icon of="draft" />
          </button>
        )}
        {take && (
          <a class="button quiet icon-only" href={take.url} download={take.file} title={shared.download} aria-label={shared.download}>
            <Icon of="download" />
          </a>
        )}
        {children}
      </div>
      <div class="strip">
        <button
          type="button"
          class="main play"
          title={name}
          aria-label={name}
          disabled={isEmpty}
          aria-busy={isTake && now.isLoading}
          onClick={press}
        >
          {!(isTake && now.isLoading) && <Icon of={isPlaying ? 'pause' : 'play'} isSolid />}
        </button>
        <div class="strip-tracks">
          <Track wave={shown} at={at} label={strings.position} text={strings.positionText(clock(at), clock(length))} onSeek={seek} />
          {!isOther && !(isLive && !isReady) && <SentenceStrip parts={parts} at={isTake ? at : 0} length={wave.length} onSeek={seek} />}
        </div>
        <span class="caption number times">
          {clock(at)} <span>{clock(length)}</span>
        </span>
      </div>
      {take && wave.isBroken && (
        <p class="callout bad" role="alert">
          {strings.broken}
        </p>
      )}
    </section>
  )
}
