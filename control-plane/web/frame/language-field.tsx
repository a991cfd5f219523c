// The choice of the language of the pages, for this browser.
import { strings } from '#messages/frame.ts'
import { Field, fieldValue } from '../lib/controls.tsx'
import { chooseLanguage, languages } from '../visitor.ts'

export const LanguageField = () => (
  <Field label={strings.language}>
    <select value={document.documentElement.lang} onChange={(event: Event) => chooseLanguage(fieldValue(event))}>
      {languages.map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  </Field>
)
