// The checks of this machine, each in words, and what to do about those that did not pass.
import { html } from '../html.js'
import { Action, Badge } from './basics.js'

const WORDS = { pass: ['good', 'passes'], warn: ['warn', 'look at it'], fail: ['bad', 'fails'] }

export function Checks({ preflight, error, reading, onAgain }) {
  const bad = preflight?.checks.filter(({ status }) => status === 'fail').length ?? 0
  const summary = !preflight
    ? ''
    : bad > 0
      ? `${bad} of ${preflight.checks.length} checks failed.`
      : preflight.has_warnings
        ? 'Nothing stands in the way; some of it could be better.'
        : 'Everything passes.'
  return html`<section class="sheet" aria-label="Checks" aria-busy=${reading}>
    <div class="row">
      <h2>Checks of this machine</h2>
      <span class="spread"></span>
      <${Action} onPress=${onAgain}>Check again<//>
    </div>
    ${error && html`<p class="callout bad" role="alert">${error}</p>`}
    ${!preflight && !error && html`<p class="empty">Checking; asking the server of the models may take some seconds.</p>`}
    ${summary && html`<p>${summary}</p>`}
    <dl class="now">
      ${preflight?.checks.map(({ id, label, status, detail, fix }) => {
        const [tone, words] = WORDS[status]
        return html`<div key=${id}>
          <dt>${label}</dt>
          <dd><${Badge} tone=${tone}>${words}<//> <span class="text">${detail}</span>${fix && html`<br /><small class="text">${fix}</small>`}</dd>
        </div>`
      })}
    </dl>
  </section>`
}
