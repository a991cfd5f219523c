// Dictate: speech becomes text while the person speaks.
import { messageOf } from '#control-plane/web/lib/api.ts'
import { Confirm, copyText, LevelMeter } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/transcribe.ts'
import { strings as shared } from '#messages/shared.ts'
import { sendToSpeak } from '../speak/draft.ts'
import { clearDictation, endNow, startDictation, stopDictation, useDictation } from './dictation.ts'

function Results({ text }: { text: string }) {
  const [isAsking, ask] = useState(false)
  const copy = async () => {
    try {
      await copyText(text)
      notify(strings.copied)
    } catch (error) {
      notify(messageOf(error), 'error')
    }
  }
  return (
    <div class="row">
      <button type="button" onClick={copy}>
        {strings.copy}
      </button>
      <button type="button" onClick={() => sendToSpeak(text)}>
        <Icon of="speak" />
        {strings.sendToSpeak}
      </button>
      <span class="spread"></span>
      <button type="button" class="quiet" onClick={() => ask(true)}>
        {strings.clear}
      </button>
      {isAsking && (
        <Confirm title={strings.discardTitle} action={strings.discard} onYes={clearDictation} onClose={() => ask(false)}>
          <p>{strings.discardHint}</p>
        </Confirm>
      )}
    </div>
  )
}

export function Dictate() {
  const { phase, texts, partial, notice, level, error, needs, better } = useDictation()
  // The microphone belongs to this page.
  useEffect(() => stopDictation, [])
  const isOn = phase === 'starting' || phase === 'listening'
  const start = () => {
    stopSound()
    void startDictation()
  }
  const text = texts.join('\n')
  return (
    <section class="sheet dictation" aria-label={strings.dictation} data-phase={phase}>
      <div class="row">
        {isOn ? (
          <button type="button" class="main large" onClick={stopDictation}>
            <Icon of="stopped" />
            {strings.stop}
          </button>
        ) : (
          <button type="button" class="main large" disabled={phase === 'ending'} onClick={start}>
            <Icon of="voice" />
            {texts.length > 0 ? strings.goOn : strings.dictate}
          </button>
        )}
        {isOn && <LevelMeter level={level} label={strings.level} />}
        <span class="soft" role="status">
          {strings.phases[phase]}
        </span>
        {phase === 'ending' && (
          <button type="button" onClick={endNow}>
            {shared.cancel}
          </button>
        )}
      </div>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {needs && <Needs.View of={needs} />}
      {phase === 'lost' && (
        <p class="callout text" role="alert">
          {strings.connectionLost}
        </p>
      )}
      <div class="dictated text" dir="auto" role="log" aria-label={strings.dictatedText} tabindex={0}>
        {texts.map((one, at) => (
          <p key={at}>{one}</p>
        ))}
        {partial && (
          <p class="partial" aria-hidden="true">
            {partial}
          </p>
        )}
        {texts.length === 0 && partial === '' && <p class="soft">{strings.dictateHint}</p>}
      </div>
      {notice && (
        <p class="note text">
          <Icon of="note" />
          {serverSentence(notice)}
        </p>
      )}
      {better && (
        <>
          <Needs.View of={better} />
          <p class="soft">{strings.otherRecogniser}</p>
        </>
      )}
      {texts.length > 0 && <Results text={text} />}
    </section>
  )
}
