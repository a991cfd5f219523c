// Clips: recordings of people that can become voices.
import { get, messageOf, patch, post, remove, request } from '#control-plane/web/lib/api.ts'
import type { GalleryClipRow } from '#control-plane/web/lib/api-types.ts'
import { Action, Confirm, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { soundLength } from '#control-plane/web/lib/format.ts'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { stopSound } from '#control-plane/web/look/sound.ts'
import { VoicePrint } from '#control-plane/web/look/voice-print.tsx'
import { strings } from '#messages/library/voices.ts'
import { strings as shared } from '#messages/shared.ts'
import { play } from './mine.tsx'

const LIMIT = 200
const NAME_CHARS = 100
const SOUND = 'audio/\u002a'

function Clip({ clip, onChanged, onDelete }: { clip: GalleryClipRow; onChanged: () => Promise<void>; onDelete: () => void }) {
  const { id, name, character, duration: seconds, description } = clip
  const isStarred = clip.is_favorite === 1
  const preview = `/gallery/voices/${id}/preview`
  const star = async () => {
    await patch(`/gallery/voices/${id}` as `/gallery/voices/${string}`, { is_favorite: !isStarred })
    await onChanged()
  }
  const make = async () => {
    const { profile_id: voice } = await post(`/gallery/voices/${id}/to-profile` as `/gallery/voices/${string}/to-profile`, {})
    notify(strings.added)
    location.hash = `#/voices/${voice}`
  }
  return (
    <li class="offered">
      <VoicePrint id={id} />
      <span class="grow">
        <b class="text one-line" dir="auto">
          {name}
        </b>
        <small class="text one-line" dir="auto">
          {[soundLength(seconds), character, description].filter(Boolean).join(' · ')}
        </small>
      </span>
      <PlayButton
        path={preview}
        label={shared.playOf(name)}
        pauseLabel={shared.pauseOf(name)}
        onPress={() => play(preview, name, '#/voices/clips')}
      />
      <Action
        kind={isStarred ? 'quiet icon-only starred' : 'quiet icon-only'}
        aria-pressed={isStarred}
        title={strings.star(name, isStarred)}
        aria-label={strings.star(name, isStarred)}
        onPress={star}
      >
        <Icon of="star" isSolid={isStarred} />
      </Action>
      <button type="button" class="quiet icon-only" title={strings.deleteOf(name)} aria-label={strings.deleteOf(name)} onClick={onDelete}>
        <Icon of="trash" />
      </button>
      <Action aria-label={strings.makeVoiceOf(name)} onPress={make}>
        <Icon of="plus" />
        {strings.makeVoice}
      </Action>
    </li>
  )
}

export function Clips() {
  const input = useRef<HTMLInputElement | null>(null)
  const [text, setText] = useState('')
  const [{ clips, error }, set] = useState({ clips: null as GalleryClipRow[] | null, error: '' })
  const [deleting, setDeleting] = useState<GalleryClipRow | null>(null)
  const newest = useRef(0)
  const read = async () => {
    const mine = ++newest.current
    try {
      const found = await get(`/gallery/voices?limit=${LIMIT}&search=${encodeURIComponent(text.trim())}`)
      if (mine === newest.current) set({ clips: found, error: '' })
    } catch (failure) {
      if (mine === newest.current) set((now) => ({ ...now, error: messageOf(failure) }))
    }
  }
  useEffect(() => void read(), [text])
  const add = async () => {
    const file = input.current?.files?.[0]
    if (input.current) input.current.value = ''
    if (!file) return
    const form = new FormData()
    form.append('name', file.name.replace(/\.[^.]{1,8}$/, '').slice(0, NAME_CHARS) || strings.columns.voice)
    form.append('audio', file)
    try {
      await request('POST', '/gallery/upload', { form })
      notify(strings.clipAdded)
      await read()
    } catch (failure) {
      notify(messageOf(failure), 'error')
    }
  }
  const yes = async () => {
    stopSound(`/gallery/voices/${deleting?.id}/preview`)
    await remove(`/gallery/voices/${deleting?.id}` as `/gallery/voices/${string}`)
    await read()
  }
  return (
    <>
      <div class="row voice-filters">
        <input
          type="search"
          class="find"
          value={text}
          maxlength={200}
          placeholder={strings.find}
          aria-label={strings.find}
          onInput={(event: Event) => setText(fieldValue(event))}
        />
        <span class="spread"></span>
        <small class="number" role="status">
          {clips !== null && strings.foundClips(clips.length)}
        </small>
        <input ref={input} type="file" hidden accept={SOUND} aria-label={strings.addClip} onChange={add} />
        <Action onPress={() => input.current?.click()}>
          <Icon of="upload" />
          {strings.addClip}
        </Action>
      </div>
      {error && (
        <p class="callout bad text" role="alert">
          {error}
        </p>
      )}
      {clips?.length === 0 && <p class="empty">{text.trim() === '' ? strings.noClips : strings.noneFound}</p>}
      <ul class="offers">
        {clips?.map((clip) => (
          <Clip key={clip.id} clip={clip} onChanged={read} onDelete={() => setDeleting(clip)} />
        ))}
      </ul>
      {deleting && (
        <Confirm
          title={strings.deleteTitle(deleting.name.slice(0, NAME_CHARS))}
          action={strings.deleteClipYes}
          keep={strings.keep}
          onYes={yes}
          onClose={() => setDeleting(null)}
        >
          <p>{strings.deleteClipText}</p>
        </Confirm>
      )}
    </>
  )
}
