// The actions of one sentence: play from it, say it again, and choose among what it has sounded like.
import { Action } from '#control-plane/web/lib/controls.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/speak.ts'
import type { MarkedText } from './sentences.ts'
import type { PartsOfTake } from './take-parts.ts'

export function SentenceBar({
  stretch: { sentence },
  parts,
  top,
  onPlay,
  onClose,
}: {
  stretch: MarkedText
  parts: PartsOfTake
  /** pixels; null at the bottom */
  top: number | null
  onPlay: (at: number) => void
  onClose: () => void
}) {
  if (!sentence) return null
  const { sounds, chosen } = sentence
  const leave = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
  return (
    <div
      class="sentence-bar"
      role="toolbar"
      aria-label={strings.sentence}
      style={top === null ? {} : { top: `${top}px` }}
      data-low={top === null}
      onKeyDown={leave}
    >
      <button type="button" class="quiet" onClick={() => onPlay(sentence.start)}>
        <Icon of="play" />
        {strings.fromHere}
      </button>
      {parts.take?.repeatable && (
        <Action kind="quiet" title={strings.sayAgainNote} onPress={() => parts.sayAgain(sentence)}>
          <Icon of="again" />
          {strings.sayAgain}
        </Action>
      )}
      {sounds > 1 && (
        <span class="row sounds">
          <Action
            kind="quiet icon-only"
            title={strings.soundBefore}
            aria-label={strings.soundBefore}
            onPress={() => parts.turn(sentence, -1)}
          >
            <Icon of="left" />
          </Action>
          <span class="number" role="status">
            {strings.soundOf(chosen + 1, sounds)}
          </span>
          <Action kind="quiet icon-only" title={strings.soundAfter} aria-label={strings.soundAfter} onPress={() => parts.turn(sentence, 1)}>
            <Icon of="right" />
          </Action>
        </span>
      )}
    </div>
  )
}
