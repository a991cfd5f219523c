// The components in every state, for people who build pages. Shown while the studio runs for development.

import type { Tone } from '#control-plane/web/lib/controls.tsx'
import { Action, Badge, Confirm, Field, Popover, Progress } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { ICONS, Icon, Ring } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/start/design.ts'
import { Direction, Forms, Part, Sounds, Texts } from './parts.tsx'

const COLOURS = ['bg', 'surface', 'sunken', 'hover', 'raised', 'line', 'control-line', 'text', 'text-2', 'text-3', 'ink', 'accent']
const TINTS = [1, 2, 3, 4, 5, 6, 7, 8]
const KINDS = Object.keys(strings.kindsOfButton) as (keyof typeof strings.kindsOfButton)[]
const TYPES = Object.keys(strings.types) as (keyof typeof strings.types)[]

const Buttons = () => (
  <Part title={strings.buttons}>
    {KINDS.map((kind) => (
      <button key={kind} type="button" class={kind}>
        {strings.kindsOfButton[kind]}
      </button>
    ))}
    {['main', 'plain'].map((kind) => (
      <>
        <button key={kind} type="button" class={kind} disabled>
          {strings.disabled}
        </button>
        <button type="button" class={kind} disabled aria-busy="true">
          {strings.busy}
        </button>
      </>
    ))}
    <button type="button" class="quiet icon-only" aria-label={strings.iconOnly} title={strings.iconOnly}>
      <Icon of="download" />
    </button>
    <button type="button" class="main play" aria-label={strings.kindsOfButton.main}>
      <Icon of="play" isSolid />
    </button>
  </Part>
)

const Fields = () => (
  <Part title={strings.fields}>
    <Field label={strings.name} hint={strings.nameHint}>
      <input value={strings.value} />
    </Field>
    <Field label={strings.seed} hint={strings.wrong}>
      <input value={strings.seedValue} aria-invalid="true" />
    </Field>
    <Field label={strings.disabled}>
      <input value={strings.value} disabled />
    </Field>
    <Field label={strings.voice}>
      <select>
        {strings.voices.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </Field>
    <Field label={strings.voice} look="chip">
      <select>
        {strings.voices.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </Field>
    <Field label={strings.speed} look="chip">
      <input type="range" min={0} max={4} step={0.05} value={1} />
    </Field>
    <label class="row">
      <input type="checkbox" />
      <span>{strings.show}</span>
    </label>
  </Part>
)

const States = () => (
  <Part title={strings.states}>
    {Object.entries(strings.tones).map(([tone, text]) => (
      <Badge key={tone} tone={tone as Tone}>
        {text}
      </Badge>
    ))}
    <span class="state busy">
      <Ring share={0.6} />
      {strings.tones.busy}
    </span>
    <span class="state good">
      <Icon of="check" />
      {strings.tones.good}
    </span>
    <span class="state warn">
      <Icon of="warning" />
      {strings.tones.warn}
    </span>
    <span class="state bad">
      <Icon of="failed" />
      {strings.tones.bad}
    </span>
  </Part>
)

function Overlays() {
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <Part title={strings.overlays}>
      <button type="button" onClick={() => setAsking(true)}>
        {strings.openDialog}
      </button>
      <Popover id="design-popover" label={strings.openPopover} face={strings.openPopover}>
        <div class="body">
          <button type="button" class="item" data-close>
            <Icon of="check" />
            <span>{strings.choice}</span>
          </button>
        </div>
      </Popover>
      <Action onPress={() => notify(strings.noticeText)}>{strings.notice}</Action>
      <Action onPress={() => Promise.reject(new Error(strings.failureText))}>{strings.failure}</Action>
      {isAsking && (
        <Confirm title={strings.dialogTitle} action={strings.kindsOfButton.danger} onYes={async () => {}} onClose={close}>
          <p>{strings.dialogText}</p>
        </Confirm>
      )}
    </Part>
  )
}

export function Design() {
  return (
    <>
      <p class="soft">{strings.intro}</p>
      <div class="row">
        <Direction />
      </div>
      <Part title={strings.colours}>
        {COLOURS.map((name) => (
          <figure key={name} class="swatch">
            <span class="colour" style={{ background: `var(--${name})` }}></span>
            <figcaption class="caption">{name}</figcaption>
          </figure>
        ))}
      </Part>
      <Part title={strings.type}>
        {TYPES.map((name) => (
          <p key={name} style={{ font: `var(--type-${name})` }}>
            {strings.types[name]}
          </p>
        ))}
      </Part>
      <Buttons />
      <Fields />
      <Forms />
      <States />
      <Part title={strings.kinds}>
        {TINTS.map((tint) => (
          <span key={tint} class={`kind k${tint}`}>
            <Icon of="speak" />
          </span>
        ))}
        {ICONS.map((name) => (
          <span key={name} title={name}>
            <Icon of={name} isLarge />
          </span>
        ))}
      </Part>
      <Part title={strings.progress}>
        <Progress value={0.5} label={strings.half} />
        <Progress value={null} label={strings.unknown} />
      </Part>
      <section class="sheet" aria-label={strings.notes}>
        <h2>{strings.notes}</h2>
        <p class="note">
          <Icon of="note" />
          <span>
            {strings.note} <a href="#/setup">{strings.install}</a>
          </span>
        </p>
        {Object.entries(strings.noteTones).map(([tone, text]) => (
          <p key={tone} class={`callout ${tone}`}>
            {text}
          </p>
        ))}
        <p class="empty">{strings.empty}</p>
        <div class="waiting" aria-hidden="true">
          <div class="skeleton"></div>
        </div>
      </section>
      <section class="sheet" aria-label={strings.table}>
        <h2>{strings.table}</h2>
        <table>
          <thead>
            <tr>
              {strings.columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {strings.rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell) => (
                  <td key={cell}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Sounds />
      <Texts />
      <Overlays />
    </>
  )
}
