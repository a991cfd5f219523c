// The licence of a model: to be read, or to be accepted before the download.

import { get, messageOf } from '#control-plane/web/lib/api.ts'
import type { ModelEntry } from '#control-plane/web/lib/api-types.ts'
import { Action, Dialog } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { serverSentence } from '#control-plane/web/lib/server-texts.ts'
import { strings as shared } from '#messages/shared.ts'
import { strings } from '#messages/system/models.ts'

type TermsProps = { model: ModelEntry; onAccept?: () => Promise<void>; onClose: () => void }

const Buttons = ({ onAccept, onClose, isReady = true }: Omit<TermsProps, 'model'> & { isReady?: boolean }) => (
  <footer>
    <button type="button" onClick={onClose}>
      {onAccept ? shared.cancel : shared.close}
    </button>
    {onAccept && (
      <Action kind="main" disabled={!isReady} onPress={onAccept}>
        {strings.accept}
      </Action>
    )}
  </footer>
)

const Facts = ({ model: { licence, note, repo_id, pinned, own } }: { model: ModelEntry }) => (
  <>
    <p class="text">{licence}</p>
    {note && <p class="text">{serverSentence(note)}</p>}
    {!own && !pinned && <p>{strings.unpinned}</p>}
    <p class="mono">{repo_id.split(':')[0]}</p>
  </>
)

function Licence({ model, onAccept, onClose }: TermsProps) {
  return (
    <Dialog title={onAccept ? strings.licenceTitle : strings.about} onClose={onClose}>
      <p class="text clip">
        <b>{model.label}</b>
      </p>
      {onAccept ? (
        <>
          <p>
            {strings.licenceBefore}
            <strong class="text">{model.licence}</strong>
            {strings.licenceAfter}
          </p>
          <p class="mono">{model.repo_id.split(':')[0]}</p>
        </>
      ) : (
        <Facts model={model} />
      )}
      <Buttons {...(onAccept && { onAccept })} onClose={onClose} />
    </Dialog>
  )
}

/** The licence card of a model, as its publisher wrote it. It can be accepted once it is shown. */
function Card({ model, onAccept, onClose }: TermsProps) {
  const [card, setCard] = useState<string | null>(null)
  const [error, setError] = useState('')
  const read = async (signal: AbortSignal | undefined) => {
    setError('')
    try {
      const path = `/models/card?repo_id=${encodeURIComponent(model.repo_id)}` as `/models/card?${string}`
      setCard((await get(path, signal)).card)
    } catch (error) {
      if (!signal?.aborted) setError(messageOf(error))
    }
  }
  useEffect(() => {
    const leaving = new AbortController()
    void read(leaving.signal)
    return () => leaving.abort()
  }, [])
  return (
    <Dialog title={strings.cardTitle} onClose={onClose}>
      <p class="text clip">{model.label}</p>
      {onAccept ? <p>{strings.cardNote}</p> : <Facts model={model} />}
      {card !== null && (
        <pre class="code text" dir="auto" tabindex={0} aria-label={strings.cardTitle}>
          {card}
        </pre>
      )}
      {card === null && error === '' && (
        <p class="soft" role="status">
          {shared.loading}
        </p>
      )}
      {error && (
        <p class="callout bad text" role="alert">
          {error}{' '}
          <button type="button" class="quiet" onClick={() => read(undefined)}>
            {shared.tryAgain}
          </button>
        </p>
      )}
      <Buttons {...(onAccept && { onAccept })} onClose={onClose} isReady={card !== null} />
    </Dialog>
  )
}

/** The conditions of a model. `onAccept`: before its download; without it they are only read */
export const Terms = (props: TermsProps) => (props.model.card ? <Card {...props} /> : <Licence {...props} />)
