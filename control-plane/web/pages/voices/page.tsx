// Voices: find, play and make voices, and account for them. The view is in the address: #/voices/<voice, view or new>.

import type { Address } from '#control-plane/web/frame/address.ts'
import { queryOf, useChoices } from '#control-plane/web/frame/address.ts'
import { useEffect } from '#control-plane/web/lib/html.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { useRead } from '#control-plane/web/lib/read.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { isListener } from '#control-plane/web/visitor.ts'
import { strings } from '#messages/library/voices.ts'
import { ImportButton } from './bundle.tsx'
import { MyVoices } from './mine.tsx'
import { Voice } from './voice.tsx'

const OwnGallery = whenOpened(() => import('./catalogue.tsx').then(({ Gallery }) => Gallery))
const OwnCommunity = whenOpened(() => import('./catalogue.tsx').then(({ Community }) => Community))
const OwnClips = whenOpened(() => import('./clips.tsx').then(({ Clips }) => Clips))
const Cloning = whenOpened(() => import('./clone.tsx').then(({ Clone }) => Clone), { isSoon: true })
const Designing = whenOpened(() => import('./design.tsx').then(({ Design }) => Design), { isSoon: true })
const VIEWS = ['', 'gallery', 'clips', 'community'] as const

const NewVoice = ({ from }: { from: string }) => (
  <section class="new-voice" aria-label={strings.newVoice}>
    <div class="row">
      <a class="back" href="#/voices">
        {strings.back}
      </a>
    </div>
    <h2 tabindex={-1} data-opened>
      {strings.newVoice}
    </h2>
    <nav class="tabs" aria-label={strings.from}>
      <a href="#/voices/new?from=sample" aria-current={from === 'design' ? undefined : 'page'}>
        {strings.fromSample}
      </a>
      <a href="#/voices/new?from=design" aria-current={from === 'design' ? 'page' : undefined}>
        {strings.fromWords}
      </a>
    </nav>
    {from === 'design' ? <Designing.View /> : <Cloning.View />}
  </section>
)

export function Voices({ address }: { address: Address }) {
  const { query } = address
  // Those who make nothing have the list only.
  const object = isListener && (address.object === 'new' || VIEWS.some((one) => one === address.object)) ? '' : address.object
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
  if (isNew) return <NewVoice from={query.get('from') ?? 'sample'} />
  return (
    <div class={isVoice ? 'beside with-details' : 'beside'}>
      <div class="listed">
        <div class="row tabs-row makes">
          <nav class="tabs" aria-label={strings.views}>
            {VIEWS.map((one) => (
              <a key={one} href={`#/voices${one && `/${one}`}`} aria-current={(view ?? '') === one ? 'page' : undefined}>
                {strings.tabs[one]}
                {one === '' && voices.value !== null && <small class="number">{voices.value.length}</small>}
              </a>
            ))}
          </nav>
          <span class="spread"></span>
          <ImportButton onDone={voices.again} />
          <a class="button main" href="#/voices/new">
            <Icon of="plus" />
            {strings.newVoice}
          </a>
        </div>
        {view === 'gallery' && <OwnGallery.View />}
        {view === 'clips' && <OwnClips.View />}
        {view === 'community' && <OwnCommunity.View />}
        {(view ?? '') === '' && <MyVoices voices={voices} openId={isVoice ? object : ''} choices={choices} />}
      </div>
      {isVoice && voices.value !== null && (
        <Voice key={object} voice={open} back={`#/voices${queryOf(choices[0])}`} onChanged={voices.again} />
      )}
    </div>
  )
}
