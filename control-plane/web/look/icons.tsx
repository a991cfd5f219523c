// The icons: strokes on a square of 24. An icon never stands alone without a name; the control around it has one.

const PATHS = {
  home: 'M3.5 10.5 12 3.5l8.5 7v8a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2zM9.5 20.5v-7h5v7',
  speak: 'M2.5 10.5v3M6.3 7v10M10.1 3.5v17M13.9 8v8M17.7 5.5v13M21.5 10.5v3',
  film: 'M3.5 10.5h17v8a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2zM3.7 10.4l-.7-2.6a2 2 0 0 1 1.4-2.4l12.2-3.3a2 2 0 0 1 2.4 1.4l.6 2.2-15.9 4.7M7.5 4.6l2.9 3.6M13 3.1l2.9 3.6',
  book: 'M12 7v13.5M12 7a4 4 0 0 0-4-3.5H2.5v14H9a3 3 0 0 1 3 3 3 3 0 0 1 3-3h6.5v-14H16A4 4 0 0 0 12 7z',
  captions: 'M4.5 5h15a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM6.5 14.5h3M12.5 14.5h5M6.5 11h1.5M11 11h3',
  jobs: 'm3 6 2 2 3.5-4M3 16.5l2 2 3.5-4M12.5 6.5h8.5M12.5 12h8.5M12.5 17.5h8.5',
  machine:
    'M4.5 3.5h15a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2zM4.5 13.5h15a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2zM6.5 7h.01M6.5 17h.01',
  model: 'M12 2.7 20.5 7.3v9.4L12 21.3l-8.5-4.6V7.3zM3.7 7.4 12 12l8.3-4.6M12 12v9.2M7.7 5l8.4 4.7',
  voice: 'M12 2.5a3.5 3.5 0 0 1 3.5 3.5v5.5a3.5 3.5 0 0 1-7 0V6A3.5 3.5 0 0 1 12 2.5zM5 11a7 7 0 0 0 14 0M12 18v3.5',
  folder: 'M3 6.5a2 2 0 0 1 2-2h4.5l2.5 3h7a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z',
  settings:
    'M4 7h9M18.5 7H20M4 17h1.5M11 17h9M15.8 4.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8.2 14.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4.5 4.5',
  up: 'm6.5 14.5 5.5-5.5 5.5 5.5',
  down: 'm6.5 9.5 5.5 5.5 5.5-5.5',
  right: 'm9.5 6.5 5.5 5.5-5.5 5.5',
  left: 'm14.5 6.5-5.5 5.5 5.5 5.5',
  collapse: 'M5 3.5h14a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2zM9 3.5v17M16 9.5 13.5 12l2.5 2.5',
  person:
    'M12 2.5a9.5 9.5 0 1 1 0 19 9.5 9.5 0 0 1 0-19zM12 6.7a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6zM6.2 19.3v-.8a3 3 0 0 1 3-3h5.6a3 3 0 0 1 3 3v.8',
  menu: 'M4 6h16M4 12h16M4 18h16',
  close: 'M6 6l12 12M18 6 6 18',
  check: 'M12 2.8a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4zM8 12.2l2.8 2.8L16 9.5',
  tick: 'm5 12.5 4.5 4.5L19 7',
  failed: 'M12 2.8a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4zM9.2 9.2l5.6 5.6M14.8 9.2l-5.6 5.6',
  warning: 'M12 2.8a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4zM12 7.8v4.7M12 16.1h.01',
  note: 'M12 2.8a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4zM12 11.3v4.9M12 7.9h.01',
  clock: 'M12 2.8a9.2 9.2 0 1 1 0 18.4 9.2 9.2 0 0 1 0-18.4zM12 7v5.2l3.4 2',
  stopped: 'M5.5 3.5h13a2 2 0 0 1 2 2v13a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-13a2 2 0 0 1 2-2z',
  draft: 'M16.5 3.8a2.6 2.6 0 0 1 3.7 3.7L8 19.7l-4.7 1 1-4.7zM14.2 6.1l3.7 3.7',
  plus: 'M12 5v14M5 12h14',
  play: 'M7 4.2v15.6L19.5 12z',
  before: 'M18.5 5v14L8.5 12zM5.5 5v14',
  after: 'M5.5 5v14l10-7zM18.5 5v14',
  pause: 'M7 4.5h3v15H7zM14 4.5h3v15h-3z',
  volume: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11',
  compare: 'M7 4.5v15M3.5 9v6M17 4.5v15M20.5 9v6M12 11v2',
  star: 'm12 2.9 2.8 5.8 6.3.9-4.6 4.4 1.1 6.3-5.6-3-5.6 3 1.1-6.3L2.9 9.6l6.3-.9z',
  download: 'M12 3.5v12M7 10.8l5 4.9 5-4.9M3.5 16v2.5a2 2 0 0 0 2 2h13a2 2 0 0 0 2-2V16',
  trash:
    'M3.5 6.5h17M18.5 6.5l-.9 12a2 2 0 0 1-2 1.9H8.4a2 2 0 0 1-2-1.9l-.9-12M8.5 6.5v-1a2 2 0 0 1 2-2h3a2 2 0 0 1 2 2v1M10 11v5M14 11v5',
  again: 'M3.5 12a8.5 8.5 0 0 1 14.6-5.9L20.5 8.5M20.5 3.5v5h-5M20.5 12a8.5 8.5 0 0 1-14.6 5.9L3.5 15.5M3.5 20.5v-5h5',
  undo: 'M8.5 14 3.5 9l5-5M3.5 9H15a5.5 5.5 0 0 1 0 11h-4',
  redo: 'm15.5 14 5-5-5-5M20.5 9H9a5.5 5.5 0 0 0 0 11h4',
  split: 'M12 20.5V14L5 7M5 12V7h5M15 11l4-4M14 7h5v5',
  join: 'M12 3.5V13l-7 7M12 13l7 7M8 7.5l4-4 4 4',
  wand: 'm3.5 20.5 9.5-9.5M15 3v2.5M15 11v2.5M10.2 8.2h2.3M17.5 8.2H20M11.6 4.8l1.6 1.6M18.4 4.8l-1.6 1.6M18.4 11.6 16.8 10',
  upload: 'M12 16V4M7 8.7l5-4.9 5 4.9M3.5 16v2.5a2 2 0 0 0 2 2h13a2 2 0 0 0 2-2V16',
  shield: 'M12 21.5c4.5-1.6 7.5-4 7.5-9V5.3L12 2.7 4.5 5.3v7.2c0 5 3 7.4 7.5 9z',
  lock: 'M5.5 10.5h13a1.5 1.5 0 0 1 1.5 1.5v7.5a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 19.5V12a1.5 1.5 0 0 1 1.5-1.5zM7.5 10.5V7a4.5 4.5 0 0 1 9 0v3.5',
  files: 'M8 6.5h6.5L19 11v8.5a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2zM14 6.5V11h5M6 17.5H5a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2h7',
  more: 'M5 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM12 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM19 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2z',
}
export type IconName = keyof typeof PATHS

export const Icon = ({ of: name, isLarge = false, isSolid = false }: { of: IconName; isLarge?: boolean; isSolid?: boolean }) => (
  <svg class={isLarge ? 'icon large' : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
    <path class={isSolid ? 'solid' : undefined} d={PATHS[name]} />
  </svg>
)

/** The names of all icons. */
export const ICONS = Object.keys(PATHS) as readonly IconName[]

const AROUND = 2 * Math.PI * 9
/** A share as a ring; without one a third of it. It is decoration beside words. `share`: 0 to 1 */
export const Ring = ({ share }: { share: number | null }) => (
  <svg class="ring" viewBox="0 0 24 24" aria-hidden="true">
    <circle class="all" cx="12" cy="12" r="9" />
    <circle class="part" cx="12" cy="12" r="9" stroke-dasharray={`${(share ?? 0.3) * AROUND} ${AROUND}`} />
  </svg>
)
