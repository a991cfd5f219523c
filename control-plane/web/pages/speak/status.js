// What becomes of the text that was just given, in words: made, heard, stood in for, stopped, failed.
import { html } from '../html.js'
import { Badge, Progress } from './basics.js'

const seconds = (value) => `${value.toFixed(value < 10 ? 2 : 1)} s`

function words({ phase, done, total, firstSound, sounding, took }) {
  if (phase === 'asking') return ['busy', 'Waiting for the first sound']
  if (phase === 'making')
    return ['busy', `${firstSound === null ? 'Being made' : 'Heard while it is being made'}: part ${Math.min(done + 1, total)} of ${total}`]
  if (phase === 'done') return ['good', `Made in ${seconds(took)}${sounding ? '; it is still being played' : ''}`]
  if (phase === 'stopped') return ['warn', 'Stopped; nothing was kept']
  return ['bad', 'It failed']
}

export function Making({ making }) {
  const { phase, done, total, firstSound, notice, error } = making
  if (phase === 'idle') return null
  const [tone, text] = words(making)
  return html`<div class="making" data-phase=${phase}>
    <p class="row" role="status">
      <${Badge} tone=${tone}>${text}<//>
      ${firstSound !== null && html`<span class="soft" data-first-sound=${firstSound.toFixed(3)}>First sound after ${seconds(firstSound)}.</span>`}
    </p>
    ${phase === 'making' && html`<${Progress} value=${total > 1 ? done / total : null} label="How much of the text is made" />`}
    ${notice && html`<p class="callout"><strong>What stood in for what: </strong><span class="text">${notice}</span></p>`}
    ${error && html`<p class="callout bad" role="alert"><span class="text">${error.message}</span>${error.hint && html`<br /><span class="text">${error.hint}</span>`}</p>`}
  </div>`
}
