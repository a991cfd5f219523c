// The list of all keys.

import { strings as frame } from '#messages/frame.ts'
import { strings } from '#messages/palette.ts'
import { Dialog } from '../lib/controls.tsx'
import { useState } from '../lib/html.ts'
import { areLettersOn, LETTERS_KEY, PAGE_KEYS } from './keys.ts'

/** All keys, and whether those of one letter work. */
export function KeyHelp({ hasPage, onClose }: { hasPage: (page: string) => boolean; onClose: () => void }) {
  const [areOn, setOn] = useState(areLettersOn)
  const change = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLInputElement)) return
    localStorage.setItem(LETTERS_KEY, currentTarget.checked ? 'on' : 'off')
    setOn(currentTarget.checked)
  }
  const titles = { everywhere: strings.everywhere, sound: strings.sound, speak: frame.titles.speak, dub: frame.titles.dub }
  const pages = Object.entries(PAGE_KEYS).filter(([, page]) => hasPage(page))
  return (
    <Dialog title={strings.keys} onClose={onClose}>
      <div class="key-lists">
        {(['everywhere', 'sound', 'speak', 'dub'] as const).map((place) => (
          <section key={place}>
            <h3>{titles[place]}</h3>
            <dl>
              {strings.keyLists[place].map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>{strings.goTo}</h3>
          <dl>
            {pages.map(([key, page]) => (
              <div key={key}>
                <dt>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dt>
                <dd>{frame.titles[page as 'home']}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <label class="row">
        <input type="checkbox" checked={areOn} onChange={change} />
        <span>{strings.lettersOn}</span>
      </label>
    </Dialog>
  )
}
