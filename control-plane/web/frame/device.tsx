// The device menu: theme, language, sign in, sign out.

import { strings } from '#messages/frame.ts'
import { get } from '../lib/api.ts'
import { Action, Field, fieldValue, Popover } from '../lib/controls.tsx'
import { useEffect, useState } from '../lib/html.ts'
import { Icon } from '../look/icons.tsx'
import { isSignedIn, languages, mayAdminister, signOut } from '../visitor.ts'
import { LanguageField } from './language-field.tsx'

export type Theme = keyof typeof strings.themes

const THEME_KEY = 'voice-studio-theme'
const themeOf = (name: string | null): Theme => (name === 'light' || name === 'dark' ? name : 'system')

/** The theme of this browser, and the way to change it. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(() => themeOf(localStorage.getItem(THEME_KEY)))
  useEffect(() => {
    localStorage.setItem(THEME_KEY, theme)
    if (theme === 'system') document.documentElement.removeAttribute('data-theme')
    else document.documentElement.setAttribute('data-theme', theme)
  }, [theme])
  return [theme, setTheme]
}

export function Device({ page, theme, setTheme }: { page: string; theme: Theme; setTheme: (theme: Theme) => void }) {
  /** A person who signed in with a key of its own. */
  const [who, setWho] = useState<string | null>(null)
  const opened = (isOpen: boolean) => {
    if (isOpen && isSignedIn)
      get('/people/me').then(
        ({ name, role }) => setWho(name && `${name} · ${strings.roles[role]}`),
        () => {},
      )
  }
  return (
    <Popover id="device" label={strings.device} kind="quiet icon-only" look="device" face={<Icon of="person" isLarge />} onToggle={opened}>
      <div class="body">
        {who && <p class="who text">{who}</p>}
        <Field label={strings.theme}>
          <select value={theme} onChange={(event: Event) => setTheme(themeOf(fieldValue(event)))}>
            {Object.entries(strings.themes).map(([id, text]) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </select>
        </Field>
        {languages.length > 1 && <LanguageField />}
        {isSignedIn && (
          <Action kind="item" onPress={signOut}>
            {strings.signOut}
          </Action>
        )}
        {!isSignedIn && !mayAdminister && (
          <a class="item" href={`/sign-in#/${page}`}>
            {strings.signIn}
          </a>
        )}
      </div>
    </Popover>
  )
}
