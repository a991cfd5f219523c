// Dub: a film or a recording in another language. Without an object the list of dubs and the way to a new one, else the editor of one dub.

import type { PageProps } from '#control-plane/web/app.tsx'
import { decoded } from '#control-plane/web/frame/address.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import { Editor } from '../dub-editor/editor.tsx'

const List = whenOpened(() => import('./list.tsx').then(({ Dubs }) => Dubs), { isQuiet: true, isSoon: true })

export const Dub = ({ address }: Pick<PageProps, 'address'>) =>
  address.object === '' ? <List.View /> : <Editor key={address.object} id={decoded(address.object)} query={address.query} />
