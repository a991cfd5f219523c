// The components that hold a state of their own, each in its states.

import type { ComponentChildren } from 'preact'
import { Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import { Long } from '#control-plane/web/lib/moments.tsx'
import { PlayButton } from '#control-plane/web/look/play-button.tsx'
import { Track, type Waveform } from '#control-plane/web/look/sample.tsx'
import { strings } from '#messages/start/design.ts'

const DIRECTIONS = ['ltr', 'rtl'] as const
const BARS = [0.2, 0.5, 0.9, 1, 0.7, 0.4, 0.6, 0.8, 0.5, 0.3, 0.2, 0.1]
const SOUND: Waveform = { address: '/design', bars: BARS, length: 12, blob: null, isBroken: false }
/** More than is shown of a long text at once. */
const REPEATED = 20

export const Part = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <section class="sheet" aria-label={title}>
    <h2>{title}</h2>
    <div class="row examples">{children}</div>
  </section>
)

/** Sets the direction of the whole document, until the page is left. */
export function Direction() {
  const [direction, setDirection] = useState<string>('ltr')
  useEffect(() => {
    document.documentElement.dir = direction
    return () => document.documentElement.removeAttribute('dir')
  }, [direction])
  return (
    <Field label={strings.direction} look="chip">
      <select value={direction} onChange={(event: Event) => setDirection(fieldValue(event))}>
        {DIRECTIONS.map((one) => (
          <option key={one} value={one}>
            {strings.directions[one]}
          </option>
        ))}
      </select>
    </Field>
  )
}

export const Forms = () => (
  <Part title={strings.forms}>
    <Form send={strings.kindsOfButton.main} onSend={() => Promise.reject(new Error(strings.failureText))}>
      <Field label={strings.name} hint={strings.nameHint}>
        <input value={strings.value} />
      </Field>
    </Form>
    <Form send={strings.kindsOfButton.main} onSend={async () => {}} disabled>
      <label class="row">
        <input type="checkbox" class="switch" defaultChecked />
        <span>{strings.show}</span>
      </label>
      <label class="row">
        <input type="checkbox" class="switch" />
        <span>{strings.show}</span>
      </label>
    </Form>
  </Part>
)

export function Sounds() {
  const [at, setAt] = useState(SOUND.length / 3)
  return (
    <Part title={strings.sounds}>
      <div class="sample">
        <PlayButton path="/design" label={strings.play} pauseLabel={strings.play} kind="main play" onPress={() => {}} />
        <Track wave={SOUND} at={at} label={strings.position} text={strings.seconds(at)} onSeek={setAt} />
      </div>
      <Track wave={{ ...SOUND, bars: [], length: 0 }} at={0} label={strings.unread} text={strings.seconds(0)} onSeek={setAt} />
    </Part>
  )
}

export const Texts = () => (
  <section class="sheet" aria-label={strings.texts}>
    <h2>{strings.texts}</h2>
    <Long text={strings.script} />
    <Long text={`${strings.script} `.repeat(REPEATED)} />
    <nav class="tabs" aria-label={strings.kinds}>
      {strings.tabs.map((name, index) => (
        <a key={name} href="#/design" aria-current={index === 0 ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  </section>
)
