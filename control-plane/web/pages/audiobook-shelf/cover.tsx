// The cover of a book: its picture, or one that is drawn from its title.

const TINTS = 8
const MOTIFS = 4

/** A number that a text always gives. */
const sumOf = (text: string) => [...text].reduce((sum, one) => (sum * 31 + (one.codePointAt(0) ?? 0)) % 9973, 7)

const WAVES = [0, 1, 2, 3, 4].map((at) => `M0 ${62 + at * 9}q12-${6 + at} 25 0t25 0 25 0 25 0`).join('')
const RINGS = [8, 16, 24, 32, 40].map((r) => `M${50 - r} 96a${r} ${r} 0 0 1 ${2 * r} 0`).join('')
const PEAKS = 'M0 120 34 66l18 26 14-18 34 46zM70 62a7 7 0 1 0 .1 0'
const LINES = [0, 1, 2, 3, 4, 5].map((at) => `M${10 + at * 16} 130V${104 - ((at * 29) % 44)}`).join('')
const SHAPES = [WAVES, RINGS, PEAKS, LINES]

/** `picture`: address, '' for none */
export function Cover({ title, picture }: { title: string; picture: string }) {
  const sum = sumOf(title)
  return (
    <span class={`cover k${(sum % TINTS) + 1}`} aria-hidden="true">
      <svg aria-hidden="true" viewBox="0 0 100 130" preserveAspectRatio="xMidYMax slice">
        <path d={SHAPES[sum % MOTIFS] ?? WAVES} />
      </svg>
      <b class="text" dir="auto">
        {title}
      </b>
      {picture && <img src={picture} alt="" loading="lazy" />}
    </span>
  )
}
