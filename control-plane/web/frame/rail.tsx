// The rail: places by intent. On a phone it is the bar at the bottom, with the places that do not fit under More.

import { strings } from '#messages/frame.ts'
import { Popover } from '../lib/controls.tsx'
import { Icon } from '../look/icons.tsx'
import { type Place, phonePlaces, type Section } from './places.ts'

const SECTIONS = Object.keys(strings.sections) as Section[]
/** Four bars, one in the colour of sound. */
const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width={32} height={32} rx="7" />
    <path d="M8.5 13.5v5M13.5 9v14M23.5 12v8" />
    <path class="sound" d="M18.5 11v10" />
  </svg>
)

const PlaceLink = ({
  place,
  isHere,
  isOnPhone,
  onPoint,
}: {
  place: Place
  isHere: boolean
  isOnPhone: boolean
  onPoint: (page: string) => void
}) => (
  <a
    class={isOnPhone ? 'place phone' : 'place'}
    href={`#/${place.page}`}
    title={place.title}
    onPointerEnter={() => onPoint(place.page)}
    onFocus={() => onPoint(place.page)}
    aria-current={isHere ? 'page' : undefined}
  >
    <Icon of={place.icon} />
    <span class="label">{place.title}</span>
    {place.count !== undefined && place.count > 0 && (
      <span class="count" aria-hidden="true">
        {place.count}
      </span>
    )}
    {place.isCalling && <span class="dot" aria-hidden="true"></span>}
  </a>
)

/** `onPoint`: a place may be opened soon. */
export function Rail({
  places,
  here,
  isNarrow,
  onNarrow,
  onPoint,
  name,
}: {
  places: Place[]
  here: string
  isNarrow: boolean
  onNarrow: (isNarrow: boolean) => void
  onPoint: (page: string) => void
  name: string
}) {
  const shown = phonePlaces(places)
  const others = places.filter((place) => !shown.includes(place))
  const label = isNarrow ? strings.expand : strings.collapse
  return (
    <div class="rail">
      <nav aria-label={strings.pages}>
        <a class="brand" href="#/">
          <Logo />
          <span>{name}</span>
        </a>
        {SECTIONS.map((section) => {
          const own = places.filter((place) => place.section === section)
          return (
            own.length > 0 && (
              <div class="group" key={section}>
                {strings.sections[section] && <h2>{strings.sections[section]}</h2>}
                {own.map((place) => (
                  <PlaceLink
                    key={place.page}
                    place={place}
                    isHere={place.page === here}
                    isOnPhone={shown.includes(place)}
                    onPoint={onPoint}
                  />
                ))}
              </div>
            )
          )
        })}
        {others.length > 0 && (
          <span class="only-phone">
            <Popover
              id="more-places"
              label={strings.more}
              kind="place phone"
              face={
                <>
                  <Icon of="menu" />
                  <span>{strings.more}</span>
                </>
              }
            >
              <div class="body">
                {others.map((place) => (
                  <a key={place.page} class="item" data-close href={`#/${place.page}`}>
                    <Icon of={place.icon} />
                    <span>{place.title}</span>
                  </a>
                ))}
              </div>
            </Popover>
          </span>
        )}
        <span class="spread"></span>
        <button type="button" class="place collapse" title={label} aria-expanded={!isNarrow} onClick={() => onNarrow(!isNarrow)}>
          <Icon of="collapse" />
          <span class="label">{label}</span>
        </button>
      </nav>
    </div>
  )
}
