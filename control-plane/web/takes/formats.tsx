// The formats in which a take can be downloaded, the one that was chosen last first.
import type { HistoryTake } from '#control-plane/web/lib/api-types.ts'
import { strings } from '#messages/library/takes.ts'
import type { TakeCounts } from './take-pages.ts'

type Format = TakeCounts['formats'][number]

const FORMAT_KEY = 'voice-studio-take-format'
const FORMATS = Object.keys(strings.formats) as Format[]

/** The formats, the last one first. */
function inOrder(): Format[] {
  let last: string | null = null
  try {
    last = localStorage.getItem(FORMAT_KEY)
  } catch {} // without storage the order is always the same
  return [...FORMATS].sort((a, b) => Number(b === last) - Number(a === last))
}
function remember(format: Format) {
  try {
    localStorage.setItem(FORMAT_KEY, format)
  } catch {}
}

/** `formats`: those that the studio can make now, null until they are known */
export const Formats = ({ take, formats }: { take: Pick<HistoryTake, 'id'>; formats: readonly Format[] | null }) => (
  <div class="body">
    {inOrder().map((format) => {
      const [title, about] = strings.formats[format]
      const canMake = formats === null || formats.includes(format)
      return canMake ? (
        <a
          key={format}
          class="item"
          href={`/history/${take.id}/file?format=${format}`}
          download=""
          data-close
          onClick={() => remember(format)}
        >
          <b>{title}</b>
          <span class="soft">{about}</span>
        </a>
      ) : (
        <a key={format} class="item" href="#/setup" data-close>
          <b>{title}</b>
          <span class="soft">{strings.needsTools}</span>
        </a>
      )
    })}
  </div>
)
