// One voice of the list: its picture, its name, its language, and the button that plays a sample without choosing it.

import { strings as shared } from '#messages/shared.ts'
import { clock } from '../lib/format.ts'
import { Icon } from '../look/icons.tsx'
import type { Sounding } from '../look/sound.ts'
import { VoicePrint } from '../look/voice-print.tsx'
import { languageName } from '../pages/dub/languages.ts'
import type { VoiceChoice } from './rows.ts'

/** Turn of a whole ring. */
const AROUND = 100

/** `now`: the sound of its sample; null while another one sounds. `isHere`: the arrow keys are at it */
export function Row({
  row,
  about,
  id,
  isHere,
  isChosen,
  now,
  isWaiting,
  onChoose,
  onPlay,
  onPoint,
}: {
  row: VoiceChoice
  /** '' where the heading says it */
  about: string
  id: string
  isHere: boolean
  isChosen: boolean
  now: Sounding | null
  isWaiting: boolean
  onChoose: () => void
  onPlay: () => unknown
  onPoint: () => void
}) {
  const { name, language, print, sample } = row
  const isPlaying = now?.isPlaying === true
  const isLoading = isWaiting && !isPlaying
  const title = isPlaying ? shared.pauseOf(name) : shared.playOf(name)
  const share = now && now.length > 0 ? (now.at / now.length) * AROUND : 0
  return (
    <div class={isHere ? 'voice-row here' : 'voice-row'} onMouseMove={onPoint}>
      <div role="option" id={id} aria-selected={isHere} aria-current={isChosen ? 'true' : undefined} onClick={onChoose}>
        <VoicePrint id={print} />
        <span class="grow">
          <b class="one-line" dir="auto">
            {name}
          </b>
          {about && (
            <small class="one-line" dir="auto">
              {about}
            </small>
          )}
        </span>
        {now && now.length > 0 ? (
          <>
            <span class="heard-share" aria-hidden="true">
              <span style={`inline-size:${share.toFixed(1)}%`}></span>
            </span>
            <small class="number">{clock(now.length - now.at)}</small>
          </>
        ) : (
          language !== '' && <small>{languageName(language)}</small>
        )}
      </div>
      {sample ? (
        <button
          type="button"
          tabIndex={-1}
          class={isPlaying ? 'main play' : 'quiet play'}
          title={title}
          aria-label={title}
          aria-busy={isLoading}
          onMouseDown={(event: Event) => event.preventDefault()}
          onClick={onPlay}
        >
          {!isLoading && <Icon of={isPlaying ? 'pause' : 'play'} isSolid={isPlaying} />}
        </button>
      ) : (
        <span class="no-sample"></span>
      )}
      <span class="mark">{isChosen && <Icon of="tick" />}</span>
    </div>
  )
}
