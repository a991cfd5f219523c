// @ts-check
// Dictate: speech becomes text while the person speaks.
import { messageOf } from '../../lib/api.js'
import { Confirm, copyText } from '../../lib/controls.js'
import { html, useEffect, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings as shared } from '../../lib/strings.js'
import { Icon } from '../../look/icons.js'
import { stopSound } from '../../look/sound.js'
import { mayAdminister } from '../../visitor.js'
import { sendToSpeak } from '../speak/draft.js'
import { clearDictation, endNow, startDictation, stopDictation, useDictation } from './dictation.js'
import { strings } from './strings.js'

/** @param {{ text: string }} props */
function Results({ text }) {
  const [isAsking, ask] = useState(false)
  const copy = async () => {
    try {
      await copyText(text)
      notify(strings.copied)
    } catch (error) {
      notify(messageOf(error), 'error')
    }
  }
  return html`<div class="row">
    <button type="button" onClick=${copy}>${strings.copy}</button>
    <button type="button" onClick=${() => sendToSpeak(text)}><${Icon} of="speak" />${strings.sendToSpeak}</button>
    <span class="spread"></span><button type="button" class="quiet" onClick=${() => ask(true)}>${strings.clear}</button>
    ${isAsking && html`<${Confirm} title=${strings.discardTitle} action=${strings.discard} onYes=${clearDictation} onClose=${() => ask(false)}><p>${strings.discardHint}</p><//>`}
  </div>`
}

export function Dictate() {
  const { phase, texts, partial, notice, level, error, isModelMissing } = useDictation()
  // The microphone belongs to this page.
  useEffect(() => stopDictation, [])
  const isOn = phase === 'starting' || phase === 'listening'
  const start = () => {
    stopSound()
    void startDictation()
  }
  const text = texts.join('\n')
  return html`<section class="sheet dictation" aria-label=${strings.dictation} data-phase=${phase}>
    <div class="row">
      ${
        isOn
          ? html`<button type="button" class="main large" onClick=${stopDictation}><${Icon} of="stopped" />${strings.stop}</button>`
          : html`<button type="button" class="main large" disabled=${phase === 'ending'} onClick=${start}><${Icon} of="voice" />${texts.length > 0 ? strings.goOn : strings.dictate}</button>`
      }
      ${isOn && html`<meter min="0" max="1" value=${level} aria-label=${strings.level}></meter>`}
      <span class="soft" role="status">${strings.phases[phase]}</span>
      ${phase === 'ending' && html`<button type="button" onClick=${endNow}>${shared.cancel}</button>`}
    </div>
    ${error && html`<p class="callout bad text" role="alert">${error} ${isModelMissing && mayAdminister && html`<a href="#/setup">${strings.seeModels}</a>`}</p>`}
    ${phase === 'lost' && html`<p class="callout text" role="alert">${strings.connectionLost}</p>`}
    <div class="dictated text" dir="auto" role="log" aria-label=${strings.dictatedText} tabindex="0">
      ${texts.map((one, at) => html`<p key=${at}>${one}</p>`)}
      ${partial && html`<p class="partial" aria-hidden="true">${partial}</p>`}
      ${texts.length === 0 && partial === '' && html`<p class="soft">${strings.dictateHint}</p>`}
    </div>
    ${notice && html`<p class="note text"><${Icon} of="note" />${notice}</p>`}
    ${texts.length > 0 && html`<${Results} text=${text} />`}
  </section>`
}
