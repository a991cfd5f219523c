// Notes about a dub, in the panel, so that the table and the timeline keep their height.

import type { NeedEntry } from '#control-plane/web/lib/api-types.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/create/dub.ts'

type NotesProps = {
  /** failure to read the studio */
  error: string
  /** failure to start what was asked for */
  refusal: string
  /** failure that ended the newest job */
  failed: string
  isLost: boolean
  unspoken: number
  /** reason for the first line that is not spoken */
  why: string
  needs: readonly NeedEntry[]
  remarks: readonly string[]
}
/** Failures and remarks of what was asked for. */
export const Notes = ({ error, refusal, failed, isLost, unspoken, why, needs, remarks }: NotesProps) => (
  <>
    {error && (
      <p class="callout bad text" role="alert">
        {error}
      </p>
    )}
    {isLost && (
      <p class="callout" role="alert">
        {strings.notKept}
      </p>
    )}
    {(refusal || failed) && (
      <p class="callout bad text" role="alert">
        <strong>{refusal ? '' : strings.didNotFinish}</strong> {refusal || failed}
      </p>
    )}
    {unspoken > 0 && (
      <p class="callout text" role="status">
        {strings.unspoken(unspoken)} {serverSentence(why)}
      </p>
    )}
    {needs.map((one) => (
      <Needs.View key={one.for} of={one} />
    ))}
    {remarks.map((one) => (
      <p key={one} class="note text">
        <Icon of="note" />
        {serverSentence(one)}
      </p>
    ))}
  </>
)
