// One voice: its sample, how good it is, what its speaker said, where it goes and where it is used.

import { post, remove } from '#control-plane/web/lib/api.ts'
import type { VoiceRow } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, Popover } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { useRead } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { Sample } from '#control-plane/web/look/sample.tsx'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { VoicePrint } from '#control-plane/web/look/voice-print.tsx'
import { day } from '#messages/language.ts'
import { strings } from '#messages/library/voices.ts'
import { copyToHosted, Edit, Export, mayBeHosted, PortraitItem } from './edit.tsx'
import { kindOf, languageOf, play, soundOf, speakWith, statementOf } from './mine.tsx'
import { RecordStatement } from './record/statement.tsx'

export type Question = 'edit' | 'export' | 'delete' | 'withdraw' | 'statement'

const QUESTION_CHARS = 60
const figure = (value: unknown): number | null => (typeof value === 'number' ? value : null)

function Quality({ voice }: { voice: VoiceRow }) {
  const { quality } = voice
  const seconds = figure(quality['seconds'])
  if (seconds === null) return null
  const warnings = Array.isArray(quality['warnings']) ? quality['warnings'].map(String) : []
  return (
    <section aria-label={strings.quality}>
      <h3>{strings.quality}</h3>
      <ul class="checks">
        <li class="good">
          <Icon of="check" />
          {strings.length(seconds)}
        </li>
        {warnings.map((one) => (
          <li key={one} class="warn">
            <Icon of="warning" />
            <span class="text">{serverSentence(one)}</span>
          </li>
        ))}
        {warnings.length === 0 && (
          <li class="good">
            <Icon of="check" />
            {strings.clean}
          </li>
        )}
        {quality['transcript'] === 'pending' && (
          <li>
            <Icon of="clock" />
            {strings.transcriptPending}
          </li>
        )}
      </ul>
    </section>
  )
}

function Statement({ voice, ask }: { voice: VoiceRow; ask: (question: Question) => void }) {
  const { kind, consent_text: text, consent_recorded_at: at, statement, verified_own_voice: isShown } = voice
  if (kind === 'design') return null
  const { word, tone, icon } = statementOf(voice)
  const words = figure(statement?.checks['words'])
  return (
    <section aria-label={strings.statement}>
      <div class="row">
        <h3>{strings.statement}</h3>
        <span class="spread"></span>
        <span class={`state ${tone}`}>
          {icon && <Icon of={icon} />}
          {word}
        </span>
      </div>
      {isShown ? (
        <p class="text clip soft" dir="auto">
          {text}
        </p>
      ) : (
        <p class="soft">{strings.statementWhy}</p>
      )}
      {isShown === 1 && (
        <p class="caption">
          {at !== null && strings.recordedOn(day(at * 1000, 'short'))} {words !== null && strings.wordsMatch(words)}{' '}
          {statement?.checks['enough_speech'] === false && strings.tooShort}
        </p>
      )}
      <div class="row makes">
        <button type="button" onClick={() => ask('statement')}>
          <Icon of="voice" />
          {isShown ? strings.recordAgain : strings.recordStatement}
        </button>
        {isShown === 1 && (
          <button type="button" class="quiet" onClick={() => ask('withdraw')}>
            {strings.withdraw}
          </button>
        )}
      </div>
    </section>
  )
}

