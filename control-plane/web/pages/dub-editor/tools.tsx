// The choices above the lines of a dub: the language, the timing, its dialogs, and which lines are shown.
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'

import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/dub.ts'
import { LANGUAGES, languageName } from '../dub/languages.ts'

const STRATEGIES = ['concise', 'smart_fit', 'stretch_video', 'strict_slot'] as const

export type Filter = { find: string; speaker: string; onlyReview: boolean }
export type Props = {
  code: string
  strategy: string
  speakers: readonly string[]
  nameOf: (speaker: string) => string
  reviews: number
  filter: Filter
  mayExport: boolean
  onLanguage: (code: string) => void
  onStrategy: (strategy: string) => void
  onFilter: (filter: Filter) => void
  onOpen: (dialog: 'voices' | 'glossary' | 'export') => void
}

export const Tools = ({
  code,
  strategy,
  speakers,
  nameOf,
  reviews,
  filter,
  mayExport,
  onLanguage,
  onStrategy,
  onFilter,
  onOpen,
}: Props) => (
  <div class="row dub-tools">
    <Field label={strings.to} look="chip">
      <select value={code} onChange={(event: Event) => onLanguage(fieldValue(event))}>
        <option value="" disabled>
          {strings.chooseLanguage}
        </option>
        {LANGUAGES.map((one) => (
          <option key={one.code} value={one.code}>
            {one.name}
          </option>
        ))}
        {code && !LANGUAGES.some((one) => one.code === code) && <option value={code}>{languageName(code)}</option>}
      </select>
    </Field>
    <Field label={strings.timing} look="chip">
      <select value={strategy} onChange={(event: Event) => onStrategy(fieldValue(event))}>
        {STRATEGIES.map((one) => (
          <option key={one} value={one}>
            {strings.strategies[one]}
          </option>
        ))}
      </select>
    </Field>
    <button type="button" onClick={() => onOpen('voices')}>
      <Icon of="voice" />
      {strings.voices}
    </button>
    <button type="button" onClick={() => onOpen('glossary')}>
      <Icon of="book" />
      {strings.glossary}
    </button>
    {mayExport && (
      <button type="button" onClick={() => onOpen('export')}>
        <Icon of="download" />
        {strings.export}
      </button>
    )}
    <span class="spread"></span>
    {speakers.length > 1 && (
      <Field label={strings.speaker} look="chip">
        <select value={filter.speaker} onChange={(event: Event) => onFilter({ ...filter, speaker: fieldValue(event) })}>
          <option value="">{strings.allSpeakers}</option>
          {speakers.map((one) => (
            <option key={one} value={one}>
              {nameOf(one)}
            </option>
          ))}
        </select>
      </Field>
    )}
    {(reviews > 0 || filter.onlyReview) && (
      <button
        type="button"
        class={filter.onlyReview ? 'tint' : ''}
        aria-pressed={filter.onlyReview}
        onClick={() => onFilter({ ...filter, onlyReview: !filter.onlyReview })}
      >
        <Icon of="warning" />
        {strings.review(reviews)}
      </button>
    )}
    <input
      type="search"
      class="find"
      aria-label={strings.find}
      placeholder={strings.find}
      value={filter.find}
      onInput={(event: Event) => onFilter({ ...filter, find: fieldValue(event) })}
    />
  </div>
)
