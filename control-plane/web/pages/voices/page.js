// @ts-check
// Voices: find, play and make voices, and account for them. The view is in the address: #/voices/<voice, view or new>.
import { queryOf, useChoices } from '../../frame/address.js'
import { html, useEffect } from '../../lib/html.js'
import { whenOpened } from '../../lib/later.js'
import { useRead } from '../../lib/read.js'
import { Icon } from '../../look/icons.js'
import { ImportButton } from './bundle.js'
import { MyVoices } from './mine.js'
import { strings } from './strings.js'
import { Voice } from './voice.js'

/** @import { Address } from '../../frame/address.js' */

const OwnGallery = whenOpened(() => import('./catalogue.js').then(({ Gallery }) => Gallery))
const OwnCommunity = whenOpened(() => import('./catalogue.js').then(({ Community }) => Community))
const OwnClips = whenOpened(() => import('./clips.js').then(({ Clips }) => Clips))
const Cloning = whenOpened(() => import('./clone.js').then(({ Clone }) => Clone), { isSoon: true })
const Designing = whenOpened(() => import('./design.js').then(({ Design }) => Design), { isSoon: true })
const VIEWS = /** @type {const} */ (['', 'gallery', 'clips', 'community'])

/** @param {{ from: string }} props */
const NewVoice = ({ from }) => html`<section class="new-voice" aria-label=${strings.newVoice}>
  <div class="row"><a class="back" href="#/voices">${strings.back}</a></div>
  <h2 tabindex="-1" data-opened>${strings.newVoice}</h2>
  <nav class="tabs" aria-label=${strings.from}>
    <a href="#/voices/new?from=sample" aria-current=${from === 'design' ? undefined : 'page'}>${strings.fromSample}</a>
    <a href="#/voices/new?from=design" aria-current=${from === 'design' ? 'page' : undefined}>${strings.fromWords}</a>
  </nav>
  ${from === 'design' ? html`<${Designing.View} />` : html`<${Cloning.View} />`}
</section>`

/** @param {{ address: Address }} props */
export function Voices({ address }) {
  const { object, query } = address
  const voices = useRead('/profiles')
  const choices = useChoices(query, ['q', 'kind', 'language'])
  const isNew = object === 'new'
  const view = VIEWS.find((one) => one === object) ?? null
  const isVoice = !isNew && view === null
  const open = isVoice ? (voices.value?.find(({ id }) => id === object) ?? null) : null
  // A voice that was made elsewhere is there when its address is opened.
  useEffect(() => {
    if (voices.value !== null) void voices.again()
  }, [object])
  useEffect(() => {
    const opened = document.querySelector('[data-opened]')
    if (opened instanceof HTMLElement) opened.focus({ preventScroll: true })
  }, [isNew, open?.id])
  if (isNew) return html`<${NewVoice} from=${query.get('from') ?? 'sample'} />`
  return html`<div class=${isVoice ? 'beside with-details' : 'beside'}>
    <div class="listed">
      <div class="row tabs-row">
        <nav class="tabs" aria-label=${strings.views}>
          ${VIEWS.map(
            (
              one,
            ) => html`<a key=${one} href=${`#/voices${one && `/${one}`}`} aria-current=${(view ?? '') === one ? 'page' : undefined}>${strings.tabs[one]}
              ${one === '' && voices.value !== null && html`<small class="number">${voices.value.length}</small>`}</a>`,
          )}
        </nav>
        <span class="spread"></span>
        <${ImportButton} onDone=${voices.again} />
        <a class="button main" href="#/voices/new"><${Icon} of="plus" />${strings.newVoice}</a>
      </div>
      ${view === 'gallery' && html`<${OwnGallery.View} />`}
      ${view === 'clips' && html`<${OwnClips.View} />`}
      ${view === 'community' && html`<${OwnCommunity.View} />`}
      ${(view ?? '') === '' && html`<${MyVoices} voices=${voices} openId=${isVoice ? object : ''} choices=${choices} />`}
    </div>
    ${isVoice && voices.value !== null && html`<${Voice} key=${object} voice=${open} back=${`#/voices${queryOf(choices[0])}`} onChanged=${voices.again} />`}
  </div>`
}
