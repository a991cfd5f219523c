// The volume of all sounds.

import { strings } from '#messages/shared.ts'
import { fieldValue } from '../lib/controls.tsx'
import { useState } from '../lib/html.ts'
import { Icon } from './icons.tsx'
import { setVolume, volumeNow } from './sound.ts'

export function Volume() {
  const [volume, show] = useState(volumeNow)
  const change = (event: Event) => {
    setVolume(Number(fieldValue(event)))
    show(volumeNow())
  }
  return (
    <label class="volume" title={strings.volume}>
      <Icon of="volume" />
      <input type="range" min={0} max={1} step={0.05} value={volume} aria-label={strings.volume} onInput={change} />
    </label>
  )
}
