// @ts-check
// The rail: places by intent. On a phone it is the bar at the bottom, with the places that do not fit under More.
import { Popover } from '../lib/controls.js'
import { html } from '../lib/html.js'
import { Icon } from '../look/icons.js'
import { strings } from './strings.js'

/** @import { IconName } from '../look/icons.js' */
/** @typedef {keyof typeof strings.sections} Section */
/**
 * @typedef {object} Place
 * @property {string} page
 * @property {string} title
 * @property {IconName} icon
 * @property {Section} section
 * @property {number} [count] of what is active there
 * @property {boolean} [isCalling] something there needs a person
 */

const SECTIONS = /** @type {Section[]} */ (Object.keys(strings.sections))
/** Places of the phone, the fifth is More. */
const PHONE_PLACES = 5
/** The first ones there. Those that do not exist leave their room to the next ones of the rail. */
const ON_PHONE = ['home', 'speak', 'projects', 'jobs']
/** @param {{ page: string }} place */
const phoneRank = ({ page }) => (ON_PHONE.includes(page) ? ON_PHONE.indexOf(page) : ON_PHONE.length)
/** The places beside More, or all if they fit. @template {{ page: string }} P @param {readonly P[]} places */
export const phonePlaces = (places) =>
  places.length > PHONE_PLACES ? places.toSorted((one, other) => phoneRank(one) - phoneRank(other)).slice(0, PHONE_PLACES - 1) : places

/** Four bars, one in the colour of sound. */
const Logo = () => html`<svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
  <rect width="32" height="32" rx="7" /><path d="M8.5 13.5v5M13.5 9v14M23.5 12v8" /><path class="sound" d="M18.5 11v10" />
</svg>`

/** @param {{ place: Place, isHere: boolean, isOnPhone: boolean, onPoint: (page: string) => void }} props */
const PlaceLink = ({ place, isHere, isOnPhone, onPoint }) => html`<a class=${isOnPhone ? 'place phone' : 'place'} href=${`#/${place.page}`}
  title=${place.title} onPointerEnter=${() => onPoint(place.page)} onFocus=${() => onPoint(place.page)} aria-current=${isHere ? 'page' : undefined}>
  <${Icon} of=${place.icon} /><span class="label">${place.title}</span>
  ${place.count !== undefined && place.count > 0 && html`<span class="count" aria-hidden="true">${place.count}</span>`}
  ${place.isCalling && html`<span class="dot" aria-hidden="true"></span>`}
</a>`

/** `onPoint`: a place may be opened soon. @param {{ places: Place[], here: string, isNarrow: boolean, onNarrow: (isNarrow: boolean) => void, onPoint: (page: string) => void, name: string }} props */
export function Rail({ places, here, isNarrow, onNarrow, onPoint, name }) {
  const shown = phonePlaces(places)
  const others = places.filter((place) => !shown.includes(place))
  const label = isNarrow ? strings.expand : strings.collapse
  return html`<div class="rail">
    <nav aria-label=${strings.pages}>
      <a class="brand" href="#/"><${Logo} /><span>${name}</span></a>
      ${SECTIONS.map((section) => {
        const own = places.filter((place) => place.section === section)
        return (
          own.length > 0 &&
          html`<div class="group" key=${section}>${strings.sections[section] && html`<h2>${strings.sections[section]}</h2>`}
            ${own.map((place) => html`<${PlaceLink} key=${place.page} place=${place} isHere=${place.page === here} isOnPhone=${shown.includes(place)} onPoint=${onPoint} />`)}
          </div>`
        )
      })}
      ${
        others.length > 0 &&
        html`<span class="only-phone"><${Popover} id="more-places" label=${strings.more} kind="place phone" face=${html`<${Icon} of="menu" /><span>${strings.more}</span>`}>
          <div class="body">${others.map(
            (place) =>
              html`<a key=${place.page} class="item" data-close href=${`#/${place.page}`}><${Icon} of=${place.icon} /><span>${place.title}</span></a>`,
          )}</div>
        <//></span>`
      }
      <span class="spread"></span>
      <button type="button" class="place collapse" title=${label} aria-expanded=${!isNarrow} onClick=${() => onNarrow(!isNarrow)}>
        <${Icon} of="collapse" /><span class="label">${label}</span></button>
    </nav>
  </div>`
}
