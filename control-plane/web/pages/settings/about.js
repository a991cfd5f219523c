// @ts-check
// The version, and what changed in the newest ones.
import { html } from '../../lib/html.js'
import { useRead } from '../../lib/read.js'
import { strings } from './strings.js'

const words = strings.about

export function About() {
  const system = useRead('/system/info')
  const changes = useRead('/api/settings/changelog')
  return html`
    ${(system.error || changes.error) && html`<p class="callout bad text" role="alert">${system.error || changes.error}</p>`}
    ${system.value && html`<p><b>${words.version(system.value.app_version)}</b> <span class="soft">${[system.value.platform, system.value.arch].join(' · ')}</span></p>`}
    ${changes.value?.releases.length === 0 && html`<p class="soft">${words.none}</p>`}
    ${changes.value?.releases.slice(0, 5).map(
      ({ version, date, sections }) => html`<details key=${version}><summary>${words.release(version, date)}</summary>
        ${sections.map(({ title, bullets }) => html`<h3 key=${title}>${title}</h3><ul>${bullets.map((one) => html`<li key=${one} class="text">${one}</li>`)}</ul>`)}</details>`,
    )}
    <p class="row"><a href="/docs">${words.reference}</a></p>`
}