function Uses({ voice, onChanged }: { voice: VoiceRow; onChanged: () => Promise<void> }) {
  const { id, stays_here: isHere, seed, is_locked: isLocked, hosted_voice_id: hostedId } = voice
  const usage = useRead(`/profiles/${id}/usage` as `/profiles/${string}/usage`)
  const takes = usage.value?.synth_recent.slice(0, 5) ?? []
  const lock = async (history: string) => {
    await post(`/profiles/${id}/lock` as `/profiles/${string}/lock`, { history_id: history })
    notify(strings.locked)
    await onChanged()
  }
  const unlock = async () => {
    await post(`/profiles/${id}/unlock` as `/profiles/${string}/unlock`, {})
    notify(strings.unlocked)
    await onChanged()
  }
  return (
    <section aria-label={strings.usedIn}>
      <dl class="facts">
        <div>
          <dt>{strings.where}</dt>
          <dd>{isHere ? strings.staysHere : strings.anyMachine}</dd>
        </div>
        {hostedId !== '' && (
          <div>
            <dt>{strings.hosted}</dt>
            <dd>{strings.copied}</dd>
          </div>
        )}
        <div>
          <dt>{strings.usedIn}</dt>
          <dd class="number">{usage.value === null ? '…' : strings.uses(usage.value.synth_total, usage.value.projects.length)}</dd>
        </div>
        <div>
          <dt>{strings.seed}</dt>
          <dd class="number">{seed ?? strings.newSeed}</dd>
        </div>
        {isLocked === 1 && (
          <div>
            <dt>{strings.lockedTo}</dt>
            <dd>
              {strings.fixed}{' '}
              <Action kind="quiet makes" onPress={unlock}>
                {strings.unlock}
              </Action>
            </dd>
          </div>
        )}
      </dl>
      {usage.error && (
        <p class="callout bad text" role="alert">
          {usage.error}
        </p>
      )}
      {takes.length > 0 && (
        <>
          <h3>{strings.lockTakes}</h3>
          <ul class="voice-takes">
            {takes.map((take) => (
              <li key={take.id}>
                <a class="text one-line" dir="auto" href={`#/speak?take=${encodeURIComponent(take.id)}`}>
                  {take.text}
                </a>
                <Action
                  kind="quiet icon-only makes"
                  title={strings.lockTo(take.text.slice(0, QUESTION_CHARS))}
                  aria-label={strings.lockTo(take.text.slice(0, QUESTION_CHARS))}
                  onPress={() => lock(take.id)}
                >
                  <Icon of="lock" />
                </Action>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Asking({
  voice,
  question,
  back,
  onClose,
  onChanged,
}: {
  voice: VoiceRow
  question: Question
  back: string
  onClose: () => void
  onChanged: () => Promise<void>
}) {
  const { id, name } = voice
  if (question === 'edit') return <Edit voice={voice} onClose={onClose} onChanged={onChanged} />
  if (question === 'export') return <Export voice={voice} onClose={onClose} />
  if (question === 'statement') return <RecordStatement voice={voice} onClose={onClose} onChanged={onChanged} />
  const isDelete = question === 'delete'
  const yes = async () => {
    stopSound(soundOf(voice))
    await remove(`/profiles/${id}${isDelete ? '' : '/consent'}` as `/profiles/${string}`)
    if (isDelete) {
      location.hash = back
      notify(strings.deleted)
    }
    await onChanged()
  }
  return isDelete ? (
    <Confirm
      title={strings.deleteTitle(name.slice(0, QUESTION_CHARS))}
      action={strings.deleteYes}
      keep={strings.keep}
      onYes={yes}
      onClose={onClose}
    >
      <p>{strings.deleteText}</p>
    </Confirm>
  ) : (
    <Confirm title={strings.withdrawTitle} action={strings.withdrawYes} keep={strings.keep} onYes={yes} onClose={onClose}>
      <p>{strings.withdrawText}</p>
    </Confirm>
  )
}

/** `voice`: null when it was deleted; back: the address of the list */
export function Voice({ voice, back, onChanged }: { voice: VoiceRow | null; back: string; onChanged: () => Promise<void> }) {
  const [question, ask] = useState<Question | null>(null)
  const id = voice?.id
  useEffect(() => {
    const key = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open], .popover:popover-open')) location.hash = back
    }
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [back])
  // Only the owner may read it; for others it stays unknown, and nothing is offered.
  const hosted = useRead('/api/settings/hosted-voices')
  const backLink = (
    <a class="back" href={back}>
      {strings.allVoices}
    </a>
  )
  if (voice === null)
    return (
      <aside class="details" aria-label={strings.columns.voice}>
        {backLink}
        <p class="empty">{strings.gone}</p>
      </aside>
    )
  const { name, created_at: at, audio_url: url, ref_text: transcript, description, instruct } = voice
  const path = soundOf(voice)
  return (
    <aside class="details" aria-label={name}>
      {backLink}
      <header>
        <VoicePrint id={voice.id} image={voice.image_url} isLarge />
        <div>
          <h2 tabindex={-1} data-opened class="text clip" dir="auto">
            {name}
          </h2>
          <small>{strings.about(strings.kinds[kindOf(voice)], languageOf(voice), day(at * 1000, 'short'))}</small>
        </div>
        <a class="button quiet icon-only wide-only" href={back} title={strings.close} aria-label={strings.close}>
          <Icon of="close" />
        </a>
      </header>
      {url === null ? (
        <>
          <p class="soft">{strings.noSample}</p>
          <div class="row">
            <PlayButton
              path={path}
              label={strings.makeSample}
              pauseLabel={strings.makeSample}
              onPress={() => play(path, name, `#/voices/${id}`).then(onChanged)}
              kind="play"
            />{' '}
            <span class="soft">{strings.makeSample}</span>
          </div>
        </>
      ) : (
        <Sample path={path} name={name} />
      )}
      <div class="row acting makes">
        <button type="button" class="main grow" onClick={() => speakWith(voice)}>
          <Icon of="speak" />
          <span class="one-line">{strings.speakWith(name)}</span>
        </button>
        <button type="button" onClick={() => ask('edit')}>
          <Icon of="draft" />
          {strings.edit}
        </button>
        <Popover id="voice-menu" label={strings.menu} kind="icon-only" look="voice-menu" face={<Icon of="more" />}>
          <div class="body">
            <PortraitItem voice={voice} onChanged={onChanged} />
            {mayBeHosted(voice) && hosted.value?.has_key && (
              <button type="button" class="item" data-close onClick={() => copyToHosted(voice, onChanged)}>
                <Icon of="upload" />
                <span>{strings.copyToHosted}</span>
              </button>
            )}
            <button type="button" class="item" data-close onClick={() => ask('export')}>
              <Icon of="download" />
              <span>{strings.export}</span>
            </button>
            <button type="button" class="item danger" data-close onClick={() => ask('delete')}>
              <Icon of="trash" />
              <span>{strings.delete}</span>
            </button>
          </div>
        </Popover>
      </div>
      <Quality voice={voice} />
      <Statement voice={voice} ask={ask} />
      {(description || instruct) && (
        <section aria-label={strings.description}>
          <h3>{strings.description}</h3>
          <p class="text soft" dir="auto">
            {description || instruct}
          </p>
        </section>
      )}
      {voice.kind === 'clone' && (
        <section aria-label={strings.transcript}>
          <h3>{strings.transcript}</h3>
          <p class="text soft clip" dir="auto">
            {transcript || strings.noTranscript}
          </p>
        </section>
      )}
      <Uses voice={voice} onChanged={onChanged} />
      {question && <Asking voice={voice} question={question} back={back} onClose={() => ask(null)} onChanged={onChanged} />}
    </aside>
  )
}
