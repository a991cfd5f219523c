// A group of the list: its heading, the model that it needs, and its rows.

import { strings } from '#messages/library/voice-picker.ts'
import { Needs } from '../needs/later.tsx'
import type { ShownGroup } from './found.ts'
import { MINE, OWN } from './groups.ts'
import { Row } from './row.tsx'
import type { VoiceChoice } from './rows.ts'
import type { useSamples } from './sample.ts'

/** `active`: row that the arrow keys are at; `chosen`: value */
export function Group({
  shown: { group, total, rows },
  optionId,
  active,
  chosen,
  samples: { sounding, now, waiting },
  onAll,
  onChoose,
  onPlay,
  onPoint,
  onInstalled,
}: {
  shown: ShownGroup
  optionId: (row: VoiceChoice) => string
  active: VoiceChoice | undefined
  chosen: string
  samples: ReturnType<typeof useSamples>
  onAll: () => void
  onChoose: (value: string) => void
  onPlay: (row: VoiceChoice) => unknown
  onPoint: (value: string) => void
  onInstalled: (() => unknown) | undefined
}) {
  return (
    <div class="voice-group">
      {group.id !== OWN && (
        <div class="row">
          <h3 aria-hidden="true">
            {group.name} <span>{total}</span>
          </h3>
          <span class="spread"></span>
          {rows.length < total && (
            <button type="button" class="quiet" aria-label={strings.showAllOf(group.name)} onClick={onAll}>
              {strings.showAll}
            </button>
          )}
        </div>
      )}
      {group.id === MINE && <Needs.View of="cloning" {...(onInstalled && { onInstalled })} />}
      {rows.map((row) => (
        <Row
          key={row.value}
          row={row}
          about={[OWN, MINE].includes(group.id) ? row.about : ''}
          id={optionId(row)}
          isHere={row === active}
          isChosen={row.value === chosen}
          now={row === sounding ? now : null}
          isWaiting={row.value === waiting}
          onChoose={() => onChoose(row.value)}
          onPlay={() => onPlay(row)}
          onPoint={() => row !== active && onPoint(row.value)}
        />
      ))}
    </div>
  )
}
