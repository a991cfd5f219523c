// The choice among takes in the address of the page, beside what else is there.
import { addressOf } from '#control-plane/web/frame/address.ts'
import { useEffect, useState } from '#control-plane/web/lib/html.ts'
import type { TakeChoice } from './take-pages.ts'

function choiceNow(): TakeChoice {
  const { query } = addressOf(location.hash)
  return { q: query.get('q') ?? '', starred: query.get('starred') === '1' }
}

function keep({ q, starred }: TakeChoice) {
  const [path = ''] = location.hash.split('?', 1)
  const { query } = addressOf(location.hash)
  query.delete('q')
  query.delete('starred')
  if (q.trim() !== '') query.set('q', q)
  if (starred) query.set('starred', '1')
  history.replaceState(null, '', `${path || '#/'}${query.size > 0 ? `?${query}` : ''}`)
}

export function useTakeChoice(): [TakeChoice, (more: Partial<TakeChoice>) => void] {
  const [choice, set] = useState(choiceNow)
  useEffect(() => {
    const navigate = () => set(choiceNow())
    addEventListener('hashchange', navigate)
    return () => removeEventListener('hashchange', navigate)
  }, [])
  return [
    choice,
    (more) => {
      const next = { ...choice, ...more }
      set(next)
      keep(next)
    },
  ]
}
