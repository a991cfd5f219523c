// The button that plays and pauses one sound.
import { Icon } from './icons.tsx'
import { useSound } from './sound.ts'

export function PlayButton({
  path,
  label,
  pauseLabel,
  onPress,
  kind = 'quiet icon-only',
}: {
  path: string
  label: string
  pauseLabel: string
  onPress: () => unknown
  kind?: string
}) {
  const now = useSound()
  const isHere = now.path === path
  const isPlaying = isHere && now.isPlaying
  const name = isPlaying ? pauseLabel : label
  return (
    <button type="button" class={kind} title={name} aria-label={name} aria-busy={isHere && now.isLoading} onClick={onPress}>
      {!(isHere && now.isLoading) && <Icon of={isPlaying ? 'pause' : 'play'} isSolid={isPlaying || kind.includes('main')} />}
    </button>
  )
}
