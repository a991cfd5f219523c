// Counts of the takes, and what the next one removes: below the setting that decides it.
import { useTakeCounts } from '#control-plane/web/takes/take-pages.ts'
import { strings } from '#messages/library/takes.ts'

/** Read again whenever a setting is stored. */
export function KeptTakes({ settings }: { settings: unknown }) {
  const { counts } = useTakeCounts(settings)
  if (counts === null) return null
  const { takes, starred, cap, next_removes: removed } = counts
  return (
    <p class={removed > 1 ? 'callout' : 'soft'} role="status">
      {strings.keptNow(takes, starred)} {removed > 0 && strings.nextRemoves(removed, cap)}
    </p>
  )
}
