// Plays a complete take, from any place that shows it.
import { messageOf } from '#control-plane/web/lib/api.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { playSound } from '#control-plane/web/look/sound.ts'
import type { Take } from '../speak/request.ts'

/** All that lists of takes have. Places that are narrower cut it. */
const TITLE_CHARS = 200

export const takeTitle = ({ text }: Take) => text.slice(0, TITLE_CHARS)

/** The takes that the page shows; they stay a list when another page is opened. */
let listed: readonly Take[] = []
export const listTakes = (takes: readonly Take[]) => {
  listed = takes
}

/** `from`: seconds; without it a second call pauses. `blob`: its sound, when the page has it already */
export const playTake = (take: Take, { from, blob = null }: { from?: number | undefined; blob?: Blob | null } = {}): Promise<unknown> =>
  playSound(take.url, {
    ...(from !== undefined && { from }),
    blob,
    title: takeTitle(take),
    href: `#/speak?take=${encodeURIComponent(take.id)}`,
    list: () => listed.map((one) => ({ path: one.url, play: () => playTake(one) })),
  }).catch((error) => notify(messageOf(error), 'error'))
