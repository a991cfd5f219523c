// The one form before a dub has lines: the languages of the film and of the dub, and how many people speak. One press transcribes and translates.

import { ApiError } from '#control-plane/web/lib/api.ts'
import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/dub/parts.ts'
import { LANGUAGES, languageName } from '../dub/languages.ts'
import { SUBTITLE_FILES } from '../tools/subtitle-form.ts'
import type { Choice } from './choice.ts'
import { keepChoice, keptChoice } from './choice.ts'

const MOST_LANGUAGES = 20

const Languages = () =>
  LANGUAGES.map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ))

function Targets({ langs, onChange }: { langs: readonly string[]; onChange: (langs: readonly string[]) => void }) {
  const add = ({ target }: Event) => {
    if (!(target instanceof HTMLSelectElement)) return
    if (!langs.includes(target.value) && langs.length < MOST_LANGUAGES) onChange([...langs, target.value])
    target.value = ''
  }
  return (
    <>
      <Field label={strings.dubInto} look="chip">
        <select value="" onChange={add}>
          <option value="" disabled>
            {langs.length === 0 ? strings.chooseLanguages : strings.addLanguage}
          </option>
          <Languages />
        </select>
      </Field>
      {langs.map((one) => (
        <button
          key={one}
          type="button"
          class="lang-chip"
          aria-label={strings.withoutLanguage(languageName(one))}
          onClick={() => onChange(langs.filter((other) => other !== one))}
        >
          {languageName(one)}
          <Icon of="close" />
        </button>
      ))}
    </>
  )
}

function Import({ onImport }: { onImport: (file: File) => unknown }) {
  const input = useRef<HTMLInputElement | null>(null)
  const chosen = () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (file) onImport(file)
  }
  return (
    <>
      <input ref={input} type="file" hidden accept={SUBTITLE_FILES} aria-label={strings.importSubtitles} onChange={chosen} />
      <button type="button" onClick={() => input.current?.click()}>
        {strings.importSubtitles}
      </button>
    </>
  )
}

/** `id`: of the dub; '' while its film is uploaded. `onImport`: lines from a file in place of a transcription. */
export function Begin({
  id,
  onStart,
  onImport,
}: {
  id: string
  onStart: (choice: Choice) => Promise<unknown>
  onImport?: (file: File) => unknown
}) {
  const [choice, setChoice] = useState(() => keptChoice(id))
  const [need, setNeed] = useState<NeedEntry | null>(null)
  const change = (more: Partial<Choice>) => {
    keepChoice(id, { ...choice, ...more })
    setChoice({ ...choice, ...more })
  }
  const send = async () => {
    setNeed(null)
    try {
      await onStart(choice)
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.needs)) throw failure
      setNeed(failure.needs)
    }
  }
  return (
    <section class="dub-begin" aria-label={strings.beginTitle}>
      <p class="soft">{choice.langs.length === 0 ? strings.beginHint : strings.startHint}</p>
      <Form
        send={choice.langs.length === 0 ? strings.transcribe : strings.start}
        onSend={send}
        extra={onImport && <Import onImport={onImport} />}
      >
        <div class="row lang-chips">
          <Field label={strings.filmLanguage} look="chip">
            <select value={choice.language} onChange={(event: Event) => change({ language: fieldValue(event) })}>
              <option value="">{strings.detect}</option>
              <Languages />
            </select>
          </Field>
          <Targets langs={choice.langs} onChange={(langs) => change({ langs })} />
          <Field label={strings.speakerCount} look="chip">
            <select value={choice.speakers} onChange={(event: Event) => change({ speakers: fieldValue(event) })}>
              <option value="">{strings.automatic}</option>
              {[1, 2, 3, 4, 5, 6, 7, 8].map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          </Field>
        </div>
      </Form>
      {need && <Needs.View of={need} />}
    </section>
  )
}
