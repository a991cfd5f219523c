// @ts-check
// A voice from words: a description is understood by rules, and each trait can be chosen.
import { messageOf, post, request } from '../../lib/api.js'
import { Field, Form, fieldValue } from '../../lib/controls.js'
import { html, useEffect, useRef, useState } from '../../lib/html.js'
import { notify } from '../../lib/notices.js'
import { strings } from './strings.js'

/** @typedef {keyof typeof strings.choices} Category */

/** The choice of the studio where none was made. */
const AUTO = 'Auto'
const REST_MS = 300
const CATEGORIES = /** @type {Category[]} */ (Object.keys(strings.choices))
const NOTHING = { found: /** @type {string[]} */ ([]), unknown: /** @type {string[]} */ ([]), error: '' }
const NONE = /** @type {Record<Category, string>} */ (Object.fromEntries(CATEGORIES.map((category) => [category, AUTO])))

export function Design() {
  const [fields, setFields] = useState({ name: '', language: '', description: '' })
  const [described, setDescribed] = useState(/** @type {Partial<typeof NONE>} */ ({}))
  const [chosen, setChosen] = useState(/** @type {Partial<typeof NONE>} */ ({}))
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
  const set = (/** @type {keyof typeof fields} */ name) => (/** @type {Event} */ event) =>
    setFields((now) => ({ ...now, [name]: fieldValue(event) }))
  const isEmpty = CATEGORIES.every((category) => traits[category] === AUTO)
  const send = async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, kind: 'design' })) form.append(name, value.trim())
    form.append('vd_states', JSON.stringify(traits))
    const { id } = await (await request('POST', '/profiles', { form })).json()
    notify(strings.created)
    location.hash = `#/voices/${id}`
  }
  return html`<${Form} onSend=${send} send=${strings.create} disabled=${isEmpty || fields.name.trim() === ''}>
    <${Field} label=${strings.describe} hint=${strings.describeHint}><textarea rows="2" maxlength="2000" value=${description} onInput=${set('description')}></textarea><//>
    <p class="heard soft" role="status">${heard.found.length > 0 && strings.understood(heard.found)} ${heard.unknown.length > 0 && strings.notUnderstood(heard.unknown)}</p>
    ${heard.error && html`<p class="callout bad text" role="alert">${heard.error}</p>`}
    <div class="choices">
      ${CATEGORIES.map(
        (category) => html`<${Field} key=${category} label=${strings.category(category)}>
        <select value=${traits[category]} onChange=${(/** @type {Event} */ event) => setChosen((now) => ({ ...now, [category]: fieldValue(event) }))}>
          <option value=${AUTO}>${strings.automatic}</option>${strings.choices[category].map((one) => html`<option key=${one} value=${one}>${strings.traits(one)}</option>`)}</select><//>`,
      )}
      <${Field} label=${strings.name}><input value=${fields.name} maxlength="1000" required onInput=${set('name')} /><//>
      <${Field} label=${strings.language} hint=${strings.languageHint}><input value=${fields.language} maxlength="64" onInput=${set('language')} /><//>
    </div>
    ${isEmpty && html`<p class="caption">${strings.chooseFirst}</p>`}
  <//>`
}
