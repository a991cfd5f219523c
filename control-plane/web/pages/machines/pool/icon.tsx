// The icon of a pool, in a file of its own: pages without pools do not load it.
const STACK = 'M8 4h8M6 8h12M4 12h16v8H4zM8 16h.01M12 16h.01M16 16h.01'

export const PoolIcon = () => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={STACK} />
  </svg>
)
