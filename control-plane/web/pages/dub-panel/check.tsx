// The result of a check: what was examined, what was not, and what would be needed for the rest. It is never good as a whole.

import { Action } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef } from '#control-plane/web/lib/html.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/dub/parts.ts'
import { moment } from '../dub/lines.ts'
import type { CheckResult, Place } from '../dub-editor/runs.ts'

/** A film may have any number of them. */
const MAX_PLACES = 20

function Places({ text, places, onPlay }: { text: string; places: readonly Place[]; onPlay: (at: number) => void }) {
  return (
    <div class="check-fact">
      <Icon of="warning" />
      <div>
        <p class="text">{text}</p>
        <div class="row">
          {places.slice(0, MAX_PLACES).map(({ start, end }) => {
            const times = strings.fromTo(moment(start), moment(end))
            return (
              <button type="button" key={start} class="quiet number" aria-label={strings.playPlace(times)} onClick={() => onPlay(start)}>
                {times}
              </button>
            )
          })}
          {places.length > MAX_PLACES && <span>{strings.morePlaces(places.length - MAX_PLACES)}</span>}
        </div>
      </div>
    </div>
  )
}

export function Check({
  result,
  canWork,
  onPlay,
  onAgain,
  onRepair,
  onReview,
  onClose,
}: {
  result: CheckResult
  canWork: boolean
  onPlay: (at: number) => void
  onAgain: () => Promise<void>
  onRepair: () => Promise<void>
  onReview: () => void
  onClose: () => void
}) {
  const place = useRef<HTMLElement | null>(null)
  useEffect(() => {
    // The panel scrolls, and never the page.
    const panel = place.current?.closest('.dub-side')
    if (panel && place.current) panel.scrollTop += place.current.getBoundingClientRect().top - panel.getBoundingClientRect().top
  }, [result])
  const { faulty_count: faulty, total, checks, needs } = result
  const made = checks.filter(({ checked, total: all }) => checked > 0 && checked === all).map(({ check }) => check)
  const left = checks.filter(({ checked }) => checked === 0).map(({ check }) => check)
  const partly = checks.filter(({ checked, total: all }) => checked > 0 && checked < all).map(({ check }) => check)
  const { speech_without_words: wordless, uncovered } = result
  const why = strings.whyNotChecked(left)
  return (
    <section ref={place} class="check" aria-label={strings.checkTitle}>
      <div class="row">
        <h3>{strings.checkTitle}</h3>
        <span class="soft number">{strings.linesCount(total)}</span>
        <span class="spread"></span>
        <Action kind="quiet icon-only" aria-label={strings.checkAgain} title={strings.checkAgain} disabled={!canWork} onPress={onAgain}>
          <Icon of="again" />
        </Action>
        <button type="button" class="quiet icon-only" aria-label={strings.closeCheck} title={strings.closeCheck} onClick={onClose}>
          <Icon of="close" />
        </button>
      </div>
      <div role="status">
        <p class={faulty > 0 ? 'check-fact warn-text' : 'check-fact'}>
          <Icon of={faulty > 0 ? 'warning' : 'note'} />
          <span class="text">
            {made.length > 0 && <b>{strings.checked(made)} </b>}
            {faulty > 0 ? strings.faulty(faulty, total) : strings.noFaults}
          </span>
        </p>
        {left.length > 0 && (
          <p class="check-fact">
            <Icon of="note" />
            <span class="text">{strings.notChecked(left)}</span>
          </p>
        )}
        {partly.length > 0 && (
          <p class="check-fact">
            <Icon of="note" />
            <span class="text">{strings.partlyChecked(partly)}</span>
          </p>
        )}
      </div>
      {faulty > 0 && (
        <div class="row">
          <button type="button" onClick={onReview}>
            {strings.showThem}
          </button>
          <Action disabled={!canWork} onPress={onRepair}>
            {strings.repair}
          </Action>
        </div>
      )}
      {why.length > 0 && (
        <ul class="soft">
          {why.map((one) => (
            <li key={one}>{serverSentence(one)}</li>
          ))}
        </ul>
      )}
      {needs.map((one) => (
        <Needs.View key={one.for} of={one} />
      ))}
      {wordless.length > 0 && <Places text={strings.wordless(wordless.length)} places={wordless} onPlay={onPlay} />}
      {uncovered && uncovered.length > 0 && <Places text={strings.uncovered(uncovered.length)} places={uncovered} onPlay={onPlay} />}
    </section>
  )
}
