// @ts-check
// What happens to the text that was sent last: waiting, generating, playing, cancelled, failed.
import { Badge, Progress } from '../../lib/controls.js'
import { duration } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { strings } from './strings.js'

/** @import { Tone } from '../../lib/controls.js' */
/** @import { GenerationState } from './generation.js' */

/** @param {GenerationState} state @returns {[Tone, string]} */
function summaryOf({ phase, done, total, firstSound, isPlaying, took }) {
  const part = Math.min(done + 1, total)
  if (phase === 'waiting') return ['busy', strings.waiting]
  if (phase === 'generating') return ['busy', firstSound === null ? strings.generating(part, total) : strings.playing(part, total)]
  if (phase === 'done') return ['good', strings.ready(duration(took), isPlaying)]
  return phase === 'cancelled' ? ['quiet', strings.cancelled] : ['bad', strings.failed]
}

/** @param {{ generation: GenerationState }} props */
export function Status({ generation }) {
  const { phase, done, total, firstSound, notice, error } = generation
  if (phase === 'idle') return null
  const [tone, text] = summaryOf(generation)
  return html`<div class="making" data-phase=${phase}>
    <p class="row" role="status">
      <${Badge} tone=${tone}>${text}<//>
      ${firstSound !== null && html`<span class="soft" data-first-sound=${firstSound.toFixed(3)}>${strings.firstSound(duration(firstSound))}</span>`}
    </p>
    ${phase === 'generating' && html`<${Progress} value=${total > 1 ? done / total : null} label=${strings.progress} />`}
    ${notice && html`<p class="soft" data-notice><strong>${strings.note}</strong><span class="text">${notice}</span></p>`}
    ${error && html`<p class="callout bad" role="alert"><span class="text">${error.message}</span>${error.hint && html`<br /><span class="text">${error.hint}</span>`}</p>`}
  </div>`
}
