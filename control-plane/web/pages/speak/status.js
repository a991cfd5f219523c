// @ts-check
// The state of the text that was sent last (waiting, generating, playing, cancelled, failed) and the machine that generates it.
import { isBusy, useGeneration } from '../../frame/generation.js'
import { Action, Badge, Progress } from '../../lib/controls.js'
import { duration, isolated, short } from '../../lib/format.js'
import { html } from '../../lib/html.js'
import { Icon } from '../../look/icons.js'
import { finishHere, listen, silence } from './generation.js'
import { strings } from './strings.js'

export { cancel, resume, silence, speak } from './generation.js'

/** @import { TakeMachine } from '../../lib/api-types.ts' */
/** @import { Tone } from '../../lib/controls.js' */
/** @import { Generation } from '../../frame/generation.js' */

/** @param {Generation} generation @returns {[Tone, string]} */
function summaryOf({ phase, done, total, firstSound, isPlaying, took }) {
  const part = Math.min(done + 1, total)
  if (phase === 'waiting') return ['busy', strings.waiting]
  if (phase === 'generating')
    return ['busy', isPlaying && firstSound !== null ? strings.playing(part, total) : strings.generating(part, total)]
  if (phase === 'done') return ['good', strings.ready(duration(took), isPlaying)]
  return phase === 'cancelled' ? ['quiet', strings.cancelled] : ['bad', strings.failed]
}

/** The machine stopped answering: says what is kept and what happens next, and offers to finish on this machine. @param {{ machine: TakeMachine }} props */
function Lost({ machine }) {
  const { name, next = 'fail', parts_kept = 0, parts = 0, can_finish_here: canFinish } = machine
  return html`<div class="callout" role="alert" data-lost>
    <p><strong>${strings.stoppedAnswering(isolated(short(name)))}</strong> ${parts_kept > 0 && strings.partsKept(parts_kept, parts)} ${strings.next[next]}</p>
    ${canFinish && html`<div class="row"><${Action} onPress=${finishHere}>${strings.finishHere}<//></div>`}
  </div>`
}

/** @param {{ generation: Generation }} props */
export function Status({ generation }) {
  const { phase, job, done, total, firstSound, isPlaying, notices, machine, error } = generation
  const [tone, text] = summaryOf(generation)
  const isRunning = isBusy(generation)
  return html`<div class="making" data-phase=${phase}>
    <p class="row" role="status">
      <${Badge} tone=${tone}>${text}<//>
      ${firstSound !== null && html`<span class="soft" data-first-sound=${firstSound.toFixed(3)}>${strings.firstSound(duration(firstSound))}</span>`}
      ${isRunning && machine?.state === 'running' && !machine.local && html`<span class="soft text">${strings.onMachine(isolated(short(machine.name)))}</span>`}
      ${phase === 'generating' && job !== null && !isPlaying && html`<button type="button" onClick=${listen}>${strings.listen}</button>`}
    </p>
    ${phase === 'generating' && html`<${Progress} value=${total > 1 ? done / total : null} label=${strings.progress} />`}
    ${isRunning && machine?.state === 'lost' && html`<${Lost} machine=${machine} />`}
    ${isRunning && job !== null && html`<p class="soft">${strings.safeToLeave}</p>`}
    ${notices.length > 0 && html`<p class="soft" data-notice><strong>${strings.note}</strong><span class="text">${notices.join(' ')}</span></p>`}
    ${error && html`<p class="callout bad" role="alert"><span class="text">${error.message}</span>${error.hint && html`<br /><span class="text">${error.hint}</span>`}</p>`}
  </div>`
}

/** At the bottom of every other page: what is generated or played. */
export function GenerationBar() {
  const generation = useGeneration()
  const { isPlaying } = generation
  if (!isBusy(generation) && !isPlaying) return null
  const [tone, text] = summaryOf(generation)
  return html`<section class="docked" aria-label=${strings.speak}>
    <span class="kind k1"><${Icon} of="speak" /></span>
    <a class=${`badge ${tone}`} href="#/speak">${text}</a>
    <span class="spread"></span>
    ${isPlaying && html`<button type="button" onClick=${silence}>${strings.stop}</button>`}
  </section>`
}
