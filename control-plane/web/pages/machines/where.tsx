// The place where each kind of work would go now, and the reason.
import { isolated, short } from '#control-plane/web/lib/format.ts'
import { usePolled } from '#control-plane/web/lib/read.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/machines/machine-views.ts'
import { placeOf } from './routing.tsx'

const words = strings.routing
const EVERY_MS = 10_000
const KINDS: readonly { op: string; icon: IconName; tint: number }[] = [
  { op: 'tts', icon: 'speak', tint: 1 },
  { op: 'audiobook', icon: 'book', tint: 7 },
  { op: 'dub', icon: 'film', tint: 3 },
  { op: 'asr', icon: 'captions', tint: 4 },
]
const CHOSEN = 'chosen'

function Kind({ op, icon, tint }: (typeof KINDS)[number]) {
  const view = usePolled(`/workers/target?op=${op}&limit=0`, EVERY_MS).value
  return (
    <li class="offered">
      <span class={`kind k${tint}`}>
        <Icon of={icon} />
      </span>
      <span class="grow">
        <b class="text one-line">{words.operations.find(([id]) => id === op)?.[1]}</b>
        <small class="text">{view ? isolated(short(placeOf(view))) : '\u00a0'}</small>
      </span>
      {view && view.active.reason !== CHOSEN && <small class="text">{serverSentence(view.active.reason)}</small>}
    </li>
  )
}

export const WhereWorkGoes = () => (
  <section class="where-work" aria-label={words.where}>
    <h2>{words.where}</h2>
    <ul>
      {KINDS.map((kind) => (
        <Kind key={kind.op} {...kind} />
      ))}
    </ul>
  </section>
)
