// Tools: small things that need no project. Each has an address of its own.

import type { FunctionComponent } from 'preact'
import type { PageProps } from '#control-plane/web/app.tsx'
import { useObjectName } from '#control-plane/web/frame/object-name.ts'
import { whenOpened } from '#control-plane/web/lib/later.tsx'
import type { IconName } from '#control-plane/web/look/icons.tsx'
import { Icon } from '#control-plane/web/look/icons.tsx'
import { strings } from '#messages/create/tools.ts'

export type ToolName = keyof typeof strings.tools

/** In the order of the list. */
const TOOLS: Readonly<Record<ToolName, { View: FunctionComponent; icon: IconName; tint: number }>> = {
  'detect-mark': { ...whenOpened(() => import('./detect.tsx').then((module) => module.Detect)), icon: 'search', tint: 1 },
  convert: { ...whenOpened(() => import('./convert.tsx').then((module) => module.Convert)), icon: 'again', tint: 5 },
  subtitles: { ...whenOpened(() => import('./subtitles.tsx').then((module) => module.Subtitles)), icon: 'captions', tint: 4 },
  batch: { ...whenOpened(() => import('./batch.tsx').then((module) => module.Batch)), icon: 'film', tint: 3 },
}
const isTool = (name: string): name is ToolName => Object.hasOwn(TOOLS, name)

export function Tools({ address: { object } }: Pick<PageProps, 'address'>) {
  useObjectName((isTool(object) && strings.tools[object][0]) || '')
  if (!isTool(object))
    return (
      <nav class="tiles tools" aria-label={strings.title}>
        {Object.entries(TOOLS).map(([name, { icon, tint }]) => {
          const [title, detail] = strings.tools[name as ToolName]
          return (
            <a key={name} href={`#/tools/${name}`}>
              <span class={`kind big k${tint}`}>
                <Icon of={icon} isLarge />
              </span>
              <span>
                <b>{title}</b>
                <small>{detail}</small>
              </span>
            </a>
          )
        })}
      </nav>
    )
  const { View } = TOOLS[object]
  return (
    <div class="tool">
      <a class="back" href="#/tools">
        {strings.all}
      </a>
      <p class="soft">{strings.tools[object][1]}</p>
      <View />
    </div>
  )
}
