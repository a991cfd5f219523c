// Examples of calls from other programs, with the address of this studio.
import { wholeAddress } from '#control-plane/web/at.ts'
import { Action, copyText, Field, fieldValue } from '#control-plane/web/lib/controls.tsx'
import { useState } from '#control-plane/web/lib/html.ts'
import { notify } from '#control-plane/web/lib/notices.ts'
import { strings } from '#messages/system/settings.ts'

const words = strings.examples
const LANGUAGES = ['curl', 'python', 'javascript'] as const

export function Examples() {
  const [language, setLanguage] = useState('curl' as (typeof LANGUAGES)[number])
  const text = words.code[language](wholeAddress('/').replace(/\/$/, ''))
  const copy = async () => {
    await copyText(text)
    notify(words.copied)
  }
  const choose = (event: Event) => setLanguage(LANGUAGES.find((one) => one === fieldValue(event)) ?? 'curl')
  return (
    <>
      <div class="row">
        <Field label={words.language} look="chip">
          <select value={language} onChange={choose}>
            {LANGUAGES.map((one) => (
              <option key={one} value={one}>
                {words.names[one]}
              </option>
            ))}
          </select>
        </Field>
        <span class="spread"></span>
        <Action onPress={copy}>{words.copy}</Action>
      </div>
      <pre class="code" tabindex={0}>
        {text}
      </pre>
      <p class="row">
        <a href="/docs">{words.reference}</a>
      </p>
    </>
  )
}
