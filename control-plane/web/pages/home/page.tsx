// Home: the first sound within one field, what to go on with, and what runs.

import type { useActiveJobs } from '#control-plane/web/frame/active-jobs.ts'
import { isBusy, startSpeaking, useGeneration } from '#control-plane/web/frame/generation.ts'
import { useRouting } from '#control-plane/web/frame/runs-on.tsx'
import { Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { useRef, useState } from '#control-plane/web/lib/html.ts'
import type { Live } from '#control-plane/web/lib/live.ts'
import { usableMachines } from '#control-plane/web/lib/live.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { VoicePicker } from '#control-plane/web/voice-picker/picker.tsx'
import { voiceFields, voiceValue } from '#control-plane/web/voice-picker/rows.ts'
import { strings as frame } from '#messages/frame.ts'
import { strings } from '#messages/start/home.ts'
import type { Draft } from '../speak/draft.ts'
import { changeDraft, saveDraft, TAKE_CHARS, useDraft } from '../speak/draft.ts'
import { OPENED, opened } from './opened.ts'
import { Question } from './question.tsx'
import { Continue } from './recent.tsx'
import { Side } from './side.tsx'

const TILES: readonly { page: keyof typeof strings.tiles; icon: IconName; tint: number }[] = [
  { page: 'dub', icon: 'film', tint: 3 },
  { page: 'audiobook', icon: 'book', tint: 7 },
  { page: 'transcribe', icon: 'captions', tint: 4 },
  { page: 'voices', icon: 'voice', tint: 2 },
]

/** Names the machines that are connected; '' for none. */
function machinesText(live: Live) {
  const usable = new Set(usableMachines(live).split(' '))
  const machines = live.fleet?.workers.filter(({ id }) => usable.has(id)) ?? []
  const [only] = machines
  if (!only) return ''
  if (machines.length > 1) return strings.machines(machines.length)
  return strings.machine(isolated(short(only.name, 40)), only.active_tasks ?? 0)
}

/** The place of work, and the machines that are connected. */
function placeText(live: Live, view: ReturnType<typeof useRouting>) {
  const machines = machinesText(live)
  if (!view || !machines) return machines || strings.local
  if (view.target === 'auto') return `${machines} ${frame.automaticHint}`
  return view.active.remote ? strings.elsewhere(isolated(short(view.active.label, 40))) : `${strings.local} ${machines}`
}

export function Home({
  live,
  activeJobs,
  hasPage,
}: {
  live: Live
  activeJobs: ReturnType<typeof useActiveJobs>
  hasPage: (page: string) => boolean
}) {
  const draft = useDraft()
  const voices = useRead('/v1/audio/voices')
  const busy = isBusy(useGeneration())
  const profiles = voices.value?.voices.filter((voice) => voice.type === 'profile') ?? []
  const isTooLong = draft.text.length > TAKE_CHARS
  const say = (text: string) => {
    if (busy) return notify(strings.busy, 'error')
    const spoken: Draft = { ...draft, text }
    saveDraft(spoken)
    void startSpeaking(spoken)
    location.hash = '#/speak'
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (draft.text.trim() !== '' && !isTooLong) say(draft.text)
  }
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
  }
  const input = useRef<HTMLInputElement | null>(null)
  const [asked, setAsked] = useState<File | null>(null)
  const take = async (file: File | undefined) => file && setAsked(await opened(file))
  const changed = () => {
    void take(input.current?.files?.[0])
    if (input.current) input.current.value = ''
  }
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer?.files.length) return // a text that is dropped goes into the field
    event.preventDefault()
    void take(event.dataTransfer.files[0])
  }
  const tiles = TILES.filter(({ page }) => hasPage(page))
  return (
    <div class="home">
      <p class="soft about">{placeText(live, useRouting())}</p>
      <form
        class="composer makes"
        onSubmit={submit}
        onDragOver={(event: DragEvent) => event.dataTransfer?.types.includes('Files') && event.preventDefault()}
        onDrop={drop}
      >
        <Field label={strings.text} look="unnamed">
          <textarea
            dir="auto"
            rows={2}
            value={draft.text}
            placeholder={strings.placeholder}
            aria-invalid={isTooLong}
            onInput={(event: Event) => changeDraft({ text: fieldValue(event) })}
            onKeyDown={key}
          ></textarea>
        </Field>
        {isTooLong && (
          <p class="callout bad" role="alert">
            {strings.tooLong(TAKE_CHARS)}
          </p>
        )}
        <div class="row">
          <VoicePicker
            label={strings.voice}
            value={voiceValue(draft.engine, draft.voice)}
            own={[{ value: '', name: strings.defaultVoice }]}
            voices={{ profiles, engines: voices.value?.engines ?? [] }}
            language={draft.language}
            onChoose={(value: string) => changeDraft(voiceFields(value, draft.engine, voices.value?.engines ?? []))}
            onInstalled={voices.again}
          />
          <input ref={input} type="file" hidden accept={OPENED} aria-label={strings.openFile} onChange={changed} />
          <button type="button" class="quiet" onClick={() => input.current?.click()}>
            <Icon of="upload" />
            {strings.openFile}
          </button>
          {hasPage('transcribe') && (
            <a class="button quiet" href="#/transcribe/dictate">
              <Icon of="voice" />
              {strings.dictate}
            </a>
          )}
          <span class="spread"></span>
          <button type="submit" class="main large" disabled={draft.text.trim() === '' || isTooLong || busy}>
            <Icon of="speak" />
            {strings.speak}
            <span class="key-hint" aria-hidden="true">
              {strings.speakKeys}
            </span>
          </button>
        </div>
        {asked && <Question file={asked} onClose={() => setAsked(null)} />}
      </form>
      {tiles.length > 1 && (
        <nav class="tiles" aria-label={strings.create}>
          {tiles.map(({ page, icon, tint }) => (
            <a key={page} href={`#/${page}`}>
              <span class={`kind big k${tint}`}>
                <Icon of={icon} isLarge />
              </span>
              <span>
                <b>{strings.tiles[page][0]}</b>
                <small>{strings.tiles[page][1]}</small>
              </span>
            </a>
          ))}
        </nav>
      )}
      <div class="columns">
        <Continue hasPage={hasPage} onTry={say} />
        <Side live={live} activeJobs={activeJobs} />
      </div>
    </div>
  )
}
