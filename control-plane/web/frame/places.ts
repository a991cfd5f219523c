// The places of the studio, and those that a phone shows.

import type { strings } from '#messages/frame.ts'
import type { IconName } from '../look/icons.tsx'

export type Section = keyof typeof strings.sections

export type Place = {
  page: string
  title: string
  icon: IconName
  section: Section
  /** number of what is active there */
  count?: number
  /** something there needs a person */
  isCalling?: boolean
  /** only the palette and other pages lead there */
  isOffRail?: boolean
}

/** Places of the phone, the fifth is More. */
const PHONE_PLACES = 5

/** The first ones there. Those that do not exist leave their room to the next ones of the rail. */
const ON_PHONE = ['home', 'speak', 'projects', 'jobs']

const phoneRank = ({ page }: { page: string }) => (ON_PHONE.includes(page) ? ON_PHONE.indexOf(page) : ON_PHONE.length)

/** The places beside More, or all if they fit. */
export const phonePlaces = <P extends { page: string }>(places: readonly P[]) =>
  places.length > PHONE_PLACES ? places.toSorted((one, other) => phoneRank(one) - phoneRank(other)).slice(0, PHONE_PLACES - 1) : places
