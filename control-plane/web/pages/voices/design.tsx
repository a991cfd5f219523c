// A voice from words: a description is understood by rules, and each trait can be chosen.
import { messageOf, post } from '#control-plane/web/lib/api.ts'
import { Field, Form, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useEffect, useRef, useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { Needs } from '#control-plane/web/needs/later.tsx'
import { strings } from '#messages/library/voices.ts'
import { createVoice } from './profile.ts'

export type Category = keyof typeof strings.choices

/** The choice of the studio where none was made. */
const AUTO = 'Auto'
const REST_MS = 300
const CATEGORIES = Object.keys(strings.choices) as Category[]
const NOTHING = { found: [] as string[], unknown: [] as string[], error: '' }
const NONE = Object.fromEntries(CATEGORIES.map((category) => [category, AUTO])) as Record<Category, string>

export function Design() {
  const [fields, setFields] = useState({ name: '', language: '', description: '' })
  const [described, setDescribed] = useState<Partial<typeof NONE>>({})
  const [chosen, setChosen] = useState<Partial<typeof NONE>>({})
  const [heard, setHeard] = useState(NOTHING)
  // A choice counts more than the description.
  const traits = { ...NONE, ...described, ...chosen }
  const newest = useRef(0)
  const { description } = fields
  useEffect(() => {
    const mine = ++newest.current
    if (description.trim() === '') return setHeard(NOTHING)
    const timer = setTimeout(async () => {
      try {
        const { attrs, matched, unmatched } = await post('/design/describe', { description })
        if (mine !== newest.current) return
        setDescribed(attrs)
        setHeard({ found: matched.map(({ token }) => token), unknown: unmatched, error: '' })
      } catch (error) {
        if (mine === newest.current) setHeard({ ...NOTHING, error: messageOf(error) })
      }
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [description])
  const set = (name: keyof typeof fields) => (event: Event) => setFields((now) => ({ ...now, [name]: fieldValue(event) }))
  const isEmpty = CATEGORIES.every((category) => traits[category] === AUTO)
  const send = async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, kind: 'design' })) form.append(name, value.trim())
    form.append('vd_states', JSON.stringify(traits))
    const id = await createVoice(form)
    notify(strings.created)
    location.hash = `#/voices/${id}`
  }
  return (
    <Form onSend={send} send={strings.create} disabled={isEmpty || fields.name.trim() === ''}>
      <Needs.View of="description" />
      <Field label={strings.describe} hint={strings.describeHint}>
        <textarea rows={2} maxlength={2000} value={description} onInput={set('description')}></textarea>
      </Field>
      <p class="heard soft" role="status">
        {heard.found.length > 0 && strings.understood(heard.found)} {heard.unknown.length > 0 && strings.notUnderstood(heard.unknown)}
      </p>
      {heard.error && (
        <p class="callout bad text" role="alert">
          {heard.error}
        </p>
      )}
      <div class="choices">
        {CATEGORIES.map((category) => (
          <Field key={category} label={strings.category(category)}>
            <select value={traits[category]} onChange={(event: Event) => setChosen((now) => ({ ...now, [category]: fieldValue(event) }))}>
              <option value={AUTO}>{strings.automatic}</option>
              {strings.choices[category].map((one) => (
                <option key={one} value={one}>
                  {strings.traits(one)}
                </option>
              ))}
            </select>
          </Field>
        ))}
        <Field label={strings.name}>
          <input value={fields.name} maxlength={1000} required onInput={set('name')} />
        </Field>
        <Field label={strings.language} hint={strings.languageHint}>
          <input value={fields.language} maxlength={64} onInput={set('language')} />
        </Field>
      </div>
      {isEmpty && <p class="caption">{strings.chooseFirst}</p>}
    </Form>
  )
}
