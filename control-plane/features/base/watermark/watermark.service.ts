// The marks that are on, and the mark of a task.

import type { Audit } from '#control-plane/audit/audit.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import type { Provenance } from './provenance.ts'
import { watermarkSettings } from './watermark.settings.ts'

type Deps = {
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly audit: Pick<Audit, 'record'>
  readonly provenance: Provenance
}
type Change = { readonly [Name in 'invisible' | 'visible_audio' | 'visible_video']?: boolean | undefined }
export type Watermark = ReturnType<typeof createWatermark>

export function createWatermark({ settings, audit, provenance }: Deps) {
  const { invisible, visibleAudio, visibleVideo } = watermarkSettings
  const choices = () => ({
    invisible_enabled: settings.read(invisible),
    visible_audio_enabled: settings.read(visibleAudio),
    visible_video_enabled: settings.read(visibleVideo),
  })
  return {
    choices,
    /** Resolves when durable. Throws STORAGE_FULL. */
    async change(change: Change) {
      const writes: Promise<void>[] = []
      if (change.invisible !== undefined && change.invisible !== settings.read(invisible)) {
        writes.push(settings.write(invisible, change.invisible))
        // In the batch of the write.
        audit.record(change.invisible ? 'mark-on' : 'mark-off', 'studio')
      }
      if (change.visible_audio !== undefined) writes.push(settings.write(visibleAudio, change.visible_audio))
      if (change.visible_video !== undefined) writes.push(settings.write(visibleVideo, change.visible_video))
      await Promise.all(writes)
      return choices()
    },
    /** The mark of a task; null while the owner has turned it off. */
    markOf: (spec: Parameters<Provenance>[0]) => (settings.read(invisible) ? provenance(spec) : null),
  }
}
